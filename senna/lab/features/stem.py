"""The ending that Porter's stemmer strips from a form (section 6.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from senna.inference.features.forms import NO_ENTRIES, FormTable, Lines, Saved, Spellings
from senna.inference.features.settings import StemFeature
from senna.inference.kernel.index import Texts
from senna.text.vocabulary import Ids, Vocabulary, normalise

StemCondition = Callable[[str], bool]  # of what stands before a suffix
Rule = tuple[str, str, StemCondition]  # a suffix, what replaces it, and when


def stem(word: str) -> str:
    """The stem of a word in lower case.

    >>> stem("relational"), stem("hopping")
    ('relat', 'hop')
    """
    word = _first_of(word, _PLURALS)
    word = _without_ed_and_ing(word)
    for rules in _STEPS:
        word = _first_of(word, rules)
    if word.endswith("ll") and measure(word) > 1:  # step 5b
        word = word[:-1]
    return word


def ending(word: str) -> str:
    """The letters at the end of a word in lower case that its stem lacks, or has others for.

    >>> ending("relational"), ending("happy"), ending("walk")
    ('ional', 'y', '')
    """
    known = stem(word)
    alike = zip(word, known, strict=False)
    return word[next((i for i, (a, b) in enumerate(alike) if a != b), len(known)) :]


def measure(letters: str) -> int:
    """Porter's m: how often consonants follow vowels."""
    return _shape(letters).count("vc")


def _shape(letters: str) -> str:
    """Each letter as a vowel, v, or a consonant, c; y is a vowel after a consonant."""
    shape = ""
    for letter in letters:
        is_vowel = letter in "aeiou" or (letter == "y" and shape.endswith("c"))
        shape += "v" if is_vowel else "c"
    return shape


def _has_vowel(letters: str) -> bool:
    """Porter's *v*."""
    return "v" in _shape(letters)


def _is_short(letters: str) -> bool:
    """Porter's *o: consonant, vowel, consonant at the end, the last one not w, x or y."""
    return _shape(letters).endswith("cvc") and letters[-1] not in "wxy"


def _above(least: int) -> StemCondition:
    return lambda letters: measure(letters) > least


def _first_of(word: str, rules: Iterable[Rule]) -> str:
    """The word after the first rule for one of its suffixes."""
    for suffix, other, holds in rules:
        if word.endswith(suffix):
            letters = word[: len(word) - len(suffix)]
            return letters + other if holds(letters) else word
    return word


def _without_ed_and_ing(word: str) -> str:
    """Step 1b."""
    if word.endswith("eed"):
        return word[:-1] if measure(word[:-3]) > 0 else word
    shorter = _first_of(word, (("ed", "", _has_vowel), ("ing", "", _has_vowel)))
    if shorter == word:
        return word
    if shorter.endswith(("at", "bl", "iz")):
        return shorter + "e"
    if shorter[-1] == shorter[-2:-1] and _shape(shorter)[-1] == "c":
        return shorter if shorter[-1] in "lsz" else shorter[:-1]
    return shorter + "e" if measure(shorter) == 1 and _is_short(shorter) else shorter


def _rules(least: int, pairs: str) -> list[Rule]:
    """Rules whose condition is a measure above `least`, from "suffix:other suffix: ..."."""
    parts = (pair.partition(":") for pair in pairs.split())
    return [(suffix, other, _above(least)) for suffix, _, other in parts]


_PLURALS: list[Rule] = [
    (suffix, other, lambda letters: True)
    for suffix, other in (("sses", "ss"), ("ies", "i"), ("ss", "ss"), ("s", ""))
]
_STEPS: list[list[Rule]] = [
    [("y", "i", _has_vowel)],  # 1c
    _rules(
        0,
        """ational:ate tional:tion enci:ence anci:ance izer:ize abli:able alli:al entli:ent eli:e
        ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous
        aliti:al iviti:ive biliti:ble""",
    ),
    _rules(0, "icate:ic ative: alize:al iciti:ic ical:ic ful: ness:"),
    [
        *_rules(1, "al: ance: ence: er: ic: able: ible: ant: ement: ment: ent:"),
        ("ion", "", lambda letters: measure(letters) > 1 and letters.endswith(("s", "t"))),
        *_rules(1, "ou: ism: ate: iti: ous: ive: ize:"),
    ],
    [("e", "", lambda letters: measure(letters) + (not _is_short(letters)) > 1)],  # 5a
]


@dataclass(frozen=True)
class Endings(FormTable):
    """The ending of a word in lower case, after a hyphen: that alone where the word is its stem."""

    KEY: ClassVar = "stem"

    vocabulary: Vocabulary = NO_ENTRIES

    def rows(self, spelt: Spellings) -> Ids:
        return self.vocabulary.find(Texts(_endings(s.lower for s in spelt)))

    def saved(self) -> dict[str, list[str]]:
        return {f"{self.array}.txt": list(self.vocabulary.entries[2:])}

    @classmethod
    def learn(cls, settings: StemFeature, forms: Counter[str]) -> Sequence[FormTable]:
        counts = Counter(_endings(map(normalise, forms)))
        vocabulary = Vocabulary.counted(counts, settings.min_count)
        return [cls("stem", len(vocabulary), settings.size, vocabulary)]

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
        vocabulary = Vocabulary.of(lines(f"{name}.txt"))
        return cls(name, len(vocabulary), 0, vocabulary)


def _endings(words: Iterable[str]) -> list[str]:
    return [f"-{ending(word)}" if word else "" for word in words]  # "" is padding


TABLES = {"stem": Endings}
