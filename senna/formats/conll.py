"""The layout of CoNLL-2003: word, part of speech, chunk, name, a space between.

What is not asked for is `_`, so that each column keeps its place. Trees and roles follow
as in CoNLL-2005, in brackets, predicates before their roles. A document begins with a mark.
"""

from __future__ import annotations

from collections.abc import Sequence

from senna.answers import output_of
from senna.answers.base import Annotation, Line
from senna.formats.base import Format, Style
from senna.formats.cells import unbroken
from senna.text.columns import DOCUMENT_MARK

PLACES = ("pos", "chunk", "ner")  # of the columns after the word


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """Sentences as columns, a blank line after each."""
    later = [task for task in answers if task not in PLACES]
    later.sort(key=lambda task: output_of(task).varies)  # any number of columns comes last
    blocks = []
    for i, line in enumerate(lines):
        words = line.words
        columns = [[unbroken(word) for word in words]]
        for task in (*PLACES, *later):
            if task not in answers:
                columns.append(["_"] * len(words))
                continue
            output = output_of(task)
            scheme = "bracket" if output.varies else style.scheme
            for column in output.columns(words, answers[task][i], scheme):
                columns.append([unbroken(cell) for cell in column])
        if line.opens:
            marks = [DOCUMENT_MARK, "-X-", *["O"] * (len(columns) - 2)]
            blocks.append(" ".join(marks))
        blocks.append("\n".join(map(" ".join, zip(*columns, strict=True))))
    blocks.append("")
    return "\n\n".join(blocks)


FORMAT = Format(write, tasks=PLACES, scheme="iob2")
