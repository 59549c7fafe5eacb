"""Columns, separated by tabs: words first, then those of each task."""

from __future__ import annotations

from collections.abc import Sequence

from senna.formats.column_lines import ColumnsSentence, read_columns
from senna.kinds import output_of
from senna.kinds.answer import Answers, Columns, Line
from senna.pipeline.format import Format, Style, of_blocks
from senna.text.tokenizer import spaced


def _line(sentence: ColumnsSentence) -> Line:
    rows, line, mark = sentence
    words = [row[0] for row in rows]
    text, opens = " ".join(words), bool(mark)
    return Line(text, 0, spaced(words), opens=opens, line=line, columns=rows, mark=mark)


def _second_column(sentences: list[ColumnsSentence]) -> list[list[str]]:
    if min(len(sentence.rows[0]) for sentence in sentences) < 2:
        return []
    return [[row[1] for row in sentence.rows] for sentence in sentences]


def as_columns(kept: Columns, answers: Answers, scheme: str, mark: Sequence[str] = ()) -> str:
    """The columns of a sentence, words first, then those of each task; then a blank line.

    A document mark before it is as wide as its rows: scorers count columns there too.
    """
    columns, row = list(kept), [*mark, *["O"] * (len(kept) - len(mark))]
    for task, answer in answers.items():
        output = output_of(task)
        added = output.columns(kept[0], answer, scheme)
        columns += added
        row += [output.mark, *["O"] * (len(added) - 1)]
    cells = ["\t"] * (2 * len(columns) * len(kept[0]))  # row by row, one after each cell
    for i, column in enumerate(columns):
        cells[2 * i :: 2 * len(columns)] = column
    cells[2 * len(columns) - 1 :: 2 * len(columns)] = ["\n"] * len(kept[0])
    text = "".join(cells) or "\n"
    return ("\t".join(row) + "\n\n") * bool(mark) + text + "\n"


def _sentence(line: Line, answers: Answers, style: Style) -> str:
    """A sentence; the columns that were read stay, but for offsets."""
    if style.offsets:
        places = [list(map(str, column)) for column in zip(*line.places, strict=True)]
        return as_columns([line.words, *places], answers, style.scheme)
    kept = [list(column) for column in zip(*line.columns, strict=True)] or [line.words]
    return as_columns(kept, answers, style.scheme, line.mark)


INPUTS = {
    "columns": of_blocks(
        lambda: read_columns,
        _line,
        _second_column,
        "one token per line, the word first; all columns are kept",
    )
}
FORMATS = {"columns": Format(_sentence, about="tab-separated columns", offsets=True)}
