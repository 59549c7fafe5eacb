"""Ctrl-C, and SIGTERM where the program answers to it, as requests to stop at a good place."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any


class Interruption(KeyboardInterrupt):
    """A signal that ends the work: its number, 0 before it comes."""

    def __init__(self, number: int = 0) -> None:
        super().__init__("stopped")
        self.number = number

    @property
    def asked(self) -> bool:
        """Whether the signal has come."""
        return self.number > 0

    def check(self) -> None:
        """Raise the interruption if the signal has come."""
        if self.asked:
            raise self


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """The first Ctrl-C or SIGTERM is noted; the second ends the program."""
    interruption = Interruption()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    # What is ignored, or ends the program without a word, is left so.
    before = {number: handler for number, handler in handlers.items() if callable(handler)}

    def stop(number: int, frame: FrameType | None) -> None:
        interruption.number = number
        handle(before)

    def handle(handlers: dict[signal.Signals, Any]) -> None:
        with suppress(ValueError):  # not in the main thread: no handler, no harm
            for number, handler in handlers.items():
                signal.signal(number, handler)

    handle(dict.fromkeys(before, stop))
    try:
        yield interruption
    finally:
        handle(before)
