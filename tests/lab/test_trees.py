"""Binary trees, the order in which their nodes are composed, and levels as the paper trims them."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.schemes import Phrase, phrases_of
from senna.annotation.trees import Tree, constituents, leaves_of, numbered
from senna.errors import SennaError
from senna.lab.trees import Order, binary_nodes, levels_of, nodes_over, read_levels, trimmed_levels
from senna.tasks import TREE_LEVELS
from tests import strategies, toys
from tests.annotation.test_trees import tree


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("(3 (2 It) (4 works))", "0-2:3 0-1:2 1-2:4"),
        ("(NN Hi)", "0-1:NN"),
        ("(TOP (S (VP (VB Go))))", "0-1:S"),
        (
            "(NP (DT a) (JJ big) (JJ old) (NN dog))",
            "0-4:NP 0-1:DT 1-4:NP| 1-2:JJ 2-4:NP| 2-3:JJ 3-4:NN",
        ),
        (
            "(S (NP (A a)) (VP (V b) (NP (C c) (D d) (E e))))",
            "0-5:S 0-1:NP 1-5:VP 1-2:V 2-5:NP 2-3:C 3-5:NP| 3-4:D 4-5:E",
        ),
    ],
)
def test_nodes(text, nodes):
    found = binary_nodes(tree(text))
    assert " ".join(f"{start}-{end}:{label}" for start, end, label in found) == nodes


@given(st.integers(1, 12), st.integers(0, 10_000))
def test_constituents_keep_their_spans_and_labels(n, seed):
    """Every constituent is a node; there are 2 n - 1, and each has no part or two that fill it."""
    spans = constituents(toys.tree(np.random.default_rng(seed), leaves_of(["w"] * n, ["NN"] * n)))
    nodes = nodes_over(spans, n)
    assert len(nodes) == 2 * n - 1
    assert {span[:2] for span in spans} <= {node[:2] for node in nodes}
    labels = {node[:2]: node.label for node in nodes}
    assert all(labels[a, b] == label.partition("+")[0] for a, b, label in spans)
    for i, (start, end, _) in enumerate(nodes):
        if end - start > 1:
            left = nodes[i + 1]
            right = nodes[i + 2 * (left.end - start)]
            assert (left.start, left.end, right.end) == (start, right.start, end)


def heights(nodes: list[Phrase]) -> list[int]:
    """How far each node is above the words below it, by looking at all nodes inside of it."""

    def height(node: Phrase) -> int:
        inside = [o for o in nodes if node.start <= o.start and o.end <= node.end and o != node]
        return 1 + max(map(height, inside)) if inside else 0

    return list(map(height, nodes))


@given(st.lists(st.integers(1, 7), max_size=4), st.integers(0, 10_000))
def test_the_order_of_some_trees(lengths, seed):
    random = np.random.default_rng(seed)
    trees = [binary_nodes(toys.tree(random, leaves_of(["w"] * n, ["NN"] * n))) for n in lengths]
    every = [node for own in trees for node in own]
    order = Order.of(np.array([node.end - node.start for node in every], np.int64))
    of_all = np.array([h for own in trees for h in heights([Phrase(*n[:2], "") for n in own])])
    ranks = order.nodes.tolist()
    assert sorted(ranks) == list(range(len(every)))
    assert of_all[order.nodes].tolist() == sorted(of_all.tolist())
    assert order.ends == [int((of_all <= h).sum()) for h in range(max(of_all, default=0) + 1)]
    words = [i for i, node in enumerate(every) if node.end - node.start == 1]
    assert ranks[: order.ends[0]] == words
    starts = np.cumsum([0, *map(len, trees)])
    for rank, (left, right) in enumerate(order.children.tolist(), start=order.ends[0]):
        node, one, other = (ranks[place] for place in (rank, left, right))
        own = np.searchsorted(starts, [node, one, other], side="right")
        assert len(set(own)) == 1 and max(left, right) < rank
        spans = [every[i][:2] for i in (node, one, other)]
        assert spans[0] == (spans[1][0], spans[2][1]) and spans[1][1] == spans[2][0]


# --------------------------------------------------------------------------- levels


def test_levels_of_a_tree():
    text = "(TOP (S (NP (PRP We)) (VP (VBP are) (VP (VBG going) (S (VP (TO to) (VP (VB sing)\
        (NP (NML (NN tea) (NN time)) (NNS songs)))))))(. .)))"
    assert [" ".join(level) for level in trimmed_levels(tree(text), 4)] == [
        "S-NP S-VP S-VP S-VP S-VP B-NP I-NP E-NP O",
        "O S-VP S-VP S-VP B-VP I-VP I-VP E-VP O",
        "O S-VP S-VP B-VP I-VP I-VP I-VP E-VP O",
        "O S-VP S-VP O O O O O O",
    ]
    assert trimmed_levels(tree("(TOP (UH Oh))"), 3) == [["O"], ["O"], ["O"]]
    assert trimmed_levels(tree("(TOP (INTJ (UH Oh)))"), 2) == [["S-INTJ"], ["O"]]
    deep = tree("(NP " * 5000 + "(NN x)" + ")" * 5000)
    assert trimmed_levels(deep, 3) == [["S-NP"], ["S-NP"], ["S-NP"]]


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
