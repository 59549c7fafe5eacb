"""The parts of a drawing: rows of labels under the words, arcs above them, trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from senna.answers import output_of
from senna.answers.base import LabelRow, Link
from senna.text.schemes import Phrase
from senna.text.trees import Tree


class Parts(NamedTuple):
    """The words of a sentence and what is drawn around them."""

    words: Sequence[str]
    rows: list[LabelRow]
    arcs: list[Link]
    trees: list[Tree]
    different: frozenset[tuple[int, Phrase]] = frozenset()  # to be outlined: row and phrase


def parts_of(words: Sequence[str], answers: Mapping[str, Any]) -> Parts:
    """The parts of a sentence by the answers of tasks, each drawn as its output says."""
    parts = Parts(words, [], [], [])
    for task, answer in answers.items():
        output = output_of(task)
        if output.drawn_as == "tree":
            parts.trees.append(answer)
        elif output.drawn_as == "arcs":
            parts.arcs.extend(output.links(answer))
        else:
            parts.rows.extend(output.label_rows(words, task, answer))
    return parts


def label_rows(words: Sequence[str], answers: Mapping[str, Any]) -> list[LabelRow]:
    """The rows of labels of all tasks, of trees one per level."""
    return [
        row
        for task, answer in answers.items()
        for row in output_of(task).label_rows(words, task, answer)
    ]


# Colours that all eyes tell apart (Okabe and Ito 2008). Lines differ in style too.
HUES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a")

# Labels that are often side by side have different colours; all others, any.
_LABELS = [
    ["PER", "NP", "A0", "S"],
    ["LOC", "VP", "A1"],
    ["ORG", "PP", "A2", "AM-MOD"],
    ["MISC", "ADVP", "AM-TMP", "A4"],
    ["SBAR", "AM-LOC", "A3", "AM-ADV"],
    ["ADJP", "AM-MNR", "AM-NEG"],
    ["PRT", "AM-DIS", "V"],
]
_COLOUR = {label: i for i, labels in enumerate(_LABELS) for label in labels}


def colour(label: str) -> int:
    """The number of a label's colour in `HUES`."""
    label = label.removeprefix("C-").removeprefix("R-")
    return _COLOUR.get(label, sum(map(ord, label)) % len(HUES))
