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
