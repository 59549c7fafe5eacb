"""Gold of files in CoNLL-U, which have the answers of several tasks side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from senna.errors import SennaError
from senna.outputs import output_of
from senna.outputs.base import Gold
from senna.tasks import TASKS
from senna.text.conllu import (
    EMPTY,
    FORM,
    LEMMA,
    NAMES,
    XPOS,
    ConlluSentence,
    checked_arcs,
    read_conllu,
)
from senna.text.lemmas import Lemma


def _column(place: int) -> Callable[[ConlluSentence, str], list[str]]:
    return lambda sentence, name: [row[place] for row in sentence.words]


def _lemmas(sentence: ConlluSentence, name: str) -> list[Lemma]:
    return [Lemma.of(row[FORM], row[LEMMA]) for row in sentence.words]


# What of a sentence, of a file called so, is the answer of a task.
ANSWERS: dict[str, Callable[[ConlluSentence, str], Any]] = {
    "pos": _column(NAMES.index("XPOS")),
    "upos": _column(NAMES.index("UPOS")),
    "feats": _column(NAMES.index("FEATS")),
    "lemma": _lemmas,
    "dep": checked_arcs,
}
MAY_BE_EMPTY = ("feats", "dep")


def fields_of(answers: Mapping[str, Any], words: Sequence[str]) -> dict[str, list[str]]:
    """The fields of CoNLL-U that answers of tasks about a sentence's words fill."""
    return {
        field: column
        for task, answer in answers.items()
        for field, column in zip(
            TASKS[task].fields, output_of(task).columns(words, answer, ""), strict=False
        )
    }


def read_gold(task: str, lines: Iterable[str], name: str, columns: str) -> Iterator[Gold]:
    """The gold sentences of a task in a file called `name`; SennaError if it has none."""
    if task not in ANSWERS:
        mend = f"It has {', '.join(ANSWERS)}."
        raise SennaError(f"CoNLL-U has nothing for task {task}", where=name, mend=mend)
    if columns:
        raise SennaError("the columns of CoNLL-U have names", where=name)
    for sentence in read_conllu(lines, name=name):
        answer = ANSWERS[task](sentence, name)
        if task not in MAY_BE_EMPTY and all(tag == EMPTY for tag in answer):
            what = f"a sentence without {TASKS[task].about} (its {TASKS[task].fields[0]} is empty)"
            raise SennaError(what, where=f"{name}:{sentence.line}")
        forms, tags = [row[FORM] for row in sentence.words], [row[XPOS] for row in sentence.words]
        known = {} if EMPTY in tags else {"pos": tags}
        opens = sentence.opens_document
        yield Gold(forms, answer, known, name, sentence.line, opens=opens, given=sentence)
