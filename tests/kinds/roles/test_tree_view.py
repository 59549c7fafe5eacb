"""What a predicate sees of a tree."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.trees import constituents, leaves_of
from senna.formats.brackets import read_trees
from senna.kinds.roles.head import BEGIN, END, INSIDE, SINGLE, STEPS, labels_of, sizes, view
from tests import toys

ROWS = {"NP": 1, "PP": 2, "S": 3, "VP": 4}


def test_constituents_beside_the_way_up() -> None:
    inner = "(NP (NP (DT the) (NN man)) (PP (IN at) (NN home)))"
    text = f"(TOP (S (NP (NNP Ann)) (VP (VBZ sees) {inner})))"
    [tree] = read_trees(text, "-")
    beside, above = view(1, constituents(tree), ROWS, 6)
    np_ = 4 * ROWS["NP"]
    assert beside.tolist() == [
        np_ + SINGLE,
        SINGLE,
        np_ + BEGIN,
        np_ + INSIDE,
        np_ + INSIDE,
        np_ + END,
    ]
    vp, s = STEPS * ROWS["VP"], STEPS * ROWS["S"]
    assert above.tolist() == [s + 1, vp, vp, vp, vp, vp]


def test_a_chain_is_its_highest_label_beside_and_its_lowest_above() -> None:
    [tree] = read_trees("(TOP (NP (S (VP (TO to) (VP (VB go) (S (VP (VBG running))))))))", "-")
    beside, above = view(1, constituents(tree), ROWS, 3)
    assert beside.tolist() == [SINGLE, SINGLE, 4 * ROWS["S"] + SINGLE]
    vp = STEPS * ROWS["VP"]
    assert above.tolist() == [vp + 1, vp, vp]


def test_words_without_a_tree() -> None:
    beside, above = view(1, [], ROWS, 3)
    assert beside.tolist() == [SINGLE] * 3
    assert above.tolist() == [0] * 3


def test_labels_that_training_had_not_are_none() -> None:
    [tree] = read_trees("(TOP (XX (YY (A a) (B b)) (C c)))", "-")
    beside, above = view(2, constituents(tree), ROWS, 3)
    assert beside.tolist() == [BEGIN, END, SINGLE]
    assert above.tolist() == [0, 0, 0]


@given(st.integers(1, 12), st.integers(0, 999))
def test_the_constituents_beside_part_the_sentence(n: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    tree = toys.tree(random, leaves_of(["w"] * n, ["X"] * n))
    found = constituents(tree)
    rows = {label: i for i, label in enumerate(sorted(labels_of(found)), start=1)}
    place = int(random.integers(0, n))
    beside, above = view(place, found, rows, n)
    most = sizes(len(rows))
    assert beside.min() >= 0 and beside.max() < most[0]
    assert above.min() >= 0 and above.max() < most[1]
    spans = {(own.start, own.end) for own in found}
    start = 0
    while start < n:  # each is a constituent, or a word, without the predicate
        end = start + 1
        if beside[start] % 4 == BEGIN:
            while beside[end] % 4 == INSIDE:
                end += 1
            assert beside[end] % 4 == END
            end += 1
            assert (start, end) in spans and not start <= place < end
        else:
            assert beside[start] % 4 == SINGLE
        wider = [s for s in spans if s[0] <= start and s[1] >= end and s != (start, end)]
        assert all(a <= place < b for a, b in wider)
        start = end
