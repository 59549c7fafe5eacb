"""Spellings of word forms, and vocabularies of what is looked up.

Every vocabulary starts with two entries: row 0 is PADDING (a word beyond the sentence's ends), row
1 is RARE (anything not listed).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.inference.kernel.index import Finder, Index, Texts, ends_of
from senna.inference.kernel.library import library
from senna.lazy import cached_property
from senna.text.capitals import CASELESS, MARKS

PADDING, RARE = 0, 1
PADDING_FORM = ""  # no token is empty, so the empty form can stand for padding
N_CAPS = 5  # the paper's four values, and padding
# Two more, for sentences whose capitals carry no information (`senna.text.capitals`).
FIRST_OF_ALL, UNTOLD = N_CAPS, N_CAPS + 1
N_CAPS_READ = N_CAPS + 2

Ids = NDArray[np.int32]

_DIGITS = re.compile(r"[0-9]+")
# Penn Treebank spellings and what running text, and so any table of word vectors, has for them.
_PLAIN = {
    "``": '"', "''": '"', "“": '"', "”": '"', "’": "'", "‘": "'", "`": "'",
    "-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}",
}  # fmt: skip
_APOSTROPHES = dict.fromkeys(map(ord, "’‘ʼ´′`"), "'")

# Soft hyphens and ligatures, which only show how a word was printed.
_PRINTED = {0xAD: None} | dict(enumerate("ff fi fl ffi ffl st st".split(), 0xFB00))


EMOTICON = ":)"  # which stands for every emoji: most are in no corpus


def is_emoji(text: str) -> bool:
    """Whether a text begins with an emoji or a dingbat, as a star is."""
    return "\u2600" <= text[:1] <= "\u27bf" or "\U0001f1e6" <= text[:1] <= "\U0001faff"


def plain_letters(form: str) -> str:
    """A form without soft hyphens and ligatures; one of soft hyphens alone as it is.

    >>> plain_letters("o\\ufb03ce")
    'office'
    """
    return form if form.isascii() else form.translate(_PRINTED) or form


def without_digits(form: str) -> str:
    """Every run of digits one `0` (section 3.5 writes NUMBER), and plain letters."""
    form = plain_letters(form)
    return form if form.isalpha() else _DIGITS.sub("0", form)


def normalise(form: str) -> str:
    """Lower case, every run of digits one `0`.

    >>> normalise("PS12")
    'ps0'
    """
    return without_digits(form).lower()


def plain_spelling(word: str) -> str:
    """The spelling in running text of a normalised word of the Penn Treebank."""
    if word.isalpha():
        return word
    if word in _PLAIN:
        return _PLAIN[word]
    word = word.replace("\\/", "/").replace("\\*", "*").replace("&amp;", "&")
    return word.translate(_APOSTROPHES)


def spellings(form: str) -> list[str]:
    """The spellings to look a form up by, best first: as written, in lower case, its plain form.

    Last come capitals, as many names have no other vector in tables of words as they are written.

    >>> spellings("OBAMA")
    ['OBAMA', 'obama', 'Obama']
    >>> spellings("0\\\\/0")
    ['0\\\\/0', '0/0']
    """
    word = normalise(form)
    plain = plain_spelling(word)
    return list(dict.fromkeys((without_digits(form), word, plain, word.title())))


def caps(form: str) -> int:
    """1 no capitals, 2 all capitals, 3 first letter a capital, 4 some other capital; 0 is padding.

    "All capitals" asks for two letters at least, so that *A* and *I* are first capitals.
    """
    if form == PADDING_FORM:
        return 0
    lower = form.lower()
    if form == lower:
        return 1
    if form == form.upper() and sum(map(str.isalpha, form)) > 1:
        return 2
    return 3 if form[0] != lower[0] else 4


def letters_at_end(word: str, n: int) -> str:
    """The first n letters of a word, or with n below 0 its last ones."""
    return word[:n] if n > 0 else word[n:]


class Vocabulary:
    """Entries in the order of their rows; entries[0] is PADDING, entries[1] RARE.

    One that extends another begins with all its entries. Lines of a file are taken apart only
    where somebody asks for the entries.
    """

    def __init__(
        self,
        entries: Sequence[str] = (),
        extends: Vocabulary | None = None,
        lines: bytes | None = None,
    ) -> None:
        """Of all entries, the special ones too; or of those after them, as lines of a file."""
        self.extends, self.lines = extends, lines
        if lines is None:
            self.__dict__["entries"] = entries

    @classmethod
    def of(cls, entries: Iterable[str]) -> Vocabulary:
        """A vocabulary of the given entries, with the two special rows before them."""
        return cls(("PADDING", "RARE", *entries))

    @classmethod
    def counted(cls, counts: Counter[str], min_count: int) -> Vocabulary:
        """All entries seen at least `min_count` times, most frequent first."""
        kept = [(-n, entry) for entry, n in counts.items() if n >= min_count]
        return cls.of(entry for _, entry in sorted(kept))

    @cached_property
    def _first(self) -> int:
        """The row of the first of its lines."""
        return 2 if self.extends is None else len(self.extends)

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """All entries, the special ones too."""
        assert self.lines is not None
        before = ("PADDING", "RARE") if self.extends is None else self.extends.entries
        return (*before, *self.lines.decode("utf-8").split("\n")[:-1])

    @cached_property
    def _size(self) -> int:
        return len(self.entries) if self.lines is None else self._first + len(self._ends)

    @cached_property
    def _ends(self) -> NDArray[np.int64]:
        assert self.lines is not None
        return ends_of(self.lines)

    def __len__(self) -> int:
        return self._size

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vocabulary) and tuple(self.entries) == tuple(other.entries)

    def __hash__(self) -> int:
        return hash(self._size)

    def __getstate__(self) -> dict[str, object]:
        """The state for another process; the rest is made there."""
        state: dict[str, object] = {"extends": self.extends, "lines": self.lines}
        return state if self.lines is not None else state | {"entries": self.entries}

    @cached_property
    def rows(self) -> dict[str, int]:
        """Entry to row; without the two special rows, which no text can name.

        Of a vocabulary that extends another only its own: `find` knows all.
        """
        first = self._first
        return dict(zip(self.entries[first:], range(first, len(self)), strict=True))

    @cached_property
    def index(self) -> Index | None:
        """A stand-in for `rows`; None without a kernel."""
        extends = None if self.extends is None else self.extends.index
        if library() is None or (self.extends is not None and extends is None):
            return None
        if self.lines is not None:
            return Index(self.lines, self._ends, self._first, extends)
        texts = Texts(self.entries[self._first :])
        return Index(texts.bytes, texts.ends, self._first, extends)

    def find(self, words: Texts, cut: int = 0) -> Ids:
        """The row of each word: see `Lookups`."""
        rows: Ids = Lookups([(self, 0, cut)]).find(words)[0]
        return rows

    def row_of(self, word: str) -> int:
        """The row of a word, found without a kernel."""
        row = self.rows.get(word)
        if row is None:
            return RARE if self.extends is None else self.extends.row_of(word)
        return row

    @cached_property
    def by_letter(self) -> Ids:
        """Of a vocabulary of letters: code point to row, the last row for all beyond; RARE."""
        codes = {ord(letter): row for letter, row in self.rows.items()}
        table = np.full(max(codes, default=0) + 2, RARE, np.int32)
        table[list(codes)] = list(codes.values())
        return table


class Lookups:
    """Vocabularies in which texts are found together: each with its block of them, and their cut.

    A cut means so many of the first letters of each text, below 0 of the last ones.
    """

    def __init__(self, wanted: Sequence[tuple[Vocabulary, int, int]]) -> None:
        self.wanted = wanted
        indices = [(known.index, block, cut) for known, block, cut in wanted]
        fitting = [(index, block, cut) for index, block, cut in indices if index is not None]
        self.compiled = Finder(fitting) if len(fitting) == len(indices) else None

    def __reduce__(self) -> tuple[type[Lookups], tuple[Any, ...]]:
        """To another process, which may have another kernel."""
        return Lookups, (self.wanted,)

    def find(self, texts: Texts) -> Ids:
        """The rows (n_vocabularies, n) of blocks of n texts.

        RARE is that of what is no entry, PADDING that of no letters.
        """
        if self.compiled is not None and (rows := self.compiled.find(texts)) is not None:
            return rows
        out = np.zeros((len(self.wanted), len(texts.blocks[0])), np.int32)
        for row, (known, block, cut) in zip(out, self.wanted, strict=True):
            cuts = (letters_at_end(text, cut) if cut else text for text in texts.blocks[block])
            row[:] = [known.row_of(text) if text else PADDING for text in cuts]
        return out


class Spelling(NamedTuple):
    """The attributes of a form that features read."""

    form: str
    written: str  # digits 0
    lower: str
    caps: int
    mark: str = ""  # of senna.text.capitals

    @classmethod
    def of(cls, form: str) -> Spelling:
        """That of a form, which may be marked; `PADDING_FORM` is one."""
        if form.isascii() and form.isalpha():  # for speed: most are
            lower = form.lower()
            return cls(form, form, lower, 1 if form == lower else caps(form))
        mark = form[0] if form[1:] and form[0] in MARKS else ""
        form = plain_letters(form[len(mark) :])
        form = EMOTICON if is_emoji(form) else form
        written = without_digits(form)
        return cls(form, written, written.lower(), caps(form), mark)

    def as_marked(self) -> Spelling:
        """The form for features that know marks."""
        if self.mark == CASELESS:
            return Spelling(self.form.lower(), self.lower, self.lower, UNTOLD)
        return self._replace(caps=FIRST_OF_ALL) if self.mark and self.caps == 3 else self
