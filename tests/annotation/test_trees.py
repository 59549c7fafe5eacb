"""Bracketed trees, read, written and cleaned; brackets and constituents, and back."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.schemes import LINK, NO_LABEL, Phrase
from senna.annotation.trees import (
    TOP,
    Tree,
    bare,
    brackets,
    cells_of_tree,
    cleaned,
    constituents,
    numbered,
    tree_of,
)
from senna.errors import SennaError
from senna.formats.brackets import dissolved, read_tree_lines, read_trees, tree_of_columns
from tests import strategies

SINGS = "(TOP (S (NP (PRP She)) (VP (VBZ sings))))"


def tree(text: str) -> Tree:
    (made,) = read_trees(text, "text")
    return made


LABELS = ("S", "NP", "NP-SBJ-1", "VP", "-LRB-", ".")
words = st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=8).filter(
    lambda word: "-LRB-" not in word and "-RRB-" not in word
)
leaves = st.builds(lambda label, word: Tree(label, word=word), st.sampled_from(LABELS), words)
trees = strategies.trees(leaves, *LABELS)


@given(st.lists(trees, max_size=3))
def test_trees_are_read_as_they_were_written(made):
    assert list(read_trees("\n".join(map(str, made)), "text")) == made


def assert_numbered(made: Tree) -> None:
    """The spans of all nodes are those of their words."""
    words = made.leaves()
    for node in made.subtrees():
        assert words[node.start : node.end] == node.leaves() and node.end <= len(words)


@given(trees)
def test_spans_are_those_of_the_words(made):
    assert_numbered(numbered(made))


def test_line_breaks_mean_nothing_and_a_nameless_bracket_is_top():
    spread = "( (S\n    (NP (PRP She))\n\n  (VP (VBZ sings))))\n"
    assert str(tree(spread)) == SINGS
    assert [str(one) for one in read_trees(SINGS + spread, "text")] == [SINGS, SINGS]
    assert list(read_trees(" \n", "text")) == []


def test_brackets_that_are_words():
    read = tree("(NP (-LRB- -LRB-) (NN x-RRB-y))")
    assert [leaf.word for leaf in read.leaves()] == ["(", "x)y"]
    assert str(read) == "(NP (-LRB- -LRB-) (NN x-RRB-y))"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n(S\n(NP", "text:2: 2 brackets of the tree that begins here are never closed"),
        ("(S (NP x))\n\n)", r"text:3: '\)' outside brackets"),
        ("word", "text:1: 'word' outside brackets"),
        ("(S ())", "the brackets are empty"),
        ("(S (NP))", "the brackets are empty"),
        ("(S x y)", "'y' beside another word"),
        ("(S (NP x) y)", "'y' beside another word"),
        ("(S x (NP y))", "a word beside a constituent"),
    ],
)
def test_bad_brackets_are_refused(text, message):
    with pytest.raises(SennaError, match=message):
        list(read_trees(text, "text"))


def test_trees_of_a_file_come_with_their_lines():
    lines = ["\n", SINGS + "\n", "(NP\n", "  (NN x))  (NP (NN y))\n", "\n", "(NN z)"]
    read = [(line, str(own)) for line, own in read_tree_lines(lines, "text")]
    assert read == [(2, SINGS), (3, "(NP (NN x))"), (3, "(NP (NN y))"), (6, "(NN z)")]
    assert list(read_tree_lines([], "text")) == []


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["(NN x)\n", "\n", "(S (NN y)\n", "(S (NN z))\n"], "text:3: 1 brackets of the tree"),
        (["(NN x)\n", "(NN y))\n", "((NN z)\n"], r"text:2: '\)' outside brackets"),
        (["(NN x)\n", "oh\n"], "text:2: 'oh' outside brackets"),
        (["(S (NN x)\n", "(NN ))\n"], "text:2: the brackets are empty"),
    ],
)
def test_bad_trees_of_a_file_are_told_by_their_line(lines, message):
    with pytest.raises(SennaError, match=message):
        list(read_tree_lines(lines, "text"))


def test_files_are_read_tree_by_tree():
    def lines() -> Iterator[str]:
        yield SINGS + "\n"
        raise AssertionError("read too far")

    assert str(next(read_tree_lines(lines(), "text"))[1]) == SINGS


def test_trees_deeper_than_the_stack():
    text = "(NP (DT a) " * 5000 + "(NN x)" + ")" * 5000
    deep = numbered(tree(text))
    assert str(deep) == text
    assert (deep.start, deep.end, len(deep.leaves())) == (0, 5001, 5001)
    assert str(cleaned(deep, {"DT"})) == "(NP (NN x))"
    assert len(dissolved(deep, "NP").children) == 5001


def test_a_column_of_brackets():
    cells = ["(TOP(S(NP*)", "(VP*", "*)))"]
    made = tree_of_columns(["PRP", "VBZ", "RB"], cells, ["She", "sings", "("])
    assert str(made) == "(TOP (S (NP (PRP She)) (VP (VBZ sings) (RB -LRB-))))"


def test_a_tree_as_a_column_of_brackets():
    assert cells_of_tree(tree(SINGS)) == ["(S1(S(NP*)", "(VP*)))"]
    assert cells_of_tree(tree("(TOP (UH Oh))")) == ["(S1*)"]
    assert cells_of_tree(Tree("UH", word="Oh")) == ["*"]


@given(trees.filter(lambda made: not made.is_leaf))
def test_columns_of_brackets_are_read_as_they_were_written(made):
    leaves = made.leaves()
    tags, own = [leaf.label for leaf in leaves], [leaf.word or "" for leaf in leaves]
    root = Tree("TOP", [made])
    assert tree_of_columns(tags, cells_of_tree(root), own) == Tree("S1", [made])


@pytest.mark.parametrize("cells", [["(S*", "*"], ["(S*)", "*"], ["(S*)", "(S*)"], ["(S*", "*))"]])
def test_a_column_that_is_not_one_tree_is_refused(cells):
    with pytest.raises(SennaError, match="column of brackets"):
        tree_of_columns(["UH", "UH"], cells, ["oh", "no"])


def test_labels_without_functions():
    assert [bare(label) for label in ("NP-SBJ-1", "NP=2", "ADVP|PRT", "-LRB-", "S")] == [
        "NP", "NP", "ADVP", "-LRB-", "S",
    ]  # fmt: skip


def test_cleaning_takes_traces_and_what_they_leave():
    text = "(S-1 (NP-SBJ=2 (NP (PRP She)) (SBAR (-NONE- 0) (S (-NONE- *T*-1)))) (VP (VBZ sings)))"
    assert str(cleaned(tree(text), {"-NONE-"})) == "(S (NP (PRP She)) (VP (VBZ sings)))"
    kept = cleaned(tree(text), {"-NONE-"}, functions=True)
    assert str(kept) == "(S (NP-SBJ (NP (PRP She))) (VP (VBZ sings)))"
    assert cleaned(tree("(S (NP (-NONE- *)))"), {"-NONE-"}) is None


def test_dissolving_leaves_the_children():
    text = "(TOP (TOP (NP (NML (NML (NN tea) (NN cup)) (NN lid)) (NNS x))))"
    assert str(dissolved(tree(text), "NML")) == (
        "(TOP (TOP (NP (NN tea) (NN cup) (NN lid) (NNS x))))"
    )
    assert str(dissolved(tree("(TOP (TOP (UH Oh)) (UH no))"), "TOP")) == "(TOP (UH Oh) (UH no))"
    assert str(dissolved(tree("(S (A (B (UH Oh))))"), "A", "B")) == "(S (UH Oh))"


plain_leaves = st.builds(
    lambda tag, word: Tree(tag, word=word),
    st.sampled_from(["NN", ",", TOP, NO_LABEL]),
    st.text("ab"),
)
whole_trees = strategies.parents(
    strategies.trees(plain_leaves, "S", "NP", "VP", "SBAR", "-LRB-"), TOP
)


def again(made: Tree, found: list[Phrase]) -> Tree:
    return tree_of(found, [Tree(leaf.label, word=leaf.word) for leaf in made.leaves()])


@given(whole_trees)
def test_brackets_and_constituents_make_the_same_tree_again(made):
    assert again(made, brackets(made)) == made
    found = again(made, constituents(made))
    assert found == made
    assert_numbered(found)


@given(whole_trees)
def test_brackets_are_a_binary_tree_each_before_its_parts(made):
    found, n = brackets(made), len(made.leaves())
    spans = [(start, end) for start, end, _ in found]
    assert len(spans) == len(set(spans)) == 2 * n - 1
    assert spans == sorted(spans, key=lambda span: (span[0], -span[1]))
    assert spans[0] == (0, n)
    for start, end in spans:
        cuts = [cut for cut in range(start + 1, end) if {(start, cut), (cut, end)} <= set(spans)]
        assert len(cuts) == (end > start + 1)


@given(whole_trees)
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


def test_brackets_deeper_than_the_stack():
    deep = tree("(TOP " + "(NP (NP (DT a)) " * 5000 + "(NN x)" + ")" * 5001)
    assert len(brackets(deep)) == 10001
    assert str(again(deep, constituents(deep))) == str(deep)
