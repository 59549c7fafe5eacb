"""Processes that load a function and call it, for `in_order` and for the server.

Pipes are all that they need of the system. A worker ends when its parent does, however that ends,
and leaves Ctrl-C to it.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

from senna.errors import SennaError

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 4  # items per worker that are drawn before the first result is handed on
SIGNALS = [getattr(signal, s) for s in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, s)]
LOADING = -1  # in place of the number of an item
LOST = object()  # in place of an answer: the process has ended


class Worker:
    """A process that calls the function that `load` returns with one item after another.

    `copied`: it is a copy of this process, which is there at once, where a new one takes half a
    second; but a copy of a process with several threads may hang. `others` are the workers that
    were started before. Raises OSError if no process can be started.
    """

    def __init__(
        self,
        load: Callable[[], Callable[[Any], Any]],
        others: Sequence[Worker] = (),
        copied: bool = False,
    ) -> None:
        context: Any = multiprocessing.get_context("fork" if copied else "spawn")
        if hasattr(signal, "pthread_sigmask") and not copied:
            resource_tracker.ensure_running()  # it would lift the mask
        self._pipe, theirs = context.Pipe()
        pipes = [other._pipe for other in (*others, self)] if copied else []
        self._process = context.Process(target=_work, args=(load, theirs, pipes), daemon=True)
        with theirs, signals_held(), warnings.catch_warnings():
            # From Python 3.12 on it warns of NumPy's own threads too, which a copy starts anew.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []

    def listen(self, hear: Callable[[Any], object]) -> None:
        """Call `hear`, in a thread, with None or a `Fault` when it has loaded, then with answers.

        The last one is `LOST`.
        """
        targets: list[Callable[[], None]] = [self._write, lambda: self._read(hear)]
        self._threads = [threading.Thread(target=target, daemon=True) for target in targets]
        for thread in self._threads:
            thread.start()

    def send(self, item: Any) -> None:
        """Give it an item, without waiting for it to be taken."""
        self._outbox.put(pickle.dumps(item, pickle.HIGHEST_PROTOCOL))

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.join()
        self._outbox.put(None)
        for thread in self._threads:
            thread.join()
        self._pipe.close()

    def _write(self) -> None:
        with suppress(OSError):
            while (data := self._outbox.get()) is not None:
                self._pipe.send_bytes(data)

    def _read(self, hear: Callable[[Any], object]) -> None:
        with suppress(EOFError, OSError):
            while True:
                hear(self._pipe.recv())
        hear(LOST)


def shared(
    load: Callable[[], Callable[[T], R]], items: Iterator[T], jobs: int
) -> Iterator[tuple[T, R]]:
    """As `senna.pipeline.workers.in_order`, in processes; they end with the generator."""
    copied = sys.platform == "linux" and threading.active_count() == 1
    workers: list[Worker] = []
    room, over = threading.Semaphore(AHEAD * jobs), threading.Event()
    # A worker and its answer; None and an item in a tuple; None and, at the end, its error or None.
    events: SimpleQueue[tuple[Worker | None, Any]] = SimpleQueue()

    def draw() -> None:
        error = None
        try:
            room.acquire()
            for item in items:
                events.put((None, (item,)))
                room.acquire()
                if over.is_set():
                    return
        except Exception as fault:
            error = fault
        events.put((None, error))

    try:
        try:
            for _ in range(jobs):
                workers.append(Worker(load, workers, copied))
        except OSError as error:
            what = f"cannot start {jobs} processes: {error.strerror}"
            raise SennaError(what, mend="Try fewer.") from None
        for worker in workers:
            worker.listen(lambda answer, worker=worker: events.put((worker, answer)))  # type: ignore[misc]
        threading.Thread(target=draw, daemon=True).start()
        yield from _exchange(events, workers, room)
    finally:
        over.set()
        room.release()
        for worker in workers:
            worker.end()


def _exchange(
    events: SimpleQueue[tuple[Worker | None, Any]],
    workers: Sequence[Worker],
    room: threading.Semaphore,
) -> Iterator[tuple[Any, Any]]:
    """Give workers the items that are drawn, and hand on their answers in order."""
    taken: dict[int, Any] = {}  # items by number, until their turn
    results: dict[int, Any] = {}
    waiting = deque[int]()
    due = {worker: deque([LOADING]) for worker in workers}  # what each has to answer, two at most
    count = turn = 0
    more, error = True, None
    while more or waiting or any(due.values()):
        worker, value = events.get()
        if value is LOST:
            what = "a worker process was ended"
            raise SennaError(what, mend="If memory is short, try fewer.")
        if worker is None:
            more = isinstance(value, tuple)
            if more:
                taken[count] = value[0]
                waiting.append(count)
                count += 1
            else:
                error = value
        elif (number := due[worker].popleft()) != LOADING:
            results[number] = value
        elif isinstance(value, Fault):
            raise value.raised()
        while waiting and len(due[free := min(due, key=lambda one: len(due[one]))]) < 2:
            due[free].append(waiting[0])
            free.send(taken[waiting.popleft()])
        while turn in results:
            result = results.pop(turn)
            if isinstance(result, Fault):
                raise result.raised()
            yield taken.pop(turn), result
            turn += 1
            room.release()
    if error is not None:
        raise error


@contextmanager
def signals_held() -> Iterator[None]:
    """Signals wait until the end; for processes that begin meanwhile, until they unblock them."""
    if not hasattr(signal, "pthread_sigmask"):  # in Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(
    load: Callable[[], Callable[[T], R]], parent: Connection, others: list[Connection]
) -> None:
    """The loop of a worker: load, then answer item after item.

    `others` are the parent's ends of pipes that were copied with it: none breaks while one is open.
    """
    for connection in others:
        connection.close()
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    items: SimpleQueue[T] = SimpleQueue()
    threading.Thread(target=_receive, args=(parent, items), daemon=True).start()
    with suppress(ConnectionError):
        try:
            work = load()
        except Exception as error:
            parent.send(Fault.of(error))
            threading.Event().wait()  # until the parent ends this process
        parent.send(None)
        while True:
            try:
                parent.send(work(items.get()))  # an answer that cannot be sent is a fault too
            except ConnectionError:
                raise
            except Exception as error:
                parent.send(Fault.of(error))


def _receive(parent: Connection, items: SimpleQueue[T]) -> None:
    """Take in items as they come; end when the parent has gone."""
    try:
        while True:
            items.put(parent.recv())
    finally:
        os._exit(1)


class Fault(NamedTuple):
    """An error of a worker as it goes to the parent: itself if it can be pickled, and as text."""

    error: Exception | None
    text: str
    trace: str  # its traceback; of SennaError none

    @classmethod
    def of(cls, error: Exception) -> Fault:
        """The fault of an error."""
        trace = "" if isinstance(error, SennaError) else "".join(traceback.format_exception(error))
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:
            return cls(None, f"{type(error).__name__}: {error}", trace)
        return cls(error, str(error), trace)

    def raised(self) -> Exception:
        """The error with the worker's traceback as a note."""
        error = self.error or RuntimeError(self.text)
        if self.trace:
            error.add_note(f"In a process that shared the work:\n{self.trace}")
        return error
