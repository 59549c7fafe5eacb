"""Phrases and roles as a table: one row each, its cells separated by tabs.

The columns are `file`, `line` of the input or `row` of a table, `start`, `end`, `task`, `label`,
`text`, `score` (where scores were asked for), `predicate` (of a role: where its predicate starts),
and then the columns of the input that are kept.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from senna.answers import output_of
from senna.answers.base import Annotation, Labelled, Line, Output
from senna.errors import SennaError
from senna.formats.base import Format, Style
from senna.text.shown import on_one_line

DIGITS = 3  # of a probability
NAMES = ("start", "end", "task", "label", "text", "score", "predicate")


def spans_of(answers: Mapping[str, Any]) -> Iterator[tuple[str, Labelled, float | None]]:
    """The labelled spans of a sentence: their tasks, and their probabilities if there are any."""
    for task, answer in answers.items():
        for span in output_of(task).spans(answer):
            yield task, span, span.score(answer)


def has_spans(task: str) -> bool:
    """Whether answers of a task have spans with labels."""
    return type(output_of(task)).spans is not Output.spans


def rows_of(lines: Sequence[Line], answers: Annotation) -> Iterator[list[str]]:
    """The cells of each span, as texts; SennaError if no task has spans."""
    if answers and not any(map(has_spans, answers)):
        what = f"a table of spans has no place for {' and '.join(answers)}"
        raise SennaError(what, where="--format", mend="Choose columns, conllu or jsonl.")
    for i, line in enumerate(lines):
        of_line = {task: of_task[i] for task, of_task in answers.items()}
        number = line.row or line.line
        for task, (phrase, predicate), score in spans_of(of_line):
            span = line.span("label", phrase)
            yield [
                line.file,
                str(number) if number else "",
                str(span["start"]),
                str(span["end"]),
                task,
                phrase.label,
                span["text"],
                "" if score is None else str(round(score, DIGITS)),
                "" if predicate is None else str(line.place(predicate, predicate + 1)[0]),
                *(line.kept or {}).values(),
            ]


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """The rows of sentences; blanks within a cell are one space."""
    rows = rows_of(lines, answers)
    return "".join("\t".join(map(on_one_line, row)) + "\n" for row in rows)


def write_csv(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """The same as CSV, in which a cell keeps its line ends."""
    return quoted(rows_of(lines, answers))


def quoted(rows: Iterator[list[str]]) -> str:
    """Rows of CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def names(style: Style) -> list[str]:
    """The names of the columns."""
    return ["file", "row" if style.table else "line", *NAMES, *style.keep]


FORMAT = Format(
    write,
    tasks=("ner",),
    shows=has_spans,
    head=lambda style: "\t".join(map(on_one_line, names(style))) + "\n",
)
