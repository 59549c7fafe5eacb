"""What documents are made of that no model tagged, and what they are written as."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from senna.document.exchange import lines_of
from senna.errors import SennaError
from senna.outputs import output_of
from senna.outputs.base import Annotation
from senna.tasks import TASKS, in_task_order, task_of
from senna.text.schemes import convert, detect
from senna.text.tokenizer import Token, spaced
from senna.writing import FORMATS
from senna.writing.output import Style, check_needs, format_of

BYTES = ("parquet", "svg")  # formats that are no text of all sentences


def of_words(words: Any, answers: Mapping[str, Any]) -> tuple[str, list[list[Token]], Annotation]:
    """Text, tokens and answers of words and tags: see `Document.of`."""
    one = all(isinstance(word, str) for word in words)
    sentences = [list(words)] if one else [list(sentence) for sentence in words]
    rows, start = [], 0
    for sentence in sentences:
        rows.append([Token(text, start + i, start + k) for text, i, k in spaced(sentence)])
        start += sum(map(len, sentence)) + max(len(sentence), 1)
    found = {
        task: _tags(task, [answers[task]] if one else answers[task], sentences)
        for task in in_task_order(task_of(name).name for name in answers)
    }
    return "\n".join(map(" ".join, sentences)), rows, found


def _tags(task: str, rows: Any, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
    if not TASKS[task].is_tagging:
        raise SennaError("the task gives words no tags", where=task)
    numbers = [len(tags) for tags in rows], [len(words) for words in sentences]
    if numbers[0] != numbers[1]:
        raise SennaError(f"tags of {numbers[0]} words, but there are {numbers[1]}", where=task)
    tags = [list(tags) for tags in rows]
    if not output_of(task).is_iobes:
        return tags
    scheme = detect(tags)
    return [convert(row, scheme, "iobes") for row in tags]


def written(format: str, text: str, rows: Sequence[Sequence[Token]], answers: Annotation) -> str:
    """A document in an output format: see `Document.to`."""
    if format not in FORMATS or format in BYTES:
        known = ", ".join(name for name in FORMATS if name not in BYTES)
        raise SennaError(f"no text format {format!r}", mend=f"Known: {known}.")
    check_needs(format, list(answers))
    form = format_of(format)
    style = Style(form.scheme)
    lines = [line._replace(line=i) for i, line in enumerate(lines_of(text, rows), 1)]
    there = [i for i, line in enumerate(lines) if line.tokens]  # formats have no empty sentences
    found = {task: [of_task[i] for i in there] for task, of_task in answers.items()}
    opened = [lines[i]._replace(opens=i == there[0]) for i in there]
    body = form.write(opened, found, style)
    return form.begin(style) + body + form.end + form.foot
