"""What is found of a sentence as rows of labelled stretches of words, to be shown under it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from senna.outputs import output_of
from senna.text.roles import Predicate
from senna.text.schemes import Phrase, phrases_of
from senna.text.trees import Tree


class Row(NamedTuple):
    """A row: its name, of which task it is, and its stretches from left to right."""

    name: str
    task: str
    phrases: list[Phrase]


def rows_of(words: Sequence[str], found: Mapping[str, Any]) -> list[Row]:
    """The rows of a sentence, by task in order."""
    return [
        row for task, own in found.items() for row in ROWS[output_of(task).gives](words, task, own)
    ]


def _tags(words: Sequence[str], task: str, found: list[str]) -> list[Row]:
    return [Row(task, task, [Phrase(i, i + 1, tag) for i, tag in enumerate(found)])]


def _phrases(words: Sequence[str], task: str, found: list[str]) -> list[Row]:
    return [Row(task, task, phrases_of(found, "iobes"))]


def _roles(words: Sequence[str], task: str, found: list[Predicate]) -> list[Row]:
    return [Row(words[own.position], task, phrases_of(own.tags, "iobes")) for own in found]


def _trees(words: Sequence[str], task: str, found: Tree) -> list[Row]:
    """A row for each level, the root's left out."""
    rows: list[Row] = []
    level = found.children
    while level := [node for node in level if not node.is_leaf]:
        name = "" if rows else task
        rows.append(Row(name, task, [Phrase(own.start, own.end, own.label) for own in level]))
        level = [child for node in level for child in node.children]
    return rows


ROWS: dict[str, Callable[[Sequence[str], str, Any], list[Row]]] = {
    "tags": _tags,
    "phrases": _phrases,
    "roles": _roles,
    "trees": _trees,
}

# Labels that stand beside one another have different colours; all others, any.
_COLOURS = [
    ["PER", "NP", "A0", "S"],
    ["LOC", "VP", "A1"],
    ["ORG", "PP", "A2", "AM-MOD"],
    ["MISC", "ADVP", "AM-TMP", "A4"],
    ["SBAR", "AM-LOC", "A3", "AM-ADV"],
    ["ADJP", "AM-MNR", "AM-NEG"],
    ["PRT", "AM-DIS", "V"],
]
_COLOUR = {label: i for i, labels in enumerate(_COLOURS) for label in labels}
COLOURS = len(_COLOURS)


def colour(label: str) -> int:
    """The number of a label's colour, below `COLOURS`."""
    label = label.removeprefix("C-").removeprefix("R-")
    return _COLOUR.get(label, sum(map(ord, label)) % COLOURS)
