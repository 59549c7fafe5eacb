"""Gold of files in CoNLL-2012, which have the answers of several tasks side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from senna.answers.base import Gold
from senna.errors import SennaError
from senna.text.conll2012 import UNKNOWN, Conll2012Sentence, read_conll2012
from senna.text.roles import marks_of

# What of a sentence is the answer of a task.
ANSWERS: dict[str, Callable[[Conll2012Sentence], Any]] = {
    "pos": lambda sentence: sentence.pos,
    "ner": lambda sentence: sentence.names,
    "srl": lambda sentence: sentence.predicates,
    "predicates": lambda sentence: marks_of(len(sentence.rows), sentence.predicates),
    "psg": lambda sentence: sentence.tree,
}


def read_gold(task: str, lines: Iterable[str], name: str, columns: str) -> Iterator[Gold]:
    """The gold sentences of a task in a file called `name`; SennaError if it has none."""
    if task not in ANSWERS:
        mend = f"It has {', '.join(ANSWERS)}."
        raise SennaError(f"CoNLL-2012 has nothing for task {task}", where=name, mend=mend)
    if columns:
        raise SennaError("the columns of CoNLL-2012 have names", where=name)
    for sentence in read_conll2012(lines, name=name):
        if task in ("pos", "psg") and UNKNOWN in sentence.column(4):
            what = "a word without a part of speech"
            raise SennaError(what, where=f"{name}:{sentence.line}")
        tags = {"pos": sentence.pos} if sentence.pos else {}
        yield Gold(
            sentence.forms,
            ANSWERS[task](sentence),
            tags,
            name,
            sentence.line,
            opens=sentence.opens_document,
        )
