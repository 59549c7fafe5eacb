"""Dependency trees with probabilities, in columns, JSON and tables."""

import numpy as np
import pytest

from senna.annotation.dependencies import Arc
from senna.document.document import Document
from senna.errors import SennaError
from senna.kinds.dependencies.answer import DependencyOutput, ScoredArcs
from senna.text.tokens import Tokens

OUTPUT = DependencyOutput()
ARCS = [Arc(2, "nsubj"), Arc(0, "root"), Arc(2, "obj")]
SCORED = ScoredArcs(ARCS, [0.25, 1.0, 0.9996])
TOKENS = Tokens.of([("a", 0, 1), ("b", 2, 3), ("c", 4, 5)])


def test_columns_have_the_probability_of_each_arc():
    words = ["a", "b", "c"]
    plain = [["2", "0", "2"], ["nsubj", "root", "obj"]]
    assert OUTPUT.columns(words, ARCS, "iobes") == plain
    assert OUTPUT.columns(words, SCORED, "iobes") == [*plain, ["0.250", "1.000", "1.000"]]
    assert OUTPUT.cells(words, SCORED, "iobes") == ["2:nsubj", "0:root", "2:obj"]


def test_json_keeps_probabilities():
    doc = Document("a b c", [TOKENS], {"dep": [SCORED]})
    record = doc.to_dict()
    assert record["sentences"][0]["scores"] == {"dep": [0.25, 1.0, 1.0]}
    again = Document.from_dict(record)
    assert again == doc and again.answers["dep"][0].scores == [0.25, 1.0, 1.0]
    assert again[0].scores["dep"] == [0.25, 1.0, 1.0]
    record["sentences"][0]["scores"]["dep"].pop()
    with pytest.raises(SennaError, match="2 scores of 3 tokens"):
        Document.from_dict(record)


def test_tables_have_a_column_of_probabilities():
    pytest.importorskip("pandas")
    table = Document("a b c", [TOKENS], {"dep": [SCORED]}).to_dataframe()
    assert table["dep_score"].tolist() == SCORED.scores
    assert table["head"].tolist() == [2, 0, 2]


def test_parts_of_a_sentence_keep_probabilities():
    joined = OUTPUT.join([SCORED, ScoredArcs([Arc(0, "root")], [0.5])], [0, 3], 4, False)
    assert joined[3] == Arc(2, "parataxis")
    assert joined.scores == [*SCORED.scores, 0.5]
    assert type(OUTPUT.join([ARCS, [Arc(0, "root")]], [0, 3], 4, False)) is list


def test_arrow_has_a_place_for_heads_relations_and_probabilities():
    pa = pytest.importorskip("pyarrow")
    from senna.tables import kind_of

    doc = Document("a b c", [TOKENS], {"dep": [SCORED]})
    record = {**doc.to_dict()["sentences"][0]}
    kind = kind_of(["dep"], scores=True)
    [[row]] = pa.array([[record]], kind).to_pylist()
    assert row["dependencies"] == {"heads": [2, 0, 2], "relations": ["nsubj", "root", "obj"]}
    assert np.allclose(row["scores"]["dep"], [0.25, 1, 1])
