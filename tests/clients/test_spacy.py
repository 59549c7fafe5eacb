"""The component in spaCy itself: what it writes, in spaCy's tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import senna
from senna.errors import SennaError
from senna.text.trees import numbered, read_trees
from tests.clients.texts import LABELS, label_model

spacy = pytest.importorskip("spacy")
import senna.spacy  # noqa: E402  # makes the component known where the package is not installed

TEXT = "  Anna Weber flew to Lisbon. \n\n She bought Mr. Bo's well-known house there."


def loaded(**config: Any) -> Any:
    nlp = spacy.blank("en")
    nlp.add_pipe("senna", config=config)
    return nlp


@pytest.fixture(scope="module")
def nlp() -> Any:
    return loaded()


def words(doc: Any) -> list[list[str]]:
    return [[token.text for token in s if not token.is_space] for s in doc.sents]


def test_tags_are_those_of_the_same_words(nlp: Any) -> None:
    doc = nlp(TEXT)
    tags = senna.load("pos").tag(words(doc))["pos"]
    assert len(tags) == 2
    assert [token.tag_ for token in doc if not token.is_space] == [*tags[0], *tags[1]]
    assert all(not token.tag_ for token in doc if token.is_space)
    assert doc[1].tag_ == "NNP"


def test_entities(nlp: Any) -> None:
    doc = nlp(TEXT)
    found = [(span.text, span.label_) for span in doc.ents]
    assert found[:2] == [("Anna Weber", "PER"), ("Lisbon", "LOC")]
    assert doc.has_annotation("ENT_IOB")


def test_span_groups_of_chunks_and_roles(nlp: Any) -> None:
    doc = nlp(TEXT)
    assert ("Anna Weber", "NP") in [(span.text, span.label_) for span in doc.spans["chunk"]]
    roles = list(doc.spans["srl"])
    verbs = [span for span in roles if span.label_ == "V"]
    assert [span.text for span in verbs] == ["flew", "bought"]
    assert all(doc[int(span.id_)].text == span.text for span in verbs)
    own = {span.label_: span.text for span in roles if span.id_ == str(verbs[1].start)}
    assert own["A0"] == "She"


def test_many_documents_and_one(nlp: Any) -> None:
    texts = [TEXT, "", " ", "Bo ran.", TEXT]
    for doc, text in zip(nlp.pipe(texts, batch_size=2), texts, strict=True):
        alone = nlp(text)
        assert doc.to_json() == alone.to_json()
        assert [s.label_ for s in doc.spans["srl"]] == [s.label_ for s in alone.spans["srl"]]


def test_sentences_of_the_document_are_kept() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("senna", config={"tasks": "pos"})
    doc = spacy.tokens.Doc(nlp.vocab, ["Bo", "ran", "He", "sat"], sent_starts=[1, 0, 1, 0])
    assert words(nlp(doc)) == [["Bo", "ran"], ["He", "sat"]]


@pytest.mark.parametrize("overwrite", [None, False, True])
def test_what_other_components_set_stays_unless_with_overwrite(overwrite: bool | None) -> None:
    config = {} if overwrite is None else {"overwrite": overwrite}
    nlp = loaded(tasks=["pos", "ner"], **config)
    doc = nlp.make_doc("Anna Weber flew to Lisbon.")
    doc[4].tag_ = "XX"
    doc.set_ents([spacy.tokens.Span(doc, 0, 1, label="GIRL")])
    tagged = nlp(doc)
    assert tagged[0].tag_ == "NNP"
    entities = [(s.text, s.label_) for s in tagged.ents]
    if overwrite:
        assert tagged[4].tag_ == "NNP"
        assert entities == [("Anna Weber", "PER"), ("Lisbon", "LOC")]
    else:
        assert tagged[4].tag_ == "XX"
        assert entities == [("Anna", "GIRL"), ("Lisbon", "LOC")]


def test_evaluation_counts_tags_and_entities() -> None:
    nlp = loaded(tasks=["pos", "ner"])
    gold = nlp("Anna Weber flew to Lisbon.")
    right = nlp.evaluate([spacy.training.Example(nlp.make_doc(gold.text), gold)])
    assert (right["tag_acc"], right["ents_f"]) == (1, 1)
    gold.set_ents([spacy.tokens.Span(gold, 4, 5, label="LOC")])
    assert nlp.evaluate([spacy.training.Example(nlp.make_doc(gold.text), gold)])["ents_p"] == 0.5


def test_phrases_of_ones_own() -> None:
    nlp = loaded(tasks=["ner"], gazetteer={"ORG": ["quxly frobs"]}, force=True)
    assert [(s.text, s.label_) for s in nlp("We met quxly frobs.").ents] == [("quxly frobs", "ORG")]


def test_a_pipeline_is_saved_and_loaded(nlp: Any, tmp_path: Path) -> None:
    nlp.to_disk(tmp_path / "pipeline")
    again = spacy.load(tmp_path / "pipeline")
    assert again(TEXT).to_json() == nlp(TEXT).to_json()


def test_tasks_are_chosen() -> None:
    doc = loaded(tasks="chunk")("Anna ran.")
    assert set(doc.spans) == {"chunk"}
    assert not doc.has_annotation("TAG")
    with pytest.raises(SennaError, match="no model for task 'colour'"):
        loaded(tasks=["colour"])


def test_constituents_of_a_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    nlp = loaded(tasks="pos")
    tree = next(read_trees("(S (NP (PRP She)) (VP (VBD saw) (NP (DT the) (NN sea))))", ""))
    pipeline = nlp.get_pipe("senna").pipeline
    monkeypatch.setattr(pipeline, "annotate", lambda forms, opens: {"psg": [numbered(tree)]})
    doc = nlp("  She saw the sea")
    assert [(span.label_, span.text) for span in doc.spans["psg"]] == [
        ("S", "She saw the sea"), ("NP", "She"), ("VP", "saw the sea"), ("NP", "the sea")
    ]  # fmt: skip


def test_labels_are_categories(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    model = label_model(tmp_path)
    nlp = loaded(model=str(model))
    doc = nlp("Anna ran. Why did they?")
    document = senna.load(model=model, scores=True)(words(doc))
    means = [sum(s.label.scores[name] for s in document) / 2 for name in LABELS]
    assert doc.cats == pytest.approx(dict(zip(LABELS, means, strict=True)))
    kept = spacy.blank("en")("Anna ran.")
    kept.cats = {"good": 2.0, "other": 1.0}
    cats = nlp.get_pipe("senna")(kept).cats
    assert (cats["good"], cats["other"]) == (2.0, 1.0) and set(cats) == {*LABELS, "other"}
    assert nlp("").cats == {}
    whole = senna.load(model=model, scores=True)([[w for row in words(doc) for w in row]])
    as_one = loaded(model=str(model), unit="document")("Anna ran. Why did they?")
    assert as_one.cats == pytest.approx(whole.label.scores)
