"""Texts with spans of characters: those of brat, doccano, Label Studio and spaCy.

They come as lines of JSON of doccano (`{"text": ..., "label": [[0, 4, "PER"]]}`, or `entities` with
`start_offset` and `end_offset`), as pairs of spaCy (`["...", {"entities": [[0, 4, "PER"]]}]`, a
line each or all in one list), as the JSON of Label Studio, or as brat's `.ann` with its `.txt`.

In gold a span becomes that of the tokens that it touches, within one sentence. It is left out where
it overlaps one before it, which is the longer one where both start together.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from senna.annotation.schemes import Phrase, tags_of
from senna.errors import SennaError
from senna.files import ending, open_text, unpacked_name
from senna.formats.tables import has_spans, phrases_of
from senna.kinds.answer import Answers, Gold, Line
from senna.pipeline.format import Format, wide_in
from senna.pipeline.options import Options
from senna.text.sentences import split
from senna.text.tokens import Tokens

Span = tuple[int, int, str]  # characters [start, end), and a label
NAMES = ("label", "labels", "entities", "spans")  # of spans in a JSON object
BRAT = ".ann"  # the ending of files of spans, whose texts are in others
SHOWN = 3  # spans that cut tokens, in a report
_BRAT = re.compile(r"T[0-9]+\t([^\t ]+) ([0-9; ]+)\t")
_ANY_BRAT = re.compile(r"[A-Z*#][0-9]*\t[^\t ]+ ")
_MEND = 'Texts look like {"text": "Ann left.", "label": [[0, 3, "PER"]]}.'


class Marked(NamedTuple):
    """A text with its spans; `line` is that of its file, from 1."""

    text: str
    spans: list[Span]
    line: int = 1


def is_standoff(lines: Sequence[str], name: str) -> bool:
    """Whether a file that begins with these lines has texts with spans, or spans of a text."""
    if ending(name) == BRAT:
        return True
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
    if ending(name) == BRAT:
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
                raise SennaError("no list of texts with their spans", where=where, remedy=_MEND)
            for i, item in enumerate(record, start=1):
                yield _marked(item, number, f"{name}: item {i}")
            return
        yield _marked(record, number, where)


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
            spans = list(map(_span, record[name]))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, StopIteration):
        raise SennaError("no text with its spans", where=where, remedy=_MEND) from None
    if not isinstance(text, str):
        raise SennaError("a text that is none", where=where, remedy=_MEND)
    return Marked(text, _checked(text, spans, where), line)


def _span(span: Any) -> Span:
    if isinstance(span, dict):
        edges = ("start", "end")
        start, end = (span[f"{n}_offset"] if f"{n}_offset" in span else span[n] for n in edges)
        return start, end, span["label"]
    start, end, label = span
    return start, end, label


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
    with open_text(unpacked_name(name)[: -len(BRAT)] + ".txt") as file:
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
            raise SennaError(what, where=where, remedy="A span is start, end and a label.")
    return sorted(spans, key=lambda span: (span[0], -span[1]))


# --------------------------------------------------------------------------- gold


def read_gold(lines: Iterable[str], name: str, tell: Callable[[str], object]) -> Iterator[Gold]:
    """The gold sentences of a file of texts with spans; each text is a document."""
    found = tagged(read_standoff(lines, name), lambda line: tell(f"{name}: {line}"))
    for marked, sentences in found:
        for i, (tokens, tags) in enumerate(sentences):
            yield Gold(tokens.words, tags, {}, name, marked.line, opens=i == 0)


def tagged(
    texts: Iterable[Marked], tell: Callable[[str], object]
) -> Iterator[tuple[Marked, list[tuple[Tokens, list[str]]]]]:
    """Texts with their sentences and IOBES tags; the counts of changed spans are reported."""
    n, moved, left = 0, list[str](), list[str]()
    for marked in texts:
        sentences, taken = split(marked.text), set[tuple[int, int]]()
        begins = [tokens.places[0][0] for tokens in sentences]
        ends = [tokens.places[-1][1] for tokens in sentences]
        rows: list[list[Phrase]] = [[] for _ in sentences]
        n += len(marked.spans)
        for span in marked.spans:
            own = [
                (i, phrase)
                for i in range(bisect_right(ends, span[0]), bisect_left(begins, span[1]))
                for phrase in in_sentence(sentences[i], [span])
            ]
            text = f"{marked.text[span[0] : span[1]]!r:.40}"
            words = {(i, k) for i, phrase in own for k in range(phrase.start, phrase.end)}
            if len(own) != 1 or words & taken:
                left.append(f"{text} (line {marked.line})")
                continue
            taken |= words
            [(i, phrase)] = own
            rows[i].append(phrase)
            start = sentences[i].places[phrase.start][0]
            end = sentences[i].places[phrase.end - 1][1]
            if (start, end) != span[:2]:
                moved.append(f"{text} to {marked.text[start:end]!r:.40}")
        pairs = zip(sentences, rows, strict=True)
        yield marked, [(tokens, tags_of(row, len(tokens), "iobes")) for tokens, row in pairs]
    why = "left out (in two sentences, in none, or within another one)"
    for what, spans in (("moved to whole tokens", moved), (why, left)):
        if spans:
            more = ", ..." * (len(spans) > SHOWN)
            tell(f"{len(spans)} of {n} spans {what}: {', '.join(spans[:SHOWN])}{more}")


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


# --------------------------------------------------------------------------- writing


def _brat(line: Line, answers: Answers, options: Options) -> str:
    """The spans by their places in the file; one over several lines is in pieces."""
    rows = []
    for first, last, label in phrases_of(answers):
        start, end = line.place(first, last)
        text = line.text[start - line.start : end - line.start]
        pieces = [(start + m.start(), start + m.end()) for m in re.finditer(r"[^\r\n]+", text)]
        places = ";".join(f"{a} {b}" for a, b in pieces)
        shown = " ".join(re.findall(r"[^\r\n]+", text))
        rows.append(f"T\t{label} {places}\t{shown}\n")
    return "".join(rows)


def _numbered(parts: Iterator[str]) -> Iterator[str]:
    number = count(1)
    return (re.sub("^T", lambda _: f"T{next(number)}", part, flags=re.M) for part in parts)


def _in_text(line: Line, answers: Answers) -> list[Span]:
    places = line.tokens.places
    return [
        (places[first][0] - line.start, places[last - 1][1] - line.start, label)
        for first, last, label in phrases_of(answers)
    ]


def _doccano(line: Line, answers: Answers, options: Options) -> str:
    record = {"text": line.text, "label": _in_text(line, answers)}
    return json.dumps(record, ensure_ascii=False) + "\n"


def _label_studio(line: Line, answers: Answers, options: Options) -> str:
    """A task with predictions, under the names of its template for names: `label` of `text`."""
    wide = wide_in(line.text)  # it counts units of UTF-16
    result = [
        {
            "id": f"{start}-{end}-{label}",
            "from_name": "label",
            "to_name": "text",
            "type": "labels",
            "value": {
                "start": start + bisect_left(wide, start),
                "end": end + bisect_left(wide, end),
                "text": line.text[start:end],
                "labels": [label],
            },
        }
        for start, end, label in _in_text(line, answers)
    ]
    predictions = [{"model_version": "senna", "result": result}]
    record = {"data": {"text": line.text}, "predictions": predictions}
    return json.dumps(record, ensure_ascii=False)


_OF_NAMES = Format(
    _doccano,
    about="sentences with their spans, as doccano imports them",
    tasks=("ner",),
    shows=has_spans,
)
FORMATS = {
    "brat": _OF_NAMES._replace(
        sentence=_brat, about="the annotations of a text file for brat (.ann)", finish=_numbered
    ),
    "doccano": _OF_NAMES,
    "label-studio": _OF_NAMES._replace(
        sentence=_label_studio,
        about="the same as predictions for Label Studio",
        head="[\n",
        between=",\n",
        foot="\n]\n",
    ),
}
