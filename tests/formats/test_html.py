"""HTML: what a reader sees of a page, and where that stands in its source."""

import html
import re
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.formats.html import Page, read_page
from senna.text.sentences import split

PAGE = """\ufeff<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>AT&amp;T &ndash; news</title>
<style>p { content: "<p>no</p>" }</style><script>if (a<b) { write("<p>no</p>") }</script></head>
<body><!-- no <p>no</p> --><ul><li><a href="/">Home</a><li><a href='/?a=1&amp;b'>About</a></ul>
<p>Marie <b>Cu</b>rie&nbsp;was   born
  in Warsaw.<br>She <i> moved</i><template>no <template>no</template> no</template>
</body></html>"""
SEEN = "AT&T – news|Home|About|Marie Curie\u00a0was born in Warsaw.\nShe moved"
TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("aB &<>;\"'.,-\n\t\r"))
SOUP = st.lists(
    st.sampled_from(
        "< > / ! - -- ? [ ] = ' \" & # x 1 ; a b p br \x00 é <p> </p> <b> </b> <br/> <!-- --> CDATA"
        " <script> </script> <pre> </pre> <svg> </svg> <title> </title> </ </> <! &amp; &lt".split()
    )
    | st.sampled_from(" \n\x0b\x85")
).map("".join)


def seen(source: str) -> str:
    """The paragraphs of a page, as one line."""
    return "|".join(
        filter(None, (own.strip(" \ufeff") for own in read_page(source)[0].split("\n\n")))
    )


def shown(page: Page, source: str) -> list[tuple[str, str]]:
    """The tokens of a page, each with its source."""
    tokens = [token for sentence in split(page.text) for token in sentence]
    return [(own.text, source[slice(*page.place(own.start, own.end))]) for own in tokens]


def test_the_text_of_a_page():
    assert seen(PAGE) == SEEN
    assert [" ".join(token.text for token in own) for own in split(read_page(PAGE).text)] == [
        "AT&T – news", "Home", "About", "Marie Curie was born in Warsaw .", "She moved"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("", ""),
        ("just text", "just text"),
        ("a <i>b</i>c <span>d </span> e", "a bc d e"),  # what lies in a line
        (" \n a\r\n\t b\f", "a b"),
        ("a&#32; &#10;b&#x20;", "a b"),
        ("a &nbsp; b", "a \u00a0 b"),
        ("<h1>a</h1>b<p>c<div>d</div>e<hr>f", "a|b|c|d|e|f"),
        ("<table><tr><th>a<td>b<tr><td>c</table>", "a|b|c"),
        ("<ol><li>a<li>b<ul><li>c</ul>d</ol>", "a|b|c|d"),
        ("<dl><dt>a<dd>b</dl><select><option>c<option>d</select>", "a|b|c|d"),
        ("a <br> b<br/>c<BR><br >d", "a \nb\nc|d"),
        ("<P>a</P >b", "a|b"),
        ("<pre>a\n  b\n\n<b>c</b>  d</pre> e  f", "a\n  b|c  d|e f"),
        ("<textarea>a\nb</textarea>", "a\nb"),
        ("<pre></pre></pre>a  b", "a b"),
        ("a<svg><title>b</title><svg/><text>c</text></svg>d", "ad"),
        ("a<noscript><p>b</noscript><iframe>c</iframe>d", "ad"),
        ("a<script>b</script ><style>c</style>d<script/>e", "ade"),
        ("<math><mi>x</mi><annotation>y</annotation></math>", "x"),
        ("a<?php b ?>c<!-- d > --><![CDATA[e]]>f<!x>g</3>h</>i", "acfghi"),
        ("a<img alt='b' src=c>d<input value=e>f", "adf"),
        ("1 < 2 > 0 & so on <", "1 < 2 > 0 & so on <"),
        ("a &bla; &#x1; &#0; &#x110000; &", "a &bla; \ufffd \ufffd &"),
        ("&lt;p&gt;&LTb &copy=1 &notit; &amp;amp;", "<p><b ©=1 ¬it; &amp;"),
        ("&NotEqualTilde;&fjlig;", "\u2242\u0338fj"),
    ],
)
def test_what_is_seen(source, text):
    assert seen(source) == text


@pytest.mark.parametrize(
    "unclosed", ["<!-- b", "<p b='c", '<p b="c', "<p b", "<script>b", "<svg>b", "</b", "<!b", "<?b"]
)
def test_what_is_cut_off_is_not_shown(unclosed):
    assert seen("a" + unclosed) == "a"
    assert seen(f"a{unclosed} <i") == "a"


def test_places_of_tokens():
    source = (
        "<p>AT&amp;T &#8220;Cu<b>r</b>ie&quot;  &hellip;<br>a&NotEqualTilde;&fjlig; &ltb &notit;"
    )
    assert shown(read_page(source), source) == [
        ("AT&T", "AT&amp;T"), ("“", "&#8220;"), ("Curie", "Cu<b>r</b>ie"), ('"', "&quot;"),
        ("…", "&hellip;"), ("a", "a"), ("\u2242\u0338", "&NotEqualTilde;"),
        ("fj", "&fjlig;"), ("<", "&lt"), ("b", "b"), ("¬", "&not"),
        ("it", "it"), (";", ";"),
    ]  # fmt: skip


@st.composite
def escaped(draw: st.DrawFn, texts: st.SearchStrategy[str] = TEXT) -> tuple[str, str]:
    """A text, and HTML that shows it."""
    text = draw(texts)
    numbered = draw(st.sets(st.sampled_from("aB.-é")))
    made = ("".join(f"&#{ord(c)};" if c in numbered else html.escape(c)) for c in text)
    return text, "".join(made)


@given(escaped(), st.sampled_from(["auto", "sentence", "space"]))
def test_any_text_that_is_escaped_has_its_own_tokens(pair, breaks):
    text, written = pair
    source = f"<pre>{written}</pre>"
    page = read_page(source)
    plain, found = split(text, line_breaks=breaks), split(page.text, line_breaks=breaks)
    assert [[t.text for t in own] for own in found] == [[t.text for t in own] for own in plain]
    for before, after in zip(chain(*plain), chain(*found), strict=True):
        start, end = page.place(after.start, after.end)
        assert html.unescape(source[start:end]) == text[before.start : before.end]
        assert html.unescape(source[5:start]) == text[: before.start]


@given(escaped())
def test_white_space_of_a_paragraph_is_a_space(pair):
    text, written = pair
    source = f"<h1>a</h1>\n<p>{written}</p>\n<p>b"
    page = read_page(source)
    found = [[t.text for t in own] for own in split(page.text)]
    alike = re.sub("[ \t\n\r\f]+", " ", text)
    assert found == [["a"], *([t.text for t in own] for own in split(alike)), ["b"]]
    for token in chain(*split(page.text)):
        start, end = page.place(token.start, token.end)
        assert html.unescape(source[start:end]) == token.text


@given(SOUP)
def test_soup_is_read_and_all_that_is_shown_has_its_place(source):
    page = read_page(source)
    assert list(page.begins) == sorted(page.begins) and page.begins[-1] == len(page.text)
    last = 0
    for i, sign in enumerate(page.text):
        if sign not in " \n":
            start, end = page.place(i, i + 1)
            assert last <= start < end <= len(source)
            assert sign in html.unescape(source[start:end])
            last = start


@given(SOUP, st.data())
def test_a_part_has_the_places_of_the_whole(source, data):
    page = read_page(source)
    a = data.draw(st.integers(0, len(page.text)))
    b = data.draw(st.integers(a, len(page.text)))
    part = page.part(a, b)
    assert part.text == page.text[a:b]
    for i in range(b - a):
        assert part.place(i, b - a) == page.place(a + i, b)
        assert part.place(i, i + 1) == page.place(a + i, a + i + 1)


@pytest.mark.parametrize(
    ("sign", "text"),
    [
        ("<", "<"), ("&", "&"), ("&#", "&#"), ("<!--", ""), ("<a ", ""), ("<a b='", ""),
        ("</", ""), ("<?", ""), ("<![x", ""), ("<div>", ""), ("\n ", ""),
    ],
)  # fmt: skip
def test_very_many_signs_take_time_in_proportion(sign, text):
    times = 80_000 // len(sign)
    assert read_page(sign * times).text.strip() == text * times


def test_numbers_without_end():
    digits = "9" * 100_000
    assert read_page(f"a&#{digits};b<i title='&#{digits};'>").text == "a\ufffdb"
    assert read_page(f"a&#x{digits};b").text == "a\ufffdb"


def test_the_deepest_page_ends():
    deep = 20_000
    source = "<div>" * deep + "<svg>" * deep + "no" + "</svg>" * deep + "a" + "</div>" * deep
    assert read_page(source).text.strip() == "a"
