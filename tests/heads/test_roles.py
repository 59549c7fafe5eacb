"""Costs of arguments that do not go with the tree."""

from __future__ import annotations

import numpy as np

from senna.heads.roles import Costs, Pairs
from senna.text.iobes import all_tags
from senna.text.trees import read_trees
from senna.text.trees.constituents import constituents
from senna.text.views import view

TREE = (
    "(TOP (S (NP (DT the) (NN man)) (VP (VBZ sees) (NP (DT a) (JJ red) (NN fox)) (ADVP (RB now)))))"
)
NAMES = all_tags(["A0", "A1"])
VERB = 2


def costs(paths: list[list[str]]) -> list[float]:
    """What is taken off the score of each path, for the predicate `VERB`."""
    [tree] = read_trees(TREE, "-")
    n = tree.leaves().__len__()
    views = np.array(view(VERB, constituents(tree), {"NP": 1, "VP": 2, "S": 3, "ADVP": 4}, n))
    zero = np.zeros(1, np.int64)
    pairs = Pairs(zero, zero + VERB, zero, zero + n, views)
    scores = np.zeros((n, len(NAMES)), np.float32)
    Costs(2.0, 6.0, NAMES).take(scores, pairs)
    return [
        -float(sum(scores[i, NAMES.index(tag)] for i, tag in enumerate(path))) for path in paths
    ]


def test_constituents_beside_the_way_cost_nothing() -> None:
    free = [
        ["O"] * 7,
        ["B-A0", "E-A0", "O", "B-A1", "I-A1", "E-A1", "S-A0"],
        ["O", "O", "O", "B-A1", "I-A1", "I-A1", "E-A1"],  # two that hang on the same one
    ]
    assert costs(free) == [0, 0, 0]


def test_ends_inside_a_constituent_cost_each() -> None:
    assert costs([["O", "S-A0", "O", "O", "O", "O", "O"]]) == [2]
    assert costs([["O", "O", "O", "O", "S-A1", "O", "O"]]) == [4]
    assert costs([["O", "O", "O", "B-A1", "E-A1", "O", "O"]]) == [2]


def test_going_on_to_what_hangs_elsewhere_costs() -> None:
    assert costs([["B-A0", "I-A0", "E-A0", "O", "O", "O", "O"]]) == [6]


def test_the_last_word_of_one_predicate_is_not_beside_the_first_of_the_next() -> None:
    views = np.array([[3, 3], [8, 16]])
    zero = np.zeros(2, np.int64)
    pairs = Pairs(zero, zero, zero, zero + 1, views)
    scores = np.zeros((2, len(NAMES)), np.float32)
    Costs(2.0, 6.0, NAMES).take(scores, pairs)
    assert not scores.any()
