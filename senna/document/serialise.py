"""Documents as plain data and back: words with columns, dictionaries, records of sentences.

What is read are the `Contents` of documents.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from senna.annotation.scheme_detection import detect
from senna.annotation.schemes import SCHEMES, convert
from senna.errors import SennaError
from senna.kinds import output_of
from senna.kinds.answer import Annotation, Answers, DocumentError, Line, Record, of_sentence, whole
from senna.pipeline.format import check_tasks, format_of, wide_in
from senna.pipeline.options import Options, check_format, known_value
from senna.registry import FORMATS, READERS
from senna.tasks import PARSER, TASKS, in_task_order, task_of
from senna.text import UNITS
from senna.text.tokens import Tokens, spaced_lines

if TYPE_CHECKING:
    from senna.document.document import Document

Rows = Sequence[Tokens]  # the tokens of each sentence

PLACES = ("begins", "starts", "ends")  # of the runs of a `Page`
PER_TOKEN = ("tags", "phrases", "lemmas")  # kinds of answers with a text per token
TREES = ("head", "deprel")  # the columns of dependency trees


class Contents(NamedTuple):
    """The contents of a `Document`."""

    text: str
    rows: Sequence[Tokens]  # the tokens of each sentence
    answers: Annotation
    page: Any = None  # of which it is the text: see `senna.formats.html`


def lines_of(text: str, rows: Rows) -> list[Line]:
    """The sentences of a text, by their tokens."""
    return [
        Line(text[start : row.end] if row else "", start, row)
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
    if format not in FORMATS or not FORMATS[format].is_text:
        known = ", ".join(name for name in FORMATS if FORMATS[name].is_text)
        raise SennaError(f"unknown format {format!r}", remedy=f"Choose one of {known}.")
    if scheme is not None and scheme not in SCHEMES:
        remedy = f"Choose one of {', '.join(SCHEMES)}."
        raise SennaError(f"unknown tag scheme {scheme!r}", remedy=remedy)
    check_tasks(format, list(doc.answers), f"Add the task to those of senna.load for {format!r}.")
    known_value("offset_unit", offset_unit, UNITS)
    form = format_of(format)
    options = Options(format=format, scheme=scheme or "", offsets=offsets)
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
    return "".join(form.stream([form.write(lines, found, options)], options))


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


def _page(text: str, record: Record) -> Any:
    """The page of a text: each of its runs has a place in the source."""

    begins, starts, ends = ([whole(place) for place in record[name]] for name in PLACES)
    fits = len(begins) - 1 == len(starts) == len(ends) and begins[0] == 0 <= min(starts, default=0)
    if not fits or begins != sorted(begins) or begins[-1] != len(text):
        raise DocumentError("offsets that are not in its text")
    return READERS["html"].Page(text, array("q", begins), array("q", starts), array("q", ends))


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
        if output_of(task).kind == "phrases":
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
    known = [*(task for task in TASKS if output_of(task).kind in PER_TOKEN), *TREES]
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


# --------------------------------------------------------------------------- records


def record_of(
    line: Line, answers: Answers, scheme: str, flat: bool = False, tokens: bool = True
) -> Record:
    """The record of a sentence; `flat`: nothing in it is nested as deep as it likes.

    tokens: whether its list of tokens is filled.
    """
    record: Record = {}
    for name in ("file", "row", "line"):
        if given := getattr(line, name):
            record[name] = given
    if line.kept:
        record["columns"] = dict(line.kept)
    placed = zip(line.words, line.places, strict=True) if tokens else ()
    rows = [{"text": word, "start": start, "end": end} for word, (start, end) in placed]
    record |= {"text": line.text, "start": line.begin, "tokens": rows, "tags": {}, "spans": {}}
    for task, answer in answers.items():
        output_of(task).write(record, task, line, answer, scheme)
        if flat and "tree" in record:
            record["tree"] = str(answers[PARSER])
    return record


def records(
    lines: Sequence[Line], answers: Annotation, scheme: str, flat: bool = False
) -> list[Record]:
    """The records of sentences."""
    return [record_of(line, of_sentence(answers, i), scheme, flat) for i, line in enumerate(lines)]


def to_json(value: Any) -> str:
    """A value as JSON on one line, however deep: the trees in it may be deeper than Python's stack.

    Raises TypeError for values that JSON does not have.
    """
    import json

    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        pass
    parts: list[str] = []
    waiting: list[tuple[str, Any]] = [("", value)]  # values, each with what stands before it
    while waiting:
        before, item = waiting.pop()
        parts.append(before)
        if item is _END:
            continue
        if isinstance(item, dict) and item:
            rows = [(json.dumps({key: 0}, ensure_ascii=False)[1:-2], v) for key, v in item.items()]
            ends = "{}"
        elif isinstance(item, (list, tuple)) and item:
            rows, ends = [("", v) for v in item], "[]"
        else:
            parts.append(json.dumps(item, ensure_ascii=False))
            continue
        waiting.append((ends[1], _END))
        waiting += [(f", {key}", v) for key, v in reversed(rows[1:])]
        waiting.append((ends[0] + rows[0][0], rows[0][1]))
    return "".join(parts)


_END = object()  # in place of a value: a bracket is closed
