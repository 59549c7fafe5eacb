"""Several threads tag with one pipeline; BLAS has one thread while they do."""

import random
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Any

import pytest

import senna
from senna.document.document import Document
from senna.document.nlp import Nlp
from senna.errors import SennaError
from senna.files import resource
from senna.inference import first_layer, workspace
from senna.pipeline import threads
from senna.pipeline.threads import one_thread
from tests.extras.test_upgrade import FORMER, upgraded

N_THREADS = 8
SENTENCES = resource("data/sample.txt").read_text(encoding="utf-8").split("\n")[:-1]


@pytest.fixture(autouse=True)
def _often() -> Iterator[None]:
    """Threads take turns after every few instructions."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def mixtures(n: int, new: int = 0) -> list[str]:
    """Documents of a few sentences in random mixtures, with some words nobody has seen."""
    made, chosen = [], random.Random(1)
    for i in range(n):
        own = chosen.sample(SENTENCES, 3)
        own.append(" ".join(f"Word{chosen.randrange(10**6)}ing" for _ in range(new)) + ".")
        made.append("\n".join(own[: 3 + (new > 0)]) + f"\nHe paid {i} dollars.")
    return made


def assert_found(nlp: Nlp, texts: list[str], expected: list[Document]) -> None:
    """What eight threads find at once, document for document."""
    start = Barrier(N_THREADS)

    def work(number: int) -> list[Any]:
        start.wait()
        return [nlp(text) for text in texts[number::N_THREADS]]

    with ThreadPoolExecutor(N_THREADS) as pool:
        found = list(pool.map(work, range(N_THREADS)))
    for number, own in enumerate(found):
        assert own == expected[number::N_THREADS]
    assert len(nlp.pipeline.idle) <= N_THREADS


TASKS = ["pos", "chunk", "ner"]


@pytest.mark.parametrize(("tasks", "n"), [(TASKS, 24), (["srl"], 16)])
def test_one_load_for_eight_threads(tasks, n):
    texts, alone = mixtures(n), senna.load(tasks)
    expected = [alone(text) for text in texts]
    assert tasks == TASKS or all(document.frames for document in expected)
    assert_found(senna.load(tasks), texts, expected)


def test_very_many_forms(monkeypatch):
    """Forms are forgotten by one thread while others use theirs."""
    alone, texts = senna.load(TASKS), mixtures(32, new=40)
    expected = [alone(text) for text in texts]
    monkeypatch.setattr(workspace, "N_FORMS", 60)
    monkeypatch.setattr(first_layer, "N_KEPT", 40)
    assert_found(senna.load(TASKS), texts, expected)


@pytest.fixture
def count(monkeypatch) -> Iterator[Any]:
    """How many threads NumPy's OpenBLAS may use, and how to set it; three of them at first."""
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    found = threads._functions()
    if found is None:
        pytest.skip("NumPy brings no OpenBLAS")
    get, put = found
    before = get()
    put(3)
    if get() != 3:
        put(before)
        pytest.skip("an OpenBLAS of one thread")
    yield get
    put(before)


def test_the_last_thread_out_sets_it_again(count):
    entered, leave, left = Event(), Event(), Event()

    def first() -> None:
        with one_thread():
            entered.set()
            assert leave.wait(20)
        left.set()

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(first)
        assert entered.wait(20)
        with one_thread():
            leave.set()
            assert left.wait(20)
            assert count() == 1, "one is still in it"
        assert count() == 3
        done.result()


def test_a_call_sets_it_and_a_failing_one_too(count, monkeypatch, tmp_path):
    nlp = senna.load(model=upgraded(FORMER / "window", tmp_path))
    seen = []
    (network,) = nlp.pipeline.networks
    encode = network.encode
    monkeypatch.setattr(network, "encode", lambda *args: seen.append(count()) or encode(*args))
    nlp("Anna walks.")
    assert (seen, count()) == ([1], 3)

    def fail(*_: object) -> None:
        raise SennaError("no")

    monkeypatch.setattr(network, "encode", fail)
    with pytest.raises(SennaError, match="no"):
        nlp("Anna walks.")
    assert count() == 3


@pytest.mark.parametrize("functions", [None, (lambda: 1, lambda number: None)])
def test_turns_are_short_while_several_calls_run(functions, monkeypatch):
    monkeypatch.setattr(threads, "_functions", lambda: functions)
    before = sys.getswitchinterval()
    with one_thread():
        assert sys.getswitchinterval() == before
        with one_thread():
            assert sys.getswitchinterval() == pytest.approx(threads.TURN)
    assert sys.getswitchinterval() == before
