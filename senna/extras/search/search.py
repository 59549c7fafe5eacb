"""Patterns of words and tags in files: what `senna.search` and `senna match` do."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, cast

from senna.document.document import Document
from senna.document.parts import Match
from senna.document.serialise import Contents
from senna.errors import SennaError, located, plain
from senna.extras.search.patterns import Pattern, labels_of, matches_of
from senna.files import ending, open_text
from senna.formats.stored import CONLLU, STORED, sentences, sentences_of
from senna.kinds import output_of
from senna.kinds.answer import Record
from senna.pipeline.files import options_for, tag_files
from senna.pipeline.format import Piece
from senna.pipeline.pipeline import Pipeline, Tagged

USUAL = "pos"  # the task of a pattern that asks for none
Found = Iterable[tuple[Record, Contents]]


class Hit(NamedTuple):
    """A match, and where its sentence is from: file, line or row (0 where it is not known)."""

    file: str
    line: int
    start: int  # of the match in its file, where that is known
    match: Match


def search(
    pattern: str,
    files: str | Path | Sequence[str | Path],
    *,
    jobs: int = 1,
    tell: Callable[[SennaError], object] = lambda note: warnings.warn(str(note), stacklevel=3),
    tagged: Callable[[Piece], object] = lambda piece: None,
    **options: Any,
) -> Iterator[Hit]:
    """The matches of a pattern in files, one after another; docs/api.md describes patterns.

    Files whose names end in .jsonl, .conllu, .conllup or .ann (or .gz of these), and JSON on
    standard input, are read as by `senna.read`; other ones are tagged, by the tasks that the
    pattern asks for; `options` are those of `convert`. `tell` gets tags of the pattern that no
    sentence of tagged files has, `tagged` each piece of text that has been tagged. Raises
    SennaError for a text that is no pattern, for a tag that the models never give, and for tagged
    files together with text.
    """
    read = Pattern.of(pattern)
    names = [str(file) for file in ([files] if isinstance(files, (str, Path)) else files)]
    stored = [name for name in names if ending(name) in STORED]
    piped = open_text("-") if names == ["-"] and not options.get("input") else None
    if piped and cast(BufferedReader, piped.buffer).peek(1).lstrip()[:1] == b"{":
        return _in_stored({pattern: read}, names, tell, sentences_of(piped, "<stdin>"))
    if names and stored == names:
        tagged_before = (pair for name in names for pair in sentences(name, read.tasks))
        return _in_stored({pattern: read}, names, tell, tagged_before)
    if stored:
        what = f"{stored[0]} is tagged already, and other files are not"
        raise SennaError(what, remedy="Search them one after the other.")
    given = {"tasks": read.tasks or USUAL, **options, "format": "jsonl"}
    reading = options_for(names, given)
    pipeline = Pipeline.of(reading)
    read.check(labels_of(pipeline.all_labels))
    load = (lambda: pipeline) if jobs == 1 else None  # other processes load their own
    parts = tag_files(names, reading, _found, jobs, tagged, load, piped)
    return _hits(chain.from_iterable(parts), {pattern: read})


def _found(tagged: Tagged) -> list[tuple[Record, Contents]]:
    found = []
    for i, line in enumerate(tagged.lines):
        where = {"file": line.file, "row": line.row, "line": line.line, "start": line.begin}
        answers = {task: [of_task[i]] for task, of_task in tagged.annotation.items()}
        found.append((where, Contents(line.text, [line.tokens.moved(-line.start)], answers)))
    return found


def _in_stored(
    patterns: dict[str, Pattern],
    names: Sequence[str],
    tell: Callable[[SennaError], object],
    found: Found,
) -> Iterator[Hit]:
    """The matches of a pattern in tagged files; if there are none, why that may be."""
    [read] = patterns.values()
    seen: dict[str, set[str]] = {task: set() for task in read.tasks}
    nothing = True
    for hit in _hits(_noting(seen, found), patterns):
        nothing = False
        yield hit
    if nothing:
        lacking = [task for task in read.tasks if not seen[task]]
        if lacking and all(ending(name) in CONLLU for name in names):
            what = f"no {output_of(lacking[0]).kind} of task {lacking[0]!r}"
            remedy = f"senna tag --format conllu --task {lacking[0]} finds them."
            raise SennaError(what, where=names[0], remedy=remedy)
        try:
            read.check(seen)
        except SennaError as error:
            tell(SennaError(f"{error.what} in these files", where=error.where, remedy=error.remedy))


def _noting(seen: dict[str, set[str]], found: Found) -> Found:
    """The same sentences; `seen` gets the labels that they have."""
    for where, parts in found:
        for task, labels in seen.items():
            for answer in parts.answers.get(task, ()):
                kind = output_of(task).kind
                if kind in ("tags", "lemmas"):
                    labels |= {*answer}
                elif kind == "dependencies":
                    labels |= {arc.relation for arc in answer}
                else:
                    labels |= {span.phrase.label for span in output_of(task).spans(answer)}
        yield where, parts


def _hits(found: Found, patterns: dict[str, Pattern]) -> Iterator[Hit]:
    for where, parts in found:
        number = where.get("row") or where.get("line") or 0
        doc = Document(*parts)
        with located(f"{where.get('file', '')}:{number}"):  # a task may not be there
            matches = matches_of(doc.sentences, patterns)
        for match in matches:
            start = where.get("start", 0) + match.start
            yield Hit(where.get("file", ""), number, start, match)


def in_context(hit: Hit, width: int) -> str:
    """A line of a concordance: a match, with `width` characters on either side."""
    text, match = hit.match.sentence.text, hit.match
    begin = match.start - match.sentence.start
    left = " ".join(text[:begin].split())[-width:] if width else ""
    right = " ".join(text[begin + len(match.text) :].split())[:width]
    place = plain(f"{hit.file}:{hit.line}" if hit.line else hit.file)
    shown = " ".join(match.text.split())
    return f"{place}\t{plain(f'{left:>{width}}')}\t{plain(shown)}\t{plain(right)}"


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
