"""Pictures: arcs that do not cross where they need not, trees, rows; on as many lines as needed."""

import re
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st

from senna.annotation.predicates import Predicate
from senna.annotation.schemes import Phrase
from senna.annotation.trees import Tree, numbered
from senna.drawing.parts import LabelRow, Link, Parts, bows, parts_of, ports
from senna.drawing.svg import drawing
from senna.drawing.terminal import drawn
from senna.formats.brackets import read_trees
from tests.strategies import any_word

WORDS = "Ann Lee met IBM in Rome".split()
HEADS = [(1, "compound"), (2, "nsubj"), (-1, "root"), (2, "obj"), (5, "case"), (2, "obl")]
ARCS = [Link(head, Phrase(i, i + 1, label)) for i, (head, label) in enumerate(HEADS)]
NS = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(svg).iter(f"{NS}text")]


def arcs_over(n: int) -> st.SearchStrategy[list[Link]]:
    """An arc to each word, from anywhere."""
    heads = st.lists(st.integers(-1, n - 1), min_size=n, max_size=n)
    return heads.map(
        lambda of: [Link(h, Phrase(i, i + 1, f"l{i}")) for i, h in enumerate(of) if h != i]
    )


@given(arcs_over(9))
def test_arcs_over_the_same_words_are_on_different_levels(arcs):
    every = bows(arcs, 0, 9)
    assert len(every) == len(arcs)
    spans = [(bow.left, bow.right, bow.level) for bow in every if bow.left != bow.right]
    for i, (a, b, level) in enumerate(spans):
        assert level >= 1
        for c, d, other in spans[:i]:
            assert a is not None and b is not None and c is not None and d is not None
            assert level != other or b <= c or d <= a


@given(arcs_over(9), st.integers(0, 8), st.integers(1, 9))
def test_a_line_has_each_arc_that_is_over_its_words(arcs, start, n):
    end = min(start + n, 9)
    every = bows(arcs, start, end)
    over = [
        arc for arc in arcs
        if min(arc.head if arc.head >= 0 else arc.phrase.start, arc.phrase.start) < end
        and max(arc.head, arc.phrase.start) >= start
    ]  # fmt: skip
    assert sorted(bow.label for bow in every) == sorted(arc.phrase.label for arc in over)
    tips = {bow.label: bow.tip for bow in every}
    for arc in over:
        here = start <= arc.phrase.start < end
        assert tips[arc.phrase.label] == (arc.phrase.start if here else None)


@given(arcs_over(9))
def test_ends_on_a_word_stand_apart(arcs):
    places = ports(bows(arcs, 0, 9))
    seen = [(word, place) for (word, _), place in places.items()]
    assert len(set(seen)) == len(seen)


def test_a_picture_has_words_and_labels_once():
    svg = drawing(Parts(WORDS, [], ARCS, []))
    assert sorted(texts(svg)) == sorted([*WORDS, *(label for _, label in HEADS)])
    assert "nsubj: met → Lee" in svg and "root: root → met" in svg


def test_the_label_of_a_narrow_word_is_whole():
    tags = ["POS", "NNS", "IN"] * 20
    row = LabelRow("pos", "pos", [Phrase(i, i + 1, tag) for i, tag in enumerate(tags)], bars=False)
    svg = drawing(Parts(["'s", "kg", "a"] * 20, [row], [], []), width=10_000)
    assert [text for text in texts(svg) if text not in ("'s", "kg", "a", "pos")] == tags


def test_a_tree_stands_above_its_words():
    [tree] = read_trees("(TOP (S (NP (NNP Ann)) (VP (VBD ran))))", "x")
    svg = drawing(parts_of(["Ann", "ran"], {"psg": numbered(tree)}))
    heights = {
        node.text: float(node.attrib["y"]) for node in ElementTree.fromstring(svg).iter(f"{NS}text")
    }
    assert heights["TOP"] < heights["S"] < heights["NP"] == heights["VP"]
    assert heights["NP"] < heights["NNP"] < heights["Ann"] == heights["ran"]


def test_a_deep_tree_is_drawn():
    tree = Tree("X", word="a")
    for _ in range(3_000):
        tree = Tree("Y", [tree])
    assert texts(drawing(Parts(["a"], [], [], [numbered(tree)]))).count("Y") == 3_000


@settings(max_examples=30)
@given(st.lists(any_word, min_size=1, max_size=6))
def test_whatever_the_text_holds_it_is_xml(words):
    words = [*words, "<script>", "\x1b&amp;\x00"]
    tags = [f"S-{word}" for word in words]
    svg = drawing(parts_of(words, {"ner": tags, "srl": [Predicate(0, ["S-V", *tags[1:]])]}))
    assert "<script" not in svg
    assert "<script>" in texts(svg)


def test_an_empty_sentence_has_no_picture():
    assert drawing(parts_of([], {"ner": []})) == ""


def in_terminal(parts: Parts, width: int = 80) -> list[str]:
    return list(drawn(parts, width, lambda text, code: text))


def test_arcs_of_a_terminal_point_at_dependents():
    assert in_terminal(Parts(WORDS, [], ARCS, [])) == [
        "                   ╭─────obl─────╮",
        " ╭compound╮╭nsubj╮ ├obj╮   ╭case╮│",
        " ▼        │▼    root   ▼   ▼    │▼",
        "Ann       Lee   met   IBM in   Rome",
    ]
    one = Parts(["Go"], [], [Link(-1, Phrase(0, 1, "root"))], [])
    assert in_terminal(one) == ["root", "Go"]


def test_trees_of_a_terminal():
    [tree] = read_trees("(S (NP (DT the) (NN cat)) (VP (VBD ran)) (. .))", "x")
    assert in_terminal(Parts("the cat ran .".split(), [], [], [numbered(tree)])) == [
        "the cat ran .",
        "S",
        "├─ NP the cat",
        "├─ VP ran",
        "└─ . .",
    ]


def test_punctuation_in_a_tree_is_seen_and_no_line_is_slanted():
    [tree] = read_trees("(TOP (S (NP (NNP Ann)) (, ,) (VP (VBD ran)) (. .)))", "tree")
    parts = parts_of(["Ann", ",", "ran", "."], {"psg": numbered(tree)})
    root = ElementTree.fromstring(drawing(parts))
    large = [node.text for node in root.iter(f"{NS}text") if node.get("font-size") == "17"]
    assert large == [",", "."]
    ways = [path.get("d", "") for path in root.iter(f"{NS}path")]
    assert ways and all(re.fullmatch(r"(M[\d.]+ [\d.]+[VH][\d.]+)+", way) for way in ways), ways
