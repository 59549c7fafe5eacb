"""Lemmas as edits of forms: how capitals change, and how the ending does.

A rule is `CASE`, the number of letters cut, a plus and the letters added: "lower 3+y" turns
*Cities* into *city*. If nothing is kept, it is `whole` and the lemma: "whole be" for *were*.
(Straka 2018, section 3.4, and Müller et al. 2015 describe such rules.)
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from senna.errors import SennaError
from senna.text.vocabulary import plain_letters
from senna.text.word_lists import CONTRACTED_LEMMAS, STRAIGHT

WHOLE = "whole"
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3})")


class Lemma(str):
    """A lemma that knows the form whose lemma it is."""

    form: str

    @classmethod
    def of(cls, form: str, lemma: str) -> Lemma:
        """The lemma of a form; of one that its annotators left open (`_`) any would do."""
        made = cls(lemma)
        made.form = form
        return made

    @property
    def is_open(self) -> bool:
        """Whether the annotators gave none."""
        return self == "_" != self.form

    @property
    def rule(self) -> str:
        """The rule from the form to the lemma; of an open one the most frequent rule."""
        return "lower 0+" if self.is_open else lemma_rule(self.form, self)


class Rule(str):
    """A rule that stands for the lemma that it makes."""


# In the order in which they are tried: most forms are in lower case, and then all would do.
_CASES: dict[str, Callable[[str], str]] = {
    "lower": str.lower,
    "same": str,
    "title": lambda form: form[:1].upper() + form[1:].lower(),
    "upper": str.upper,
}


def lemma_rule(form: str, lemma: str) -> str:
    """The rule that makes a lemma of a form."""
    form = _THOUSANDS.sub("", plain_letters(form))
    kept = {name: _common(change(form), lemma) for name, change in _CASES.items()}
    name = max(kept, key=lambda case: kept[case])  # the first of several
    if not kept[name]:
        return f"{WHOLE} {lemma}"
    return f"{name} {len(_CASES[name](form)) - kept[name]}+{lemma[kept[name] :]}"


def _common(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def apply_rule(rule: str, form: str, caseless: bool = False) -> str:
    """The lemma that a rule makes of a form; the form in its case if that is too short to cut.

    caseless: whether the sentence has no informative capitals; its names get a capital.
    """
    name, _, edit = rule.partition(" ")
    if name == WHOLE:
        return edit
    if caseless and name == "same" and len(form) > 1 and form.isupper():
        name = "title"
    word = _CASES[name](_THOUSANDS.sub("", plain_letters(form)))
    cut, _, added = edit.partition("+")
    kept = len(word) - int(cut)
    return word[:kept] + added if kept > 0 else word


def is_rule(text: str) -> bool:
    """Whether a text is a rule."""
    name, space, edit = text.partition(" ")
    if name == WHOLE:
        return bool(space and edit)
    return name in _CASES and re.fullmatch(r"[0-9]+\+.*", edit, re.DOTALL) is not None


# --------------------------------------------------------------------------- regular inflection

# By tag, the ending of its regular forms.
ENDINGS = {"VBZ": "s", "NNS": "s", "VBD": "ed", "VBN": "ed", "VBG": "ing"}
ENDINGS |= {"JJR": "er", "RBR": "er", "JJS": "est", "RBS": "est"}
# Endings of a regular form, and of lemmas that may have it; an ending is cut once more where it
# begins with a doubled letter (*planned*, *quizzes*).
_CUTS = {
    "s": (("s", ""), ("es", ""), ("ies", "y")),
    "ed": (("ed", ""), ("d", ""), ("ied", "y"), ("ked", "")),
    "ing": (("ing", ""), ("ing", "e"), ("ying", "ie"), ("king", "")),
    "er": (("er", ""), ("r", ""), ("ier", "y")),
    "est": (("est", ""), ("st", ""), ("iest", "y")),
}
# Plurals that no regular spelling makes: their ending, and that of the lemma.
_PLURALS = (
    *(("ves", "f"), ("ves", "fe"), ("men", "man"), ("ses", "sis"), ("xes", "xis"), ("i", "us")),
    *(("a", "um"), ("a", "on"), ("ae", "a"), ("ices", "ex"), ("ices", "ix"), ("eaux", "eau")),
    *(("eese", "oose"), ("eeth", "ooth"), ("eet", "oot"), ("ice", "ouse"), ("ren", "")),
)
_SHORT = re.compile(r"[^aeiou]*(qu)?[aeiou][^aeiouwxy]")  # one syllable, so its end is doubled
_OPEN = re.compile(r".*[aeiou].*([^aeiou]|qu)[aeiou][^aeiouwxy]")  # of more, it may be


def inflected(lemma: str, ending: str) -> set[str]:
    """The regular spellings of a lemma in lower case with an ending of `ENDINGS`."""
    last, before = lemma[-1:], lemma[-2:-1]
    after_consonant = before not in "aeiou"
    if ending == "s":
        if lemma.endswith(("s", "x", "z", "ch", "sh")):
            doubled = {f"{lemma}{last}es"} if last in "sz" else set()
            return {f"{lemma}es", *doubled}
        if last == "y" and after_consonant:
            return {f"{lemma[:-1]}ies"}
        return {f"{lemma}s", f"{lemma}es"} if last == "o" else {f"{lemma}s"}
    if last == "e":
        if ending != "ing":
            return {f"{lemma}{ending[1:]}"}
        if lemma.endswith("ie"):
            return {f"{lemma[:-2]}ying"}
        return {f"{lemma}ing"} if before in "eoy" else {f"{lemma[:-1]}ing"}
    if last == "y" and after_consonant and ending != "ing":
        kept = {f"{lemma}{ending}"} if ending != "ed" else set()  # shyer
        return {f"{lemma[:-1]}i{ending}", *kept}
    if last == "i" and ending in ("er", "est"):
        return set()
    if _SHORT.fullmatch(lemma):
        return {f"{lemma}{last}{ending}"}
    if last == "c":
        return {f"{lemma}k{ending}", f"{lemma}{ending}"}
    doubled = {f"{lemma}{last}{ending}"} if _OPEN.fullmatch(lemma) else set()
    return {f"{lemma}{ending}", *doubled}


def regular_lemmas(form: str, tag: str) -> list[str]:
    """The lemmas whose inflected form with this tag may be a form in lower case.

    >>> regular_lemmas("watches", "VBZ")
    ['watche', 'watch']
    >>> regular_lemmas("planned", "VBD")
    ['plann', 'planne', 'plan']
    """
    ending = ENDINGS.get(tag)
    if ending is None:
        return []
    lemmas = [form.removesuffix(cut) + added for cut, added in _CUTS[ending] if form.endswith(cut)]
    stem = form.removesuffix("es" if ending == "s" else ending)
    if len(stem) > 2 and stem[-1] == stem[-2]:
        lemmas.append(stem[:-1])
    spelt = [lemma for lemma in lemmas if len(lemma) > 1 and form in inflected(lemma, ending)]
    return list(dict.fromkeys(spelt))


def irregular_plurals(form: str) -> list[str]:
    """The lemmas of which a form in lower case may be an irregular plural (*wolves*: *wolf*)."""
    cut = ((form.removesuffix(cut), added) for cut, added in _PLURALS if form.endswith(cut))
    return [stem + added for stem, added in cut if stem and len(stem + added) > 2]


LONGEST_ENDING, FEWEST = 5, 2  # letters of an ending, and word types that must share it
PREFIXES = tuple("re out over under un mis fore with inter up down off back be pre co".split())
# Tags with which a form has the same lemma: past tense and participle, infinitive and present.
TWINS = {"VBD": "VBN", "VBN": "VBD", "VB": "VBP", "VBP": "VB"}

TaggedLemma = tuple[str, str, str]  # form, tag and lemma of a word
Rules = dict[tuple[str, str], str]  # by form or ending, and tag


@dataclass(frozen=True)
class LemmaTable:
    """Counts of lemmas in a corpus by form and tag.

    known: {(form, tag): rule}, as typed and in lower case; endings: {(ending, tag): rule}.
    """

    known: Mapping[tuple[str, str], str]
    endings: Mapping[tuple[str, str], str]

    @classmethod
    def learn(cls, words: Iterable[TaggedLemma]) -> LemmaTable:
        """The commonest lemma of each form with a tag, and the commonest rule of endings."""
        of_forms: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for form, tag, lemma in words:
            for key in {form, form.lower()}:
                of_forms[key, tag][lemma] += 1
        known = {
            (form, tag): lemma_rule(form, _commonest(lemmas))
            for (form, tag), lemmas in of_forms.items()
        }
        of_endings: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for (form, tag), rule in known.items():
            for ending in _endings(form) if not rule.startswith(WHOLE) else ():
                of_endings[ending, tag][rule] += 1
        endings = {
            key: _commonest(rules) for key, rules in of_endings.items() if rules.total() >= FEWEST
        }
        return cls(known, endings)

    def compact(self) -> LemmaTable:
        """The same without endings that shorter ones cover, and forms that lower case covers."""
        endings: Rules = {}
        for (ending, tag), rule in sorted(self.endings.items(), key=lambda entry: len(entry[0][0])):
            if _longest(endings, ending[0], ending[1:], tag) != rule:
                endings[ending, tag] = rule
        known = {
            (form, tag): rule
            for (form, tag), rule in self.known.items()
            if form == form.lower() or self.known.get((form.lower(), tag)) != rule
        }
        return LemmaTable(known, endings)

    def over(self, other: LemmaTable) -> LemmaTable:
        """Its forms, the additional forms of another table, and the endings of both; the other's
        endings count first, as forms of a few sentences say little of endings."""
        return LemmaTable({**other.known, **self.known}, {**self.endings, **other.endings})

    def known_rule(self, form: str, tag: str) -> str | None:
        """The rule of a form that the corpus had, in some case, with this tag or its twin."""
        known, lower, twin = self.known, form.lower(), TWINS.get(tag, tag)
        rule = known.get((form, tag)) or known.get((lower, tag))
        return rule or known.get((form, twin)) or known.get((lower, twin))

    def prefixed(self, form: str, tag: str) -> str | None:
        """The lemma of a form in lower case that is a prefix and a known irregular form (*outran*).

        An irregular form does not begin as its lemma does, or has another ending than its tag's.
        """
        for prefix in PREFIXES:
            rest = form.removeprefix(prefix)
            if form.startswith(prefix) and len(rest) > 2 and (rule := self.known_rule(rest, tag)):
                lemma = apply_rule(rule, rest)
                if lemma != rest and rest not in inflected(lemma, ENDINGS.get(tag, "s")):
                    return prefix + lemma
        return None

    def ending_rule(self, form: str, tag: str) -> str | None:
        """The rule of the longest known ending of a form; None of a new tag."""
        return _longest(self.endings, _capitals(form), form.lower(), tag)

    def lines(self) -> list[str]:
        """Its entries, one per line: form or ending, tag and rule with tabs between.

        A form stands behind `=`, an ending behind the number of its capitals.
        """
        known = {(f"={form}", tag): rule for (form, tag), rule in self.known.items()}
        entries = sorted({**known, **self.endings}.items())
        return [f"{key}\t{tag}\t{rule}" for (key, tag), rule in entries]

    @classmethod
    def of_lines(cls, lines: Iterable[str]) -> LemmaTable:
        """The table of such entries."""
        entries = sorted(lines)
        return cls(Stored(entries, "="), Stored(entries, ""))


class Stored(Mapping[tuple[str, str], str]):
    """Entries of a table's sorted lines, each found when it is asked for: a sentence needs few.

    Raises SennaError where a line that is asked for is no entry.
    """

    def __init__(self, lines: list[str], sign: str) -> None:
        """sign: "=" of forms, "" of endings."""
        self.lines, self.sign = lines, sign

    def get(self, key: tuple[str, str], default: Any = None) -> Any:
        """The rule of a form or ending, and tag."""
        start = f"{self.sign}{key[0]}\t{key[1]}\t"
        at = bisect_left(self.lines, start)
        if at == len(self.lines) or not self.lines[at].startswith(start):
            return default
        return _fields(self.lines[at])[2]

    def __getitem__(self, key: tuple[str, str]) -> str:
        rule: str | None = self.get(key)
        if rule is None:
            raise KeyError(key)
        return rule

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for line in self.lines:
            key, tag, _ = _fields(line)
            if (key[0] == "=") == bool(self.sign):
                yield key.removeprefix(self.sign), tag

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _fields(line: str) -> list[str]:
    """The form or ending, the tag and the rule of an entry."""
    fields = line.split("\t")
    if len(fields) != 3 or not fields[0] or not is_rule(fields[2]):
        raise SennaError(f"{line[:60]!r} is no entry of a table of lemmas")
    return fields


def _capitals(form: str) -> str:
    """The kind of capitals of a form: 1 at its start, 2 later, 3 both."""
    return str(form[:1].isupper() + 2 * any(map(str.isupper, form[1:])))


def _endings(form: str) -> list[str]:
    """The ends of a form in lower case, after its kind of capitals, from the longest to none."""
    kind, form = _capitals(form), form.lower()
    return [f"{kind}{form[len(form) - n :]}" for n in range(min(LONGEST_ENDING, len(form)), -1, -1)]


def _longest(endings: Mapping[tuple[str, str], str], kind: str, form: str, tag: str) -> str | None:
    for n in range(min(LONGEST_ENDING, len(form)), -1, -1):
        rule = endings.get((kind + form[len(form) - n :], tag))
        if rule is not None:
            return rule
    return None


def _commonest(counts: Counter[str]) -> str:
    return min(counts, key=lambda entry: (-counts[entry], entry))


# --------------------------------------------------------------------------- contractions

# By pieces as they follow one another, their lemmas.
_PIECES = {
    tuple(pieces.split("|")): lemmas.split("|")
    for pieces, _, lemmas in (entry.partition("=") for entry in CONTRACTED_LEMMAS)
}
_SIZES = sorted({len(pieces) for pieces in _PIECES})
# Pieces that are other than their lemmas, one of each contraction: few sentences have any.
_ODD = {
    change(next(piece for piece, lemma in zip(pieces, lemmas, strict=True) if piece != lemma))
    for pieces, lemmas in _PIECES.items()
    for change in (str, str.title, str.upper)
}
_ODD |= {piece.replace("'", quote) for piece in _ODD for quote in "\u2018\u2019"}


def contracted_lemmas(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lemmas of pieces of contractions that by themselves are no words, with their places.

    >>> [*contracted_lemmas("Gim me it , I du n no".split())]
    [(0, 'give'), (1, 'I'), (5, 'do'), (6, 'not'), (7, 'know')]
    """
    if _ODD.isdisjoint(words):
        return
    low = [word.lower().translate(STRAIGHT) for word in words]
    for at in range(len(low)):
        for size in _SIZES:
            yield from enumerate(_PIECES.get(tuple(low[at : at + size]), ()), at)
