"""Levels as the paper trims them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.schemes import phrases_of
from senna.annotation.trees import Tree, constituents, numbered
from senna.errors import SennaError
from senna.lab.trees import levels_of, read_levels, trimmed_levels
from senna.tasks import TREE_LEVELS
from tests import strategies
from tests.annotation.test_trees import tree


def test_levels_of_a_tree():
    text = "(TOP (S (NP (PRP We)) (VP (VBP are) (VP (VBG going) (S (VP (TO to) (VP (VB sing)\
        (NP (NML (NN tea) (NN time)) (NNS songs)))))))(. .)))"
    assert [" ".join(level) for level in trimmed_levels(tree(text), 4)] == [
        "S-NP S-VP S-VP S-VP S-VP B-NP I-NP E-NP O",
        "O S-VP S-VP S-VP B-VP I-VP I-VP E-VP O",
        "O S-VP S-VP B-VP I-VP I-VP I-VP E-VP O",
        "O S-VP S-VP O O O O O O",
    ]


def test_levels_of_a_word_and_above_the_root():
    assert trimmed_levels(tree("(TOP (UH Oh))"), 3) == [["O"], ["O"], ["O"]]
    assert trimmed_levels(tree("(TOP (INTJ (UH Oh)))"), 2) == [["S-INTJ"], ["O"]]


leaves = st.builds(Tree, st.just("NN"), word=st.just("x"))
LABELS = ("S", "NP", "VP")
trees = strategies.parents(strategies.trees(leaves, *LABELS), *LABELS)


@given(trees)
def test_words_are_in_one_segment_where_they_have_one_parent(made):
    parents: list[Tree] = []

    def walk(node: Tree) -> None:
        for child in node.children:
            if child.is_leaf:
                parents.append(node)
            walk(child)

    walk(numbered(made))
    (tags,) = trimmed_levels(made, 1)
    starts = [0] + [i for i, (a, b) in enumerate(pairwise(parents), 1) if a is not b]
    spans = zip(starts, [*starts[1:], len(parents)], strict=True)
    expected = [(s, e, parents[s].label) for s, e in spans if parents[s].label != "S"]
    assert phrases_of(tags, "iobes") == expected


def test_levels_of_a_very_deep_tree():
    deep = tree("(NP " * 5000 + "(NN x)" + ")" * 5000)
    assert trimmed_levels(deep, 3) == [["S-NP"], ["S-NP"], ["S-NP"]]


@given(trees, st.integers(1, 5))
def test_levels_of_constituents_are_those_of_the_tree(drawn, n_levels):
    whole = Tree("TOP", [drawn])
    levels = levels_of(constituents(whole), len(whole.leaves()), n_levels)
    assert list(levels) == list(TREE_LEVELS[:n_levels])
    assert list(levels.values()) == trimmed_levels(whole, n_levels)


def test_levels_of_a_file():
    lines = ["We\tPRP\tS-NP\tO", "sing\tVBP\tS-VP\tS-VP", "", "Oh\tUH\tS-INTJ"]
    assert list(read_levels(lines, "file")) == [
        (["We", "sing"], {"level-0": ["S-NP", "S-VP"], "level-1": ["O", "S-VP"]}, 1),
        (["Oh"], {"level-0": ["S-INTJ"]}, 4),
    ]


@pytest.mark.parametrize("columns", [1, 2, 8])
def test_files_with_too_few_or_too_many_columns(columns):
    with pytest.raises(SennaError, match=rf"file:1: {columns} columns, expected word, part of"):
        list(read_levels(["\t".join(["x"] * columns)], "file"))
