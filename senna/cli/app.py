"""The commands of the `senna` program, for Typer."""

from __future__ import annotations

import sys
from typing import Any

import typer
from typer.main import get_command

from senna.cli.options import Group, Program
from senna.cli.terminal import COMPLETING
from senna.errors import SennaError
from senna.registry import COMMANDS


class Commands(Group):
    """The commands, each imported and built only when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        # A name that is none gets all of them, to be told which are near.
        for name in (cmd_name,) if cmd_name in COMMANDS else COMMANDS:
            self.commands[name] = _built(name)
        return self.commands.get(cmd_name)


def _built(name: str) -> Any:
    module = COMMANDS[name]
    if hasattr(module, f"{name}_app"):
        return get_command(getattr(module, f"{name}_app"))
    alone = Program()
    declared = alone.command(name, getattr(module, "OPTIONS", None), epilog=module.EXAMPLE)
    declared(getattr(module, f"{name}_command"))
    return get_command(alone)


app = Program(
    name="senna",
    cls=Commands,
    help="Tag English text: parts of speech, chunks, named entities, semantic roles, trees, "
    "lemmas, "
    "dependencies and labels of sentences. senna also trains and evaluates models.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(shown: bool) -> None:
    if shown:
        from senna.inference.kernel.library import level
        from senna.version import __version__

        typer.echo(f"senna {__version__} (kernel: {level()})")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False,
        "--version",
        callback=_version,
        is_eager=True,
        help="Print the version and the kernel in use.",
    ),
) -> None:
    pass


def run() -> None:
    """Run the command of sys.argv; SennaError where Typer refuses its options."""
    try:
        sys.exit(app(prog_name="senna", complete_var=COMPLETING, standalone_mode=False))
    except Exception as error:  # of a class that is click's or, in later releases, Typer's own
        if not hasattr(error, "format_message"):
            raise
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()  # type: ignore[attr-defined]
            sys.exit(2)
        what = " ".join(error.format_message().split())
        command = getattr(getattr(error, "ctx", None), "command_path", f"senna {sys.argv[1]}")
        raise SennaError(what[:1].lower() + what[1:], remedy=f"See {command} -h.") from None
