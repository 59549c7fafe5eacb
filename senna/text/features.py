"""Spellings of word forms, and vocabularies of what is looked up.

Every vocabulary starts with two entries: row 0 is PADDING (a word beyond the sentence's ends), row
1 is RARE (anything not listed).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
_APOSTROPHES = dict.fromkeys(map(ord, "’´′`"), "'")


def without_digits(form: str) -> str:
    """Every run of digits one `0` (section 3.5 writes NUMBER)."""
    return form if form.isalpha() else _DIGITS.sub("0", form)


def normalise(form: str) -> str:
    """Lower case, every run of digits one `0`.

    >>> normalise("PS12")
    'ps0'
    """
    return without_digits(form).lower()


def plain_spelling(word: str) -> str:
    """What running text has for a normalised word that may be in Penn Treebank spelling."""
    if word in _PLAIN:
        return _PLAIN[word]
    word = word.replace("\\/", "/").replace("\\*", "*").replace("&amp;", "&")
    return word.translate(_APOSTROPHES)


def spellings(form: str) -> list[str]:
    """What to look a form up as, best first: as written, in lower case, its plain form.

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


@dataclass(frozen=True)
class Vocabulary:
    """Entries in the order of their rows; entries[0] is PADDING, entries[1] RARE.

    One that extends another begins with all its entries and shares its dictionary's strings.
    """

    entries: tuple[str, ...]
    extends: Vocabulary | None = None

    @classmethod
    def of(cls, entries: Iterable[str]) -> Vocabulary:
        """A vocabulary of the given entries, with the two special rows before them."""
        return cls(("PADDING", "RARE", *entries))

    @classmethod
    def counted(cls, counts: Counter[str], min_count: int) -> Vocabulary:
        """All entries seen at least `min_count` times, most frequent first."""
        kept = [(-n, entry) for entry, n in counts.items() if n >= min_count]
        return cls.of(entry for _, entry in sorted(kept))

    def __len__(self) -> int:
        return len(self.entries)

    def __getstate__(self) -> dict[str, object]:
        """What goes to another process; the rest is made there."""
        return {"entries": self.entries, "extends": self.extends}

    @cached_property
    def rows(self) -> dict[str, int]:
        """Entry to row; without the two special rows, which no text can name.

        Of a vocabulary that extends another only its own: `row` knows all.
        """
        first = 2 if self.extends is None else len(self.extends)
        return dict(zip(self.entries[first:], range(first, len(self)), strict=True))

    @cached_property
    def row(self) -> Callable[[str], int | None]:
        """The row of an entry, None for what is not one."""
        get = self.rows.get
        if self.extends is None:
            return get
        before = self.extends.row
        return lambda entry: get(entry) or before(entry)  # no entry has row 0

    @cached_property
    def by_letter(self) -> Ids:
        """Of a vocabulary of letters: code point to row, the last row for all beyond; RARE."""
        codes = {ord(letter): row for letter, row in self.rows.items()}
        table = np.full(max(codes, default=0) + 2, RARE, np.int32)
        table[list(codes)] = list(codes.values())
        return table


class Spelling(NamedTuple):
    """What features read of a form."""

    form: str
    written: str  # digits 0
    lower: str
    caps: int
    mark: str = ""  # of senna.text.capitals

    @classmethod
    def of(cls, form: str) -> Spelling:
        """That of a form, which may be marked; `PADDING_FORM` is one."""
        mark = form[0] if form[1:] and form[0] in MARKS else ""
        form = form[len(mark) :]
        written = without_digits(form)
        return cls(form, written, written.lower(), caps(form), mark)

    def as_marked(self) -> Spelling:
        """What is seen of it by features that know marks."""
        if self.mark == CASELESS:
            return Spelling(self.form.lower(), self.lower, self.lower, UNTOLD)
        return self._replace(caps=FIRST_OF_ALL) if self.mark and self.caps == 3 else self
