"""Documents as plain data and back: words with columns, dictionaries, lines of JSON, CoNLL-U.

What is read are the `Contents` of documents.
"""

from __future__ import annotations

import json
import warnings
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from senna.annotation.conllu import EMPTY, ConlluReader, ConlluSentence
from senna.annotation.scheme_detection import detect
from senna.annotation.schemes import SCHEMES, convert, tags_of
from senna.errors import SennaError
from senna.extras.standoff import is_standoff, read_standoff, tagged
from senna.files import ending, open_text
from senna.formats.conllu import answers_of, placed
from senna.formats.gold import HEADING
from senna.formats.jsonl import records
from senna.kinds import output_of
from senna.kinds.answer import Annotation, DocumentError, Line, Record, phrase_of, whole
from senna.pipeline.format import Style, check_tasks, documents, format_of, wide_in
from senna.pipeline.options import check_format, known_value
from senna.registry import FORMATS
from senna.tasks import NAMES, TASKS, in_task_order, task_of
from senna.text import UNITS
from senna.text.tokenizer import Tokens, spaced_lines

if TYPE_CHECKING:
    from senna.document.document import Document
    from senna.formats.html import Page

Rows = Sequence[Tokens]  # the tokens of each sentence

PLACES = ("begins", "starts", "ends")  # of the runs of a `Page`
CONLLU = (".conllu", ".conllup")
STORED = (".jsonl", ".ann", *CONLLU)  # of files that are tagged already
PER_TOKEN = ("tags", "phrases", "lemmas")  # what outputs give that have a text per token
TREES = ("head", "deprel")  # the columns of dependency trees


class Contents(NamedTuple):
    """The contents of a `Document`."""

    text: str
    rows: Sequence[Tokens]  # the tokens of each sentence
    answers: Annotation
    page: Page | None = None  # of which it is the text


def lines_of(text: str, rows: Rows) -> list[Line]:
    """The sentences of a text, by their tokens."""
    return [
        Line(text[row.start : row.end], row.start, row) if row else Line("", start, row)
        for row, start in zip(rows, starts_of(rows), strict=True)
    ]


def starts_of(rows: Rows) -> list[int]:
    """Where each sentence starts in the text; one without tokens, where the one before it ends."""
    starts, end = [], 0
    for row in rows:
        starts.append(row.start if row else end)
        end = row.end if row else end
    return starts


def to_dict(doc: Document, flat: bool = False) -> Record:
    """Text, names of the tasks, and of each sentence what `senna tag --format jsonl` has.

    Of a page also the places of its runs in the source. `flat`: trees
    are in brackets, since Python compares nested values of some depth only.
    """
    sentences = records(lines_of(doc.text, doc.rows), doc.answers, "iobes", flat)
    record: Record = {"text": doc.text, "tasks": list(doc.answers), "sentences": sentences}
    if doc.page is not None:
        record["page"] = {name: list(getattr(doc.page, name)) for name in PLACES}
    return record


def written(doc: Document, format: str, scheme: str | None, offsets: bool, offset_unit: str) -> str:
    """See `Document.to`."""
    if format not in FORMATS or not FORMATS[format].is_text:
        known = ", ".join(name for name in FORMATS if FORMATS[name].is_text)
        raise SennaError(f"unknown format {format!r}", remedy=f"Choose one of {known}.")
    if scheme is not None and scheme not in SCHEMES:
        remedy = f"Choose one of {', '.join(SCHEMES)}."
        raise SennaError(f"unknown tag scheme {scheme!r}", remedy=remedy)
    check_tasks(format, list(doc.answers), f"Add the task to those of senna.load for {format!r}.")
    known_value("offset_unit", offset_unit, UNITS)
    form = format_of(format)
    style = Style(scheme or form.scheme, offsets)
    every = lines_of(doc.text, doc.rows)
    there = [i for i, line in enumerate(every) if line.tokens]  # formats have no empty sentences
    lines, number, before = list[Line](), 1, 0
    for line in (every[i] for i in there):
        number, before = number + doc.text.count("\n", before, line.start), line.start
        lines.append(line._replace(opens=not lines, line=number))
    if offset_unit == "utf16":
        check_format("offset_unit", format)
        wide = wide_in(doc.text)
        lines = [line.in_utf16(wide) for line in lines]
    found = {task: [of_task[i] for i in there] for task, of_task in doc.answers.items()}
    return "".join(form.stream([form.write(lines, found, style)], style))


def from_dict(record: Any) -> Contents:
    """The document that `to_dict` was given; DocumentError for anything else."""
    number = 0  # of the sentence that is read, from 1
    try:
        text = _text(record["text"])
        tasks = in_task_order(task_of(name).name for name in record["tasks"])
        rows = []
        answers: dict[str, list[Any]] = {task: [] for task in tasks}
        for sentence in record["sentences"]:
            number += 1
            rows.append(_tokens(sentence, len(text)))
            for task, found in answers.items():
                found.append(output_of(task).parse(sentence, task, rows[-1]))
        number = 0
        page = _page(text, record["page"]) if "page" in record else None
    except DocumentError as error:
        raise DocumentError(error.why, number) from None
    except SennaError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise DocumentError(f"{type(error).__name__}: {error}", number) from None
    return Contents(text, rows, answers, page)


def _tokens(record: Record, end: int) -> Tokens:
    """The tokens of a sentence; they must lie in the text, one after another."""
    tokens = [
        (_text(token["text"]), whole(token["start"]), whole(token["end"]))
        for token in record["tokens"]
    ]
    starts = [start for _, start, _ in tokens]
    if starts != sorted(starts) or not all(0 <= start <= stop <= end for _, start, stop in tokens):
        raise DocumentError("tokens that are not in its text, or are out of order")
    return Tokens.of(tokens)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise DocumentError(f"its text is {value!r:.40}")
    return value


def _page(text: str, record: Record) -> Page:
    """The page of a text: each of its runs has a place in the source."""
    from senna.formats.html import Page

    begins, starts, ends = ([whole(place) for place in record[name]] for name in PLACES)
    fits = len(begins) - 1 == len(starts) == len(ends) and begins[0] == 0 <= min(starts, default=0)
    if not fits or begins != sorted(begins) or begins[-1] != len(text):
        raise DocumentError("offsets that are not in its text")
    return Page(text, array("q", begins), array("q", starts), array("q", ends))


# --------------------------------------------------------------------------- words


def record_with(words: Sequence[Any], columns: Mapping[str, Sequence[Any]]) -> Record:
    """The dictionary for `from_dict` of words with columns: see `Document.of`."""
    if isinstance(words, str):
        raise SennaError("got a text, expected its words", remedy="Split it, or call nlp(text).")
    one = all(isinstance(word, str) for word in words)
    sentences = [list(words)] if one else [list(sentence) for sentence in words]
    every: dict[str, list[Any]] = {
        name: [column] if one else [*column] for name, column in columns.items()
    }
    _check_columns(sentences, every)
    tasks = [task for task in TASKS if task in every]
    records: list[Record] = []
    lines, placed = spaced_lines(sentences)
    for row in placed:
        tokens = [{"text": word, "start": start, "end": end} for word, start, end in row]
        records.append({"tokens": tokens, "tags": {}})
    for task in tasks:
        rows = every[task]
        if output_of(task).is_iobes:
            scheme = detect(rows)
            rows = [convert(row, scheme, "iobes") for row in rows]
        for record, row in zip(records, rows, strict=True):
            record["tags"][task] = list(row)
    if set(TREES) <= every.keys():
        tasks.append("dep")
        for record, heads, relations in zip(records, *(every[t] for t in TREES), strict=True):
            record["dependencies"] = {"heads": list(heads), "relations": list(relations)}
    return {"text": "\n".join(lines), "tasks": tasks, "sentences": records}


def _check_columns(sentences: list[list[Any]], columns: Mapping[str, list[Any]]) -> None:
    """SennaError for words that are no texts, and for columns that are unknown or do not fit."""
    for word in (word for forms in sentences for word in forms):
        if not isinstance(word, str):
            raise SennaError(f"{word!r} is not a text", remedy="Give the words of sentences.")
    known = [*(task for task in TASKS if output_of(task).gives in PER_TOKEN), *TREES]
    for name, rows in columns.items():
        if name not in known:
            raise SennaError(f"unknown column {name!r}", remedy=f"Known: {', '.join(known)}.")
        lists = (not isinstance(row, str) and isinstance(row, Sequence) for row in rows)
        if not all(lists) or list(map(len, rows)) != list(map(len, sentences)):
            what = f"the column {name!r} does not have one value per word"
            raise SennaError(what, remedy="Give a list, or a list per sentence.")
    lacking = [name for name in TREES if name not in columns]
    if len(lacking) == 1:
        raise SennaError(f"no {lacking[0]}", remedy="Dependency trees need head and deprel.")


# --------------------------------------------------------------------------- files


def read(name: str) -> Iterator[Contents]:
    """See `senna.read`."""
    with open_text(name) as lines:
        if ending(name) in CONLLU:
            sentences = ConlluReader()(lines, name=name)
            for held in documents(sentences, lambda sentence: sentence.opens_document):
                yield _of_conllu(held, name)
            return
        first = list(islice(lines, HEADING))
        every = chain(first, lines)
        if is_standoff(first, name):
            for _, contents in _of_spans(every, name):
                yield contents
        else:
            yield from of_lines(every, name)


def sentences(name: str, tasks: Iterable[str] = ()) -> Iterator[tuple[Record, Contents]]:
    """Of each sentence of such a file where it is from, and a document of it alone.

    Where: `file`, `line` or `row`, and `start`, as lines of JSON have them. In CoNLL-U, nothing
    says that a sentence was tagged if nothing was found: of `tasks`, it gets empty answers. What
    holds whole documents gives these.
    """
    with open_text(name) as lines:
        if ending(name) in CONLLU:
            for sentence in ConlluReader()(lines, name=name):
                parts = _of_conllu([sentence], name)
                for task in {*tasks} - {*parts.answers}:
                    parts.answers.update(_nothing(task, len(sentence.words)))
                yield {"file": name, "line": sentence.line}, parts
            return
        first = list(islice(lines, HEADING))
        every = chain(first, lines)
        if is_standoff(first, name):
            for number, contents in _of_spans(every, name):
                yield {"file": name, "line": number}, contents
        else:
            yield from sentences_of(every, name)


def _of_spans(lines: Iterable[str], name: str) -> Iterator[tuple[int, Contents]]:
    """The documents of texts with spans, and the line of each."""
    for marked, rows in tagged(read_standoff(lines, name), warnings.warn):
        answers = {NAMES: [row[1] for row in rows]}
        yield marked.line, Contents(marked.text, [row[0] for row in rows], answers)


def sentences_of(lines: Iterable[str], name: str) -> Iterator[tuple[Record, Contents]]:
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
            remedy = "Each line is what senna tag --format jsonl or doc.to_json() wrote."
            raise SennaError("not a JSON object", where=f"{name}:{number}", remedy=remedy)
        yield number, record


@contextmanager
def _at(name: str, number: int) -> Iterator[None]:
    """Name the line in errors."""
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
        remedy = "Each line is what senna tag --format jsonl or doc.to_json() wrote."
        raise SennaError(error.why, where=where, remedy=remedy) from None


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


def _of_conllu(sentences: Sequence[ConlluSentence], name: str) -> Contents:
    """The document of sentences, with all answers that they have."""
    rows, texts, start = [], [], 0
    for sentence in sentences:
        text, tokens = placed(sentence, start)
        rows.append(tokens)
        texts.append(text)
        start += len(text) + 1
    return Contents("\n".join(texts), rows, answers_of(TASKS, sentences, name))


def _nothing(task: str, n: int) -> dict[str, list[Any]]:
    """The answer of a task for one sentence of n words where nothing was found, if it may be so."""
    if output_of(task).is_iobes:
        return {task: [["O"] * n]}
    if output_of(task).gives == "roles":
        return {task: [[]]}
    return {task: [[EMPTY] * n]} if task == "feats" else {}
