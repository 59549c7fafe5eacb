"""Processes that share work, and end with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any, TypeVar

from senna.errors import SennaError

T = TypeVar("T")
R = TypeVar("R")
AHEAD = 4  # items per process that are drawn before the first result is handed on
SIGNALS = [getattr(signal, s) for s in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, s)]


def shared(
    load: Callable[[], Callable[[T], R]], items: Iterator[T], jobs: int
) -> Generator[tuple[T, R], None, None]:
    """The same as of `senna.pipeline.jobs.in_order`, in several processes.

    Items are drawn in a thread, so that no result waits for the next item.
    """
    # A copy of this process is there at once, where a new one takes half a second; but a copy of a
    # process with several threads may hang.
    method = "fork" if sys.platform == "linux" and threading.active_count() == 1 else "spawn"
    context = multiprocessing.get_context(method)
    drawn: SimpleQueue[tuple[T, Future[R]] | Exception | None] = SimpleQueue()
    room, over = threading.Semaphore(AHEAD * jobs), threading.Event()

    def draw() -> None:
        error = None
        try:
            room.acquire()
            for item in items:
                drawn.put((item, executor.submit(_run, item)))
                room.acquire()
                if over.is_set():
                    return
        except Exception as fault:
            error = fault
        drawn.put(error)

    try:
        executor = ProcessPoolExecutor(jobs, context, _start, (load,))
        with signals_held(), warnings.catch_warnings():
            # From Python 3.12 on it warns of NumPy's own threads too, which a copy starts anew.
            warnings.simplefilter("ignore", DeprecationWarning)
            loaded = [executor.submit(_run) for _ in range(jobs)]
    except OSError as error:
        what = f"cannot start {jobs} processes: {error.strerror}"
        raise SennaError(what, remedy="Try fewer.") from None
    try:
        threading.Thread(target=draw, daemon=True).start()
        loaded[0].result()
        while (pair := drawn.get()) is not None:
            if isinstance(pair, Exception):
                raise pair
            item, future = pair
            yield item, future.result()
            room.release()
    except BrokenExecutor:
        what = "a worker process was ended"
        raise SennaError(what, remedy="If memory is short, try fewer.") from None
    finally:
        over.set()
        room.release()
        for process in [*(executor._processes or {}).values()]:
            process.kill()  # whatever it does
        # Else the rest of a result that was being sent would be waited for without an end.
        executor._result_queue._writer.close()  # type: ignore[attr-defined]
        executor.shutdown(cancel_futures=True)


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


def end_with_parent() -> None:
    """End this process as soon as the one that started it has ended, however that ends."""

    def wait() -> None:
        if parent := multiprocessing.parent_process():
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


# --------------------------------------------------------------------------- in a process

_work: Any = None  # its function, or the error of loading it


def _start(load: Callable[[], Callable[[T], R]]) -> None:
    """Load the function of a process, which leaves Ctrl-C to its parent."""
    global _work
    for number in SIGNALS:
        signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    end_with_parent()
    try:
        _work = load()
    except Exception as error:
        _work = error


def _run(*item: T) -> Any:
    if isinstance(_work, Exception):
        raise _work
    return _work(*item) if item else None
