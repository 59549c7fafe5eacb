"""Ctrl-C as a request to stop at the next good place."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interruption:
    """Whether a Ctrl-C has come."""

    asked = False


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """The first Ctrl-C sets `asked`; the second ends the program."""
    interruption = Interruption()

    def stop(number: int, frame: FrameType | None) -> None:
        interruption.asked = True
        signal.signal(signal.SIGINT, before)

    try:
        before = signal.signal(signal.SIGINT, stop)
    except ValueError:  # not in the main thread: no handler, no harm
        yield interruption
        return
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, before)
