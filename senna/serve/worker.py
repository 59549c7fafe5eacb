"""The program of a worker: it takes messages on standard input and answers on standard output.

    ("tag", [(number, work), ...])   [(number, answer, ended), ...]
    ("more", number)                 the same of a work whose answer has not ended
    ("drop", number)                 none: nobody waits for the rest of its answer

An answer is bytes, the line of an error that the user can mend, or None where the program failed,
which standard error reports. The worker ends with its input.
"""

from __future__ import annotations

import os
import signal
import threading
import traceback
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any, BinaryIO

from senna.errors import SennaError
from senna.serve.frames import packed, read
from senna.serve.work import Work, is_small

Answer = tuple[int, bytes | str | None, bool]


def main() -> None:
    """Load the models named in the first message, then answer one message after another."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server tells when to end
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed is no answer
    models = read(source)
    messages: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_receive, args=(source, messages), daemon=True).start()
    try:
        from senna.serve.tagging import Tagger, types_of_answers

        tagger = Tagger(models)
        tagger.answers([Work(["Ann met Bob."])])
        _send(sink, (tagger.tasks, types_of_answers()))
    except SennaError as error:
        _send(sink, error.of_command())
        return
    answering = Answering(tagger)
    while True:
        kind, content = messages.get()
        if kind == "drop":
            answering.open.pop(content, None)
        else:
            _send(sink, answering.new(content) if kind == "tag" else [answering.next(content)])


class Answering:
    """The answers that have begun; `open` are those that have not ended, by number."""

    def __init__(self, tagger: Any) -> None:
        self.tagger = tagger
        self.open: dict[int, Iterator[bytes]] = {}

    def new(self, works: list[tuple[int, Any]]) -> list[Answer]:
        """The answers of works; of one that is not small the first part."""
        number, work = works[0]
        if len(works) == 1 and not is_small(work):
            self.open[number] = self.tagger.parts(work)
            return [self.next(number)]
        answers = self.tagger.answers([work for _, work in works])
        return [
            (number, str(answer) if isinstance(answer, SennaError) else answer, True)
            for (number, _), answer in zip(works, answers, strict=True)
        ]

    def next(self, number: int) -> Answer:
        """The next part of an answer, with text in it; the last one may be empty."""
        answer: bytes | str | None = b""
        try:
            for part in self.open[number]:
                if part:
                    return number, part, False
        except SennaError as error:
            answer = str(error)
        except Exception:
            traceback.print_exc()
            answer = None
        del self.open[number]
        return number, answer, True


def _receive(source: BinaryIO, messages: SimpleQueue[Any]) -> None:
    """Take messages in as they come, and end with the server, whatever is under way."""
    try:
        while True:
            messages.put(read(source))
    except EOFError:
        pass
    finally:
        os._exit(0)


def _send(sink: BinaryIO, message: Any) -> None:
    try:
        sink.write(packed(message))
        sink.flush()
    except OSError:  # the server has gone
        os._exit(0)


if __name__ == "__main__":
    main()
