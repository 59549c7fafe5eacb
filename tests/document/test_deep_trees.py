"""Documents with trees deeper than Python's stack, and with sentences of no tokens."""

import copy
import importlib.util
import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import senna
from senna.annotation.trees import TOP, Tree, numbered
from senna.document.document import Document
from senna.document.serialise import to_json
from senna.errors import SennaError
from senna.kinds.answer import Annotation
from senna.text.tokens import Tokens, spaced

DEPTH = 3_000


def deep(n: int = DEPTH) -> Document:
    """A sentence whose tree has a level a word."""
    words = ["to"] * n
    rows = [Tokens.of((word, 3 * i, 3 * i + 2) for i, word in enumerate(words))]
    tree = Tree("VP", [Tree("TO", word="to")])
    for _ in range(n - 1):
        tree = Tree("VP", [Tree("TO", word="to"), tree])
    return Document(" ".join(words), rows, {"psg": [numbered(Tree(TOP, [tree]))]})


def test_a_deep_tree_is_written_compared_and_copied():
    doc, other = deep(), deep()
    assert doc == other and doc[0] == other[0]
    assert doc != deep(DEPTH - 1)
    tree = doc.answers["psg"][0]
    assert tree == other.answers["psg"][0] and tree != Tree(TOP)
    assert repr(tree) == f"Tree({str(tree)!r})"
    for again in (pickle.loads(pickle.dumps(doc)), copy.deepcopy(doc)):
        assert again == doc
        assert next(node.end for node in again.answers["psg"][0].subtrees()) == DEPTH
    text = doc.to_json()
    assert text.count('"label"') == 2 * DEPTH + 1 and text.count("{") == text.count("}")
    with pytest.raises(SennaError, match="nested too deeply"):
        Document.from_json(text)


def test_every_constituent_of_a_deep_tree_knows_its_parent():
    tree, other = deep()[0].tree, deep()[0].tree
    assert tree == other and hash(tree) == hash(other) and tree != tree.children[0]
    assert repr(tree).startswith("Constituent('(TOP (VP (TO to)")
    node, depth = tree.leaves()[-1], 0
    while (parent := node.parent) is not None:
        assert any(child is node for child in parent.children)
        node, depth = parent, depth + 1
    assert node is tree and depth == DEPTH + 1
    again = pickle.loads(pickle.dumps(tree.leaves()[7]))
    assert again.parent == tree.leaves()[7].parent and again == tree.leaves()[7]


def nested(value: object) -> st.SearchStrategy[object]:
    return st.lists(value, max_size=3) | st.dictionaries(st.text(max_size=3), value, max_size=3)


@settings(max_examples=10)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=4), nested))
def test_deep_json_is_written_as_other_json(value):
    inner = json.dumps(value, ensure_ascii=False)
    shell = value
    for _ in range(DEPTH):
        shell = [shell]
    assert to_json(shell) == "[" * DEPTH + inner + "]" * DEPTH


ROWS = st.lists(st.lists(st.sampled_from(["Ada", "met", "Mr."]), max_size=3), max_size=5)


@settings(max_examples=15)
@given(ROWS)
def test_sentences_without_tokens_are_in_their_place(sentences):
    rows, place = list[Tokens](), 0
    for words in sentences:
        rows.append(spaced(words, place))
        place += sum(len(word) + 1 for word in words)
    answers: Annotation = {
        "pos": [["NN"] * len(row) for row in rows],
        "ner": [["S-PER"] * len(row) for row in rows],
        "srl": [[] for _ in rows],
        "psg": [numbered(Tree(TOP, [Tree("NN", word=w) for w in words])) for words in sentences],
    }
    doc = Document(" ".join(word for words in sentences for word in words), rows, answers)
    assert sorted(doc.sentences) == doc.sentences
    for token in doc.tokens:
        span = doc.char_span(token.start, token.end)
        assert span is not None and span.tokens == [token]
    assert Document.from_json(doc.to_json()) == doc == copy.deepcopy(doc)
    assert doc._repr_html_() and senna.show(doc)
    if importlib.util.find_spec("pandas"):
        assert len(doc.to_dataframe()) == len(doc.tokens)
        assert set(doc.to_dataframe("spans")["text"]) <= {*doc.text.split(), *(s.text for s in doc)}
    for sentence in doc:
        assert sentence.text == " ".join(sentence.words)
        assert next(node.parent for node in sentence.tree.subtrees()) is None
        assert sentence.tree.pretty() and sentence.tree.brackets
        assert not sentence.frames and not sentence.match("<pos=VBD>")
