"""What `senna eval` scores: columns with both tags, or gold columns that a model tags first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from senna.errors import SennaError
from senna.files import open_text
from senna.infer.model_folder import shipped
from senna.infer.pipeline import Pipeline
from senna.infer.stream import LINES, pos_column
from senna.scoring.tagged import TaggedSentence, read_tagged
from senna.text import pt0, schemes
from senna.text.columns import read_columns
from senna.text.roles import marks_of, read_roles


class Tagged(NamedTuple):
    """Sentences with gold and predicted tags, and the words that their model was trained on."""

    sentences: Iterator[TaggedSentence]
    known: frozenset[str] | None = None


def tag_columns(model: Path, task: str, file: str, kinds: str = "v", names: str = "") -> Tagged:
    """Tag the sentences of a column file, word first and gold tag last, with a model's folder.

    `model` may also be the name of a task that ships; `file` may be "-", standard input. For
    predicates it is a file of roles, with the `names` of its columns; `kinds` of them count.
    """
    if not model.exists():
        model = shipped().get(str(model), model)
    pipeline = Pipeline.load([task], model)
    known = pipeline.known_words(task)
    if task == "predicates":
        return Tagged(_marked(pipeline, file, kinds, names), known)
    return Tagged(_tagged(pipeline, task, file), known)


def _tagged(pipeline: Pipeline, task: str, file: str) -> Iterator[TaggedSentence]:
    name = "<stdin>" if file == "-" else file
    with open_text(file) as stream:
        found = read_columns(stream, name=name)
        while piece := list(islice(found, LINES)):
            rows = [sentence.rows for sentence in piece]
            words = [[row[0] for row in sentence] for sentence in rows]
            tags = pipeline.tag(words, pos_column(pipeline, rows))[task]
            for sentence, own, predicted in zip(piece, words, tags, strict=True):
                if len(sentence.rows[0]) < 2:
                    raise SennaError("no gold column", where=f"{name}:{sentence.line}")
                gold = [row[-1] for row in sentence.rows]
                if task == "pt0":
                    gold = pt0.regular(gold)
                yield TaggedSentence(own, gold, predicted, name, sentence.line)


def _marked(pipeline: Pipeline, file: str, kinds: str, names: str) -> Iterator[TaggedSentence]:
    """Words that are predicates of some kinds, against those found."""
    name = "<stdin>" if file == "-" else file
    chosen = [] if kinds == "all" else [kind.strip() for kind in kinds.split(",")]
    with open_text(file) as stream:
        found = read_roles(stream, name=name, names=names)
        while piece := list(islice(found, LINES)):
            words = [sentence.forms for sentence in piece]
            pos = [s.pos or [] for s in piece] if pipeline.needs_pos_column else None
            tags = pipeline.tag(words, pos)["predicates"]
            for sentence, predicted in zip(piece, tags, strict=True):
                gold = marks_of(len(sentence.forms), sentence.of_kinds(chosen))
                yield TaggedSentence(sentence.forms, gold, predicted, name, sentence.line)


def read_both(file: str, delimiter: str | None, raw: bool, outside: str) -> Tagged:
    """Columns whose last two are gold and predicted; undecodable bytes are kept."""

    def sentences() -> Iterator[TaggedSentence]:
        name = "<stdin>" if file == "-" else file
        with open_text(file, errors="surrogateescape") as stream:
            yield from read_tagged(
                stream.buffer, name=name, delimiter=delimiter, raw=raw, outside=outside
            )

    return Tagged(sentences())


def merge_to(sentence: TaggedSentence) -> TaggedSentence:
    """Treebanks differ: the preposition *to* is TO in the Penn Treebank, IN in later ones."""
    gold, predicted = (
        schemes.merge_to(sentence.words, t) for t in (sentence.gold, sentence.predicted)
    )
    return sentence._replace(gold=gold, predicted=predicted)
