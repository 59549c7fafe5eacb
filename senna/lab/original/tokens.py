"""The original's tokens: numbers become 0, then the longest key of the dictionary decides."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from itertools import pairwise

from senna.classic.input import Word, byte_places, bytes_of, text_of

_NUMBER = re.compile(r"[+-]?[.,]?[0-9]+(?:[.,][0-9]+)*")
_CHUNK = re.compile(r"[^ \t\n\v\f\r\0]+")
# Letters and digits; beyond ASCII the original dropped bytes, and broke words there.
_RUN = re.compile(r"(?:[^\W_]|[\u0300-\u036f\udc80-\udcff])+")


class Tokenizer:
    """Cuts lines by the keys of a dictionary, which are normalised and in lower case."""

    def __init__(self, dictionary: Collection[str]) -> None:
        self._dictionary = dictionary
        self._longest = max(map(len, dictionary))
        self._cuts = lru_cache(1 << 15)(self._cut)

    def __call__(self, line: bytes) -> tuple[list[Word], list[str]]:
        """The words of a line, and the characters that are in none."""
        raw = text_of(line)
        normal, places = _with_places(raw)
        at = byte_places(raw)
        words, skipped = [], []
        for chunk in _CHUNK.finditer(normal):
            for start, end in self._cuts(chunk[0]):
                if start == end:
                    skipped.append(chunk[0][start])
                    continue
                first, last = places[chunk.start() + start], places[chunk.start() + end]
                words.append(Word(raw[first:last], at[first], at[last]))
        return words, skipped

    def _cut(self, chunk: str) -> list[tuple[int, int]]:
        """Start and end of the words of a normalised chunk; of what no word takes, its start twice.

        A word is the longest key that starts there, or a longer run of letters and digits.
        """
        small = lowered(chunk)
        cuts, start = [], 0
        while start < len(chunk):
            run = _RUN.match(chunk, start)
            length = run.end() - start if run else 0
            for longer in range(min(self._longest, len(chunk) - start), length, -1):
                if small[start : start + longer] in self._dictionary:
                    length = longer
                    break
            if not (length or chunk[start].isascii()):
                length = 1
            cuts.append((start, start + length))
            start += max(length, 1)
        return cuts


def normalised(word: str) -> str:
    """A word with 0 for each number in it."""
    return _NUMBER.sub("0", word)


def lowered(text: str) -> str:
    """Text with its ASCII letters in lower case."""
    return text.lower() if text.isascii() else text_of(bytes_of(text).lower())


def _with_places(raw: str) -> tuple[str, list[int]]:
    """A line with 0 for each number; where each of its characters, and its end, stand in it."""
    edges = [0, *(edge for match in _NUMBER.finditer(raw) for edge in match.span()), len(raw)]
    parts: list[str] = []
    places: list[int] = []
    for i, (start, end) in enumerate(pairwise(edges)):
        parts.append("0" if i % 2 else raw[start:end])
        places += [start] if i % 2 else range(start, end)
    return "".join(parts), [*places, len(raw)]
