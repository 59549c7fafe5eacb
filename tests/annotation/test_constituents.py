"""Trees as brackets, and back."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.schemes import LINK, NO_LABEL, Phrase
from senna.annotation.trees import TOP, Tree, brackets, constituents, tree_of
from tests import strategies
from tests.annotation.test_trees import assert_numbered, tree

leaves = st.builds(
    lambda tag, word: Tree(tag, word=word),
    st.sampled_from(["NN", ",", TOP, NO_LABEL]),
    st.text("ab"),
)
trees = strategies.parents(strategies.trees(leaves, "S", "NP", "VP", "SBAR", "-LRB-"), TOP)


def again(made: Tree, found: list[Phrase]) -> Tree:
    return tree_of(found, [Tree(leaf.label, word=leaf.word) for leaf in made.leaves()])


@given(trees)
def test_brackets_and_constituents_make_the_same_tree_again(made):
    assert again(made, brackets(made)) == made
    found = again(made, constituents(made))
    assert found == made
    assert_numbered(found)


@given(trees)
def test_brackets_are_a_binary_tree_each_before_its_parts(made):
    found, n = brackets(made), len(made.leaves())
    spans = [(start, end) for start, end, _ in found]
    assert len(spans) == len(set(spans)) == 2 * n - 1
    assert spans == sorted(spans, key=lambda span: (span[0], -span[1]))
    assert spans[0] == (0, n)
    for start, end in spans:
        cuts = [cut for cut in range(start + 1, end) if {(start, cut), (cut, end)} <= set(spans)]
        assert len(cuts) == (end > start + 1)


@given(trees)
def test_constituents_are_those_of_the_tree(made):
    kept = [own for own in made.subtrees() if not own.is_leaf and own.label != TOP]
    found = [label for own in constituents(made) for label in own.label.split(LINK)]
    assert found == [own.label for own in kept]


def spans(text: str) -> list[Phrase]:
    """Phrases as "0-4 0-3:NP", of which the first has no label."""
    cells = [re.split("[-:]", cell) for cell in text.split()]
    return [Phrase(int(start), int(end), (*label, NO_LABEL)[0]) for start, end, *label in cells]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(TOP (UH Oh))", "0-1"),
        ("(UH Oh)", "0-1"),
        ("(TOP (INTJ (UH Oh)))", "0-1:INTJ"),
        ("(TOP (S (VP (VB Go))))", "0-1:S+VP"),
        ("(TOP (UH Oh) (UH no))", "0-2 0-1 1-2"),
        (
            "(TOP (S (NP (PRP It)) (VP (VBZ is))) (. .) (NP (NN tea)))",
            "0-4 0-3 0-2:S 0-1:NP 1-2:VP 2-3 3-4:NP",
        ),
        ("(TOP (S (VP (VB a) (NP (NN b) (NN c)) (NN d))))", "0-4:S+VP 0-3 0-1 1-3:NP 1-2 2-3 3-4"),
    ],
)
def test_brackets_of_trees(text, found):
    assert brackets(tree(text)) == spans(found)


def test_a_tree_without_a_top_gets_one():
    made = tree("(S (NP (PRP She)) (VP (VBZ sings)))")
    assert again(made, brackets(made)) == Tree(TOP, [made])
    assert str(again(made, [])) == "(TOP (PRP She) (VBZ sings))"


def test_trees_deeper_than_the_stack():
    deep = tree("(TOP " + "(NP (NP (DT a)) " * 5000 + "(NN x)" + ")" * 5001)
    assert len(brackets(deep)) == 10001
    assert str(again(deep, constituents(deep))) == str(deep)
