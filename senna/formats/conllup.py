"""CoNLL-U Plus: as `senna.formats.conllu`, but with a column for each task without a field there.

The columns are always the same; those of tasks that were not tagged are `_`.
"""

from __future__ import annotations

from senna.answers import output_of
from senna.answers.base import Answers, Line
from senna.formats import conllu
from senna.formats.base import Style
from senna.tasks import TASKS
from senna.text.conllu import EMPTY, NAMES, PLUS, escaped

COLUMNS = tuple(
    name for name, task in TASKS.items() if not task.fields and task.output != "labels"
)  # those of MISC


def _written(line: Line, answers: Answers, style: Style) -> str:
    plain = {task: answer for task, answer in answers.items() if task not in COLUMNS}
    words = line.words
    cells = [
        output_of(task).cells(words, answers[task], style.scheme)
        if task in answers
        else [EMPTY] * len(words)
        for task in COLUMNS
    ]
    columns = iter(zip(*cells, strict=True))
    written = []
    for row in conllu.FORMAT.sentence(line, plain, style).split("\n"):
        number = row.partition("\t")[0]
        if not row or row.startswith("#"):
            written.append(row)
        elif number.isdigit():
            more = [escaped(cell) or EMPTY for cell in next(columns)]
            written.append("\t".join([row, *more]))
        else:
            written.append("\t".join([row, *[EMPTY] * len(COLUMNS)]))
    return "\n".join(written)


FORMAT = conllu.FORMAT._replace(
    sentence=_written,
    head=" ".join([PLUS, *NAMES, *(f"SENNA:{name.upper()}" for name in COLUMNS)]) + "\n",
)
