"""Documents of files that were written: JSON lines, `to_json`, CoNLL-U."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from senna.answers import output_of
from senna.answers.base import DocumentError, Record, phrase_of, whole
from senna.answers.conllu import answers_of
from senna.document.document import Document
from senna.errors import SennaError
from senna.files import open_text
from senna.tasks import NAMES, TASKS, in_task_order
from senna.text.conllu import EMPTY, FORM, ConlluReader, ConlluSentence
from senna.text.headings import HEADING
from senna.text.schemes import tags_of
from senna.text.standoff import is_standoff, read_standoff
from senna.text.tokenizer import Tokens


def read(path: str | Path) -> Iterator[Document]:
    """The documents of a file that `senna tag` or `Document.to_json` wrote, one at a time.

    It is in CoNLL-U if its name says so (`.conllu`, `.conllup`, `.gz` of them), else in lines of
    JSON; "-" is standard input. Texts with spans, as annotation tools export them, have task ner,
    and there is a warning of spans that cut tokens. A document begins with a file, a row of a table
    or `# newdoc`. Raises SennaError for anything else, with its line.
    """
    name = str(path)
    with open_text(name) as lines:
        if {".conllu", ".conllup"} & {*Path(name).suffixes}:
            yield from _of_conllu(lines, name)
            return
        first = list(islice(lines, HEADING))
        every = chain(first, lines)
        if is_standoff(first):
            from senna.answers.standoff import tagged

            for marked, rows in tagged(read_standoff(every, name), warnings.warn):
                tokens, tags = [row[0] for row in rows], [row[1] for row in rows]
                yield Document(marked.text, tokens, {NAMES: tags})
        else:
            yield from of_lines(every, name)


def sentences(path: str | Path, tasks: Iterable[str] = ()) -> Iterator[tuple[Record, Document]]:
    """Of each sentence of such a file where it is from, and a document of it alone.

    Where: `file`, `line` or `row`, and `start`, as lines of JSON have them. In CoNLL-U, nothing
    says that a sentence was tagged if nothing was found: of `tasks`, it gets empty answers.
    """
    name = str(path)
    with open_text(name) as lines:
        if {".conllu", ".conllup"} & {*Path(name).suffixes}:
            for sentence in ConlluReader()(lines, name=name):
                doc = _document([sentence], name)
                for task in {*tasks} - {*doc.answers}:
                    doc.answers |= _nothing(task, len(sentence.words))
                yield {"file": name, "line": sentence.line}, doc
        else:
            yield from sentences_of(lines, name)


def sentences_of(lines: Iterable[str], name: str) -> Iterator[tuple[Record, Document]]:
    """See `sentences`; of lines of JSON of `senna tag`."""
    for number, line in enumerate(lines, start=1):
        try:
            record = json.loads(line)
            pair = {"file": name, **_origin(record)}, document_of([record])
        except (ValueError, RecursionError, TypeError, KeyError, SennaError):
            what = "this line was not written by senna tag --format jsonl"
            raise SennaError(what, where=f"{name}:{number}") from None
        yield pair


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


def of_lines(lines: Iterable[str], name: str) -> Iterator[Document]:
    """The documents of lines of JSON."""
    held: list[tuple[int, Record]] = []  # with their lines
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            if not isinstance(record, dict):
                raise DocumentError("a line is not a JSON object")
            if "sentences" in record:
                yield Document.from_dict(record)
                continue
        except (ValueError, RecursionError):
            mend = "senna.read takes .jsonl and .conllu; nlp(text) tags text."
            raise SennaError("not valid JSON", where=f"{name}:{number}", mend=mend) from None
        except SennaError as error:
            raise SennaError(error.what, where=f"{name}:{number}", mend=error.mend) from None
        if held and _source(held[-1][1]) != _source(record):
            yield _of_records(held, name)
            held = []
        held.append((number, record))
    if held:
        yield _of_records(held, name)


def _of_records(held: Sequence[tuple[int, Record]], name: str) -> Document:
    """The document of sentences; raises SennaError with the line of one that is none."""
    try:
        return document_of([record for _, record in held])
    except DocumentError as error:
        where = f"{name}:{held[max(error.sentence, 1) - 1][0]}"
        mend = "Each line is what senna tag --format jsonl or doc.to_json() wrote."
        raise SennaError(error.why, where=where, mend=mend) from None


def _source(record: Record) -> tuple[Any, Any]:
    return record.get("file"), record.get("row")


def document_of(records: Sequence[Record]) -> Document:
    """The document of sentences as lines of JSON have them, a line end between two of them."""
    placed = []
    start = 0
    for number, record in enumerate(records, start=1):
        try:
            moved = {**record, "tokens": _placed(record, start), "tags": _tags(record)}
        except (KeyError, TypeError, AttributeError):
            raise DocumentError("a sentence without text and tokens", number) from None
        except DocumentError as error:
            raise DocumentError(error.why, number) from None
        placed.append(moved)
        start += len(record["text"]) + 1
    tasks = in_task_order(_tasks(records[0]))
    text = "\n".join(record["text"] for record in records)
    return Document.from_dict({"text": text, "tasks": tasks, "sentences": placed})


def _placed(record: Record, start: int) -> list[Record]:
    """The tokens of a sentence with their places in a text in which it begins at `start`."""
    tokens, place = [], 0
    for token in record["tokens"]:
        found = record["text"].find(token["text"], place)
        begin = place if found < 0 else found
        end = min(begin + len(token["text"]), len(record["text"]))
        tokens.append({"text": token["text"], "start": start + begin, "end": start + end})
        place = end
    return tokens


def _tags(record: Record) -> Record:
    """The tags of a sentence, those of phrases as IOBES, in whatever scheme they were written."""
    n, tags, spans = len(record["tokens"]), record.get("tags", {}), record.get("spans", {})
    if not (isinstance(tags, dict) and isinstance(spans, dict)):
        raise DocumentError("tags or spans that are not by task")
    tags = dict(tags)
    for task, of_task in spans.items():
        tags[task] = tags_of([phrase_of(span, "label", n) for span in of_task], n, "iobes")
    return tags


def _tasks(record: Record) -> set[str]:
    """The tasks whose answers a sentence has."""
    names = {name for key in ("tags", "spans") for name in record.get(key, {})}
    for task in TASKS:
        fields = output_of(task).types(task)
        own = [name for name in fields if name not in ("tags", "spans")]
        if own and all(name in record for name in own):
            names.add(task)
    return names & set(TASKS)


# --------------------------------------------------------------------------- CoNLL-U


def _of_conllu(lines: Iterable[str], name: str) -> Iterator[Document]:
    held: list[ConlluSentence] = []
    for sentence in ConlluReader()(lines, name=name):
        if held and sentence.opens_document:
            yield _document(held, name)
            held = []
        held.append(sentence)
    if held:
        yield _document(held, name)


def _document(sentences: Sequence[ConlluSentence], name: str) -> Document:
    """The document of sentences, with all answers that they have."""
    rows, texts, start = [], [], 0
    for sentence in sentences:
        text, places = sentence.surface()
        pairs = zip(sentence.words, places, strict=True)
        rows.append(Tokens.of((row[FORM], start + i, start + k) for row, (i, k) in pairs))
        texts.append(text)
        start += len(text) + 1
    return Document("\n".join(texts), rows, answers_of(TASKS, sentences, name))


def _nothing(task: str, n: int) -> dict[str, list[Any]]:
    """The answer of a task for one sentence of n words where nothing was found, if it may be so."""
    if output_of(task).is_iobes:
        return {task: [["O"] * n]}
    if output_of(task).gives == "roles":
        return {task: [[]]}
    return {task: [[EMPTY] * n]} if task == "feats" else {}
