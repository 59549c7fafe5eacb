"""From word forms to the discrete features that index the lookup tables.

Word, capitals, affixes and letters depend on the form alone, so they are worked out once a
distinct form. Every vocabulary starts with two entries: row 0 is PADDING (a word beyond the
sentence's ends), row 1 is RARE (anything not listed).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.lazy import cached_property
from senna.text.capitals import CASELESS, MARKS

if TYPE_CHECKING:
    from senna.config import AffixFeature, Features

PADDING, RARE = 0, 1
PADDING_FORM = ""  # no token is empty, so the empty form can stand for padding
N_CAPS = 5  # the paper's four values, and padding
# Two more, of sentences whose capitals do not tell what they usually do (`senna.text.capitals`).
FIRST_OF_ALL, UNTOLD = N_CAPS, N_CAPS + 1
N_CAPS_READ = N_CAPS + 2
# Share of a word's places within sentences where it has a capital: below each of these bounds.
CASE_BOUNDS = (0.02, 0.1, 0.3, 0.6, 0.9, 0.98)
N_CASE = 3 + len(CASE_BOUNDS) + 1  # PADDING, RARE, one for each share, mostly all capitals

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
        own = self.rows.get
        if self.extends is None:
            return own
        before = self.extends.row
        return lambda entry: own(entry) or before(entry)  # no entry has row 0

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
        return FormIds(*(ids[rows] for ids in vars(self).values()))


@dataclass(frozen=True)
class FormFeatures:
    """The vocabularies of the features that depend on the form alone."""

    words: Vocabulary
    prefixes: tuple[tuple[int, Vocabulary], ...] = ()  # (length, vocabulary) a table
    suffixes: tuple[tuple[int, Vocabulary], ...] = ()
    letters: Vocabulary | None = None
    longest: int = 20
    case: NDArray[np.uint8] | None = None  # (n_words,) usual case of each word, see case_value
    marks: bool = False  # whether forms are seen as they are marked (`senna.text.capitals`)

    def word_row(self, form: str) -> int:
        """The row of a form in the word table, by the first of its spellings that is known."""
        row = self.words.row
        return next((found for s in spellings(form) if (found := row(s))), RARE)

    def _word_rows(self, spelt: Sequence[Spelling]) -> Ids:
        """The rows of forms: most are found as they stand, or in lower case."""
        row = self.words.row
        found = [row(s.written) or row(s.lower) if s.form else PADDING for s in spelt]
        for i, own in enumerate(found):
            if own is None:
                found[i] = self.word_row(spelt[i].form)
        return np.array(found, np.int32)

    def ids(self, forms: Sequence[str]) -> FormIds:
        """Look up the features of forms; `PADDING_FORM` gets row 0 everywhere."""
        return self.ids_of(list(map(Spelling.of, forms)))

    def ids_of(self, spelt: Sequence[Spelling]) -> FormIds:
        """Look up the features of forms, by their spellings."""
        if self.marks:
            spelt = [s.as_marked() if s.mark else s for s in spelt]
        n = len(spelt)
        letters, lengths = np.zeros((n, self.longest), np.int32), np.zeros(n, np.int32)
        if self.letters is not None:
            cut = [letters_of(s.written, self.longest) for s in spelt]
            lengths[:] = list(map(len, cut))
            text = "".join(cut).encode("utf-32-le", "surrogatepass")
            table = self.letters.by_letter
            codes = np.minimum(np.frombuffer(text, "<u4"), len(table) - 1)
            letters[np.arange(self.longest) < lengths[:, None]] = table[codes]
        rows = self._word_rows(spelt)
        capitals = np.array([s.caps for s in spelt], np.int32)
        case = np.zeros_like(rows) if self.case is None else self.case[rows].astype(np.int32)
        affixes = self._affix_rows([s.lower for s in spelt])
        return FormIds(rows, capitals, case, affixes, letters, lengths)

    def _affix_rows(self, words: Sequence[str]) -> Ids:
        columns = [[v.rows.get(word[:n], RARE) for word in words] for n, v in self.prefixes]
        columns += [[v.rows.get(word[-n:], RARE) for word in words] for n, v in self.suffixes]
        rows = np.array(columns, np.int32).reshape(len(columns), len(words)).T
        rows[[i for i, word in enumerate(words) if not word]] = PADDING
        return np.ascontiguousarray(rows)


def letters_of(form: str, longest: int) -> str:
    """The letters that the character feature sees of a form without digits: a long middle cut."""
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
            counts.update(letters_of(without_digits(form), config.characters.longest))
        letters = Vocabulary.counted(counts, 2)
    prefixes = _affix_tables(forms, config.prefix, lambda word, n: word[:n])
    suffixes = _affix_tables(forms, config.suffix, lambda word, n: word[-n:])
    known_words = Vocabulary.of((*vectors, *extra))
    return FormFeatures(
        known_words, prefixes, suffixes, letters, config.characters.longest, marks=config.caps.marks
    )


def _affix_tables(
    forms: Counter[str], config: AffixFeature, cut: Callable[[str, int], str]
) -> tuple[tuple[int, Vocabulary], ...]:
    tables = []
    for length in config.lengths if config.size else ():
        counts = Counter(cut(normalise(form), length) for form in forms)
        tables.append((length, Vocabulary.counted(counts, config.min_count)))
    return tuple(tables)
