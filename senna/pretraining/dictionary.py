"""The words that get a row in a table of vectors: the most frequent ones, or a list."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.files import open_text
from senna.pretraining.corpus import Text
from senna.pretraining.parts import advising
from senna.text.features import PADDING, RARE


def read_dictionary(path: Path) -> list[str]:
    """A list of words (.xz, .gz and .bz2 too): one a line, or a word, a tab and its count.

    Raises SennaError, with the line, for a word that comes twice and for empty lines (those at
    the end aside), and for a file without words.
    """
    lines_of: dict[str, int] = {}  # word to line
    empty = 0  # the first empty line
    with advising("Convert the file to UTF-8."), open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            if number == 1:
                line = line.removeprefix("\ufeff")  # byte order mark
            word = _word(line.removesuffix("\n").removesuffix("\r"), f"{path}:{number}")
            if not word:
                empty = empty or number
                continue
            if empty:
                raise SennaError("no word", where=f"{path}:{empty}", mend="Take out empty lines.")
            if word in lines_of:
                what = f"'{word}' stands on line {lines_of[word]} already"
                raise SennaError(what, where=f"{path}:{number}", mend="Every word comes once.")
            lines_of[word] = number
    if not lines_of:
        raise SennaError("no words in it", where=str(path), mend="Give one word a line.")
    return list(lines_of)


def _word(line: str, where: str) -> str:
    """The word of a line, "" if there is none."""
    if "\0" in line:
        raise SennaError("a NUL byte: no text", where=where, mend="Give one word a line, in UTF-8.")
    word, tab, count = line.partition("\t")
    if tab and not (word.strip() and count.isdecimal()):
        mend = "Give one word a line, or a word, a tab and its count."
        raise SennaError("not a word and its count", where=where, mend=mend)
    return word if word.strip() else ""


def most_frequent(text: Text, size: int) -> list[str]:
    """The `size` most frequent words of a text, all of them if it has fewer."""
    if size < 1:
        raise SennaError(f"a dictionary of {size} words", mend="Give a size of 1 or more.")
    return text.words[:size]


def remap(text: Text, words: Sequence[str]) -> tuple[NDArray[np.int32], float]:
    """From ids of a text to rows of a dictionary, and the share of running words it knows.

    The table is (len(text.words) + 1,) int32: PADDING for the boundary, then the word's place in
    `words` + 2, RARE if it has none. A share of 0 is no error here.
    """
    rows = {word: row for row, word in enumerate(words, RARE + 1)}
    found = [rows.get(word, RARE) for word in text.words]
    table = np.array([PADDING, *found], np.int32)
    known = text.counts[table[1:] != RARE].sum()
    return table, float(known / text.counts.sum())
