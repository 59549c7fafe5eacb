"""What senna.load gives: one text, many texts in batches and processes, tokenised sentences."""

from __future__ import annotations

import dataclasses
import pickle
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import senna
from senna.document import nlp as nlp_module
from senna.document.nlp import Nlp
from senna.errors import SennaError
from tests import toys

TEXTS = ["Anna Weber walked. It walks!", "", "x", "The iPod, U.S. and İzmir — x", "  \n", "Walks."]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = dataclasses.replace(toys.SMALL, tasks=("pos", "chunk", "ner"))
    return toys.exported(toys.setup(config, seed=7), tmp_path_factory.mktemp("toy") / "all")


@pytest.fixture(scope="module")
def nlp(model: Path) -> Nlp:
    return senna.load(model=model)


# --------------------------------------------------------------------------- many texts


@pytest.mark.parametrize("batch_size", [1, 2, 5, 256])
def test_documents_of_many_texts_are_those_of_each(nlp: Nlp, batch_size: int) -> None:
    assert list(nlp.pipe(TEXTS, batch_size=batch_size)) == list(map(nlp, TEXTS))
    assert list(nlp.pipe([])) == []


def test_texts_and_what_comes_with_them(nlp: Nlp) -> None:
    pairs = [(text, {"id": i}) for i, text in enumerate(TEXTS)]
    for jobs in (1, 2):
        made = list(nlp.pipe(iter(pairs), as_tuples=True, batch_size=2, jobs=jobs))
        assert [doc.text for doc, _ in made] == TEXTS
        assert all(own is context for (_, own), (_, context) in zip(made, pairs, strict=True))


def test_processes_give_the_same(nlp: Nlp) -> None:
    assert list(nlp.pipe(TEXTS * 3, batch_size=2, jobs=2)) == [*map(nlp, TEXTS)] * 3


@pytest.mark.slow
def test_processes_started_anew_give_the_same(nlp: Nlp) -> None:
    """As on Windows and macOS, and wherever threads run: the models go to them."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()
    try:
        assert list(nlp.pipe(TEXTS, jobs=2)) == list(map(nlp, TEXTS))
    finally:
        done.set()
        thread.join()


def test_a_loaded_pipeline_goes_to_other_processes(nlp: Nlp) -> None:
    doc = nlp(TEXTS[0])
    assert nlp.pipeline._idle
    again = pickle.loads(pickle.dumps(nlp))
    assert not again.pipeline._idle  # what calls keep belongs to the models of this process
    assert again(TEXTS[0]) == doc
    shipped = senna.load("ner")
    shipped("Anna.")
    assert pickle.loads(pickle.dumps(shipped))("Anna.") == shipped("Anna.")


def test_texts_are_drawn_as_they_are_needed(nlp: Nlp) -> None:
    drawn = 0

    def endless() -> Iterator[str]:
        nonlocal drawn
        while True:
            drawn += 1
            yield "Anna walked."

    made = nlp.pipe(endless(), batch_size=3)
    assert drawn == 0
    assert len(next(made)) == 1
    assert drawn == 3


def test_long_texts_make_a_batch_sooner(nlp: Nlp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nlp_module, "LARGEST", 10)
    sizes = [len(batch) for batch in nlp_module._batches(iter(["abc"] * 9), 256)]
    assert sizes == [4, 4, 1]


def test_an_error_of_the_callers_own_comes_through(nlp: Nlp) -> None:
    def broken() -> Iterator[str]:
        yield "Anna."
        raise OSError("disk")

    for jobs in (1, 2):
        with pytest.raises(OSError, match="disk"):
            list(nlp.pipe(broken(), jobs=jobs))


def test_what_cannot_be_piped(nlp: Nlp) -> None:
    with pytest.raises(SennaError, match="one text, where several are expected. Call nlp"):
        nlp.pipe("Anna walked.")
    for wrong in ({"batch_size": 0}, {"jobs": 0}):
        with pytest.raises(SennaError, match="= 0, at least 1"):
            nlp.pipe(TEXTS, **wrong)  # type: ignore[call-overload]
    with pytest.raises(SennaError, match="text 2 is of type tuple, not a text. With as_tuples"):
        list(nlp.pipe(["x", ("Anna", 1)]))  # type: ignore[list-item]
    for pairs in (["ab"], [("a", "b", "c")]):
        with pytest.raises(SennaError, match="texts come as pairs"):
            list(nlp.pipe(pairs, as_tuples=True))  # type: ignore[arg-type]


# --------------------------------------------------------------------------- HTML


def test_documents_of_pages(model: Path, nlp: Nlp) -> None:
    pages = ["<p>Anna &amp; <b>W</b>eber\n  walked.<p>It walks", "", "<script>x</script>", "Walks."]
    reader = senna.load(model=model, input="html")
    doc = reader(pages[0])
    assert doc.text.strip() == "Anna & Weber walked.\n\nIt walks"
    assert doc.tags("ner") == nlp("Anna & Weber walked.\n\nIt walks").tags("ner")
    places = [pages[0][slice(*doc.source(token))] for token in doc.tokens]
    assert places == ["Anna", "&amp;", "W</b>eber", "walked", ".", "It", "walks"]
    assert doc.source(doc[0][1:3]) == (doc.source(doc[0][1])[0], doc.source(doc[0][2])[1])
    assert pages[0][slice(*doc.source(doc[1]))] == "It walks"
    with pytest.raises(SennaError, match="no tokens, and so no place"):
        doc.source(doc[0][2:2])
    for jobs in (1, 2):
        made = list(reader.pipe(zip(pages, range(4), strict=True), jobs=jobs, as_tuples=True))
        assert [key for _, key in made] == [0, 1, 2, 3]
        assert [(own, own.page) for own, _ in made] == [
            (own, own.page) for own in map(reader, pages)
        ]
    again = pickle.loads(pickle.dumps(doc))
    assert again == doc and again.source(again[0]) == doc.source(doc[0])


def test_the_source_of_a_text_is_the_text(nlp: Nlp) -> None:
    doc = nlp("Anna walked <b>.")
    assert [doc.source(token) for token in doc.tokens][:2] == [(0, 4), (5, 11)]
    assert doc.source(doc[0][2:2]) == (12, 12)


# --------------------------------------------------------------------------- one text


def test_how_text_is_split_is_chosen_when_loading(model: Path) -> None:
    text = "a well-known man\nwalked"
    for convention, n in (("modern", 6), ("classic", 4)):
        assert len(senna.load(model=model, convention=convention)(text).tokens) == n
    for line_breaks, n in (("auto", 1), ("sentence", 2), ("space", 1)):
        assert len(senna.load(model=model, line_breaks=line_breaks)(text)) == n
    for wrong in ({"convention": "old"}, {"line_breaks": "never"}, {"input": "lines"}):
        with pytest.raises(SennaError, match="Choose "):
            senna.load(model=model, **wrong)(text)  # type: ignore[arg-type]


def test_tasks_are_chosen_when_loading(model: Path) -> None:
    nlp = senna.load(["ner", "pos"], str(model))
    assert nlp.tasks == ("pos", "ner")
    assert set(nlp("One.").sentences[0].tags) == {"pos", "ner"}
    with pytest.raises(SennaError, match="no model for task 'srl'"):
        senna.load(["srl"], model)


# --------------------------------------------------------------------------- tokenised


def test_tokenised_sentences_and_empty_ones(nlp: Nlp) -> None:
    alone = nlp.tag([["Anna", "walks"]])
    both = nlp.tag([[], ["Anna", "walks"], []])
    for task in nlp.tasks:
        assert both[task] == [[], *alone[task], []]
    assert nlp.tag([]) == {"pos": [], "chunk": [], "ner": []}


def test_a_text_in_place_of_words(nlp: Nlp) -> None:
    for wrong in (["Anna runs"], [["Anna"], "runs"]):
        with pytest.raises(SennaError, match="is a text, '.*runs', not a list of words") as error:
            nlp.tag(wrong)
        assert "\n" not in str(error.value)
    with pytest.raises(SennaError, match="sentence 1 is a text"):
        nlp.roles(["Anna runs"])
