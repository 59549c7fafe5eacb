"""Chunks and tokens by the kernel, and by the tokenizer's rules alone."""

import io
import lzma
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.inference.kernel import library
from senna.text import tokenizer
from senna.text import word_lists as lists
from senna.text.sentences import segments, split
from senna.text.tokenizer import CompiledCuts, Cuts
from senna.text.tokens import Tokens
from tests.inference.kernel.twins import at
from tests.text.test_tokenizer import ANYTHING

LEVELS = library.built()
pytestmark = pytest.mark.skipif(not LEVELS, reason="the kernel was not built")

# Words of which the patterns know something, words that have a shape, and what is around them.
SPECIAL = sorted(
    {
        *(lists.TITLES | lists.ABBREVIATIONS | lists.CAPITALISED | lists.BEFORE_NUMBERS),
        *(lists.FORMULAS | lists.PREFIXES | lists.CONTRACTIONS.keys() | lists.NOT_OWNED),
        *map(str.lower, lists.SENTENCE_WORDS | lists.WITH_MARK),
        *"s t ll re ve d m em tis twas til cause n goin in nothin xd xdd www".split(),
        *"http com org doc km mm hrs yo its i iv xii dixi livid".split(),
    }
)
PLAIN = (
    "house University zork Zork acct thigh thighs NATO UN wordPress Poe a A x strategies e".split()
)
WORDS = st.sampled_from([*SPECIAL, *PLAIN, "1914", "1980", "12345", "3", "\xe9t\xe9"])
CASED = st.tuples(WORDS, st.sampled_from([str, str.capitalize, str.upper])).map(
    lambda pair: pair[1](pair[0])
)
SIGNS = st.text("\"'\u2019\u201c\u201d([)],.;:?!-/\u2013\u2014*=<>@#&$ \n\u200b", max_size=3)
PARTS = st.one_of(CASED, SIGNS, st.sampled_from(["'s", "\u2019s", "-", "...", ", ", "n't"]))
TEXTS = st.lists(PARTS, max_size=8).map("".join)


def known(text: str, cuts: Cuts | CompiledCuts) -> list[object]:
    """All that is known of the chunks of a text."""
    chunks = cuts.read(text)
    assert not isinstance(cuts, CompiledCuts) or chunks.known is cuts.chunks
    arrays = chunks.starts, chunks.ends, chunks.firsts, chunks.token_starts, chunks.token_ends
    each = [chunks.chunk(i)._replace(bits=0) for i in range(len(chunks.starts))]
    gaps = [(i, bool(plain), *rest) for i, plain, *rest in chunks.gaps]
    return [*map(list, arrays), gaps, chunks.words, each]


@given(st.one_of(TEXTS, TEXTS.map(lambda text: f"He {text} The"), ANYTHING))
def test_chunks_are_cut_as_without_the_kernel(text):
    with at(LEVELS[-1]):
        compiled = known(text, CompiledCuts())
    assert compiled == known(text, Cuts(modern=True))


def test_every_word_with_every_sign():
    cases = [str, str.capitalize, str.upper]
    words = [case(word) for word in (*SPECIAL, *PLAIN, "1914") for case in cases]
    around = [
        "{}",
        "{},",
        "{}.",
        "({})",
        '"{}',
        "'{}'",
        "{}'s",
        "{}\u2019s.",
        "[{}]",
        "{}.,",
        "{}!",
    ]
    around += ["well-{}", "{}-house.", "house/{}", "{}\u2014he", "{}\u2013Zork-{}'s", "{}'", "{}:)"]
    for forms in (around[:9], around[9:]):  # more chunks than are remembered are Python's
        text = " ".join(form.replace("{}", word) for word in words for form in forms)
        with at(LEVELS[-1]):
            compiled = known(text, CompiledCuts())
        for one, other in zip(compiled, known(text, Cuts(modern=True)), strict=True):
            assert one == other


@pytest.mark.parametrize("unit", ["a", "(", "x ", "\u4e00 ", "end.The ", "\ud800", "1914-", "a-"])
def test_hostile_lengths(unit):
    text = unit * (3 * tokenizer.LONGEST_CHUNK // len(unit)) + " \n" + unit
    with at(LEVELS[-1]):
        compiled = known(text, CompiledCuts())
    assert compiled == known(text, Cuts(modern=True))


@pytest.mark.parametrize("full", ["keys", "forms"])
@pytest.mark.parametrize("limit", ["most", "room"])
def test_more_than_there_is_room_for(full, limit):
    text = " ".join(f"x{number}.y" for number in range(100))
    with at(LEVELS[-1]):
        cuts = CompiledCuts()
        setattr(getattr(cuts.known, full).struct, limit, 50)
        chunks = cuts.read(text)
    assert chunks.known is not cuts.chunks
    assert chunks.words == Cuts(modern=True).read(text).words


def rows(sentences: list[Tokens]) -> list[list[tuple[str, int, int]]]:
    return [list(map(tuple, sentence)) for sentence in sentences]


def compare(text: str, line_breaks: str) -> int:
    """How many words a text has; its sentences are the same with the kernel and without it."""
    n = 0
    for start, piece in segments(io.StringIO(text), line_breaks=line_breaks):
        with at("off"):
            expected = rows(split(piece, line_breaks=line_breaks, start=start))
        with at(LEVELS[-1]):
            assert rows(split(piece, line_breaks=line_breaks, start=start)) == expected
        n += sum(map(len, expected))
    return n


@given(ANYTHING, st.sampled_from(["auto", "space", "sentence"]))
def test_sentences_are_those_without_the_kernel(text, line_breaks):
    compare(text, line_breaks)


@pytest.mark.exhaustive
@pytest.mark.skipif("SENNA_DATA" not in os.environ, reason="SENNA_DATA is not set")
def test_a_million_words_of_open_text():
    files = sorted(Path(os.environ["SENNA_DATA"], "text").glob("*.txt.xz"))
    if not files:
        pytest.skip("no text in SENNA_DATA")
    n = 0
    for file in files:
        with lzma.open(file, "rt", encoding="utf-8") as stream:
            n += compare(stream.read(6_000_000 // len(files)), "auto")
    assert n > 1_000_000
