"""The page: everything escaped, nothing from outside, and in a browser as it should be."""

import json
import re
import shutil
import subprocess
from collections.abc import Sequence
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna.annotation.predicates import Predicate
from senna.annotation.trees import numbered
from senna.drawing import html
from senna.drawing.html import fragment, page
from senna.drawing.parts import harmless
from senna.extras.glossary import meaning
from senna.formats.brackets import read_trees
from senna.kinds.answer import Line
from senna.pipeline.format import format_of
from senna.pipeline.options import Options
from senna.text.tokens import Tokens, spaced
from tests.drawing.test_parts import some

FORM = format_of("html")
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
SENTENCES = 200
ATTRIBUTES = {
    *("class", "dir", "lang", "charset", "name", "content", "http-equiv", "role", "aria-label"),
    "title",  # and of SVG:
    *("xmlns", "viewbox", "width", "height", "x", "y", "x1", "y1", "x2", "y2", "d", "rx", "fill"),
    *("fill-opacity", "stroke", "stroke-opacity", "stroke-dasharray", "opacity", "text-anchor"),
    *("font-family", "font-size", "font-weight"),
}
TREE = "(TOP (S (NP (NNP Ann) (NNP Lee)) (VP (VBD met) (NP (NNP IBM))) (. .)))"


class Tagged(NamedTuple):
    text: str
    tokens: Tokens
    found: dict[str, Any]


def sentence(words: Sequence[str] = ("Ann", "Lee", "met", "IBM", ".")) -> Tagged:
    """A sentence with all that can be found in it."""
    [tree] = read_trees(TREE, "tree")
    found = {
        "pos": ["NNP", "NNP", "VBD", "NNP", "."],
        "chunk": ["B-NP", "E-NP", "S-VP", "S-NP", "O"],
        "ner": ["B-PER", "E-PER", "O", "S-ORG", "O"],
        "srl": [Predicate(2, ["B-A0", "E-A0", "S-V", "S-A1", "O"])],
        "psg": numbered(tree),
    }
    return Tagged(" ".join(words), spaced(words), found)


class Reader(HTMLParser):
    """The elements of a page, each with its text; what is not closed, or wrongly, is an error."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[tuple[str, str]] = []
        self.found: list[tuple[str, str]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        assert set(named) <= ATTRIBUTES
        if tag != "meta":
            self.open.append((tag, named.get("class") or ""))
        if tag != "meta":
            self.found.append((tag, named.get("class") or ""))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if "style" not in dict(self.open):
            self.text += data


def body(text: str) -> str:
    return text[text.index("<body>") :]


def test_a_page_shows_names_in_the_text_and_all_else_in_rows():
    made = body(page([sentence()]))
    plain = re.sub(' title="[^"]*"', "", made)
    assert '<mark class="c0">Ann Lee<b>PER</b></mark> met <mark class="c2">IBM<b>ORG</b>' in plain
    assert made.count("<figure><svg") == 1
    shown = re.findall(r"<text [^>]*>([^<]*)", made)
    words, tags = ["Ann", "Lee", "met", "IBM", "."], ["NNP", "NNP", "VBD", "NNP", "."]
    tree = ["TOP", "S", "NP", *tags[:2], "VP", "VBD", "NP", "NNP", "."]
    rows = ["pos", *tags, "chunk", "NP", "VP", "NP", "met", "A0", "V", "A1"]
    assert shown == [*tree, *words, *words, *rows]


def long(n: int = 80) -> str:
    """A page of a sentence: an argument, the predicate, and something that is neither."""
    words = ["word"[: 1 + i % 4] for i in range(n)]
    tags = ["B-A1", *["I-A1"] * (n - 4), "E-A1", "S-V", "O"]
    late = ["O"] * (n - 1) + ["S-V"]
    found = {
        "pos": ["X"] * n,
        "ner": ["O"] * n,
        "srl": [Predicate(n - 2, tags), Predicate(n - 1, late)],
    }
    return page([Tagged(" ".join(words), spaced(words), found)])


def test_labels_that_go_on_are_repeated_and_lines_have_the_rows_that_have_something_there():
    made = body(long())
    lines = made.count(">pos</text>")
    assert lines > 2
    assert (made.count(">A1<"), made.count(">…A1<")) == (1, lines - 1)
    assert made.count(">V<") == 2
    names = re.findall(r">(wor|word)</text><rect", made)  # of the rows of predicates
    assert names == ["wor"] * lines + ["word"]


def test_tags_say_under_the_pointer_what_they_mean():
    made = body(page([sentence()]))
    assert f'title="{meaning("PER", "ner")}">Ann Lee' in made
    for task, tag in (("pos", "VBD"), ("chunk", "NP"), ("srl", "A0"), ("psg", "VP")):
        assert f">{tag}<title>{meaning(tag, task)}</title></text>" in made
    own = sentence()
    made = page([own._replace(found={"ner": ["S-DRUG", "O", "O", "O", "O"]})])
    assert "DRUG</b></mark>" in made and "title=" not in made  # a tag of other models


def test_names_alone_need_no_rows():
    own = sentence()
    made = page([own._replace(found={"ner": own.found["ner"]})])
    assert "<mark" in made and "<figure>" not in made


def test_the_pieces_of_a_stream_make_the_same_page():
    own = sentence()
    line = Line(own.text, 0, own.tokens)
    written = FORM.write([line], {task: [all_] for task, all_ in own.found.items()}, Options())
    assert FORM.head + written + FORM.foot == page([own])


def test_files_have_headings():
    line = Line("a", 0, spaced(["a"]), file="x&y.csv", row=2, opens=True)
    written = FORM.write([line, line._replace(opens=False)], {"pos": [["N"], ["N"]]}, Options())
    assert written.count("<h2>") == 1
    assert "<h2>x&amp;y.csv 2</h2>" in written


def test_a_part_of_a_page_styles_nothing_else():
    made = fragment([sentence()])
    assert "<html" not in made and "<body" not in made
    style = re.sub(r"/\*.*?\*/", "", html.style(), flags=re.DOTALL)
    assert "@" not in style
    rules = [rule.strip() for rule in re.sub(r"\{[^}]*\}", "\n", style).split("\n")]
    assert all(rule.startswith(".senna") for rule in rules if rule)


@settings(max_examples=40)
@given(st.lists(st.text(min_size=1, max_size=8), min_size=5, max_size=5))
def test_whatever_the_text_holds_is_text(words):
    words = [f"<{words[0]}", f"{words[1]}&amp;", *words[2:]]
    made = page([sentence(words)])
    read = Reader(made)
    plain = Reader(page([sentence()]))
    assert read.found == plain.found
    assert all(harmless(word) in read.text for word in words)
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]", made)


def test_labels_are_escaped_too():
    own = sentence()
    tags = ["S-<script>", "O", "O", "O", "O"]
    made = page([own._replace(found={"pos": ["<i>"] * 5, "ner": tags, "chunk": tags})])
    assert "<script>" not in made and "<i>" not in made
    assert made.count("&lt;script&gt;") == 3  # in the text, in the drawing and in what is read out


def test_words_in_one_place_are_shown_once():
    tokens = Tokens.of([("do", 0, 5), ("n't", 0, 5)])
    made = page([Tagged("don't", tokens, {"ner": ["S-A", "S-B"]})])
    assert made.count("don") == 1


def dom(file: Path, folder: Path, width: int = 1_280) -> str:
    """What Chromium makes of a page; the log of its network goes beside its own data."""
    options = [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--disable-dev-shm-usage", "--enable-logging=stderr", f"--window-size={width},900",
        f"--user-data-dir={folder / 'data'}", f"--log-net-log={folder / 'net.json'}",
    ]  # fmt: skip
    done = subprocess.run(
        [BROWSER, *options, "--dump-dom", file.as_uri()], capture_output=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert b"CONSOLE" not in done.stderr, done.stderr
    return done.stdout.decode()


def requests(folder: Path) -> list[str]:
    """The addresses that the page asked for; what the browser wants for itself has no origin."""
    events = json.loads((folder / "net.json").read_text(encoding="utf-8"))["events"]
    asked = [event.get("params", {}) for event in events]
    of_pages = [own for own in asked if own.get("initiator", "not an origin") != "not an origin"]
    return [own["url"] for own in of_pages if not own["url"].startswith("file:")]


@pytest.mark.skipif(BROWSER is None, reason="no chromium here")
def test_a_browser_shows_the_page_and_asks_for_nothing(tmp_path, as_file):
    own = sentence(
        ["Ann", "Lee", "<img src=http://example.org/x>", "<script>alert(1)</script>", "."]
    )
    path = as_file("page.html", page([own] * SENTENCES))
    shown = dom(path, tmp_path)
    assert shown.count("<article>") == SENTENCES
    assert shown.count("<mark") == 2 * SENTENCES
    assert "<img" not in shown and "<script" not in shown
    assert requests(tmp_path) == []


# A page that measures others in its frames: how wide a page is, how wide its drawing, and how many
# of the texts in it overlap.
OUTER = """<!DOCTYPE html><body>FRAMES<script>
const measure = inner => {
  const boxes = [...inner.querySelectorAll("svg text")].map(text => text.getBoundingClientRect());
  const touch = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  const overlapping = boxes.filter((box, i) => boxes.slice(0, i).some(other => touch(box, other)));
  const figure = inner.querySelector("figure");
  return {wide: inner.documentElement.scrollWidth, figure: figure.clientWidth,
    drawing: figure.scrollWidth, texts: boxes.length, overlapping: overlapping.length};
};
onload = () => {
  const frames = [...document.querySelectorAll("iframe")];
  document.title = JSON.stringify(frames.map(frame => measure(frame.contentDocument)));
}</script>"""
FRAME = '<iframe style="width:{width}px;height:900px;border:0" srcdoc="{inner}"></iframe>'


@pytest.mark.skipif(BROWSER is None, reason="no chromium here")
def test_pages_fit_their_screens_and_no_label_stands_on_another(tmp_path, as_file):
    """With the fonts that a browser has, and not with the widths that we expect."""
    drawn = some(3, 1)
    dense = page([Tagged(own.line.text, own.tokens, own.answers) for own in drawn])
    wide = page([sentence(["Ann", "Lee", "met", "x" * 300, "."])] * 3)
    pairs = [(width, made) for made in (dense, wide, long()) for width in (360, 640, 960, 1_200)]
    frames = "".join(FRAME.format(width=width, inner=escape(made)) for width, made in pairs)
    path = as_file("outer.html", OUTER.replace("FRAMES", frames))
    title = re.search("<title>(.*?)</title>", dom(path, tmp_path))
    for (width, made), seen in zip(pairs, json.loads(title[1]), strict=True):
        assert seen["wide"] <= width
        assert seen["figure"] <= width
        assert seen["drawing"] > 700 or made == dense
        if made == dense:
            assert seen["texts"] > sum(len(own.words) for own in drawn)
            assert seen["overlapping"] == 0
