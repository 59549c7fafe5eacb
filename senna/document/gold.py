"""Sentences of a program as text with gold: what `senna.train` and `senna.evaluate` take as files.

Sentences are documents, sentences of documents, or lists of pairs of a word and its tag; for task
label, pairs of a text and its label. They are written as files of the task have them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from senna.annotation.columns import DOCUMENT_MARK, unbroken
from senna.document.document import Document, Sentence
from senna.errors import SennaError
from senna.files import make_folder, replacing
from senna.kinds import output_of
from senna.kinds.labels.answer import Label

Given = Iterable[Any]  # a stream of text, or documents, sentences or lists of pairs
GOLD_FORMATS = {"conllu": "conllu", "mrg": "trees", "tsv": "tsv"}  # by the suffix of gold files


# Some sentences of a document with the answers of some tasks; whether it begins with them.
Piece = tuple[Document, bool]


def suffix_of(tasks: Sequence[str]) -> str:
    """The suffix of a file with gold of some tasks."""
    return output_of(tasks[0]).suffix if len(tasks) == 1 else "conllu"


def as_text(given: Given, tasks: Sequence[str]) -> str:
    """The text of a file with gold; SennaError for what is no sentence, or lacks a task."""
    return _written(given, tasks, GOLD_FORMATS.get(suffix_of(tasks), ""))


def kept(given: Given, tasks: Sequence[str], stem: Path) -> Path:
    """A file with sentences, for runs, which read their data again; its name says what it holds."""
    text = as_text(given, tasks).encode("utf-8", "surrogateescape")
    name = f"{stem.name}-{sha256(text).hexdigest()[:8]}.{suffix_of(tasks)}"
    path = stem.with_name("-".join([*tasks, name]))
    make_folder(path.parent)
    with replacing(path) as temporary:
        temporary.write_bytes(text)
    return path


def _written(given: Given, tasks: Sequence[str], form: str) -> str:
    """Sentences in a format, or as columns of words and answers; a stream as it is."""
    if hasattr(given, "read"):
        text = given.read()
        return text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")
    pieces = _pieces(given, tasks)
    if form:
        return "".join(doc.to(form) for doc, _ in pieces)
    output, text = output_of(tasks[0]), ""
    for piece in pieces:
        text += f"{DOCUMENT_MARK}\tO\n\n" * piece[1]
        for words, answer in _sentences([piece], tasks[0]):
            scheme = "bracket" if output.varies else "iobes"
            text += _block([words, *output.columns(words, answer, scheme)])
    return text


@contextmanager
def as_files(task: str, gold: Any, predicted: Any, scored: bool) -> Iterator[list[Path]]:
    """Files with gold sentences and, where they need a file of their own, with predicted ones.

    scored: the sentences are compared as they are. Errors in the files name them by what they are.
    """
    texts = _texts(task, gold, predicted, scored)
    with TemporaryDirectory(prefix="senna-") as folder:
        files = [Path(folder) / name for name in ("gold", "predicted")[: len(texts)]]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text, encoding="utf-8", errors="surrogateescape", newline="")
        try:
            yield files
        except SennaError as error:
            where = error.where.replace(f"{folder}{os.sep}", "")
            raise SennaError(error.what, where=where, remedy=error.remedy) from None


def _texts(task: str, gold: Any, predicted: Any, scored: bool) -> list[str]:
    if isinstance(predicted, str | os.PathLike):
        remedy = "Read the file with senna.read()."
        raise SennaError(
            "sentences are not compared with a file", where=str(predicted), remedy=remedy
        )
    if predicted is not None and not scored:
        raise SennaError("with a model, only gold sentences are given", where="predicted")
    if predicted is None:
        if scored and not hasattr(gold, "read"):
            remedy = "Give predicted sentences, or a model."
            raise SennaError("gold sentences have nothing to be compared with", remedy=remedy)
        return [as_text(gold, [task])]
    if not output_of(task).side_by_side:
        form = "props" if output_of(task).varies else GOLD_FORMATS[suffix_of([task])]
        return [_written(given, [task], form) for given in (gold, predicted)]
    if hasattr(gold, "read"):
        return [_written(given, [task], "") for given in (gold, predicted)]
    both = [_sentences(_pieces(given, [task]), task) for given in (gold, predicted)]
    text = ""
    for (words, right), (same, guess) in zip_longest(*both, fillvalue=([], None)):
        if words != same:
            what = f"the predicted sentence {' '.join(same)!r:.60} stands where gold has "
            raise SennaError(f"{what}{' '.join(words)!r:.60}")
        columns = [output_of(task).columns(words, answer, "iobes") for answer in (right, guess)]
        text += _block([words, *columns[0], *columns[1]])
    return [text]


def _pieces(given: Given, tasks: Sequence[str]) -> list[Piece]:
    """The sentences, as documents with the answers of some tasks alone."""
    if not isinstance(given, Iterable):
        remedy = "Give paths, or sentences: senna.Document.of(words, ner=tags)."
        raise SennaError(f"{given!r:.60} is neither a file nor sentences", remedy=remedy)
    pieces = []
    for number, item in enumerate(given, start=1):
        opens = True
        if isinstance(item, Document):
            doc = item
        elif isinstance(item, Sentence):
            answers = {task: [answer] for task, answer in item.answers.items()}
            doc = Document(item.doc.text, [item.doc.rows[item.index]], answers)
            opens = not item.index
        else:
            doc, opens = _of_pairs(item, tasks, number), False
        for task in tasks:
            if task not in doc.answers:
                remedy = f"It has {', '.join(doc.answers) or 'no answers'}."
                raise SennaError(f"item {number} of the sentences has no {task}", remedy=remedy)
        kept = {*tasks, "pos", *(t for task in tasks for t in output_of(task).beside)}
        asked = {t: answer for t, answer in doc.answers.items() if t in kept}
        pieces.append((Document(doc.text, doc.rows, asked), opens))
    return pieces


def _of_pairs(item: Any, tasks: Sequence[str], number: int) -> Document:
    """The document of a list of words with their tags, or of a text with its label."""
    what = f"item {number}, {item!r:.60}, is not a list of words with their tags"
    remedy = 'Give lists of pairs ([("Anna", "S-PER"), ...]), or documents (senna.Document.of).'
    problem = SennaError(what, remedy=remedy)
    if len(tasks) > 1 or isinstance(item, str):
        raise problem
    labelled = output_of(tasks[0]).of_sentences
    pairs = [item] if labelled else item
    try:
        words, tags = zip(*pairs, strict=True) if pairs else ((), ())
    except (TypeError, ValueError):
        raise problem from None
    if not all(isinstance(text, str) for text in (*words, *tags)):
        raise problem
    if not labelled:
        return Document.of(words, **{tasks[0]: tags})
    [text], [label] = words, tags
    doc = Document.of(text.split())
    return Document(doc.text, doc.rows, {tasks[0]: [Label(label)]})


def _sentences(pieces: Iterable[Piece], task: str) -> list[tuple[list[str], Any]]:
    return [
        (sentence.words, sentence.answers[task])
        for doc, _ in pieces
        for sentence in doc.sentences
        if len(sentence)
    ]


def _block(columns: Sequence[Sequence[str]]) -> str:
    """A sentence as lines of cells, and a blank line."""
    rows = zip(*columns, strict=True)
    return "".join("\t".join(map(unbroken, row)) + "\n" for row in rows) + "\n"
