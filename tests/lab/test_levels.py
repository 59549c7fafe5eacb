"""Trees as levels of tags: nothing is lost, and any tags end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.files import open_text, resource
from senna.lab.levels import Nodes, S, levels
from senna.text.iobes import all_tags
from senna.text.schemes import LINK, NO_LABEL, Phrase
from senna.text.trees import TOP, Tree, read_trees
from senna.text.trees.constituents import constituents, outermost_first, tree_of

LABELS = ("S", "NP", "VP")


def inner(children: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    return st.builds(Tree, st.sampled_from(LABELS), st.lists(children, min_size=1, max_size=4))


leaves = st.builds(Tree, st.just("NN"), word=st.just("w"))
trees = st.builds(
    Tree,
    st.just(TOP),
    st.lists(st.recursive(leaves, inner, max_leaves=12), min_size=1, max_size=3),
)


def tree(text: str) -> Tree:
    (found,) = read_trees(text, "text")
    return found


def in_levels(
    made: Sequence[Tree],
) -> tuple[list[str], list[tuple[Nodes, np.ndarray]]]:
    """The labels of some trees, by number, and the levels of the trees."""
    names = [NO_LABEL]
    rows = []
    for number, own in enumerate(made):
        for start, end, label in constituents(own):
            names += [label] if label not in names else []
            rows.append((number, start, end - 1, names.index(label)))
    lengths = np.array([len(own.leaves()) for own in made], np.int64)
    found = Nodes(*np.array(rows, np.int64).reshape(-1, 4).T)
    return names, list(levels(found, lengths))


def from_levels(
    names: Sequence[str], told: Sequence[tuple[Nodes, np.ndarray]], made: Sequence[Tree]
) -> list[Tree]:
    """The trees of levels, over the words of others."""
    found: list[list[Phrase]] = [[] for _ in made]
    for nodes, tags in told:
        for s, a, b, k in zip(*(own.tolist() for own in nodes.constituents(tags)), strict=True):
            found[s].append(Phrase(a, b + 1, names[k]))
    words = [[Tree(w.label, word=w.word) for w in own.leaves()] for own in made]
    return list(map(tree_of, map(outermost_first, found), words))


@given(made=st.lists(trees, min_size=1, max_size=4))
def test_nothing_is_lost(made: list[Tree]) -> None:
    names, told = in_levels(made)
    assert from_levels(names, told, made) == made


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_nothing_is_lost_of_the_demonstration_corpus(split: str) -> None:
    path = resource("data/demo") / "trees" / f"{split}.mrg"
    with open_text(path) as lines:
        made = list(read_trees("".join(lines), path.name))
    names, told = in_levels(made)
    assert from_levels(names, told, made) == made
    assert len(made) > 10 and len(told) > 5


def test_levels_of_a_tree() -> None:
    text = "(TOP (S (NP (PRP She)) (VP (VBZ sees) (NP (DT the) (NN dog)) (ADVP (RB now))) (. .)))"
    names, told = in_levels([tree(text)])
    tags = all_tags(names[1:])
    assert [[tags[i] for i in own.tolist()] for _, own in told] == [
        ["S-NP", "O", "B-NP", "E-NP", "S-ADVP", "O"],
        ["O", "B-VP", "I-VP", "E-VP", "O"],
        ["B-S", "I-S", "E-S"],
    ]
    labels = [[names[i] for i in nodes.labels.tolist()] for nodes, _ in told]
    assert labels[1:] == [["NP", "O", "NP", "ADVP", "O"], ["NP", "VP", "O"]]


def test_a_chain_is_one_label() -> None:
    names, told = in_levels([tree("(TOP (FRAG (S (VP (VB Go) (ADVP (RB home))))))")])
    tags = all_tags(names[1:])
    assert [[tags[i] for i in own.tolist()] for _, own in told] == [
        ["O", "S-ADVP"],
        [f"B-FRAG{LINK}S{LINK}VP", f"E-FRAG{LINK}S{LINK}VP"],
    ]


def test_no_level_of_several_nodes_is_empty() -> None:
    _, told = in_levels([tree("(TOP (NP (NN a) (NN b)) (NP (NN c) (NN d)))"), tree("(TOP (: -))")])
    assert [tags.tolist() for _, tags in told] == [[1, 3, 1, 3, 0]]
    assert not in_levels([tree("(TOP (: -) (: -))")])[1]


def test_words_alone() -> None:
    assert [tags.tolist() for _, tags in in_levels([tree("(TOP (UH oh))")])[1]] == [[0]]
    assert [tags.tolist() for _, tags in in_levels([tree("(TOP (INTJ (UH oh)))")])[1]] == [[S]]
    assert not list(levels(Nodes.words(np.zeros(2, np.int64)), np.zeros(2, np.int64)))


def random_tags(random: np.random.Generator, n: int, is_first: bool) -> list[int]:
    """Tags of n nodes that IOBES allows, S at the first level alone."""
    found: list[int] = []
    while len(found) < n:
        size = min(int(random.integers(0, 4)), n - len(found))
        base = 4 * int(random.integers(0, 3))
        if size > 1:
            found += [base + 1, *[base + 2] * (size - 2), base + 3]
        else:
            found.append(base + S if size and is_first else 0)
    return found


@given(st.lists(st.integers(1, 60), min_size=1, max_size=5), st.integers(0, 99))
def test_tags_that_break_all_rules_end_too(sizes: list[int], seed: int) -> None:
    random, nodes = np.random.default_rng(seed), Nodes.words(np.array(sizes, np.int64))
    n_levels = 0
    while len(nodes.labels):
        tags = random.integers(0, 13, len(nodes.labels))
        merged = nodes.merged(tags)
        assert (merged.last - merged.first + 1).sum() == (nodes.last - nodes.first + 1).sum()
        assert (merged.last >= merged.first).all()
        nodes, n_levels = nodes.next(tags), n_levels + 1
    assert n_levels <= 2 * max(sizes)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=5), st.integers(0, 99))
def test_any_tags_end_and_nest(sizes: list[int], seed: int) -> None:
    random, lengths = np.random.default_rng(seed), np.array(sizes, np.int64)
    nodes, told = Nodes.words(lengths), list[tuple[Nodes, np.ndarray]]()
    while len(nodes.labels):
        rows = [random_tags(random, n, not told) for n in nodes.lengths.tolist()]
        told.append((nodes, np.concatenate(rows)))
        nodes = nodes.next(told[-1][1])
    assert len(told) <= max(sizes)
    names = [NO_LABEL, "NP", "VP", "S"]
    words = [Tree(TOP, [Tree("NN", word="w") for _ in range(n)]) for n in sizes]
    made = from_levels(names, told, words)
    again, same = in_levels(made)
    assert from_levels(again, same, made) == made
    found = sum(int(np.isin(tags % 4, (0, 1))[tags > 0].sum()) for _, tags in told)
    assert sum(len(constituents(own)) for own in made) == found
