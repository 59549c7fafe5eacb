"""Texts with spans of characters, as annotation tools export them.

They come as lines of JSON of doccano (`{"text": ..., "label": [[0, 4, "PER"]]}`, or `entities` with
`start_offset` and `end_offset`), as pairs of spaCy (`["...", {"entities": [[0, 4, "PER"]]}]`, a
line each or all in one list), as the JSON of Label Studio, or as brat's `.ann` with its `.txt`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from senna.errors import SennaError
from senna.files import open_text
from senna.text.schemes import Phrase

if TYPE_CHECKING:
    from senna.text.tokenizer import Tokens

Span = tuple[int, int, str]  # characters [start, end), and a label
NAMES = ("label", "labels", "entities", "spans")  # of spans in a JSON object
_BRAT = re.compile(r"T[0-9]+\t([^\t ]+) ([0-9; ]+)\t")
_ANY_BRAT = re.compile(r"[A-Z*#][0-9]*\t[^\t ]+ ")


class Marked(NamedTuple):
    """A text with its spans; `line` is that of its file, from 1."""

    text: str
    spans: list[Span]
    line: int = 1


def is_standoff(lines: Sequence[str]) -> bool:
    """Whether a file that begins with these lines has texts with spans, or spans of a text."""
    first = next((line.lstrip("\ufeff") for line in lines if line.strip()), "")
    if _ANY_BRAT.match(first) and re.match(r"[TRE*A#N]", first):
        return bool(_BRAT.match(first)) or any(map(_BRAT.match, lines))
    if first.lstrip()[:1] == "{":
        record = _parsed(first)
        return isinstance(record, dict) and "tokens" not in record and _has_spans(record)
    if first.lstrip()[:1] == "[":
        return _is_pair(_parsed(first)) or re.match(r"\s*\[\s*(\[\s*\"|\{|$)", first) is not None
    return False


def read_standoff(lines: Iterable[str], name: str) -> Iterator[Marked]:
    """The texts of a file; SennaError, with the line, for what is none."""
    if Path(name.removesuffix(".gz")).suffix == ".ann":
        yield _of_brat(lines, name)
        return
    rest = enumerate(lines, start=1)
    for number, line in rest:
        text = line.lstrip("\ufeff")
        if not text.strip():
            continue
        record, where = _parsed(text), f"{name}:{number}"
        if text.lstrip()[0] == "[" and not _is_pair(record):  # one list of all
            record = _parsed("".join([text, *(more for _, more in rest)]))
            if not isinstance(record, list):
                raise SennaError("no list of texts with their spans", where=where, mend=_MEND)
            for i, item in enumerate(record, start=1):
                yield _marked(item, number, f"{name}: item {i}")
            return
        yield _marked(record, number, where)


def in_sentence(tokens: Tokens, spans: Sequence[Span]) -> list[Phrase]:
    """The spans of characters as those of the tokens that they touch; none for other sentences."""
    phrases = []
    for start, end, label in spans:
        touched = [
            i for i, (first, last) in enumerate(tokens.places) if first < end and start < last
        ]
        if touched:
            phrases.append(Phrase(touched[0], touched[-1] + 1, label))
    return phrases


_MEND = 'Texts look like {"text": "Ann left.", "label": [[0, 3, "PER"]]}.'


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _is_pair(record: Any) -> bool:
    pair = isinstance(record, list) and len(record) == 2
    return pair and isinstance(record[0], str) and isinstance(record[1], dict)


def _has_spans(record: Mapping[str, Any]) -> bool:
    if isinstance(record.get("data"), dict):
        return True
    return isinstance(record.get("text"), str) and any(
        isinstance(record.get(name), list) for name in NAMES
    )


def _marked(record: Any, line: int, where: str) -> Marked:
    try:
        if _is_pair(record):
            record = {"text": record[0], **record[1]}
        if not isinstance(record, dict) or not _has_spans(record):
            raise TypeError
        if isinstance(record.get("data"), dict):
            text, spans = _of_label_studio(record)
        else:
            text = record["text"]
            name = next(name for name in NAMES if isinstance(record.get(name), list))
            spans = [_span(span) for span in record[name]]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, StopIteration):
        raise SennaError("no text with its spans", where=where, mend=_MEND) from None
    if not isinstance(text, str):
        raise SennaError("a text that is none", where=where, mend=_MEND)
    return Marked(text, _checked(text, spans, where), line)


def _span(span: Any) -> Span:
    if isinstance(span, dict):
        start, end = (span[f"{n}_offset"] if f"{n}_offset" in span else span[n] for n in _ENDS)
        return start, end, span["label"]
    start, end, label = span
    return start, end, label


_ENDS = ("start", "end")


def _of_label_studio(task: Mapping[str, Any]) -> tuple[str, list[Span]]:
    """The text of a task and its first annotation, else prediction; places count UTF-16 units."""
    data = task["data"]
    text = data["text"] if "text" in data else next(v for v in data.values() if isinstance(v, str))
    done = [a for a in task.get("annotations", []) if not a.get("was_cancelled")]
    results: Any = [*done, *task.get("predictions", []), {"result": []}][0]
    spans = [
        (value["start"], value["end"], label)
        for value in (result.get("value", {}) for result in results["result"])
        for label in value.get("labels", ())
    ]
    if not isinstance(text, str) or text.isascii() or max(map(ord, text)) < 0x10000:
        return text, spans
    units = [0]
    for character in text:
        units.append(units[-1] + 1 + (ord(character) > 0xFFFF))
    place = {unit: i for i, unit in enumerate(units)}
    return text, [(place[start], place[end], label) for start, end, label in spans]


def _of_brat(lines: Iterable[str], name: str) -> Marked:
    """The text of the annotations; of a span in pieces its whole extent."""
    path = re.sub(r"\.ann(\.gz)?$", ".txt", name)
    with open_text(path) as file:
        text = file.read()
    spans = []
    for line in lines:
        if found := _BRAT.match(line):
            numbers = [int(number) for number in re.findall("[0-9]+", found[2])]
            spans.append((min(numbers), max(numbers), found[1]))
    return Marked(text, _checked(text, spans, name))


def _checked(text: str, spans: Sequence[Span], where: str) -> list[Span]:
    for start, end, label in spans:
        whole = type(start) is int and type(end) is int and 0 <= start < end <= len(text)
        if not whole or not isinstance(label, str) or label.split() != [label]:
            what = f"{label!r:.40} from {start!r:.20} to {end!r:.20} of {len(text)} characters"
            raise SennaError(what, where=where, mend="A span is start, end and a label.")
    return sorted(spans, key=lambda span: (span[0], -span[1]))
