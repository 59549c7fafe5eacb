"""Dependency trees as lists of arcs: dependents, subtrees, noun phrases, punctuation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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


def with_punctuation(forms: Sequence[str], arcs: Sequence[Arc]) -> list[Arc]:
    """The tree with punctuation as Universal Dependencies have it, so that it crosses no other arc.

    Both signs of a pair, as of quotation marks, are attached to the word inside whose head is not;
    any other sign to a word that stands above one of its neighbours, on their side of it. A sign
    that has dependents is left alone as a word is: so what was a tree remains one.
    """
    above = {arc.head for arc in arcs}
    signs = [arc.relation == PUNCT and i not in above for i, arc in enumerate(arcs, start=1)]
    if not any(signs):
        return list(arcs)
    heads = [arc.head - 1 for arc in arcs]  # -1 is the root
    paired = _paired(forms, heads, signs)
    new = list(heads)
    for i in range(len(arcs)):
        if i in paired:
            new[i] = paired[i]
        elif signs[i] and heads[i] >= 0:
            new[i] = _of_neighbours(i, heads, signs)
    return [arc._replace(head=head + 1) for arc, head in zip(arcs, new, strict=True)]


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


def _of_neighbours(i: int, heads: Sequence[int], signs: Sequence[bool]) -> int:
    """The head of a sign: its own if that crosses nothing, else the highest of a dependent unit."""
    chains: list[list[int]] = []
    for step in (-1, 1):
        k = i + step
        while 0 <= k < len(heads) and signs[k]:
            k += step
        chain = []
        while 0 <= k < len(heads) and (k - i) * step > 0:
            chain.append(k)
            k = heads[k]
        if chain:
            chains.append(chain)
    if not chains or any(heads[i] in chain for chain in chains):
        return heads[i]
    tops = [chain[-1] for chain in chains if heads[chain[-1]] >= 0] or [chains[0][-1]]
    return tops[0] if len(tops) == 1 else heads[i]
