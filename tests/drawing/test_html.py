"""The page: everything escaped, nothing from outside, and in a browser as it should be."""

from __future__ import annotations

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

from senna.answers.base import Line
from senna.drawing import html
from senna.drawing.colours import HUES
from senna.drawing.html import fragment, page
from senna.formats.base import Style
from senna.formats.html import FORMAT
from senna.meanings import meaning
from senna.text.roles import Predicate
from senna.text.shown import harmless
from senna.text.tokenizer import Tokens, spaced
from senna.text.trees import numbered, read_trees

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
SENTENCES = 200
ATTRIBUTES = {
    *("class", "dir", "lang", "charset", "name", "content", "http-equiv", "role", "aria-label"),
    *("aria-hidden", "data-l", "title"),  # and of SVG:
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


def whole(reader: Reader) -> list[tuple[str, str]]:
    """The elements of a page but for what depends on widths: the names of rows, wide words."""
    legend = False
    elements = []
    for tag, kind in reader.found:
        legend = kind == "n" or (legend and tag in ("div", "b", "i"))
        if not legend:
            elements.append((tag, kind.removesuffix("w")))
    return elements


def body(text: str) -> str:
    return text[text.index("<body>") :]


def test_a_page_shows_names_in_the_text_and_all_else_in_rows() -> None:
    made = body(page([sentence()]))
    plain = re.sub(' title="[^"]*"', "", made)
    assert '<mark class="c0">Ann Lee<b>PER</b></mark> met <mark class="c2">IBM<b>ORG</b>' in plain
    columns = re.findall(r"<span><b>(.*?)</b>(.*?)</span>", plain)
    assert [word for word, _ in columns] == ["Ann", "Lee", "met", "IBM", "."]
    pattern = r'<i(?: class="(.*?)")?(?: data-l="NP"| data-l="A0")?>(.*?)</i>'
    labels = [re.findall(pattern, column) for _, column in columns]
    shown = [list(row) for row in zip(*labels, strict=True)]
    assert [[label for _, label in row] for row in shown] == [
        ["NNP", "NNP", "VBD", "NNP", "."],
        ["NP", "", "VP", "NP", ""],
        ["A0", "", "V", "A1", ""],
    ]
    assert made.count("<figure><svg") == 1  # the tree
    assert [kind for kind, _ in shown[1]] == ["x c0 b", "x c0 e", "x c1 b e", "x c0 b e", ""]


LONG = ["word"[: 1 + i % 4] for i in range(80)]


def grid(words: Sequence[str]) -> str:
    """A page of a sentence: an argument, the predicate, and something that is neither."""
    tags = ["B-A1", *["I-A1"] * (len(words) - 4), "E-A1", "S-V", "O"]
    found = {"pos": ["X"] * len(words), "srl": [Predicate(len(words) - 2, tags)]}
    return page([Tagged(" ".join(words), spaced(words), found)])


def test_labels_that_go_on_are_told_at_each_word_and_narrow_words_make_room() -> None:
    made = body(grid(LONG))
    assert made.count('data-l="A1"') == len(LONG) - 3
    assert "<i>pos</i><i>" in made
    long = ["to", *["a"] * 6, "went"]
    tags = ["S-V", "B-AM-TMP", *["I-AM-TMP"] * 5, "E-AM-TMP"]
    wide = page([Tagged(" ".join(long), spaced(long), {"srl": [Predicate(0, tags)]})])
    assert wide.count('<span class="w">') == 6


def test_tags_say_under_the_pointer_what_they_mean() -> None:
    made = body(page([sentence()]))
    for task, tag in (("ner", "PER"), ("pos", "VBD"), ("chunk", "NP"), ("srl", "A0")):
        assert f'title="{meaning(tag, task)}"' in made
    assert f">VP<title>{meaning('VP', 'psg')}</title></text>" in made
    own = sentence()
    made = page([own._replace(found={"ner": ["S-DRUG", "O", "O", "O", "O"]})])
    assert "DRUG</b></mark>" in made and "title=" not in made  # a tag of other models


def test_names_alone_need_no_rows() -> None:
    own = sentence()
    made = page([own._replace(found={"ner": own.found["ner"]})])
    assert "<mark" in made and '<div class="g">' not in made


def test_the_pieces_of_a_stream_make_the_same_page() -> None:
    own = sentence()
    line = Line(own.text, 0, own.tokens)
    written = FORMAT.write([line], {task: [all_] for task, all_ in own.found.items()}, Style())
    assert FORMAT.head + written + FORMAT.foot == page([own])


def test_files_have_headings() -> None:
    line = Line("a", 0, spaced(["a"]), file="x&y.csv", row=2, opens=True)
    written = FORMAT.write([line, line._replace(opens=False)], {"pos": [["N"], ["N"]]}, Style())
    assert written.count("<h2>") == 1
    assert "<h2>x&amp;y.csv 2</h2>" in written


def test_a_part_of_a_page_styles_nothing_else() -> None:
    made = fragment([sentence()])
    assert "<html" not in made and "<body" not in made
    style = re.sub(r"/\*.*?\*/", "", html.style(), flags=re.DOTALL)
    assert "@" not in style
    rules = [rule.strip() for rule in re.sub(r"\{[^}]*\}", "\n", style).split("\n")]
    assert all(rule.startswith(".senna") for rule in rules if rule)


def test_the_style_has_a_colour_for_each_number() -> None:
    rules = re.findall(r"\.c(\d)\{--c:(.*?);", html.style())
    assert [hue for _, hue in rules] == list(HUES)
    assert [int(number) for number, _ in rules] == list(range(len(HUES)))


@settings(max_examples=40)
@given(st.lists(st.text(max_size=8), min_size=5, max_size=5))
def test_whatever_the_text_holds_is_text(words: list[str]) -> None:
    words = [f"<{words[0]}", f"{words[1]}&amp;", *words[2:]]
    made = page([sentence(words)])
    read = Reader(made)
    plain = Reader(page([sentence()]))
    assert whole(read) == whole(plain)
    assert all(harmless(word) in read.text for word in words)
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]", made)


def test_labels_are_escaped_too() -> None:
    own = sentence()
    tags = ["S-<script>", "O", "O", "O", "O"]
    made = page([own._replace(found={"pos": ["<i>"] * 5, "ner": tags, "chunk": tags})])
    assert "<script>" not in made and "<i></i>" in made
    assert made.count("&lt;script&gt;") == 2


def test_words_in_one_place_are_shown_once() -> None:
    tokens = Tokens.of([("do", 0, 5), ("n't", 0, 5)])
    made = page([Tagged("don't", tokens, {"ner": ["S-A", "S-B"]})])
    assert made.count("don") == 1


# --------------------------------------------------------------------------- in a browser


def dom(file: Path, folder: Path, width: int = 1_280) -> str:
    """What Chromium makes of a page; the log of its network goes beside its own data."""
    assert BROWSER is not None
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
def test_a_browser_shows_the_page_and_asks_for_nothing(tmp_path: Path) -> None:
    own = sentence(
        ["Ann", "Lee", "<img src=http://example.org/x>", "<script>alert(1)</script>", "."]
    )
    path = tmp_path / "page.html"
    path.write_text(page([own] * SENTENCES), encoding="utf-8")
    shown = dom(path, tmp_path)
    assert shown.count("<article>") == SENTENCES
    assert shown.count("<mark") == 2 * SENTENCES
    assert "<img" not in shown and "<script" not in shown
    assert requests(tmp_path) == []


@pytest.mark.skipif(BROWSER is None, reason="no chromium here")
def test_a_request_and_an_error_would_have_been_noticed(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text('<img src="http://127.0.0.1:9/x">', encoding="utf-8")
    dom(path, tmp_path)
    assert requests(tmp_path) == ["http://127.0.0.1:9/x"]
    path.write_text("<script>throw 1</script>", encoding="utf-8")
    with pytest.raises(AssertionError, match="CONSOLE"):
        dom(path, tmp_path)


# A page that measures another one, in frames of some widths.
OUTER = """<!DOCTYPE html><body>{frames}<script>{measure}
onload = () => {{
  const frames = [...document.querySelectorAll("iframe")];
  document.title = JSON.stringify(frames.map(frame => measure(frame.contentDocument)));
}}</script>"""
FRAME = '<iframe style="width:{width}px;height:900px;border:0" srcdoc="{inner}"></iframe>'

# How wide a page is, and how high the labels of its first words and of its margin stand.
LEVELS = """const measure = inner => {
  const colour = inner.defaultView.getComputedStyle(inner.querySelector("i.x")).backgroundColor;
  const columns = [...inner.querySelectorAll(".n > div, .g > span")];
  columns.splice(1, columns.findIndex(own => own.tagName == "SPAN") - 1);
  columns.length = 3;
  const tops = columns.map(own => [...own.children].map(cell => cell.offsetTop - own.offsetTop));
  const wide = inner.documentElement.scrollWidth;
  return {wide, colour, tops};
};"""

# What stands at the left edge of the words, and what is seen of the margin.
LINES = """const measure = inner => {
  const tops = [...new Set([...inner.querySelectorAll(".g > span")].map(word => word.offsetTop))];
  const legends = [...inner.querySelectorAll(".n > div")].map(legend => legend.offsetTop);
  const right = Math.max(...[...inner.querySelectorAll(".g > span")].map(
    word => word.offsetLeft + word.offsetWidth));
  return {tops, legends, right};
};"""


def measured(
    measure: str, inner: str, widths: Sequence[int], folder: Path
) -> list[tuple[int, dict[str, Any]]]:
    """What a browser measures of a page at each width; to start one takes longer than the rest."""
    frames = "".join(FRAME.format(width=width, inner=escape(inner)) for width in widths)
    path = folder / "outer.html"
    path.write_text(OUTER.format(frames=frames, measure=measure), encoding="utf-8")
    title = re.search("<title>(.*?)</title>", dom(path, folder))
    assert title is not None
    return list(zip(widths, json.loads(title[1]), strict=True))


@pytest.mark.skipif(BROWSER is None, reason="no chromium here")
def test_each_line_of_a_browser_begins_with_the_names_of_the_rows(tmp_path: Path) -> None:
    for width, seen in measured(LINES, grid(LONG), (360, 1_100), tmp_path):
        assert len(seen["tops"]) > 2
        assert seen["legends"][: len(seen["tops"])] == seen["tops"]
        assert width - 120 < seen["right"] <= width  # the width there is


@pytest.mark.skipif(BROWSER is None, reason="no chromium here")
def test_a_page_is_as_wide_as_its_screen_and_its_rows_are_level(tmp_path: Path) -> None:
    own = sentence(["Ann", "Lee", "met", "x" * 300, "."])
    for width, seen in measured(LEVELS, page([own] * 3), (360, 1_000), tmp_path):
        assert seen["wide"] <= width
        assert seen["colour"] not in ("rgba(0, 0, 0, 0)", "transparent")
        legend, one, other = seen["tops"]
        assert len(legend) == 4
        assert legend == one == other
