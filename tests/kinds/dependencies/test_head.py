"""What constituents say of arcs, against loops; trees that break a rule are mended."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.dependencies import Arc
from senna.annotation.schemes import Phrase
from senna.decoding.best_trees import GRID, head_chances
from senna.kinds.dependencies.head import LONGEST, Mending, crossing_costs
from senna.pipeline.pipeline import Pipeline
from tests import toys
from tests.inference.networks.texts import words

Costs = np.ndarray[tuple[int, int], np.dtype[np.float32]]


@st.composite
def sentences(draw: st.DrawFn) -> tuple[Costs, list[Phrase]]:
    """Scores of the arcs of a sentence and constituents, of which each is within another."""
    n = draw(st.integers(1, 7))
    scores = draw(st.lists(st.integers(-4, 4), min_size=n * (n + 1), max_size=n * (n + 1)))
    spans, waiting = [Phrase(0, n, "S")], [(0, n)]
    while waiting:
        start, end = waiting.pop()
        if end - start > 1 and draw(st.booleans()):
            middle = draw(st.integers(start + 1, end - 1))
            waiting += [(start, middle), (middle, end)]
            spans += [Phrase(start, middle, "NP"), Phrase(middle, end, "VP")]
            spans += [Phrase(start, middle, "QP")] * draw(st.integers(0, 1))  # the same words
    return np.array(scores, np.float32).reshape(n, n + 1), spans


def slow_costs(chances: Costs, tree: list[Phrase]) -> Costs:
    """The definition: arcs that leave a constituent cost the share with which their word is not
    its head, and arcs that enter it the share with which their head is not."""
    n = len(chances)
    costs = np.zeros((n, n + 1), np.float32)
    for start, end in {(p.start, p.end) for p in tree if p.end - p.start > 1}:
        inside = range(start, end)
        outside = {w: 1 - sum(chances[w, h + 1] for h in inside) for w in inside}
        total = sum(outside.values())
        others = {w: 1 - (outside[w] / total if total else 0.0) for w in inside}
        others = {w: np.rint(other * GRID) / GRID for w, other in others.items()}
        for word in range(n):
            for head in range(n + 1):
                if word in inside and head - 1 not in inside:
                    costs[word, head] += others[word]
                if word not in inside and head - 1 in inside:
                    costs[word, head] += others[head - 1]
    return costs


@given(st.lists(sentences(), min_size=1, max_size=3))
def test_costs_are_those_of_the_definition(several):
    n = max(len(scores) for scores, _ in several)
    lengths = np.array([len(scores) for scores, _ in several])
    together = np.zeros((len(several), n, n + 1), np.float32)
    for row, (scores, _) in zip(together, several, strict=True):
        row[: len(scores), : len(scores) + 1] = scores
    chances = head_chances(together, lengths, 2.0)
    found = crossing_costs(chances, [tree for _, tree in several])
    for i, (scores, tree) in enumerate(several):
        m = len(scores)
        expected = slow_costs(chances[i, :m, : m + 1], tree)
        assert found[i, :m, : m + 1] == pytest.approx(expected, abs=1e-6)


@pytest.fixture
def both(tmp_path: Path) -> Path:
    """A model of constituents and dependencies."""
    return toys.model(tmp_path / "both", "psg", "dep", network=toys.TREES.network)


def test_trees_are_read_whether_or_not_they_are_asked_for(both):
    forms = words(3, [5, 9, 0, LONGEST + 20, 17])
    alone = Pipeline.load(["dep"], both).annotate(forms)["dep"]
    asked = Pipeline.load(["dep", "psg"], both).annotate(forms)
    assert alone == asked["dep"]
    given = {"psg": [[Phrase(0, len(sentence), "S")] * bool(sentence) for sentence in forms]}
    without = Pipeline.load(["dep"], both).annotate(forms, given)["dep"]
    assert without != alone and without[3] == alone[3]  # the long one is not looked at


def test_trees_of_another_model_are_not_read(both, tmp_path):
    own = toys.model(tmp_path / "own", "dep", network=toys.TREES.network)
    forms = words(4, [5, 9, 17])
    alone = Pipeline.load(["dep"], own).annotate(forms)["dep"]
    mixed = Pipeline.load(["dep", "psg"], {"dep": own, "psg": both})
    assert mixed.annotate(forms)["dep"] == alone


NAMES = ["root", "nsubj", "nsubj:outer", "obj", "iobj", "aux", "conj"]


def mended(arcs: list[Arc], changed: dict[tuple[int, int, str], float]) -> list[Arc]:
    """A tree after mending, by scores of arcs: 0 of its own, -9 of all that are not given."""
    scores = np.full((len(arcs), len(arcs) + 1, len(NAMES)), -9.0)
    for i, (head, relation) in enumerate(arcs):
        scores[i, head, NAMES.index(relation)] = 0
    for (i, head, relation), score in changed.items():
        scores[i, head, NAMES.index(relation)] = score
    return Mending(NAMES, lambda word: scores[word])(arcs, [False] * len(arcs))


def test_of_two_objects_the_one_whose_next_relation_costs_least_gets_that():
    arcs = [Arc(0, "root"), Arc(1, "obj"), Arc(1, "obj")]
    assert mended(arcs, {(1, 1, "iobj"): -1, (2, 1, "iobj"): -2})[1:] == [
        Arc(1, "iobj"),
        Arc(1, "obj"),
    ]
    assert mended(arcs, {(2, 2, "conj"): -1})[1:] == [Arc(1, "obj"), Arc(2, "conj")]


def test_two_subjects_may_be_one_of_a_clause():
    arcs = [Arc(3, "nsubj"), Arc(3, "nsubj"), Arc(0, "root")]
    assert mended(arcs, {(0, 3, "nsubj:outer"): -1}) == [Arc(3, "nsubj:outer"), *arcs[1:]]


def test_the_dependents_of_a_function_word_move_or_it_is_none():
    arcs = [Arc(2, "nsubj"), Arc(3, "aux"), Arc(0, "root")]
    assert mended(arcs, {(0, 3, "nsubj"): -1})[:2] == [Arc(3, "nsubj"), Arc(3, "aux")]
    assert mended(arcs, {(1, 3, "conj"): -1})[:2] == [Arc(2, "nsubj"), Arc(3, "conj")]


def test_no_way_makes_a_circle():
    arcs = [Arc(0, "root"), Arc(1, "obj"), Arc(1, "obj"), Arc(3, "conj")]
    new = mended(arcs, {(2, 4, "conj"): -0.5, (1, 1, "iobj"): -1})  # 4 hangs on 3
    assert new == [Arc(0, "root"), Arc(1, "iobj"), *arcs[2:]]


def test_a_tree_that_keeps_the_rules_stays():
    arcs = [Arc(2, "nsubj"), Arc(0, "root"), Arc(2, "obj")]
    assert mended(arcs, {(0, 2, "obj"): 5.0}) == arcs
