"""Documents made of words and the user's own answers: see `Document.of`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from senna.answers import output_of
from senna.answers.base import Record
from senna.errors import SennaError
from senna.tasks import TASKS
from senna.text.schemes import convert, detect
from senna.text.tokenizer import spaced

PER_TOKEN = ("tags", "phrases", "lemmas")  # what outputs give that have a text per token
TREES = ("head", "deprel")  # the columns of dependency trees


def record_with(words: Sequence[Any], columns: Mapping[str, Sequence[Any]]) -> Record:
    """The dictionary for `Document.from_dict` of words with columns: see `Document.of`."""
    one = all(isinstance(word, str) for word in words)
    sentences = [list(words)] if one else [list(sentence) for sentence in words]
    every: dict[str, list[Any]] = {
        name: [column] if one else [*column] for name, column in columns.items()
    }
    _check(sentences, every)
    tasks = [task for task in TASKS if task in every]
    records: list[Record] = []
    start = 0
    for forms in sentences:
        tokens = [{"text": w, "start": start + i, "end": start + k} for w, i, k in spaced(forms)]
        records.append({"tokens": tokens, "tags": {}})
        start += sum(map(len, forms)) + max(len(forms), 1)
    for task in tasks:
        rows = _in_iobes(every[task]) if output_of(task).is_iobes else every[task]
        for record, row in zip(records, rows, strict=True):
            record["tags"][task] = row
    if set(TREES) <= every.keys():
        tasks.append("dep")
        for record, heads, relations in zip(records, *(every[t] for t in TREES), strict=True):
            record["dependencies"] = {"heads": list(heads), "relations": list(relations)}
    text = "\n".join(map(" ".join, sentences))
    return {"text": text, "tasks": tasks, "sentences": records}


def _check(sentences: list[list[Any]], columns: Mapping[str, list[Any]]) -> None:
    """SennaError for words that are no texts, and for columns that are unknown or do not fit."""
    for word in (word for forms in sentences for word in forms):
        if not isinstance(word, str):
            raise SennaError(f"{word!r} is not a text", mend="Give the words of sentences.")
    known = [*(task for task in TASKS if output_of(task).gives in PER_TOKEN), *TREES]
    for name, rows in columns.items():
        if name not in known:
            raise SennaError(f"unknown column {name!r}", mend=f"Known: {', '.join(known)}.")
        if [_length(row) for row in rows] != list(map(len, sentences)):
            what = f"the column {name!r} does not have one value per word"
            raise SennaError(what, mend="Give a list, or a list per sentence.")
    lacking = [name for name in TREES if name not in columns]
    if len(lacking) == 1:
        raise SennaError(f"no {lacking[0]}", mend="Dependency trees need head and deprel.")


def _length(row: Any) -> int:
    return -1 if isinstance(row, str) or not isinstance(row, Sequence) else len(row)


def _in_iobes(rows: list[list[str]]) -> list[list[str]]:
    """Tags of phrases in whatever scheme they are."""
    scheme = detect(rows)
    return [convert(row, scheme, "iobes") for row in rows]
