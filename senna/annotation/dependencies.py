"""Dependency trees as lists of arcs: dependents, noun phrases, punctuation; rules that they keep.

The rules are those of the guidelines of Universal Dependencies (de Marneffe et al. 2021), as the
validator of the treebanks checks them: features and relations by parts of speech, and by the tree.
Relations stand without their subtypes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.annotation.schemes import Phrase

ROOT = 0  # the head of a word that has none
ROOT_RELATION = "root"  # of this word, and of no other
NOUNS = frozenset({"NOUN", "PROPN", "PRON"})  # universal parts of speech
# Relations of words before a noun and after it that belong to its noun phrase.
BEFORE = frozenset("det det:predet amod nummod compound nmod:poss nmod:desc flat goeswith".split())
AFTER = frozenset("flat fixed goeswith".split())
PUNCT = "punct"
# Closing signs, and what opens them; a straight quotation mark is both.
PAIRS = {")": "(", "]": "[", "}": "{", "\u201d": "\u201c", "''": "``", '"': '"', "-RRB-": "-LRB-"}
OPENING = frozenset(PAIRS.values())
UNIT = 1.0  # a logarithm: the best value on EWT dev

Span = tuple[int, int]


class Arc(NamedTuple):
    """A word's head, numbered from 1, or `ROOT`, and its relation to it."""

    head: int
    relation: str


def cycle_of(heads: Sequence[int]) -> list[int]:
    """The places of words that form a cycle, each before its head; none in a tree.

    heads: of each word, numbered from 1, or `ROOT`.
    """
    seen_from = [-1] * len(heads)
    for start in range(len(heads)):
        word = start
        while word >= 0 and seen_from[word] < 0:
            seen_from[word] = start
            word = heads[word] - 1
        if word >= 0 and seen_from[word] == start:
            cycle = [word]
            while heads[cycle[-1]] - 1 != word:
                cycle.append(heads[cycle[-1]] - 1)
            return cycle
    return []


def dependents(arcs: Sequence[Arc]) -> list[list[int]]:
    """The dependents of each word, from left to right; words are numbered from 0."""
    below: list[list[int]] = [[] for _ in arcs]
    for i, arc in enumerate(arcs):
        if arc.head != ROOT:
            below[arc.head - 1].append(i)
    return below


def subtree(below: Sequence[Sequence[int]], word: int) -> list[int]:
    """A word and all words below it, from left to right; `below` is the result of `dependents`."""
    words, waiting = list[int](), [word]
    while waiting:
        words.append(waiting.pop())
        waiting += below[words[-1]]
    return sorted(words)


def noun_chunks(arcs: Sequence[Arc], upos: Sequence[str]) -> list[Phrase]:
    """The noun phrases, which do not nest: a noun with determiners, adjectives, numbers, names.

    Prepositions, clauses and what follows the noun, except the rest of a name, are left out.
    """
    below = dependents(arcs)
    phrases: list[Phrase] = []
    for phrase in sorted(_chunks(arcs, upos, below), key=lambda p: (p.start, -p.end)):
        if not phrases or phrase.end > phrases[-1].end:
            phrases.append(phrase)
    return phrases


def _chunks(
    arcs: Sequence[Arc], upos: Sequence[str], below: Sequence[Sequence[int]]
) -> Iterator[Phrase]:
    for i, arc in enumerate(arcs):
        if upos[i] in NOUNS and arc.relation != "expl":
            before = [child for child in reversed(below[i]) if child < i]
            after = [child for child in below[i] if child > i]
            yield Phrase(_first(i, before, arcs, below), _end(i, after, arcs, below), "NP")


def _first(
    noun: int, before: list[int], arcs: Sequence[Arc], below: Sequence[Sequence[int]]
) -> int:
    """The first word of a noun's phrase; before: its dependents to the left, the nearest first."""
    first = edge = noun
    for child in before:
        words = subtree(below, child)
        if words[-1] != edge - 1 or len(words) != edge - words[0]:
            break
        edge = words[0]
        if arcs[child].relation in BEFORE:
            first = edge
        elif arcs[child].relation != "punct":
            break
    return first


def _end(noun: int, after: list[int], arcs: Sequence[Arc], below: Sequence[Sequence[int]]) -> int:
    """The end of a noun's phrase; after: its dependents to the right."""
    end = noun + 1
    for child in after:
        words = subtree(below, child)
        in_name = arcs[child].relation in AFTER
        if not in_name or words[0] != end or len(words) != words[-1] + 1 - end:
            break
        end = words[-1] + 1
    return end


# --------------------------------------------------------------------------- punctuation


def with_punctuation(
    forms: Sequence[str], arcs: Sequence[Arc], scores: NDArray[np.float64]
) -> list[Arc]:
    """The tree with punctuation as Universal Dependencies have it, so that it crosses no other arc.

    Both signs of a pair, as of quotation marks, are attached to the word inside whose head is not;
    any other sign to the best word whose arc crosses none: scores (n, n + 1) are of its heads, and
    `UNIT` is in favour of the highest word of a unit that ends or begins at it. A sign that has
    dependents is left alone as a word is: so what was a tree remains one.
    """
    above = {arc.head for arc in arcs}
    signs = [arc.relation == PUNCT and i not in above for i, arc in enumerate(arcs, start=1)]
    if not any(signs):
        return list(arcs)
    heads = [arc.head - 1 for arc in arcs]  # -1 is the root
    paired = _paired(forms, heads, signs)
    for i, head in paired.items():
        heads[i] = head
    # Arcs of words, and of signs that have found their heads, as the places of their ends.
    spans = [_span(i, heads[i]) for i in range(len(arcs)) if not signs[i] or i in paired]
    for i in range(len(arcs)):
        if signs[i] and i not in paired and heads[i] >= 0:
            heads[i] = _attached(i, heads, signs, spans, scores[i])
            spans.append(_span(i, heads[i]))
    pairs = zip(arcs, heads, strict=True)
    return [arc if arc.head == head + 1 else arc._replace(head=head + 1) for arc, head in pairs]


def _paired(forms: Sequence[str], heads: Sequence[int], signs: Sequence[bool]) -> dict[int, int]:
    """The heads of signs in pairs around words of which one alone has its head outside."""
    found: dict[int, int] = {}
    opened: list[int] = []
    for i, form in enumerate(forms):
        if not signs[i]:
            continue
        opening = (k for k in reversed(range(len(opened))) if forms[opened[k]] == PAIRS.get(form))
        place = next(opening, None)
        if place is None:
            opened += [i] * (form in OPENING)
            continue
        first = opened[place]
        del opened[place:]
        highest = [k for k in range(first + 1, i) if not (signs[k] or first < heads[k] < i)]
        if len(highest) == 1:
            found[first] = found[i] = highest[0]
    return found


def _attached(
    i: int,
    heads: Sequence[int],
    signs: Sequence[bool],
    spans: Sequence[Span],
    scores: NDArray[np.float64],
) -> int:
    """The head of a sign: the best word whose arc crosses no span; if there is none, its own."""
    units = [k for k in _units(i, heads, signs) if not _crosses(i, k, spans)]
    costs = -scores[1:]
    if units:  # of two the one that is below the other has the shorter arc
        costs[min(units, key=lambda k: (heads[k] < 0, abs(heads[k] - k)))] -= UNIT
    best = costs.argsort(kind="stable").tolist()
    return next((k for k in best if not (signs[k] or _crosses(i, k, spans))), heads[i])


def _units(i: int, heads: Sequence[int], signs: Sequence[bool]) -> Iterator[int]:
    """The highest words above the neighbours of a sign that are on their side of it."""
    for step in (-1, 1):
        k, top = i + step, -1
        while 0 <= k < len(heads) and signs[k]:
            k += step
        while 0 <= k < len(heads) and (k - i) * step > 0:
            k, top = heads[k], k
        if top >= 0:
            yield top


def _span(one: int, other: int) -> Span:
    return (one, other) if one < other else (other, one)


def _crosses(word: int, head: int, spans: Sequence[Span]) -> bool:
    start, end = _span(word, head)
    for first, last in spans:  # noqa: SIM110 (half the time of a generator)
        if start < first < end < last or first < start < last < end:
            return True
    return False


# --------------------------------------------------------------------------- rules

# The parts of speech of words with some relations, and those that words with others never have.
_OF = {
    "aux": {"AUX"},
    "cop": {"AUX"},
    "det": {"DET", "PRON"},
    "nummod": {"NUM", "NOUN", "SYM"},
    "expl": {"PRON", "DET", "PART"},
    "advmod": {"ADV", "ADJ", "CCONJ", "DET", "PART", "SYM"},
    "punct": {"PUNCT"},
    "goeswith": {"X"},
}
_NEVER = {
    "case": {"PROPN", "ADJ", "PRON", "DET", "NUM", "AUX"},
    "mark": {"NOUN", "PROPN", "ADJ", "PRON", "DET", "NUM", "AUX", "INTJ"},
    "cc": {"NOUN", "PROPN", "ADJ", "PRON", "DET", "NUM", "VERB", "AUX", "INTJ"},
    "fixed": {"PROPN"},
}
# The parts of speech of words with features of some names; any word may have others (Typo=Yes).
_FEATURES = {
    **dict.fromkeys(("Mood", "Tense", "VerbForm"), frozenset({"VERB", "AUX"})),
    **dict.fromkeys(("Case", "Gender", "Poss", "Reflex"), frozenset({"PRON"})),
    **dict.fromkeys(("NumType", "NumForm"), frozenset("NUM NOUN ADJ ADV DET PROPN".split())),
    "Definite": {"DET"},
    "Degree": {"ADJ", "ADV"},
    "Number": {"NOUN", "PROPN", "PRON", "VERB", "AUX", "DET", "SYM", "NUM"},
    "Person": {"PRON", "VERB", "AUX"},
    "Polarity": {"PART", "INTJ", "CCONJ", "ADV"},
    "PronType": {"DET", "PRON", "ADV"},
    "Voice": {"VERB"},
}
# Relations of words that stand behind their head.
BEHIND = frozenset({"conj", "fixed", "flat", "goeswith", "appos"})
# Relations of function words, and those that their dependents may have.
_SOME = frozenset({"goeswith", "fixed", "reparandum", "conj", "cc", "punct"})
_MORE = _SOME | {"advmod", "obl"}
FUNCTION = {
    "aux": _SOME,
    "cop": _SOME,
    "cc": _SOME - {"cc"},
    "mark": _MORE,
    "case": _MORE,
    "det": _MORE | {"det", "case", "flat", "compound", "discourse", "parataxis"},
    "fixed": frozenset({"goeswith", "reparandum", "conj", "punct"}),
    "goeswith": frozenset[str](),
    "punct": frozenset({"punct"}),
}
# Relations of which a word has one dependent at most, but for the subject of a clause of clauses.
ONCE = (frozenset({"nsubj", "csubj"}), frozenset({"obj"}))
OUTER = ":outer"


class Change(NamedTuple):
    """That a word shall not have one of some relations to a head: none at all, if none is named."""

    word: int  # from 0
    head: int | None  # from 1; None: whatever the head is
    relations: frozenset[str] = frozenset()


@lru_cache(1 << 10)
def plain(relation: str) -> str:
    """A relation without its subtype; that of an outer subject as it is."""
    return relation if relation.endswith(OUTER) else relation.partition(":")[0]


def part_of(upos: str, feats: str) -> str:
    """The universal part of speech that a word, or the phrase that it begins, has for others."""
    _, named, rest = feats.partition("ExtPos=")
    return rest.partition("|")[0] if named else upos


def fits(relation: str, part: str) -> bool:
    """Whether a word may have a relation; part: its part of speech, if that is known, or ""."""
    name = plain(relation)
    if part == "PUNCT":
        return name in ("punct", ROOT_RELATION)
    return not part or (part in _OF.get(name, (part,)) and part not in _NEVER.get(name, ()))


def may_have(feats: str, part: str) -> bool:
    """Whether a word with this part of speech may have some features (`Case=Nom|Person=1`)."""
    names = (feature.partition("=")[0] for feature in feats.split("|"))
    return all(part in _FEATURES.get(name, (part,)) for name in names)


def conflict(arcs: Sequence[Arc], negations: Sequence[bool]) -> list[list[Change]]:
    """The first rule that a tree breaks: lists of changes, each of which would fix it; or none.

    negations: which words negate others; function words may have them as dependents.
    """
    names = [plain(arc.relation) for arc in arcs]
    below: list[list[int]] = [[] for _ in range(len(arcs) + 1)]
    for i, arc in enumerate(arcs):
        below[arc.head].append(i)
    for head, words in enumerate(below[1:], start=1):
        allowed = FUNCTION.get(names[head - 1]) if words else None
        if allowed is not None:
            wrong = [i for i in words if names[i] not in allowed and not negations[i]]
            if wrong:
                content = Change(head - 1, None, frozenset(FUNCTION))
                return [[Change(i, head) for i in wrong], [content]]
        for once in ONCE if len(words) > 1 else ():
            same = [i for i in words if names[i] in once]
            if len(same) > 1:
                return [[Change(i, head, once)] for i in same]
    return []
