"""From word forms to the discrete features that index the lookup tables.

Word, capitals, affixes and letters depend on the form alone, so they are worked out once a
distinct form. Every vocabulary starts with two entries: row 0 is PADDING (a word beyond the
sentence's ends), row 1 is RARE (anything not listed).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from senna.config import Features

PADDING, RARE = 0, 1
PADDING_FORM = ""  # no token is empty, so the empty form can stand for padding
N_CAPS = 5  # the paper's four values, and padding
# Share of a word's places within sentences where it has a capital: below each of these bounds.
CASE_BOUNDS = (0.02, 0.1, 0.3, 0.6, 0.9, 0.98)
N_CASE = 3 + len(CASE_BOUNDS) + 1  # PADDING, RARE, one for each share, mostly all capitals

Ids = NDArray[np.int32]

_DIGITS = re.compile(r"[0-9]+")
# Penn Treebank spellings and what running text, and so any table of word vectors, has for them.
_PLAIN = {
    "``": '"',
    "''": '"',
    "-lrb-": "(",
    "-rrb-": ")",
    "-lsb-": "[",
    "-rsb-": "]",
    "-lcb-": "{",
    "-rcb-": "}",
    "“": '"',
    "”": '"',
    "’": "'",
    "‘": "'",
    "`": "'",
}


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
    return _PLAIN.get(word) or word.replace("\\/", "/").replace("\\*", "*").replace("’", "'")


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


def case_value(lower: int, capital: int, upper: int) -> int:
    """The usual case of a word seen so often in small letters, with a capital, all capitals.

    RARE for less than three places; else 2 to 8 by the share of capitals; 9 for all capitals.
    """
    n = lower + capital + upper
    if n < 3:
        return RARE
    if 2 * upper > n:
        return N_CASE - 1
    share = (capital + upper) / n
    return 2 + sum(share >= bound for bound in CASE_BOUNDS)


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

    @cached_property
    def rows(self) -> dict[str, int]:
        """Entry to row; without the two special rows, which no text can name."""
        if self.extends is None:
            return dict(zip(self.entries[2:], range(2, len(self)), strict=True))
        first = len(self.extends)
        own = dict(zip(self.entries[first:], range(first, len(self)), strict=True))
        return self.extends.rows | own


@dataclass(frozen=True)
class FormIds:
    """The features of n distinct forms.

    words, caps, case (n,); affixes (n, n_affix_tables); letters (n, longest), zero after the last;
    lengths (n,) how many letters each form has.
    """

    words: Ids
    caps: Ids
    case: Ids
    affixes: Ids
    letters: Ids
    lengths: Ids

    def take(self, rows: Ids) -> FormIds:
        """The features of some of the forms, in the order given."""
        return FormIds(
            self.words[rows],
            self.caps[rows],
            self.case[rows],
            self.affixes[rows],
            self.letters[rows],
            self.lengths[rows],
        )


@dataclass(frozen=True)
class FormFeatures:
    """The vocabularies of the features that depend on the form alone."""

    words: Vocabulary
    prefixes: tuple[tuple[int, Vocabulary], ...] = ()  # (length, vocabulary) a table
    suffixes: tuple[tuple[int, Vocabulary], ...] = ()
    letters: Vocabulary | None = None
    longest: int = 20
    case: NDArray[np.uint8] | None = None  # (n_words,) usual case of each word, see case_value

    def word_row(self, form: str) -> int:
        """The row of a form in the word table, by the first of its spellings that is known."""
        rows = self.words.rows
        return next((rows[s] for s in spellings(form) if s in rows), RARE)

    def _word_rows(self, written: Sequence[str]) -> Ids:
        """The rows of forms without digits: most are found as they stand."""
        get = self.words.rows.get
        found = [get(form) if form else PADDING for form in written]
        for i, row in enumerate(found):
            if row is None:
                found[i] = self.word_row(written[i])
        return np.array(found, np.int32)

    def ids(self, forms: Sequence[str]) -> FormIds:
        """Look up the features of forms; `PADDING_FORM` gets row 0 everywhere."""
        n, letters = len(forms), np.zeros((len(forms), self.longest), np.int32)
        lengths = np.zeros(n, np.int32)
        written = list(map(without_digits, forms))
        if self.letters is not None:
            spelt = list(map(self._letter_rows, written))
            lengths[:] = [len(row) for row in spelt]
            letters[np.arange(self.longest) < lengths[:, None]] = [i for row in spelt for i in row]
        rows = self._word_rows(written)
        return FormIds(
            rows,
            np.array([caps(form) for form in forms], np.int32),
            self.case[rows].astype(np.int32) if self.case is not None else np.zeros_like(rows),
            self._affix_rows([form.lower() for form in written]),
            letters,
            lengths,
        )

    def _affix_rows(self, words: Sequence[str]) -> Ids:
        columns = [[v.rows.get(word[:n], RARE) for word in words] for n, v in self.prefixes]
        columns += [[v.rows.get(word[-n:], RARE) for word in words] for n, v in self.suffixes]
        rows = np.array(columns, np.int32).reshape(len(columns), len(words)).T
        rows[[i for i, word in enumerate(words) if not word]] = PADDING
        return np.ascontiguousarray(rows)

    def _letter_rows(self, form: str) -> list[int]:
        assert self.letters is not None
        get = self.letters.rows.get
        return [get(letter, RARE) for letter in letters_of(form, self.longest)]


def letters_of(form: str, longest: int) -> str:
    """The letters that the character feature sees: case kept, digits 0, a long middle cut."""
    form = without_digits(form)
    half = longest // 2
    return form if len(form) <= longest else form[:half] + form[half - longest :]


def build_features(
    config: Features, forms: Counter[str], vectors: Sequence[str] = ()
) -> FormFeatures:
    """Vocabularies from the forms of a training set (with their counts) and the vectors' words.

    Words of the vectors keep their order, then come the training words that have none.
    """
    known = set(vectors)
    words: Counter[str] = Counter()
    for form, n in forms.items():
        if not known.intersection(spellings(form)):
            words[plain_spelling(normalise(form))] += n
    extra = Vocabulary.counted(words, config.word.min_count).entries[2:]
    letters = None
    if config.characters.filters:
        counts: Counter[str] = Counter()
        for form in forms:
            counts.update(letters_of(form, config.characters.longest))
        letters = Vocabulary.counted(counts, 2)
    return FormFeatures(
        Vocabulary.of((*vectors, *extra)),
        _affix_tables(forms, config.prefix.size, config.prefix.lengths, config.prefix.min_count, 1),
        _affix_tables(
            forms, config.suffix.size, config.suffix.lengths, config.suffix.min_count, -1
        ),
        letters,
        config.characters.longest,
    )


def _affix_tables(
    forms: Counter[str], size: int, lengths: tuple[int, ...], min_count: int, side: int
) -> tuple[tuple[int, Vocabulary], ...]:
    tables = []
    for length in lengths if size else ():
        words = map(normalise, forms)
        counts = Counter(word[:length] if side > 0 else word[-length:] for word in words)
        tables.append((length, Vocabulary.counted(counts, min_count)))
    return tuple(tables)
