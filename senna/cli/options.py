"""Tables of options as parameters for Typer, and how its commands are shown."""

from __future__ import annotations

import math
import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from senna.cli.terminal import COMPLETING
from senna.errors import plain
from senna.settings import Option, named

# Options that several commands have.
FILES = list[Path]
DEV = Option(
    "The development set; the epoch that scores best on it is kept.", FILES, metavar="FILE"
)
TEST = Option("The test set, which is scored at the end.", FILES, metavar="FILE")
DATA = Option("The folder of corpora. Default: $SENNA_DATA.", Path, metavar="DIR")
DEVICE = Option("cpu, cuda, cuda:1, ...", metavar="DEVICE", default="cpu")
SETTINGS = Option("Override a setting, for example {}.", list, flag="--set", metavar="KEY=VALUE")


class Command(TyperCommand):
    """One command, whose help names arguments by their metavar, without types of Python."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The parts of the line of usage; releases of typer differ in how they show arguments."""
        pieces = [self.options_metavar or ""]
        for param in self.get_params(ctx):
            if param.param_type_name == "argument":
                name = param.metavar if param.required else f"[{param.metavar}]"
                pieces.append(f"{name}{'...' * (param.nargs < 0)}")
        return pieces

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The arguments and options with their help."""
        rows: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for param in self.get_params(ctx):
            if record := param.get_help_record(ctx):
                is_argument = param.param_type_name == "argument"
                name = param.metavar if is_argument and param.metavar else record[0]
                rows[param.param_type_name].append((name, record[1]))
        for kind, records in rows.items():
            if records:
                with formatter.section(f"{kind.capitalize()}s"):
                    formatter.write_dl(records)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return list(super().parse_args(ctx, args))
        except Exception as error:
            formats = any("--format" in param.opts for param in self.params)
            if formats and getattr(error, "option_name", "") == "--json":
                error.possibilities = ["--format jsonl"]  # type: ignore[attr-defined]
            raise


class Group(TyperGroup):
    """A group of commands."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands and the first sentence of each one's help, whole."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, own.get_short_help_str(limit=1_000)) for name, own in commands if own]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class Program(typer.Typer):
    """Typer with such commands, in plain text."""

    def __init__(
        self, cls: type[Group] = Group, add_completion: bool = False, **settings: Any
    ) -> None:
        named = {"add_completion": add_completion, "rich_markup_mode": None, **settings}
        super().__init__(cls=cls, **named)

    def command(
        self, name: str | None = None, options: Mapping[str, Option] | None = None, **settings: Any
    ) -> Callable[[Any], Any]:
        """A command that takes the options of a table after its own parameters."""
        declared = super().command(name, cls=Command, **settings)
        return lambda command: declared(with_options(command, options or {}))


def with_options(command: Callable[..., None], options: Mapping[str, Option]) -> Any:
    """A command with the options of a table, which it gets by name."""
    hints = get_type_hints(command, localns={"typer": typer}, include_extras=True)
    parameters = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=own.default, annotation=hints[name])
        for name, own in signature(command).parameters.items()
        if own.kind is not Parameter.VAR_KEYWORD and name not in options
    ]
    parameters += map(_parameter, named(options).values())

    @wraps(command)
    def with_them(**values: Any) -> None:
        command(**values)

    with_them.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    with_them.__annotations__ = {own.name: own.annotation for own in parameters}
    return with_them


def _parameter(option: Option) -> Parameter:
    hint: Any = list[str] if option.kind is list else option.kind
    hint = hint | None if option.default is None and not option.required else hint
    flags = [f"{option.flag}/{option.negation}".rstrip("/"), *option.short.split()]
    if option.choices:
        # Parts say what they are once they are imported, which completion does not wait for.
        abouts = {} if COMPLETING in os.environ else option.abouts
        each = "; ".join(map(": ".join, abouts.items()))
        declared = choice(
            tuple(option.choices), *flags, help=option.help + f" {each}." * bool(each)
        )
    else:
        shown: dict[str, Any] = {"metavar": option.metavar or None, "help": option.help}
        shown["callback"] = _finite if option.kind is float else None
        declared = typer.Option(*flags, min=option.least, max=option.most, **shown)
    default = Parameter.empty if option.required else option.default
    annotation = Annotated[hint, declared]
    return Parameter(option.name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _finite(value: float | None) -> float | None:
    if value is None or math.isfinite(value):
        return value
    raise typer.BadParameter(f"{value} is not a number.")


LONGEST = 68  # letters of choices that a line of help has room for


def choice(known: Sequence[str], *declared: str, **settings: Any) -> Any:
    """An option whose value is one of some names; the rest is as for typer.Option."""

    def check(value: str | None) -> str | None:
        if value is None or value in known:
            return value
        raise typer.BadParameter(f"{value!r} is not one of {', '.join(map(repr, known))}.")

    if COMPLETING in os.environ:
        settings["autocompletion"] = lambda: list(known)
    # Where they are too long for the line the help explains them.
    metavar = f"<{names}>" if len(names := "|".join(known)) <= LONGEST else "NAME"
    return typer.Option(*declared, metavar=metavar, callback=check, **settings)


def say(line: str) -> None:
    """Print a line for the user on stderr."""
    typer.echo(plain(line), err=True)


def command_line() -> str:
    """The command that the user gave, as a shell takes it."""
    return shlex.join(["senna", *sys.argv[1:]])
