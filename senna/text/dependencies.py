"""Dependency trees as lists of arcs: dependents, subtrees and noun phrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from senna.text.conllu import ROOT, Arc
from senna.text.schemes import Phrase

NOUNS = frozenset({"NOUN", "PROPN", "PRON"})  # universal parts of speech
# Relations of words before a noun and after it that belong to its noun phrase.
BEFORE = frozenset("det det:predet amod nummod compound nmod:poss nmod:desc flat goeswith".split())
AFTER = frozenset("flat fixed goeswith".split())


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
