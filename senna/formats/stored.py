"""Files that are tagged already: lines of JSON, CoNLL-U, texts with spans: see `senna.read`."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import Any, NamedTuple

from senna.annotation.schemes import tags_of
from senna.document.serialise import Contents, from_dict
from senna.errors import SennaError
from senna.extras.standoff import is_standoff, read_standoff, tagged
from senna.files import ending, open_text
from senna.formats.conllu import answers_of, placed
from senna.formats.conllu_lines import EMPTY, ConlluReader, ConlluSentence
from senna.formats.gold import HEADING
from senna.kinds import output_of, types_of
from senna.kinds.answer import DocumentError, Record, phrase_of, whole
from senna.pipeline.format import documents
from senna.tasks import NAMES, TASKS, in_task_order

CONLLU = (".conllu", ".conllup")
STORED = (".jsonl", ".ann", *CONLLU)  # of files that are tagged already
WRITTEN = "Each line is what senna tag --format jsonl or doc.to_json() wrote."


class _Kind(NamedTuple):
    """A kind of tagged file: its documents, and its sentences, by what was read and its name."""

    documents: Callable[[Any, str], Iterator[Contents]]
    sentences: Callable[[Any, str, Iterable[str]], Iterator[tuple[Record, Contents]]]


@contextmanager
def _opened(name: str) -> Iterator[tuple[_Kind, Iterable[Any]]]:
    """Open a file; its kind and its lines or objects."""
    with open_text(name) as lines:
        if ending(name) in CONLLU:
            yield _CONLLU, ConlluReader()(lines, name=name)
            return
        first = list(islice(lines, HEADING))
        yield _SPANS if is_standoff(first, name) else _JSON, chain(first, lines)


def read(name: str) -> Iterator[Contents]:
    """See `senna.read`."""
    with _opened(name) as (kind, content):
        yield from kind.documents(content, name)


def sentences(name: str, tasks: Iterable[str] = ()) -> Iterator[tuple[Record, Contents]]:
    """Of each sentence of such a file where it is from, and a document of it alone.

    Where: `file`, `line` or `row`, and `start`, as lines of JSON have them. In CoNLL-U, nothing
    says that a sentence was tagged if nothing was found: of `tasks`, it gets empty answers. What
    holds whole documents gives these.
    """
    with _opened(name) as (kind, content):
        yield from kind.sentences(content, name, tasks)


def _conllu_documents(read: Iterable[ConlluSentence], name: str) -> Iterator[Contents]:
    for held in documents(read, lambda sentence: sentence.opens_document):
        yield _of_conllu(held, name)


def _conllu_sentences(
    read: Iterable[ConlluSentence], name: str, tasks: Iterable[str]
) -> Iterator[tuple[Record, Contents]]:
    for sentence in read:
        parts = _of_conllu([sentence], name)
        for task in {*tasks} - {*parts.answers}:
            parts.answers.update(_nothing(task, len(sentence.words)))
        yield {"file": name, "line": sentence.line}, parts


def _spans(
    lines: Iterable[str], name: str, tasks: Iterable[str] = ()
) -> Iterator[tuple[Record, Contents]]:
    for marked, rows in tagged(read_standoff(lines, name), warnings.warn):
        answers = {NAMES: [row[1] for row in rows]}
        contents = Contents(marked.text, [row[0] for row in rows], answers)
        yield {"file": name, "line": marked.line}, contents


def sentences_of(
    lines: Iterable[str], name: str, tasks: Iterable[str] = ()
) -> Iterator[tuple[Record, Contents]]:
    """See `sentences`; of lines of JSON."""
    for number, record in _records(lines, name):
        if "sentences" in record:
            with _at(name, number):
                contents = from_dict(record)
            yield {"file": name}, contents
        else:
            with _at(name, number):
                where = {"file": name, **_origin(record)}
            yield where, _of_records([(number, record)], name)


def _origin(record: Record) -> Record:
    """Where a sentence is from; SennaError for what is no place."""
    if not isinstance(record, dict):
        raise DocumentError("a line is not a JSON object")
    numbers: Record = {
        name: whole(record[name]) for name in ("line", "row", "start") if name in record
    }
    file = record.get("file")
    if file is not None and not isinstance(file, str):
        raise DocumentError(f"{file!r:.60} is not the name of a file")
    return numbers if file is None else {"file": file, **numbers}


def of_lines(lines: Iterable[str], name: str) -> Iterator[Contents]:
    """The documents of lines of JSON."""
    held: list[tuple[int, Record]] = []  # with their lines
    for number, record in _records(lines, name):
        if "sentences" in record:
            with _at(name, number):
                contents = from_dict(record)
            yield contents
            continue
        source = record.get("file"), record.get("row")
        if held and (held[-1][1].get("file"), held[-1][1].get("row")) != source:
            yield _of_records(held, name)
            held = []
        held.append((number, record))
    if held:
        yield _of_records(held, name)


def _records(lines: Iterable[str], name: str) -> Iterator[tuple[int, Record]]:
    """The objects of lines of JSON, with the numbers of their lines; blank lines are left out."""
    for number, line in enumerate(lines, start=1):
        line = line.removeprefix("\ufeff") if number == 1 else line
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            remedy = "senna.read takes .jsonl and .conllu; nlp(text) tags text."
            raise SennaError("not valid JSON", where=f"{name}:{number}", remedy=remedy) from None
        if not isinstance(record, dict):
            raise SennaError("not a JSON object", where=f"{name}:{number}", remedy=WRITTEN)
        yield number, record


@contextmanager
def _at(name: str, number: int) -> Iterator[None]:
    try:
        yield
    except SennaError as error:
        raise SennaError(error.what, where=f"{name}:{number}", remedy=error.remedy) from None


def _of_records(held: Sequence[tuple[int, Record]], name: str) -> Contents:
    """The document of sentences; raises SennaError with the line of one that is none."""
    try:
        return document_of([record for _, record in held])
    except DocumentError as error:
        where = f"{name}:{held[max(error.sentence, 1) - 1][0]}"
        raise SennaError(error.why, where=where, remedy=WRITTEN) from None


def document_of(records: Sequence[Record]) -> Contents:
    """The document of sentences as lines of JSON have them, a line end between two of them."""
    placed = []
    start = 0
    for number, record in enumerate(records, start=1):
        try:
            words = [token["text"] for token in record["tokens"]]
            tokens = list(_found(words, record["text"], start))
            placed.append({**record, "tokens": tokens, "tags": _tags(record)})
        except (KeyError, TypeError, AttributeError):
            raise DocumentError("a sentence without text and tokens", number) from None
        except DocumentError as error:
            raise DocumentError(error.why, number) from None
        start += len(record["text"]) + 1
    tasks = in_task_order(_tasks(records[0]))
    text = "\n".join(record["text"] for record in records)
    return from_dict({"text": text, "tasks": tasks, "sentences": placed})


def _found(words: Iterable[str], text: str, start: int) -> Iterator[Record]:
    """Words with their places in a text that begins at `start`.

    Each is the next one there. One that is not begins where the word before ends.
    """
    end = 0
    for word in words:
        found = text.find(word, end)
        begin = end if found < 0 else found
        end = min(begin + len(word), len(text))
        yield {"text": word, "start": start + begin, "end": start + end}


def _tags(record: Record) -> Record:
    n, tags, spans = len(record["tokens"]), record.get("tags", {}), record.get("spans", {})
    if not (isinstance(tags, dict) and isinstance(spans, dict)):
        raise DocumentError("tags or spans that are not by task")
    tags = dict(tags)
    for task, of_task in spans.items():
        tags[task] = tags_of([phrase_of(span, "label", n) for span in of_task], n, "iobes")
    return tags


def _tasks(record: Record) -> set[str]:
    names = {name for key in ("tags", "spans") for name in record.get(key, {})}
    for task in TASKS:
        fields = types_of(task)
        own = [name for name in fields if name not in ("tags", "spans", "scores")]
        if own and all(name in record for name in own):
            names.add(task)
    return names & set(TASKS)


def _of_conllu(sentences: Sequence[ConlluSentence], name: str) -> Contents:
    rows, texts, start = [], [], 0
    for sentence in sentences:
        text, tokens = placed(sentence, start)
        rows.append(tokens)
        texts.append(text)
        start += len(text) + 1
    return Contents("\n".join(texts), rows, answers_of(TASKS, sentences, name))


def _nothing(task: str, n: int) -> dict[str, list[Any]]:
    """The answer of a task for one sentence of n words where nothing was found, if it may be so."""
    if output_of(task).kind == "phrases":
        return {task: [["O"] * n]}
    if output_of(task).kind == "roles":
        return {task: [[]]}
    return {task: [[EMPTY] * n]} if task == "feats" else {}


_CONLLU = _Kind(_conllu_documents, _conllu_sentences)
_SPANS = _Kind(lambda lines, name: (contents for _, contents in _spans(lines, name)), _spans)
_JSON = _Kind(of_lines, sentences_of)
