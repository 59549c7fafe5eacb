"""CoNLL-U: what has a field of its own there, and all else in MISC, for example `ner=B-PER`.

A word outside all phrases has no entry. Roles are `srl=2:B-A0,5:S-V`: the number of a predicate's
word, and the word's role for it; trees are cells of a column of brackets. Contractions have a line
above their words, `1-2 don't`. Of CoNLL-U that was read, all is kept but what is found anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from senna.outputs import output_of
from senna.outputs.base import Annotation, Line
from senna.outputs.conllu import fields_of
from senna.tasks import TASKS
from senna.text import english
from senna.text.conllu import (
    EMPTY,
    FIELDS,
    MISC,
    ConlluSentence,
    as_conllu,
    escaped,
    filled,
)
from senna.writing.output import Format, Style

_BLANK = re.compile(r"[\t\n\r]")
NOTHING = ("O", "*")  # tags of a word outside
GLUED = "SpaceAfter=No"


def write(lines: Sequence[Line], answers: Annotation, style: Style) -> str:
    """Sentences in CoNLL-U."""
    sentences = []
    for i, line in enumerate(lines):
        of_line = {task: of_task[i] for task, of_task in answers.items()}
        sentence = filled(line.given or _sentence(line), fields_of(of_line, line.words))
        entries = _entries(line, of_line, style)
        for row, more in zip(sentence.words, entries, strict=True):
            row[MISC] = _joined(row[MISC], more, answers)
        sentences.append(as_conllu(_with_labels(sentence.comments, of_line), sentence.rows))
    return "".join(sentences)


def _entries(line: Line, answers: dict[str, Any], style: Style) -> list[dict[str, str]]:
    """What each word gets in MISC."""
    words = line.words
    of_words: list[dict[str, str]] = [{} for _ in words]
    for task, answer in answers.items():
        if TASKS[task].fields:
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


def _sentence(line: Line) -> ConlluSentence:
    """A sentence that was no CoNLL-U."""
    forms = [_BLANK.sub(" ", token.text) or EMPTY for token in line.tokens]
    glued = [token.end == following.start for token, following in pairwise(line.tokens)] + [False]
    whole = dict(english.contractions(forms, glued))
    rows, text, inside = [], "", 0  # the end of the contraction in which words stand
    for i, form in enumerate(forms):
        if i in whole:
            inside = whole[i]
            rows.append(_row(f"{i + 1}-{inside}", "".join(forms[i:inside]), glued[inside - 1]))
        rows.append(_row(str(i + 1), form, glued[i] and i >= inside))
        text += form + " " * (not glued[i])
    return ConlluSentence(_comments(line, text.rstrip(" ")), rows)


def _row(number: str, form: str, glued: bool) -> list[str]:
    return [number, form, *[EMPTY] * (FIELDS - 3), GLUED if glued else EMPTY]


def _with_labels(comments: list[str], answers: dict[str, Any]) -> list[str]:
    """Comments with those of answers; older ones of their names are dropped."""
    named = {
        name: value
        for task, answer in answers.items()
        for name, value in output_of(task).comments(task, answer).items()
    }
    kept = [line for line in comments if line[1:].partition("=")[0].strip() not in named]
    return [*kept, *(f"# {name} = {_BLANK.sub(' ', value)}" for name, value in named.items())]


def _comments(line: Line, text: str) -> list[str]:
    """What stands above the words; the name of a sentence is unique in its input."""
    file = _BLANK.sub(" ", line.file)
    opened = f"# newdoc id = {file}" if file else "# newdoc"
    opened += f":{line.row}" if line.row and file else ""
    place = f"{line.row or line.line}.{line.places[0][0]}" if line.tokens else "0"
    name = f"{re.sub(r'[ /]', '_', file)}:" * bool(file) + place
    return [*([opened] if line.opens else []), f"# sent_id = {name}", f"# text = {text}"]


FORMAT = Format(write, offsets=True)
