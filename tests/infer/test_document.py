"""Documents: offsets into the text, spans, and the same tags as the pipeline gives."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import senna
from senna.errors import SennaError
from senna.infer.document import Document, Nlp, Sentence, Span
from senna.infer.stream import Options, Piece, tag_piece
from senna.text.tokenizer import Token
from tests import toys

TEXT = "Anna Weber walked.  It didn't walk\nquickly: 12 walks!\n\nThe iPod, U.S. and İzmir — x"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = dataclasses.replace(toys.SMALL, tasks=("pos", "chunk", "ner"))
    return toys.exported(toys.setup(config, seed=7), tmp_path_factory.mktemp("toy") / "all")


@pytest.fixture(scope="module")
def nlp(model: Path) -> Nlp:
    return senna.load(model=model)


def made() -> Document:
    """A document tagged by hand."""
    text = "So Ada Lovelace  met Mr. Babbage."
    words = ["So", "Ada", "Lovelace", "met", "Mr.", "Babbage", "."]
    tokens, place = [], 0
    for word in words:
        place = text.index(word, place)
        tokens.append(Token(word, place, place + len(word)))
        place += len(word)
    tags = {
        "pos": "RB NNP NNP VBD NNP NNP .".split(),
        "ner": "O B-PER E-PER O O S-PER O".split(),
    }
    return Document(text, [Sentence(text, tokens, tags)])


def test_spans_know_their_characters_and_tokens() -> None:
    doc = made()
    assert doc.spans("ner") == [
        Span("Ada Lovelace", "PER", 3, 15, 1, 3),
        Span("Babbage", "PER", 25, 32, 5, 6),
    ]
    [sentence] = doc
    assert sentence.spans("ner") == doc.spans("ner")
    assert sentence.text == doc.text
    assert doc.tags("pos") == sentence.tags["pos"]
    assert [token.text for token in doc.tokens] == [token.text for token in sentence.tokens]


@pytest.mark.parametrize("task", ["pos", "chunk", "nonsense"])
def test_no_spans_of_plain_tags_and_of_tasks_not_asked_for(task: str) -> None:
    with pytest.raises(SennaError, match=f"no phrases of task '{task}'. Tagged: pos, ner"):
        made().spans(task)


def test_an_empty_sentence_has_no_text() -> None:
    assert Sentence("abc", [], {"ner": []}).text == ""
    assert Sentence("abc", [], {"ner": []}).spans("ner") == []


def test_tags_are_those_of_the_pipeline(nlp: Nlp) -> None:
    doc = nlp(TEXT)
    forms = [[token.text for token in sentence.tokens] for sentence in doc]
    assert nlp.tasks == ("pos", "chunk", "ner")
    assert {task: [s.tags[task] for s in doc] for task in nlp.tasks} == nlp.tag(forms)


def test_a_document_and_the_command_line_say_the_same(nlp: Nlp) -> None:
    doc = nlp(TEXT)
    out = tag_piece(nlp.pipeline, Piece(0, len(TEXT), TEXT), Options(format="jsonl"))
    for sentence, line in zip(doc, out.splitlines(), strict=True):
        found = json.loads(line)
        assert found["text"] == sentence.text
        assert found["tags"] == sentence.tags
        assert [tuple(t.values()) for t in found["tokens"]] == [tuple(t) for t in sentence.tokens]
        for task, spans in found["spans"].items():
            assert [Span(**span) for span in spans] == sentence.spans(task)


@given(st.text(max_size=80))
def test_any_text(nlp: Nlp, text: str) -> None:
    doc = nlp(text)
    assert doc.text == text
    assert all(text[token.start : token.end] == token.text for token in doc.tokens)
    assert all(sentence.tokens for sentence in doc)
    for task in ("chunk", "ner"):
        spans = doc.spans(task)
        assert all(span.text == text[span.start : span.end] != "" for span in spans)
    assert len(doc.tags("pos")) == len(doc.tokens)


def test_how_text_is_split_is_chosen_when_loading(model: Path) -> None:
    text = "a well-known man\nwalked"
    for convention, n in (("modern", 6), ("classic", 4)):
        assert len(senna.load(model=model, convention=convention)(text).tokens) == n
    for line_breaks, n in (("auto", 1), ("sentence", 2), ("space", 1)):
        assert len(senna.load(model=model, line_breaks=line_breaks)(text).sentences) == n
    for wrong in ({"convention": "old"}, {"line_breaks": "never"}):
        with pytest.raises(SennaError, match="Choose "):
            senna.load(model=model, **wrong)(text)  # type: ignore[arg-type]


def test_tasks_are_chosen_when_loading(model: Path) -> None:
    nlp = senna.load(["ner", "pos"], str(model))
    assert nlp.tasks == ("pos", "ner")
    assert set(nlp("One.").sentences[0].tags) == {"pos", "ner"}
    with pytest.raises(SennaError, match="no model for task 'srl'"):
        senna.load(["srl"], model)


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


def test_no_tags_of_a_task_that_was_not_loaded(model: Path) -> None:
    doc = senna.load(["pos"], model)("Anna runs.")
    assert len(doc.tags("pos")) == 3
    for task in ("chunk", "srl", "nonsense"):
        with pytest.raises(SennaError, match=f"of task '{task}'. Tagged: pos."):
            doc.tags(task)
    assert Document("", []).tags("pos") == []
