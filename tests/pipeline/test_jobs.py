"""The pool: order, errors in their turn, workers that are lost, and what is left behind."""

import errno
import os
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator

import pytest

from senna.errors import SennaError
from senna.pipeline.jobs import in_order
from senna.pipeline.workers import AHEAD
from tests.processes import ROOT

LONG = 60  # seconds: what waits so long has failed
LARGE = 30_000_000  # bytes, more than a pipe takes at once


def square(number: int) -> int:
    if number == 13:
        raise SennaError("unlucky")
    return number * number


def squares() -> Callable[[int], int]:
    return square


def nothing() -> Callable[[int], int]:
    raise SennaError("nothing to load")


def process_ids() -> Callable[[int], int]:
    return lambda number: os.getpid()


def is_running(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture(params=["copied", "new"])
def start(request) -> Iterator[None]:
    """Workers that are copies of this process, where it has one thread, and new processes."""
    over = threading.Event()
    if request.param == "new":
        threading.Thread(target=over.wait, daemon=True).start()
    yield
    over.set()


@pytest.mark.usefixtures("start")
def test_results_come_in_order_and_no_item_is_drawn_far_ahead():
    drawn: list[int] = []

    def items() -> Iterator[int]:
        for number in range(50):
            drawn.append(number)
            yield number % 13

    got = 0
    for number, result in in_order(squares, items(), 2):
        assert result == number * number
        got += 1
        assert len(drawn) <= got + 2 * AHEAD
    assert got == len(drawn) == 50


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_result_does_not_wait_for_the_next_item(jobs):
    answered = threading.Event()

    def items() -> Iterator[int]:
        yield 1
        assert answered.wait(LONG)
        yield 2

    results = in_order(squares, items(), jobs)
    assert next(results) == (1, 1)
    answered.set()
    assert list(results) == [(2, 4)]


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("where", ["item", "result"])
def test_an_error_comes_when_its_turn_has_come(jobs, where):
    def items() -> Iterator[int]:
        yield from range(13)
        if where == "item":
            raise SennaError("unlucky")
        yield from range(13, 30)

    results = in_order(squares, items(), jobs)
    assert [next(results)[1] for _ in range(13)] == [i * i for i in range(13)]
    with pytest.raises(SennaError, match="unlucky"):
        next(results)


@pytest.mark.usefixtures("start")
@pytest.mark.parametrize("items", [[], [1, 2, 3]])
def test_what_cannot_be_loaded_is_told_once(items):
    for jobs in (1, 2):
        with pytest.raises(SennaError, match="nothing to load"):
            next(in_order(nothing, iter(items), jobs))


def forbidden() -> Callable[[int], int]:
    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), "model.toml")


@pytest.mark.usefixtures("start")
def test_a_file_that_a_worker_may_not_read_is_no_lack_of_memory():
    with pytest.raises(PermissionError, match="model.toml"):
        list(in_order(forbidden, iter([7]), 2))


def bug(number: int) -> int:
    return {}[number]


def bugs() -> Callable[[int], int]:
    return bug


def unsendable() -> Callable[[int], Callable[[], int]]:
    return lambda number: lambda: number


@pytest.mark.usefixtures("start")
def test_a_bug_in_a_worker_is_no_lack_of_memory():
    with pytest.raises(KeyError, match="7") as caught:
        list(in_order(bugs, iter([7]), 2))
    assert "in bug" in str(caught.value.__cause__)


def test_an_answer_that_cannot_be_sent_is_told_as_such():
    with pytest.raises((AttributeError, TypeError, RuntimeError), match="pickle"):
        list(in_order(unsendable, iter([7]), 2))


def test_a_worker_that_cannot_load_leaves_no_traceback(capfd):
    with pytest.raises(SennaError, match="nothing to load"):
        list(in_order(nothing, iter(range(50)), 3))
    assert capfd.readouterr().err == ""


def test_a_worker_that_is_lost_is_told():
    lost = threading.Event()

    def items() -> Iterator[int]:
        yield 1
        assert lost.wait(LONG)
        yield from range(100)

    results = in_order(process_ids, items(), 2)
    worker = next(results)[1]
    os.kill(worker, signal.SIGKILL)
    while is_running(worker):
        pass
    lost.set()
    with pytest.raises(SennaError, match="was ended. If memory is short, try fewer"):
        list(results)


@pytest.mark.usefixtures("start")
def test_results_may_be_left_while_others_are_being_sent():
    """A worker that is killed then has written a part of its result."""
    results = in_order(large, iter(range(50)), 2)
    assert len(next(results)[1]) == LARGE
    closing = threading.Thread(target=results.close, daemon=True)
    closing.start()
    closing.join(LONG)
    assert not closing.is_alive()


def large() -> Callable[[int], bytes]:
    return lambda number: bytes(LARGE)


def test_workers_end_with_the_results():
    closed = in_order(process_ids, iter(range(100)), 2)
    workers = {next(closed)[1], next(closed)[1]}
    closed.close()
    workers |= {worker for _, worker in in_order(process_ids, iter(range(8)), 2)}
    assert os.getpid() not in workers
    assert not any(map(is_running, workers))


def test_no_more_processes(monkeypatch):
    def refuse(*arguments: object) -> None:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr("multiprocessing.process.BaseProcess.start", refuse)
    with pytest.raises(SennaError, match="cannot start 2 processes: Resource temporarily"):
        next(in_order(squares, iter([1]), 2))


_PROGRAM = """
import os, sys, threading, time
from senna.pipeline.jobs import in_order

def load():
    return answer

def answer(number):
    if number:
        time.sleep(60)
    return os.getpid()

if __name__ == "__main__":
    if sys.argv[1] == "new":
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    results = in_order(load, iter([0, 1, 0, 1]), 2)
    print(os.getpid(), next(results)[1], flush=True)
    next(results)
"""


@pytest.mark.parametrize("start", ["copied", "new"])
@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_their_parent_however_that_ends(tmp_path, start, by):
    (tmp_path / "program.py").write_text(_PROGRAM, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, tmp_path / "program.py", start],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    process.stdout.readline()
    process.send_signal(by)
    assert process.wait(LONG) == -by
    assert process.stdout.read() == b""  # which they hold open: it ends when they have gone


@pytest.mark.skipif(sys.platform != "linux", reason="only there are processes copied")
def test_a_copy_is_made_without_a_warning(monkeypatch):
    """Python 3.12 warns where the system knows of several threads, such as NumPy's."""
    fork = os.fork

    def warning() -> int:
        warnings.warn("use of fork() may lead to deadlocks", DeprecationWarning, stacklevel=2)
        return fork()

    monkeypatch.setattr(os, "fork", warning)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(in_order(squares, iter([3]), 2)) == [(3, 9)]


def test_a_number_of_processes_beyond_reason_is_refused():
    with pytest.raises(SennaError, match="100000000000 processes. Try fewer, 1024 at most"):
        next(in_order(squares, iter([1]), 10**11))
