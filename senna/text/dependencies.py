"""Dependency trees as lists of arcs: dependents, subtrees, noun phrases, punctuation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from senna.text.conllu import ROOT, Arc
from senna.text.schemes import Phrase

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
    """The phrase of each noun; some of them lie in others."""
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
    return [arc._replace(head=head + 1) for arc, head in zip(arcs, heads, strict=True)]


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
    values = scores[1:].tolist()
    if units:  # of two the one that is below the other has the shorter arc
        values[min(units, key=lambda k: (heads[k] < 0, abs(heads[k] - k)))] += UNIT
    best = sorted(range(len(heads)), key=lambda k: (-values[k], k))
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
    """Whether an arc crosses one of these."""
    start, end = _span(word, head)
    return any(
        (start < first < end < last) or (first < start < last < end) for first, last in spans
    )
