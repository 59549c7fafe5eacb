"""Columns, separated by tabs: words first, then those of each task."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from senna.answers import output_of
from senna.answers.base import Annotation, Columns, Line
from senna.files import Arriving
from senna.formats.base import Format, Input, Piece, Reading, Style, as_lines, batches, whole
from senna.text import columns
from senna.text.columns import ColumnsSentence
from senna.text.tokenizer import spaced


def _cut_columns(source: Arriving, name: str, reading: Reading) -> Iterator[Piece]:
    for batch in batches(source, whole(source, name, columns.read_columns)):
        yield Piece(0, sum(len(s.rows) * len(s.rows[0]) * 4 for s in batch), batch)


def _columns(piece: Piece, reading: Reading) -> list[Line]:
    sentences: list[ColumnsSentence] = piece.content
    return [
        line._replace(
            opens=bool(sentence.mark), line=sentence.line, columns=sentence.rows, mark=sentence.mark
        )
        for sentence in sentences
        for words in [[row[0] for row in sentence.rows]]
        for line in as_lines(" ".join(words), [spaced(words)])
    ]


def _second_column(sentences: list[ColumnsSentence]) -> list[list[str]]:
    if min(len(sentence.rows[0]) for sentence in sentences) < 2:
        return []
    return [[row[1] for row in sentence.rows] for sentence in sentences]


def as_columns(
    kept: Sequence[Columns],
    answers: Annotation,
    scheme: str,
    marks: Sequence[Sequence[str]] = (),
) -> str:
    """The columns of each sentence, words first, then those of each task; then a blank line.

    A document mark before a sentence is as wide as its rows: scorers count columns there too.
    """
    outputs = [(output_of(task), of_task) for task, of_task in answers.items()]
    blocks = []
    for i, cells in enumerate(kept):
        added = [output.columns(cells[0], of_task[i], scheme) for output, of_task in outputs]
        rows = zip(*cells, *(column for some in added for column in some), strict=True)
        text = "\n".join(map("\t".join, rows))
        if marks and marks[i]:
            row = [*marks[i], *["O"] * (len(cells) - len(marks[i]))]
            for (output, _), some in zip(outputs, added, strict=True):
                row += [output.mark, *["O"] * (len(some) - 1)]
            text = "\t".join(row) + "\n\n" + text
        blocks.append(text)
    blocks.append("")
    return "\n\n".join(blocks)


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """Sentences, a blank line after each; the columns that were read stay, but for offsets."""
    if style.offsets:
        kept = [[line.words, *_texts(line.places)] for line in lines]
        return as_columns(kept, answers, style.scheme)
    kept = [
        list(map(list, zip(*line.columns, strict=True))) if line.columns else [line.words]
        for line in lines
    ]
    return as_columns(kept, answers, style.scheme, [line.mark for line in lines])


def _texts(places: Sequence[tuple[int, int]]) -> Iterator[list[str]]:
    return (list(map(str, column)) for column in zip(*places, strict=True))


COLUMNS = Input(_columns, cut=_cut_columns, sentences=list, pos=_second_column, offsets=False)
FORMAT = Format(write, offsets=True)
