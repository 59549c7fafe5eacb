"""Tokens and their places in a text; words that spaces separate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError

Ints = NDArray[np.int64]


class Token(NamedTuple):
    """A token: its text and its half-open span in characters of the input.

    In "modern", `text` is the slice of the input; in "classic" it may be another spelling of it.
    """

    text: str
    start: int
    end: int


new_token = tuple.__new__  # of Token and its three fields: twice as fast as Token's own


class Tokens(Sequence[Token]):
    """The tokens of a sentence: their texts, and arrays of places that sentences of a text share.

    A `Token` is made where somebody asks for it.
    """

    __slots__ = ("_ends", "_first", "_places", "_starts", "words")

    def __init__(self, words: list[str], starts: Ints, ends: Ints, first: int = 0) -> None:
        """Token i starts at starts[first + i]."""
        self.words, self._starts, self._ends, self._first = words, starts, ends, first
        self._places: list[tuple[int, int]] | None = None

    @classmethod
    def of(cls, tokens: Iterable[tuple[str, int, int]]) -> Tokens:
        """Those of words with their places."""
        rows = [*tokens]
        starts, ends = (np.array([row[i] for row in rows], np.int64) for i in (1, 2))
        return cls([row[0] for row in rows], starts, ends)

    def __len__(self) -> int:
        return len(self.words)

    @overload
    def __getitem__(self, at: int) -> Token: ...
    @overload
    def __getitem__(self, at: slice) -> Tokens: ...
    def __getitem__(self, at: int | slice) -> Token | Tokens:
        starts, ends = self._arrays()
        if isinstance(at, slice):
            return Tokens(self.words[at], starts[at], ends[at])
        return Token(self.words[at], int(starts[at]), int(ends[at]))

    def __iter__(self) -> Iterator[Token]:
        starts, ends = self._arrays()
        for token in zip(self.words, starts.tolist(), ends.tolist(), strict=True):
            yield new_token(Token, token)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Tokens], tuple[Any, ...]]:
        """To another process: its own part of the arrays."""
        return Tokens, (self.words, *self._arrays())

    def _arrays(self) -> tuple[Ints, Ints]:
        part = slice(self._first, self._first + len(self.words))
        return self._starts[part], self._ends[part]

    def moved(self, by: int) -> Tokens:
        """The same tokens, `by` characters further on."""
        starts, ends = self._arrays()
        return Tokens(self.words, starts + by, ends + by)

    @property
    def start(self) -> int:
        """Where the first one starts."""
        return self._starts.item(self._first)

    @property
    def end(self) -> int:
        """Where the last one ends."""
        return self._ends.item(self._first + len(self.words) - 1)

    @property
    def places(self) -> list[tuple[int, int]]:
        """Where each starts and ends."""
        if self._places is None:
            self._places = list(zip(*(part.tolist() for part in self._arrays()), strict=True))
        return self._places


def moved(rows: list[Tokens], moves: Sequence[int]) -> list[Tokens]:
    """Rows of tokens that share their arrays, once something is added to the places of each."""
    if any(moves):
        added = np.repeat(moves, list(map(len, rows)))
        rows[0]._starts += added
        rows[0]._ends += added
    return rows


def words_of(lines: Sequence[str], starts: Iterable[int]) -> list[Tokens]:
    """The words of tokenised lines, between spaces and tabs; places count from the starts."""
    texts = [line.rstrip("\r\n").replace("\t", " ") for line in lines]
    rows = spaced_each([text.split(" ") for text in texts], starts)
    return [
        Tokens.of(token for token in row if token.text) if "" in row.words else row for row in rows
    ]


def spaced(words: Iterable[str], start: int = 0) -> Tokens:
    """Words with their offsets, from `start`, where one space separates them."""
    [tokens] = spaced_each([[*words]], [start])
    return tokens


def spaced_each(rows: Sequence[list[str]], starts: Iterable[int]) -> list[Tokens]:
    """Rows of words with their offsets, as `spaced` has them, from the start of each row."""
    edges = [0, *accumulate(map(len, rows))]
    sizes = np.fromiter(map(len, chain.from_iterable(rows)), np.int64, edges[-1])
    ends = np.cumsum(sizes + 1) - 1
    before = [0, *(ends + 1).tolist()]
    added = [start - before[edge] for start, edge in zip(starts, edges[:-1], strict=False)]
    begins = ends - sizes
    tokens = [Tokens(row, begins, ends, edge) for row, edge in zip(rows, edges, strict=False)]
    return moved(tokens, added)


def spaced_lines(sentences: Iterable[Sequence[str]]) -> tuple[list[str], list[Tokens]]:
    """Sentences of words as the lines of a text, one space between words, and their places."""
    rows = list(map(list, sentences))
    lines = list(map(" ".join, rows))
    for row, line in zip(rows, lines, strict=True):
        if line.count(" ") >= len(row):  # one is in a word
            refuse_texts(row)
    return lines, spaced_each(rows, accumulate((len(line) + 1 for line in lines), initial=0))


def refuse_texts(words: Sequence[str]) -> None:
    """SennaError for what is probably texts in the place of the words of a sentence."""
    spaced = [word for word in words if " " in word.strip()]
    if len(spaced) * 2 > len(words) and any(word.rstrip()[-1:] in ".!?" for word in spaced):
        what = f"{spaced[0]!r:.40} is a text, where a word of a sentence is expected"
        raise SennaError(what, remedy='For texts: nlp.pipe(texts), or over HTTP "text": [...].')
