"""Starting, stopping and continuing of `senna train` and `senna pretrain`."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import typer

from senna.cli.options import say
from senna.errors import SennaError
from senna.training.interruption import Interruption


@contextmanager
def stoppable() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the command with one line, and with exit code 130 or 143."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Interruption(number)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except KeyboardInterrupt as error:
        say(f"senna: {str(error) or 'stopped'}")
        raise SystemExit(128 + (getattr(error, "number", 0) or signal.SIGINT)) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def refuse_beside_resume(context: typer.Context, *heeded: str) -> None:
    """Refuse options that a resumed run would ignore: all but those heeded."""
    params: list[Any] = context.command.params
    names = [
        param.opts[0] if param.opts[0].startswith("-") else param.metavar
        for param in params
        if param.name not in ("resume", *heeded)
        and (source := context.get_parameter_source(param.name or "")) is not None
        and source.name == "COMMANDLINE"
    ]
    if given := ", ".join(names):
        remedy = "Leave them out, or start a new run."
        raise SennaError(
            f"the run continues with its own settings, so {given} cannot be given",
            where="--resume",
            remedy=remedy,
        )
