"""Trees that break a rule are mended where that costs least."""

from __future__ import annotations

import numpy as np

from senna.annotation.dependencies import Arc
from senna.kinds.dependencies.head import Mending

NAMES = ["root", "nsubj", "nsubj:outer", "obj", "iobj", "aux", "conj"]


def mended(arcs: list[Arc], changed: dict[tuple[int, int, str], float]) -> list[Arc]:
    """A tree after mending, by scores of arcs: 0 of its own, -9 of all that are not given."""
    scores = np.full((len(arcs), len(arcs) + 1, len(NAMES)), -9.0)
    for i, (head, relation) in enumerate(arcs):
        scores[i, head, NAMES.index(relation)] = 0
    for (i, head, relation), score in changed.items():
        scores[i, head, NAMES.index(relation)] = score
    return Mending(NAMES, lambda word: scores[word])(arcs, [False] * len(arcs))


def test_of_two_objects_the_one_whose_next_relation_costs_least_gets_that() -> None:
    arcs = [Arc(0, "root"), Arc(1, "obj"), Arc(1, "obj")]
    assert mended(arcs, {(1, 1, "iobj"): -1, (2, 1, "iobj"): -2})[1:] == [
        Arc(1, "iobj"),
        Arc(1, "obj"),
    ]
    assert mended(arcs, {(2, 2, "conj"): -1})[1:] == [Arc(1, "obj"), Arc(2, "conj")]


def test_two_subjects_may_be_one_of_a_clause() -> None:
    arcs = [Arc(3, "nsubj"), Arc(3, "nsubj"), Arc(0, "root")]
    assert mended(arcs, {(0, 3, "nsubj:outer"): -1}) == [Arc(3, "nsubj:outer"), *arcs[1:]]


def test_the_dependents_of_a_function_word_move_or_it_is_none() -> None:
    arcs = [Arc(2, "nsubj"), Arc(3, "aux"), Arc(0, "root")]
    assert mended(arcs, {(0, 3, "nsubj"): -1})[:2] == [Arc(3, "nsubj"), Arc(3, "aux")]
    assert mended(arcs, {(1, 3, "conj"): -1})[:2] == [Arc(2, "nsubj"), Arc(3, "conj")]


def test_no_way_makes_a_circle() -> None:
    arcs = [Arc(0, "root"), Arc(1, "obj"), Arc(1, "obj"), Arc(3, "conj")]
    new = mended(arcs, {(2, 4, "conj"): -0.5, (1, 1, "iobj"): -1})  # 4 hangs on 3
    assert new == [Arc(0, "root"), Arc(1, "iobj"), *arcs[2:]]


def test_a_tree_that_keeps_the_rules_stays() -> None:
    arcs = [Arc(2, "nsubj"), Arc(0, "root"), Arc(2, "obj")]
    assert mended(arcs, {(0, 2, "obj"): 5.0}) == arcs
