"""Phrases and roles as a table: one row each, its cells separated by tabs.

The columns are `file`, `line` of the input or `row` of a table, `start`, `end`, `task`, `label`,
`text`, `score` (where scores were asked for), `predicate` (of a role: where its predicate starts),
and then the columns of the input that are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from senna.answers import output_of
from senna.answers.base import Answers, Line, Output
from senna.formats.base import Format, Style
from senna.text.schemes import Phrase
from senna.text.shown import on_one_line

DIGITS = 3  # of a probability
NAMES = ("start", "end", "task", "label", "text", "score", "predicate")


def has_spans(task: str) -> bool:
    """Whether answers of a task have spans with labels."""
    return type(output_of(task)).spans is not Output.spans


def phrases_of(answers: Answers) -> Iterator[Phrase]:
    """The spans of answers, one task after another."""
    for task, answer in answers.items():
        yield from (labelled.phrase for labelled in output_of(task).spans(answer))


def rows_of(line: Line, answers: Answers) -> Iterator[list[str]]:
    """The cells of each span, as texts."""
    number = line.row or line.line
    for task, answer in answers.items():
        for labelled in output_of(task).spans(answer):
            phrase, predicate = labelled
            span, score = line.span("label", phrase), labelled.score(answer)
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


def names(style: Style) -> list[str]:
    """The names of the columns."""
    return ["file", "row" if style.table else "line", *NAMES, *style.keep]


def _tabbed(rows: Iterable[list[str]]) -> str:
    """Rows of cells between tabs; blanks within a cell are one space."""
    return "".join("\t".join(map(on_one_line, row)) + "\n" for row in rows)


FORMAT = Format(
    lambda line, answers, style: _tabbed(rows_of(line, answers)),
    tasks=("ner",),
    shows=has_spans,
    head=lambda style: _tabbed([names(style)]),
)
