"""Rows of labels under the words of a sentence, and their colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from senna.outputs import output_of
from senna.outputs.base import LabelRow


def label_rows(words: Sequence[str], answers: Mapping[str, Any]) -> list[LabelRow]:
    """The rows of a sentence, by task in order."""
    return [
        row
        for task, answer in answers.items()
        for row in output_of(task).label_rows(words, task, answer)
    ]


# Labels that are often side by side have different colours; all others, any.
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
