"""The words that get a row in a table of vectors: the most frequent ones, or a list."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.files import open_text
from senna.pretraining.corpus import Text
from senna.text.features import PADDING, RARE


def read_dictionary(path: Path) -> list[str]:
    """A list of words (.xz, .gz and .bz2 too): one per line, or a word, a tab and its count.

    Raises SennaError, with the line, for anything else and for a word that comes twice, and for a
    file without words. Empty lines are passed over.
    """
    line_of: dict[str, int] = {}
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            where = f"{path}:{number}"
            word, tab, count = line.removeprefix("\ufeff").rstrip("\r\n").partition("\t")
            if "\0" in line or (tab and not (word.strip() and count.isdecimal())):
                mend = "Give one word per line, or a word, a tab and its count."
                raise SennaError("not a word and its count", where=where, mend=mend)
            if word.strip() and line_of.setdefault(word, number) < number:
                what = f"'{word}' is already on line {line_of[word]}"
                raise SennaError(what, where=where, mend="Every word may occur only once.")
    if not line_of:
        raise SennaError("no words in it", where=str(path), mend="Give one word per line.")
    return list(line_of)


def remap(text: Text, words: Sequence[str]) -> tuple[NDArray[np.int32], float]:
    """From ids of a text to rows of a dictionary, and the share of running words it knows.

    The table is (len(text.words) + 1,) int32: PADDING for the boundary, then the word's place in
    `words` + 2, RARE if it has none. A share of 0 is no error here.
    """
    rows = {word: row for row, word in enumerate(words, RARE + 1)}
    known = [rows.get(word, RARE) for word in text.words]
    table = np.array([PADDING, *known], np.int32)
    known = text.counts[table[1:] != RARE].sum()
    return table, float(known / text.counts.sum())
