"""Commands whose options are those of a list: of reading, tagging and writing."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, get_type_hints

import typer

from senna.cli.options import choice
from senna.pipeline.options import Option, options_of


def with_options(command: Callable[..., None], kind: type) -> Callable[..., None]:
    """A command that takes the options of a record after its argument, before its own options."""
    hints = get_type_hints(command, include_extras=True)
    argument, *others = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[name])
        for name, each in signature(command).parameters.items()
        if each.kind is not Parameter.VAR_KEYWORD
    ]
    parameters = [argument, *map(_parameter, options_of(kind).values()), *others]

    @wraps(command)
    def with_them(**values: Any) -> None:
        command(**values)

    with_them.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    with_them.__annotations__ = {each.name: each.annotation for each in parameters}
    return with_them


def _parameter(option: Option) -> Parameter:
    """The parameter of a command for an option of the list."""
    hint: Any = list[str] if option.kind is list else option.kind
    hint = hint | None if option.default is None else hint
    hint = Annotated[hint, _declared(option)]
    return Parameter(option.name, Parameter.KEYWORD_ONLY, default=option.default, annotation=hint)


def _declared(option: Option) -> Any:
    """An option of the list, for Typer."""
    if option.choices:
        each = "; ".join(map(": ".join, option.abouts.items()))
        return choice(option.choices, option.flag, help=option.help + f" {each}." * bool(each))
    if option.kind is bool:
        flag = option.flag
        if option.default is None:
            flag += f"/--no-{flag.removeprefix('--')}"
        return typer.Option(flag, help=option.help)
    numbers: dict[str, Any] = (
        {"min": option.least, "max": option.most} if option.kind is int else {}
    )
    metavar = option.metavar or None
    return typer.Option(option.flag, metavar=metavar, help=option.help, **numbers)
