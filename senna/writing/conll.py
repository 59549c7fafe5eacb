"""The layout of CoNLL-2003: word, part of speech, chunk, name, a space between.

What is not asked for is `_`, so that each column keeps its place. Trees and roles follow
as in CoNLL-2005, in brackets, predicates before their roles. A document begins with a mark.
"""

from __future__ import annotations

from collections.abc import Sequence

from senna.infer.pipeline import Annotation
from senna.outputs import output_of
from senna.text.columns import DOCUMENT_MARK
from senna.writing.cells import unbroken
from senna.writing.output import WRITERS, Format, Line, Style

PLACES = ("pos", "chunk", "ner")  # of the columns after the word


def write(lines: Sequence[Line], found: Annotation, style: Style) -> str:
    """Sentences as columns, a blank line after each."""
    later = [task for task in found if task not in PLACES]
    later.sort(
        key=lambda task: output_of(task).gives == "roles"
    )  # which have any number of columns
    made = []
    for i, line in enumerate(lines):
        words = line.words
        columns = [[unbroken(word) for word in words]]
        for task in (*PLACES, *later):
            if task not in found:
                columns.append(["_"] * len(words))
                continue
            output = output_of(task).gives
            scheme = "bracket" if output == "roles" else style.scheme
            own = WRITERS[output].columns(words, found[task][i], scheme)
            columns += [[unbroken(cell) for cell in column] for column in own]
        if line.opens:
            marks = [DOCUMENT_MARK, "-X-", "-X-", "O", *["O"] * (len(columns) - 4)]
            made.append(" ".join(marks))
        made.append("\n".join(map(" ".join, zip(*columns, strict=True))))
    made.append("")
    return "\n\n".join(made)


FORMAT = Format(write, tasks=PLACES, scheme="iob2")
