"""The layout of CoNLL-2003: word, part of speech, chunk, name, a space between.

What is not asked for is `_`, so that each column keeps its place. Trees and roles follow
as in CoNLL-2005, in brackets, predicates before their roles. A document begins with a mark.
"""

from __future__ import annotations

from senna.answers import output_of
from senna.answers.base import Answers, Line
from senna.formats.base import Format, Style, unbroken
from senna.text.columns import DOCUMENT_MARK

PLACES = ("pos", "chunk", "ner")  # of the columns after the word


def _sentence(line: Line, answers: Answers, style: Style) -> str:
    """A sentence as columns, then a blank line."""
    later = [task for task in answers if task not in PLACES]
    later.sort(key=lambda task: output_of(task).varies)  # any number of columns comes last
    words = line.words
    columns = [words]
    for task in (*PLACES, *later):
        if task in answers:
            output = output_of(task)
            scheme = "bracket" if output.varies else style.scheme
            columns += output.columns(words, answers[task], scheme)
        else:
            columns.append(["_"] * len(words))
    mark = " ".join([DOCUMENT_MARK, "-X-", *["O"] * (len(columns) - 2)]) + "\n\n"
    rows = (" ".join(map(unbroken, row)) for row in zip(*columns, strict=True))
    return mark * line.opens + "\n".join(rows) + "\n\n"


FORMAT = Format(_sentence, tasks=PLACES, scheme="iob2")
