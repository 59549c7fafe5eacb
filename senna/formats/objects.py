"""Sentences of a program with gold answers, for `senna.train` and `senna.evaluate`.

Sentences are documents, sentences of documents, or lists of pairs of a word and its tag; for task
label, pairs of a text and its label. To train on them they are written as a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from senna.annotation.predicates import Predicate
from senna.annotation.trees import unbroken
from senna.atomic import make_folder, replacing
from senna.decoding.requests import Scored
from senna.document.document import Document, Sentence
from senna.document.serialise import lines_of
from senna.errors import SennaError
from senna.formats.columns import DOCUMENT_MARK
from senna.kinds import output_of
from senna.kinds.answer import Gold
from senna.kinds.labels.answer import Label, named
from senna.registry import READERS
from senna.tasks import TASKS
from senna.text.tokenizer import tokenize

Given = Iterable[Any]  # a stream of text, or documents, sentences or lists of pairs
# Of gold files, by what their answers are; others are .txt.
SUFFIXES = {"lemmas": "conllu", "dependencies": "conllu", "trees": "mrg", "labels": "tsv"}
GOLD_FORMATS = {"conllu": "conllu", "mrg": "trees", "tsv": "tsv"}  # by the suffix of gold files


# Some sentences of a document; whether it begins with them.
Piece = tuple[Document, bool]


def gold_of(given: Given, task: str, labels: str) -> Iterator[Gold]:
    """The gold sentences of a task; SennaError for what is no sentence, or lacks the task.

    labels: names for labels, as `GoldOptions` has them.
    """
    names = [pair.split("=") for pair in labels.split(",") if pair]
    of_conllu = "HEAD" in TASKS[task].fields  # whose scorer compares all fields
    number = 0
    for doc, opens in _pieces(given, [task]):
        for line, sentence in zip(lines_of(doc.text, doc.rows), doc.sentences, strict=True):
            if not len(sentence):
                continue
            number, answers = number + 1, sentence.answers
            answer = Label(named(answers[task], names)) if names else answers[task]
            pos = {"pos": answers["pos"]} if "pos" in answers else {}
            as_read = READERS["conllu"].sentence_of(line, answers) if of_conllu else None
            gold = Gold(line.words, answer, pos, "sentence", number, opens=opens, given=as_read)
            if answer != "":  # the label of one that is left out
                yield gold
            opens = False


def suffix_of(tasks: Sequence[str]) -> str:
    """The suffix of a file with gold of some tasks."""
    return SUFFIXES.get(output_of(tasks[0]).kind, "txt") if len(tasks) == 1 else "conllu"


def as_text(given: Given, tasks: Sequence[str]) -> str:
    """The text of a file with gold; SennaError for what is no sentence, or lacks a task."""
    if hasattr(given, "read"):
        text = given.read()
        return text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")
    pieces = _pieces(given, tasks)
    if form := GOLD_FORMATS.get(suffix_of(tasks)):
        return "".join(doc.to(form) for doc, _ in pieces)
    output, text = output_of(tasks[0]), ""
    scheme = "bracket" if output.kind == "roles" else "iobes"
    for doc, opens in pieces:
        text += f"{DOCUMENT_MARK}\tO\n\n" * opens
        for sentence in filter(len, doc.sentences):
            words = sentence.words
            columns = words, *output.columns(words, sentence.answers[tasks[0]], scheme)
            rows = zip(*columns, strict=True)
            text += "".join("\t".join(map(unbroken, row)) + "\n" for row in rows) + "\n"
    return text


def kept(given: Given, tasks: Sequence[str], stem: Path) -> Path:
    """A file with sentences, for runs, which read their data again; its name says what it holds."""
    text = as_text(given, tasks).encode("utf-8", "surrogateescape")
    name = f"{stem.name}-{sha256(text).hexdigest()[:8]}.{suffix_of(tasks)}"
    path = stem.with_name("-".join([*tasks, name]))
    make_folder(path.parent)
    with replacing(path) as temporary:
        temporary.write_bytes(text)
    return path


def _pieces(given: Given, tasks: Sequence[str]) -> list[Piece]:
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
        answers = {task: list(map(_plain, rows)) for task, rows in doc.answers.items()}
        pieces.append((Document(doc.text, doc.rows, answers), opens))
    return pieces


def _plain(answer: Any) -> Any:
    """An answer without its probabilities, for which files with gold have no place."""
    if isinstance(answer, Scored):
        return [*answer]
    if isinstance(answer, Label):
        return Label(answer)
    if isinstance(answer, list) and answer and isinstance(answer[0], Predicate):
        return [Predicate(place, [*tags]) for place, tags in answer]
    return answer


def _of_pairs(item: Any, tasks: Sequence[str], number: int) -> Document:
    """The document of a list of words with their tags, or of a text with its label."""
    what = f"item {number}, {item!r:.60}, is not a list of words with their tags"
    remedy = 'Give lists of pairs ([("Anna", "S-PER"), ...]), or documents (senna.Document.of).'
    problem = SennaError(what, remedy=remedy)
    if len(tasks) > 1 or isinstance(item, str):
        raise problem
    labelled = output_of(tasks[0]).kind == "labels"
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
    return Document(text, [tokenize(text)], {tasks[0]: [Label(label)]})
