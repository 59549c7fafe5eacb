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
from senna.errors import SennaError, located
from senna.extras.standoff import is_standoff, read_standoff, tagged
from senna.files import ending, open_text
from senna.formats.conllu import answers_of, placed
from senna.formats.conllu_lines import EMPTY, ConlluReader, ConlluSentence
from senna.formats.gold import HEADING
from senna.kinds import output_of
from senna.kinds.answer import TASK, DocumentError, Record, phrase_of, whole
from senna.tasks import NAMES, TASKS, in_task_order

CONLLU = (".conllu", ".conllup")
STORED = (".jsonl", ".ann", *CONLLU)  # of files that are tagged already
WRITTEN = "Each line is what senna tag --format jsonl or doc.to_json() wrote."


class _Kind(NamedTuple):
    """A kind of tagged file, of units that are sentences or whole documents.

    `opens`: whether a document begins with a unit that follows another; `contents`: the document of
    some units of a file; `where`: where a unit is from, as lines of JSON have it.
    """

    opens: Callable[[Any, Any], bool]
    contents: Callable[[Sequence[Any], str], Contents]
    where: Callable[[Any], Record]


@contextmanager
def _opened(name: str) -> Iterator[tuple[_Kind, Iterable[Any]]]:
    """Open a file; its kind and its units."""
    with open_text(name) as lines:
        if ending(name) in CONLLU:
            yield _CONLLU, ConlluReader()(lines, name=name)
            return
        first = list(islice(lines, HEADING))
        every = chain(first, lines)
        if is_standoff(first, name):
            yield _SPANS, tagged(read_standoff(every, name), warnings.warn)
        else:
            yield _JSON, _records(every, name)


def read(name: str) -> Iterator[Contents]:
    """See `senna.read`."""
    with _opened(name) as (kind, units):
        held: list[Any] = []
        for unit in units:
            if held and kind.opens(held[-1], unit):
                yield kind.contents(held, name)
                held = []
            held.append(unit)
        if held:
            yield kind.contents(held, name)


def sentences(name: str, tasks: Iterable[str] = ()) -> Iterator[tuple[Record, Contents]]:
    """Of each sentence of such a file where it is from, and a document of it alone.

    Where: `file`, `line` or `row`, and `start`, as lines of JSON have them. In CoNLL-U, nothing
    says that a sentence was tagged if nothing was found: of `tasks`, it gets empty answers. What
    holds whole documents gives these.
    """
    with _opened(name) as (kind, units):
        for where, contents in _alone(kind, units, name):
            for task in {*tasks} - {*contents.answers} if kind is _CONLLU else ():
                contents.answers.update(_nothing(task, len(contents.rows[0])))
            yield where, contents


def sentences_of(lines: Iterable[str], name: str) -> Iterator[tuple[Record, Contents]]:
    """See `sentences`; of lines of JSON."""
    return _alone(_JSON, _records(lines, name), name)


def _alone(kind: _Kind, units: Iterable[Any], name: str) -> Iterator[tuple[Record, Contents]]:
    for unit in units:
        with located(name if kind is not _JSON else f"{name}:{unit[0]}"):
            where = {"file": name, **kind.where(unit)}
        yield where, kind.contents([unit], name)


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


def _is_other(before: tuple[int, Record], after: tuple[int, Record]) -> bool:
    """Whether a line of JSON is of another document than the line before it."""
    sources = [(record.get("file"), record.get("row")) for _, record in (before, after)]
    return sources[0] != sources[1] or any("sentences" in record for _, record in (before, after))


def _of_records(held: Sequence[tuple[int, Record]], name: str) -> Contents:
    """The document of lines of JSON; raises SennaError with the line of one that is none."""
    number, first = held[0]
    if "sentences" in first:
        with located(f"{name}:{number}"):
            return from_dict(first)
    try:
        return document_of([record for _, record in held])
    except DocumentError as error:
        where = f"{name}:{held[max(error.sentence, 1) - 1][0]}"
        raise SennaError(error.why, where=where, remedy=WRITTEN) from None


def _origin(line: tuple[int, Record]) -> Record:
    """Where a sentence is from; SennaError for what is no place."""
    _, record = line
    if "sentences" in record:
        return {}
    numbers: Record = {
        name: whole(record[name]) for name in ("line", "row", "start") if name in record
    }
    file = record.get("file")
    if file is not None and not isinstance(file, str):
        raise DocumentError(f"{file!r:.60} is not the name of a file")
    return numbers if file is None else {"file": file, **numbers}


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


def types_of(task: str) -> dict[str, Any]:
    """The fields that a task adds to the record of a sentence, with their types."""
    pairs = ((name.replace(TASK, task), kind) for name, kind in output_of(task).fields.items())
    return {
        name: {task: kind[TASK]} if isinstance(kind, dict) and TASK in kind else kind
        for name, kind in pairs
    }


def _nothing(task: str, n: int) -> dict[str, list[Any]]:
    """The answer of a task for one sentence of n words where nothing was found, if it may be so."""
    if output_of(task).kind == "phrases":
        return {task: [["O"] * n]}
    if output_of(task).kind == "roles":
        return {task: [[]]}
    return {task: [[EMPTY] * n]} if task == "feats" else {}


_CONLLU = _Kind(
    lambda before, after: after.opens_document,
    _of_conllu,
    lambda sentence: {"line": sentence.line},
)
_SPANS = _Kind(
    lambda before, after: True,
    lambda held, name: Contents(
        held[0][0].text,
        [tokens for tokens, _ in held[0][1]],
        {NAMES: [tags for _, tags in held[0][1]]},
    ),
    lambda unit: {"line": unit[0].line},
)
_JSON = _Kind(_is_other, _of_records, _origin)
