"""Dates, times, sums of money and numbers, which rules find; each has a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from senna.answers.base import SPAN, TASK, Line, Record
from senna.answers.phrases import PhraseOutput
from senna.text.schemes import tags_of
from senna.text.values import find, value_of


class ValueOutput(PhraseOutput):
    """Answers are lists of IOBES tags; the value of a phrase follows from its words."""

    fields: ClassVar[Record] = {
        "tags": {TASK: [str]},
        "spans": {TASK: [{"label": str, **SPAN, "value": str}]},
    }
    has_scores = False

    def complete(
        self, answer: list[str], forms: Sequence[str], others: Mapping[str, Any]
    ) -> list[str]:
        """The phrases that rules find, in the place of an empty answer."""
        return answer or tags_of(find(forms), len(forms), "iobes")

    def write(self, record: Record, task: str, line: Line, answer: list[str], scheme: str) -> None:
        """The same as of other phrases, and of each its value, "" where it has none."""
        super().write(record, task, line, answer, scheme)
        for span in record["spans"][task]:
            words = line.words[span["first"] : span["last"]]
            span["value"] = value_of(words, span["label"])


OUTPUT = ValueOutput()
