"""Scores of tags on dev sets, in percent."""

from __future__ import annotations

from collections.abc import Sequence

from senna.tasks import TASKS
from senna.text import schemes
from senna.text.props import CONTINUES
from senna.text.roles import VERB

Pieces = tuple[tuple[int, int], ...]


def score(task: str, gold: list[list[str]], guess: list[list[str]]) -> float:
    """F1 over phrases or over predicates, or accuracy of plain tags, in percent."""
    if TASKS[task].output == "tags":
        pairs = [
            (a, b) for x, y in zip(gold, guess, strict=True) for a, b in zip(x, y, strict=True)
        ]
        return 100 * sum(a == b for a, b in pairs) / max(len(pairs), 1)
    of_one = _marked if task == "predicates" else _phrases
    return f1(list(map(of_one, gold)), list(map(of_one, guess)))


def score_roles(gold: list[list[str]], guess: list[list[str]]) -> float:
    """F1 over arguments, the verb left out, in percent; one row of IOBES tags a predicate.

    As `senna.scoring.roles` counts: an argument goes on in its C- parts, and all must be right.
    """
    return f1(list(map(arguments, gold)), list(map(arguments, guess)))


def f1(gold: Sequence[set[object]], guess: Sequence[set[object]]) -> float:
    """F1 of sets of things found, in percent."""
    right = sum(len(a & b) for a, b in zip(gold, guess, strict=True))
    n = sum(map(len, gold)) + sum(map(len, guess))
    return 200 * right / max(n, 1)


def arguments(tags: Sequence[str]) -> set[object]:
    """The arguments of one predicate: role, and the spans of its pieces."""
    found: list[tuple[str, Pieces]] = []
    for start, end, role in schemes.phrases_of(list(tags), "iobes"):
        whole = role.removeprefix(CONTINUES)
        before = [i for i, (other, _) in enumerate(found) if other == whole]
        if role == whole or not before:
            found.append((whole, ((start, end),)))
        else:
            last = before[-1]
            found[last] = whole, (*found[last][1], (start, end))
    return {argument for argument in found if argument[0] != VERB}


def _phrases(tags: list[str]) -> set[object]:
    return set(schemes.phrases_of(tags, "iobes"))


def _marked(tags: list[str]) -> set[object]:
    return {i for i, tag in enumerate(tags) if tag != "O"}
