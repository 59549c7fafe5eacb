"""Patterns of words and tags in files: what `senna.search` and `senna match` do."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from senna.conversion import convert
from senna.document.document import Document
from senna.document.parts import Match
from senna.document.patterns import Pattern
from senna.document.stored import sentences, sentences_of
from senna.errors import SennaError
from senna.outputs import output_of
from senna.outputs.base import Record
from senna.pipeline.pipeline import Pipeline
from senna.reading.options import Reading

STORED = (".jsonl", ".conllu")  # of files that are tagged already
USUAL = "pos"  # the task of a pattern that asks for none


class Hit(NamedTuple):
    """A match, and where its sentence is from: file, line or row (0 where it is not known)."""

    file: str
    line: int
    start: int  # of the match in its file, where that is known
    match: Match


def search(pattern: str, files: Sequence[str | Path], **options: Any) -> Iterator[Hit]:
    """The matches of a pattern in files, one after another, as docs/api.md has patterns.

    Files ending in .jsonl and .conllu (or .gz of these) are read as `senna tag` wrote them; other
    ones are tagged, by the tasks that the pattern asks for; `options` are those of `convert`.
    Raises SennaError for what is no pattern, and for a tag that the models never give.
    """
    read = Pattern.of(pattern)
    names = [str(file) for file in files]
    if all(set(Path(name).suffixes) & set(STORED) for name in names):
        found: Iterator[tuple[Record, Document]] = (
            pair for name in names for pair in sentences(name)
        )
    else:
        options = {"tasks": read.tasks or USUAL, **options}
        own = {name: options[name] for name in ("tasks", "model") if name in options}
        read.check(labels_of(Reading(**own).pipeline()))
        found = sentences_of(_lines(convert(names, "jsonl", **options)), "<stdin>")
    return _hits(found, pattern)


def labels_of(pipeline: Pipeline) -> dict[str, set[str]]:
    """The labels that the models of tasks give, where these are parts of speech or phrases."""
    labels: dict[str, set[str]] = {}
    for task in pipeline.tasks:
        with suppress(SennaError):
            tags = pipeline.labels(task)
            plain = output_of(task).gives == "tags"
            labels[task] = {tag if plain else tag[2:] for tag in tags if plain or tag != "O"}
    return labels


def _hits(found: Iterable[tuple[Record, Document]], pattern: str) -> Iterator[Hit]:
    for where, doc in found:
        number = where.get("row") or where.get("line") or 0
        for match in doc.match(pattern):
            start = where.get("start", 0) + match.start
            yield Hit(where.get("file", ""), number, start, match)


def _lines(parts: Iterator[bytes]) -> Iterator[str]:
    """The lines of what is written part by part."""
    for part in parts:
        yield from io.StringIO(part.decode("utf-8", "surrogatepass"), newline="\n")


def in_context(hit: Hit, width: int) -> str:
    """A line of a concordance: a match, with `width` characters on either side."""
    text, match = hit.match.sentence.text, hit.match
    begin = match.start - match.sentence.start
    left = " ".join(text[:begin].split())[-width:] if width else ""
    right = " ".join(text[begin + len(match.text) :].split())[:width]
    place = f"{hit.file}:{hit.line}" if hit.line else hit.file
    return f"{place}\t{left:>{width}}\t{' '.join(match.text.split())}\t{right}"


def as_record(hit: Hit) -> Record:
    """A match as an object of JSON."""
    parts = [
        None if part is None else {"text": part.text, "label": part.label}
        for part in hit.match.parts
    ]
    return {
        "file": hit.file,
        "line": hit.line,
        "start": hit.start,
        "text": hit.match.text,
        "parts": parts,
        "sentence": hit.match.sentence.text,
    }


def counted(hits: Iterable[Hit]) -> list[tuple[str, int]]:
    """How often each text is matched, the most frequent first."""
    counts = Counter(" ".join(hit.match.text.split()) for hit in hits)
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
