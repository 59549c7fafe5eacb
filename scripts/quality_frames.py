"""Sentences of twelve kinds, from inversions to headlines, with the frames of all their predicates.

A sentence is a line of tokens separated by spaces; each of its predicates is a line such as `left:
A0 he | AM-TMP early`; a blank line ends it. `A0 she#2` is the second *she*, `bought#2` the second
*bought*. `measure_quality.py --frames` scores tests/quality/frames. No model learns from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from quality_spans import Marked, bracketed, tagger

import senna
from senna.files import open_text
from senna.scoring.figures import Figures, percent
from senna.text.roles import VERB
from senna.text.schemes import Phrase

FRAMES = Path(__file__).resolve().parents[1] / "tests" / "quality" / "frames"
HEADING = """\
| frames | sentences | right | share | P | R | F1 |
|---|---:|---:|---:|---:|---:|---:|"""

Frames = Mapping[int, Sequence[Phrase]]  # the arguments of each predicate in order, by its place


class Framed(NamedTuple):
    """A sentence and its frames."""

    words: list[str]
    frames: Frames


def read(path: Path) -> list[Framed]:
    """The sentences of a file; SennaError, with the line, for what is not in its format."""
    sentences: list[Framed] = []
    words: list[str] = []
    with open_text(path) as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                words = []
            elif not words:
                words, frames = line.split(), dict[int, list[Phrase]]()
                sentences.append(Framed(words, frames))
            else:
                where = f"{path}:{number}"
                place, arguments = frame(line, words, where)
                if place in frames:
                    raise senna.SennaError(f"two frames of {words[place]}", where=where)
                frames[place] = arguments
    return sentences


def frame(line: str, words: Sequence[str], where: str) -> tuple[int, list[Phrase]]:
    """The place of a line's predicate, and its arguments."""
    verb, colon, rest = line.partition(":")
    if not colon:
        raise senna.SennaError("no colon after the predicate", where=where)
    predicate = placed(VERB, verb, words, where)
    cells = [cell.split(maxsplit=1) for cell in rest.split("|") if rest.strip()]
    if any(len(cell) < 2 for cell in cells):
        raise senna.SennaError("a role without its phrase", where=where)
    arguments = sorted(placed(label, phrase, words, where) for label, phrase in cells)
    spans = sorted([predicate, *arguments])
    for one, other in pairwise(spans):
        if other.start < one.end:
            raise senna.SennaError(f"{one.label} and {other.label} overlap", where=where)
    return predicate.start, arguments


def placed(label: str, phrase: str, words: Sequence[str], where: str) -> Phrase:
    """The tokens of a phrase: the first ones of its form, or those with a number, as `she#2`."""
    numbered = re.fullmatch("(.+)#([1-9])", phrase.strip())
    form, number = numbered.groups() if numbered else (phrase, "1")
    tokens = form.split()
    starts = [i for i in range(len(words)) if words[i : i + len(tokens)] == tokens]
    if int(number) > len(starts):
        raise senna.SennaError(f"the sentence has no {phrase.strip()}", where=where)
    start = starts[int(number) - 1]
    return Phrase(start, start + len(tokens), label)


def report(models: Sequence[str], errors: bool) -> Iterator[str]:
    """The lines of the table, and of what is wrong."""
    kinds = {path.stem: read(path) for path in sorted(FRAMES.glob("*.txt"))}
    nlp = tagger("srl", models)
    answers = {kind: found(sentences, nlp) for kind, sentences in kinds.items()}
    yield HEADING
    for kind, sentences in kinds.items():
        yield row(kind, sentences, answers[kind])
    everything = [one for sentences in kinds.values() for one in sentences]
    yield row("all", everything, [one for answer in answers.values() for one in answer])
    if errors:
        for kind, sentences in kinds.items():
            for line in wrong(sentences, answers[kind]):
                yield f"  {kind}: {line}"


def found(sentences: Sequence[Framed], nlp: senna.Nlp) -> list[Frames]:
    """The frames that the models find."""
    return [
        {predicate.position: predicate.arguments for predicate in predicates}
        for predicates in nlp.roles([sentence.words for sentence in sentences])
    ]


def row(kind: str, sentences: Sequence[Framed], answers: Sequence[Frames]) -> str:
    """The sentences with the right predicates and roles, and the figures of all arguments."""
    right, counts = 0, [0, 0, 0]
    for sentence, answer in zip(sentences, answers, strict=True):
        right += sentence.frames == answer
        expected, ours = arguments_of(sentence.frames), arguments_of(answer)
        for i, side in enumerate((expected, ours, expected & ours)):
            counts[i] += len(side)
    figures = Figures.of(*counts)
    shares = percent(right, len(sentences)), figures.precision, figures.recall, figures.f1
    cells = [kind, str(len(sentences)), str(right), *(f"{share:.1f}" for share in shares)]
    return f"| {' | '.join(cells)} |"


def arguments_of(frames: Frames) -> set[tuple[int, Phrase]]:
    """The arguments of all predicates."""
    return {(place, argument) for place, arguments in frames.items() for argument in arguments}


def wrong(sentences: Sequence[Framed], answers: Sequence[Frames]) -> Iterator[str]:
    """Each frame that is not as expected, and what was found in its place."""
    for (words, frames), answer in zip(sentences, answers, strict=True):
        for place in sorted({*frames, *answer}):
            if frames.get(place) != answer.get(place):
                gold, ours = (shown(words, place, side.get(place)) for side in (frames, answer))
                yield f"{gold}  tagged  {ours}"


def shown(words: list[str], place: int, arguments: Sequence[Phrase] | None) -> str:
    """A sentence with its frame in brackets, or a word that is no predicate."""
    if arguments is None:
        return f"{words[place]} is no predicate"
    return bracketed(Marked(words, sorted([Phrase(place, place + 1, VERB), *arguments])))
