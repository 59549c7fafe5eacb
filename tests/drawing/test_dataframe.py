"""Documents as tables of tokens and of spans."""

import sys

import pytest

from senna.annotation.predicates import Predicate
from senna.decoding.requests import Scored
from senna.document.document import Document
from senna.errors import SennaError
from tests.document.documents import made


def test_a_table_of_tokens():
    pytest.importorskip("pandas")
    table = made().to_dataframe()
    assert list(table.columns) == ["sentence", "token", "text", "start", "end", "pos", "ner"]
    assert len(table) == 12
    assert table.iloc[8].tolist() == [1, 1, "saw", 38, 41, "VBD", "O"]
    assert len(Document("", [], {"pos": []}).to_dataframe().columns) == 6


def test_a_table_of_spans():
    pytest.importorskip("pandas")
    table = made().to_dataframe("spans")
    assert table[table.task == "ner"].text.tolist() == ["Ada Lovelace", "Babbage"]
    roles = table[(table.task == "srl") & (table.sentence == 1)]
    assert roles.label.tolist() == ["V", "A0", "A1", "C-A1"]
    assert roles.predicate.tolist() == [1] * 4
    trees = table[(table.task == "psg") & (table.sentence == 1)]
    assert trees.label.tolist() == ["TOP", "S", "NP", "VP", "NP"]
    assert trees.predicate.isna().all()


def test_tables_have_scores_where_there_are_any():
    pytest.importorskip("pandas")
    doc = made()
    assert "score" not in " ".join(doc.to_dataframe().columns)
    for i, tags in enumerate(doc.answers["ner"]):
        n = len(tags)
        doc.answers["ner"][i] = Scored(tags, [0.9] * n, [-0.5] * n, [-0.1] * n)
    for i, [(place, tags)] in enumerate(doc.answers["srl"]):
        n = len(tags)
        doc.answers["srl"][i] = [Predicate(place, Scored(tags, [0.8] * n, [-1.0] * n, [0.0] * n))]
    tokens, spans = doc.to_dataframe(), doc.to_dataframe("spans")
    assert list(tokens.columns)[-3:] == ["pos", "ner", "ner_score"]
    assert tokens.ner_score.tolist() == [0.9] * 12
    assert spans.columns[-1] == "score"
    for task, parts in (
        ("ner", doc.spans("ner")),
        ("srl", [s for frame in doc.frames for s in (frame.predicate, *frame.arguments)]),
    ):
        rows = spans[spans.task == task]
        assert rows.score.tolist() == pytest.approx([part.score for part in parts])
        assert rows.text.tolist() == [part.text for part in parts]
    assert spans[spans.task == "psg"].score.isna().all()


def test_tables_that_cannot_be_had(monkeypatch):
    with pytest.raises(SennaError, match="no table of 'words'. Choose tokens or spans"):
        made().to_dataframe("words")
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(SennaError, match="tables need pandas. pip install pandas"):
        made().to_dataframe()


def test_tables_have_the_same_types_however_many_rows():
    pandas = pytest.importorskip("pandas")
    for of in ("tokens", "spans"):
        full = Document.of(["Ann", "ran"], ner=["B-PER", "O"], pos=["NNP", "X"]).to_dataframe(of)
        empty = Document.of([], ner=[], pos=[]).to_dataframe(of)
        assert dict(full.dtypes) == dict(empty.dtypes)
        assert dict(pandas.concat([empty, full]).dtypes) == dict(full.dtypes)


def test_trees_have_columns_of_heads_and_relations():
    pytest.importorskip("pandas")
    columns = {"head": [2, 0], "deprel": ["nsubj", "root"]}
    table = Document.of(["Ann", "ran"], **columns).to_dataframe()
    assert {name: table[name].tolist() for name in columns} == columns
    assert {"head", "deprel"} <= {*Document("", [], {"dep": []}).to_dataframe().columns}
