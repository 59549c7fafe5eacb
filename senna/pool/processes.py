"""The processes that share work.

Pipes are all that they need of the system. A worker ends when its parent does, however that ends,
and leaves Ctrl-C to it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from senna.errors import SennaError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess
    from queue import SimpleQueue

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 4  # items a worker that are taken before the first result is handed on
SIGNALS = [getattr(signal, s) for s in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, s)]


def shared(
    load: Callable[[], Callable[[T], R]], items: Iterator[T], jobs: int
) -> Iterator[tuple[T, R]]:
    """As `senna.pool.in_order`, in processes; they end with the generator."""
    workers: dict[Connection, BaseProcess] = {}
    try:
        _start(load, jobs, workers)
        yield from _exchange(items, list(workers))
    finally:
        for process in workers.values():
            process.kill()
            process.join()


def _exchange(items: Iterator[T], workers: list[Connection]) -> Iterator[tuple[T, Any]]:
    """Give the workers items, for as long as there are any, and take their answers."""
    from multiprocessing import Pipe
    from multiprocessing.connection import wait

    source, theirs = Pipe()
    drawn: list[Any] = []  # the next item, or at the end what went wrong
    threading.Thread(target=_draw, args=(items, drawn, theirs), daemon=True).start()
    taken: dict[int, T] = {}  # by number, until their turn
    results: dict[int, Any] = {}
    # What each has still to answer: the numbers of two items at most; -1: that it has loaded.
    due = {worker: deque([-1]) for worker in workers}
    count = turn = 0
    more = True
    with source:
        source.send_bytes(b"next")
        while more or any(due.values()):
            free = min(due, key=lambda worker: len(due[worker]))
            room = more and len(due[free]) < 2 and count < turn + AHEAD * len(workers)
            answers: list[Any] = wait([*due, source] if room else [*due])
            fault: _Fault | None = None
            try:
                for ready in answers:
                    if ready is not source:
                        answer = ready.recv()
                        number = due[ready].popleft()
                        if number >= 0:
                            results[number] = answer
                        else:
                            fault = fault or answer
                    elif more := bool(source.recv_bytes()):
                        taken[count] = drawn.pop()
                        due[free].append(count)
                        free.send(taken[count])
                        source.send_bytes(b"next")
                        count += 1
            except (EOFError, OSError):
                what = "a worker process was ended"
                raise SennaError(what, mend="If memory is short, try fewer.") from None
            if fault is not None:  # a worker could not load
                raise fault.raised()
            while turn in results:
                result = results.pop(turn)
                if isinstance(result, _Fault):
                    raise result.raised()
                yield taken.pop(turn), result
                turn += 1
    if drawn:
        raise drawn.pop()


def _draw(items: Iterator[T], drawn: list[Any], main: Connection) -> None:
    """Draw an item whenever `main` asks for the next and send it, or nothing at the end."""
    try:
        main.recv_bytes()
        for item in items:
            drawn.append(item)
            main.send_bytes(b"drawn")
            main.recv_bytes()
    except Exception as error:
        drawn.append(error)
    with suppress(OSError):  # main may have gone
        main.send_bytes(b"")


def _start(
    load: Callable[[], Callable[[T], R]], jobs: int, workers: dict[Connection, BaseProcess]
) -> None:
    import multiprocessing
    import warnings
    from multiprocessing import resource_tracker

    # A copy of this process is there at once, a new one after half a second; but a copy of one
    # with several threads may hang.
    copied = sys.platform == "linux" and threading.active_count() == 1
    context: Any = multiprocessing.get_context("fork" if copied else "spawn")
    if hasattr(signal, "pthread_sigmask") and not copied:
        resource_tracker.ensure_running()  # it would lift the mask
    try:
        with signals_held():
            for _ in range(jobs):
                ours, theirs = context.Pipe()
                others = [*workers, ours] if copied else []
                process = context.Process(target=_work, args=(load, theirs, others), daemon=True)
                with warnings.catch_warnings():
                    # From Python 3.12 on it warns of NumPy's own threads too, which a copy starts
                    # anew.
                    warnings.simplefilter("ignore", DeprecationWarning)
                    process.start()
                workers[ours] = process
                theirs.close()
    except OSError as error:
        what = f"cannot start {jobs} processes: {error.strerror}"
        raise SennaError(what, mend="Try fewer.") from None


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
    from queue import SimpleQueue

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
            parent.send(_Fault.of(error))
            threading.Event().wait()  # until the parent ends this process
        parent.send(None)
        while True:
            try:
                parent.send(work(items.get()))  # an answer that cannot be sent is a fault too
            except ConnectionError:
                raise
            except Exception as error:
                parent.send(_Fault.of(error))


class _Fault(NamedTuple):
    """An error of a worker as it goes to the parent: itself if it can be pickled, and as text."""

    error: Exception | None
    text: str
    trace: str  # its traceback; of SennaError none

    @classmethod
    def of(cls, error: Exception) -> _Fault:
        import pickle
        import traceback

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


def _receive(parent: Connection, items: SimpleQueue[T]) -> None:
    """Take in items as they come, so that the parent never waits; end when it has gone."""
    try:
        while True:
            items.put(parent.recv())
    finally:
        os._exit(1)
