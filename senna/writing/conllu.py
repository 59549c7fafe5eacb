"""CoNLL-U: parts of speech as XPOS, all else in MISC, as `ner=B-PER`.

A word outside all phrases has no entry. Roles are `srl=2:B-A0,5:S-V`: the number of a predicate's
word, and the word's role for it; trees are cells of a column of brackets. Of CoNLL-U that was read,
all is kept but what is found anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from senna.outputs import output_of
from senna.outputs.base import Annotation, Line
from senna.text.conllu import EMPTY, FIELDS, FORM, ID, MISC, XPOS, as_conllu, escaped
from senna.writing.output import Format, Style

_BLANK = re.compile(r"[\t\n\r]")
NOTHING = ("O", "*")  # tags of a word outside


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """Sentences in CoNLL-U."""
    sentences = []
    for i, line in enumerate(lines):
        of_line = {task: of_task[i] for task, of_task in answers.items()}
        entries = _entries(line, of_line, style)
        if line.given is not None:
            rows, comments = [row[:] for row in line.given.rows], line.given.comments
        else:
            rows, comments = _rows(line), _comments(line)
        comments = _with_labels(comments, of_line)
        words = (row for row in rows if row[ID].isdigit())
        for k, (row, more) in enumerate(zip(words, entries, strict=True)):
            if "pos" in of_line:
                row[XPOS] = escaped(of_line["pos"][k]) or EMPTY
            row[MISC] = _joined(row[MISC], more, answers)
        sentences.append(as_conllu(comments, rows))
    return "".join(sentences)


def _entries(line: Line, answers: dict[str, Any], style: Style) -> list[dict[str, str]]:
    """What each word gets in MISC."""
    words = line.words
    of_words: list[dict[str, str]] = [{} for _ in words]
    for task, answer in answers.items():
        if task == "pos":
            continue
        cells = output_of(task).cells(words, answer, style.scheme)
        for entries, cell in zip(of_words, cells, strict=True):
            if cell not in NOTHING and cell:
                entries[task] = cell
    for entries, (start, end) in zip(of_words, line.places if style.offsets else (), strict=False):
        entries |= {"start_char": str(start), "end_char": str(end)}
    return of_words


def _joined(misc: str, more: dict[str, str], tasks: Annotation) -> str:
    """MISC with new entries; older entries of these tasks are dropped."""
    gone = {*tasks, *more}
    kept = [part for part in misc.split("|") if part.partition("=")[0] not in gone]
    kept = [part for part in kept if part and part != EMPTY]
    return "|".join([*kept, *(f"{name}={escaped(cell)}" for name, cell in more.items())]) or EMPTY


def _rows(line: Line) -> list[list[str]]:
    """The rows of a sentence that was no CoNLL-U."""
    rows = []
    for i, token in enumerate(line.tokens, start=1):
        row = [str(i), _BLANK.sub(" ", token.text) or EMPTY, *[EMPTY] * (FIELDS - 2)]
        rows.append(row)
    for row, (token, following) in zip(rows, pairwise(line.tokens), strict=False):
        if token.end == following.start:
            row[MISC] = "SpaceAfter=No"
    return rows


def _with_labels(comments: list[str], answers: dict[str, Any]) -> list[str]:
    """Comments with those of answers; older ones of their names are dropped."""
    named = {
        name: value
        for task, answer in answers.items()
        for name, value in output_of(task).comments(task, answer).items()
    }
    kept = [line for line in comments if line[1:].partition("=")[0].strip() not in named]
    return [*kept, *(f"# {name} = {_BLANK.sub(' ', value)}" for name, value in named.items())]


def _comments(line: Line) -> list[str]:
    opened = f"# newdoc id = {_BLANK.sub(' ', line.file)}" if line.file else "# newdoc"
    opened += f":{line.row}" if line.row and line.file else ""
    text = ""
    for row in _rows(line):
        text += row[FORM] + " " * (row[MISC] == EMPTY)
    return [*([opened] if line.opens else []), f"# text = {text.rstrip(' ')}"]


FORMAT = Format(write, offsets=True)
