"""Sentences with bracketed spans: simple ones with their frames, and names that are easily wrong.

A line is a sentence of tokens separated by spaces. `[A0 The dog] [V barks] .` marks the verb and
its core roles A0 and A1; `[PER Mary] and [PER John] left .` marks all names. `measure_quality.py
--spans` scores the files of tests/quality/spans. No model learns from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import senna
from senna.files import open_text
from senna.scoring.figures import percent
from senna.text.schemes import Phrase, phrases_of

SPANS = Path(__file__).resolve().parents[1] / "tests" / "quality" / "spans"
CORE = ("A0", "A1")
NAMES = ("PER", "LOC", "ORG", "MISC")
HEADING = """\
| spans | sentences | right | share |
|---|---:|---:|---:|"""


class Marked(NamedTuple):
    """A sentence and its spans in order."""

    words: list[str]
    spans: list[Phrase]


def read(path: Path, labels: Sequence[str]) -> list[Marked]:
    """The sentences of a file; SennaError, with the line, for brackets that are not in order."""
    with open_text(path) as file:
        return [
            marked(line.split(), labels, f"{path}:{number}")
            for number, line in enumerate(file, start=1)
            if line.strip()
        ]


def marked(cells: Sequence[str], labels: Sequence[str], where: str) -> Marked:
    """A sentence of cells such as `[A0`, `The`, `dog]`."""
    words: list[str] = []
    spans: list[Phrase] = []
    start, label = 0, ""
    for cell in cells:
        if cell.startswith("["):
            if label or cell[1:] not in labels:
                raise senna.SennaError(f"{cell} cannot open a span here", where=where)
            start, label = len(words), cell[1:]
            continue
        words.append(cell.removesuffix("]"))
        if cell != words[-1]:
            if not label or not words[-1]:
                raise senna.SennaError(f"{cell} closes no span", where=where)
            spans.append(Phrase(start, len(words), label))
            label = ""
    if label:
        raise senna.SennaError(f"[{label} is not closed", where=where)
    return Marked(words, spans)


def roles_of(sentences: Sequence[Marked], nlp: senna.Nlp) -> list[list[Phrase]]:
    """The frame of each sentence's verb, its core roles alone; empty where it is no predicate."""
    frames = []
    for sentence, predicates in zip(
        sentences, nlp.roles([s.words for s in sentences]), strict=True
    ):
        [verb] = [span for span in sentence.spans if span.label == "V"]
        frame: list[Phrase] = []
        for predicate in predicates:
            if predicate.position == verb.start:
                core = [span for span in predicate.arguments if span.label in CORE]
                frame = sorted([verb, *core])
        frames.append(frame)
    return frames


def names_of(sentences: Sequence[Marked], nlp: senna.Nlp) -> list[list[Phrase]]:
    """The names of each sentence."""
    tagged = nlp.tag([sentence.words for sentence in sentences])["ner"]
    return [phrases_of(tags, "iobes") for tags in tagged]


def report(models: Sequence[str], errors: bool) -> Iterator[str]:
    """The lines of the table, and of what is wrong."""
    wrong: list[str] = []
    yield HEADING
    for task, labels, spans_of in (
        ("srl", (*CORE, "V"), roles_of),
        ("ner", NAMES, names_of),
    ):
        path = SPANS / ("roles.txt" if task == "srl" else "names.txt")
        sentences = read(path, labels)
        answers = spans_of(sentences, tagger(task, models))
        n_right = 0
        for sentence, spans in zip(sentences, answers, strict=True):
            n_right += sentence.spans == spans
            if sentence.spans != spans:
                wrong.append(
                    f"  {bracketed(sentence)}  tagged  {bracketed(Marked(sentence.words, spans))}"
                )
        share = percent(n_right, len(sentences))
        yield f"| {path.stem} | {len(sentences)} | {n_right} | {share:.1f} |"
    if errors:
        yield from wrong


def tagger(task: str, models: Sequence[str]) -> senna.Nlp:
    """The package's models of a task, but for those named: its model, or that of predicates."""
    named = {name: model for model in models for name in senna.load(None, model).tasks}
    finder = Path(named["predicates"]) if task == "srl" and "predicates" in named else "auto"
    return senna.load([task], named.get(task), predicates=finder)


def bracketed(sentence: Marked) -> str:
    """A sentence as the files have it."""
    cells = list(sentence.words)
    for span in sentence.spans:
        cells[span.start] = f"[{span.label} {cells[span.start]}"
        cells[span.end - 1] += "]"
    return " ".join(cells)
