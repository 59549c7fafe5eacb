"""Tags of words: plain ones such as parts of speech, and phrases that do not nest, as IOBES."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from senna.annotation.schemes import Phrase, all_tags, convert, phrases_of
from senna.decoding.requests import DIGITS, TINY, Scored, Tagging, joined
from senna.errors import SennaError, located
from senna.kinds.answer import (
    SHOWN,
    SPAN,
    TASK,
    Columns,
    DocumentError,
    Gold,
    Labelled,
    Line,
    Measure,
    Output,
    Record,
    add_scores,
    labels,
    probabilities,
    probability,
)
from senna.registry import RULES

if TYPE_CHECKING:
    from senna.text.tokens import Tokens

NO_PATH = "_"  # in the column of a path that a sentence does not have
LEFT_OUT = ("EDITED", "META")  # treebanks of speech have them, PT0's 25 types are without


class TagOutput(Output):
    """Answers are lists of tags, which may be `Scored`."""

    fields: ClassVar[Record] = {"tags": {TASK: [str]}, "scores": {TASK: [float]}}
    kind = "tags"

    def targets(
        self, answer: list[str], n: int, tree: Sequence[Phrase] | None = None
    ) -> tuple[list[list[str]], None]:
        return [answer], None

    def vocabulary(self, seen: Collection[str]) -> list[str]:
        return sorted(seen)

    def measure(self, gold: Sequence[list[str]], predicted: Sequence[list[str]]) -> Measure:
        pairs = zip(chain.from_iterable(gold), chain.from_iterable(predicted), strict=True)
        right = Counter(one == other for one, other in pairs)
        return Measure("accuracy", 100 * right[True] / max(right.total(), 1))

    def join(
        self, parts: Sequence[list[str]], starts: Sequence[int], n: int, given: bool
    ) -> list[str]:
        return joined(parts)

    def columns(self, words: Sequence[str], answer: list[str], scheme: str) -> Columns:
        return tag_columns(answer, "")

    def write(self, record: Record, task: str, line: Line, answer: list[str], scheme: str) -> None:
        _write(record, task, answer, "")

    def parse(self, record: Record, task: str, tokens: Tokens) -> list[str]:
        n = len(tokens)
        tags = labels(record["tags"][task], n)
        if self.kind == "phrases" and not {*tags} <= {*self.vocabulary(tags)}:
            raise DocumentError(f"tags of {task} that are not in IOBES")
        phrases = self.phrases(tags)
        given = record.get("spans", {}).get(task)
        if given is not None and phrases != [
            (span["first"], span["last"], span["label"]) for span in given
        ]:
            raise DocumentError(f"spans of {task} that are not those of its tags")
        scores = record.get("scores", {}).get(task)
        paths = [
            Tagging(probability(path["score"]), labels(path["tags"], n))
            for path in record.get("nbest", {}).get(task, [])
        ]
        if scores is None and not paths:
            return tags
        spans = record["spans"][task] if phrases and scores is not None else []
        scores = [] if scores is None else probabilities(scores, n)
        answer = scored(tags, scores, phrases, [probability(span["score"]) for span in spans])
        answer.n_best, answer.paths = max(len(paths), 1), paths
        return answer

    def phrases(self, tags: Sequence[str]) -> list[Phrase]:
        """The phrases of a sentence's tags, if they make any."""
        return []


class PhraseOutput(TagOutput):
    """Answers are lists of IOBES tags, which may be `Scored`."""

    fields: ClassVar[Record] = {
        "tags": {TASK: [str]},
        "spans": {TASK: [{"label": str, **SPAN}]},
        "scores": {TASK: [float]},
    }
    kind = "phrases"

    def learnable(self, gold: list[Gold], name: str) -> list[Gold]:
        """Tags as IOBES, whatever scheme the file has."""
        from senna.annotation.scheme_detection import check_tags, detect

        check_tags((s.forms, s.answer, name, s.line) for s in gold)
        kinds = {tag[0] for sentence in gold for tag in sentence.answer}
        if "S" in kinds and kinds & {"B", "I"} and "E" not in kinds:
            what = "tags with S- beside B- or I-, but none with E-: two schemes are mixed"
            raise SennaError(
                what, where=name, remedy="Write a phrase of one word as B-, as in IOB2."
            )
        with located(name):
            scheme = detect([sentence.answer for sentence in gold])
            return [
                sentence._replace(answer=convert(sentence.answer, scheme, "iobes"))
                for sentence in gold
            ]

    def vocabulary(self, seen: Collection[str]) -> list[str]:
        """O and all four IOBES tags of each type."""
        return all_tags(sorted({tag[2:] for tag in seen} - {""}))

    def measure(self, gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> Measure:
        from senna.kinds.scores import Figures

        counts = [0, 0, 0]
        for tags, guess in zip(gold, predicted, strict=True):
            right = set(phrases_of(tags, "iobes"))
            guessed = right if guess == tags else set(phrases_of(guess, "iobes"))
            for i, phrases in enumerate((right, guessed, right & guessed)):
                counts[i] += len(phrases)
        return Measure("F1", Figures.of(*counts).f1)

    def columns(self, words: Sequence[str], answer: list[str], scheme: str) -> Columns:
        return tag_columns(answer, scheme)

    def write(self, record: Record, task: str, line: Line, answer: list[str], scheme: str) -> None:
        _write(record, task, answer, scheme)
        record["spans"][task] = written_spans(line, "label", self.phrases(answer), answer)

    def phrases(self, tags: Sequence[str]) -> list[Phrase]:
        return phrases_of(tags, "iobes")

    def spans(self, answer: list[str]) -> Iterator[Labelled]:
        return map(Labelled, self.phrases(answer))


class SegmentOutput(PhraseOutput):
    """The lowest constituents of trees (section 6.5), those of PT0's 25 types."""

    def learnable(self, gold: list[Gold], name: str) -> list[Gold]:
        sentences = super().learnable(gold, name)
        return [sentence._replace(answer=as_pt0(sentence.answer)) for sentence in sentences]


def as_pt0(tags: Sequence[str]) -> list[str]:
    """Tags of the lowest constituents without the types that PT0 does not have."""
    return ["O" if tag[2:] in LEFT_OUT else tag for tag in tags]


class ValueOutput(PhraseOutput):
    """Dates, times, sums of money and numbers, which rules find; each has a value, by its words."""

    fields: ClassVar[Record] = {
        "tags": {TASK: [str]},
        "spans": {TASK: [{"label": str, **SPAN, "value": str}]},
        "scores": {TASK: [float]},
    }

    def write(self, record: Record, task: str, line: Line, answer: list[str], scheme: str) -> None:
        """The same as of other phrases, and of each its value, "" where it has none."""
        value_of = RULES["value"].value_of
        super().write(record, task, line, answer, scheme)
        for span in record["spans"][task]:
            words = line.words[span["first"] : span["last"]]
            span["value"] = value_of(words, span["label"])


def merge_to(forms: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Part-of-speech tags as the Penn Treebank has them where later treebanks differ.

    Every word *to* that has TO or IN gets TO (later treebanks tag the preposition IN), and every
    semicolon ":" (EWT has "," for all of them, GUM ":").
    """
    return [_merged_tag(form, tag) for form, tag in zip(forms, tags, strict=True)]


def _merged_tag(form: str, tag: str) -> str:
    if form == ";" and tag == ",":
        return ":"
    return "TO" if tag == "IN" and form.lower() == "to" else tag


def _write(record: Record, task: str, tags: list[str], scheme: str) -> None:
    """Add tags in a scheme, their probabilities and the next best paths to a JSON record."""
    record["tags"][task] = in_scheme(tags, scheme)
    if isinstance(tags, Scored) and tags.scores:
        add_scores(record, task, tags.scores)
    if isinstance(tags, Scored) and tags.n_best > 1:
        record.setdefault("nbest", {})[task] = [
            {"score": round(path.score, DIGITS), "tags": in_scheme(path.tags, scheme)}
            for path in tags.paths
        ]


def in_scheme(tags: list[str], scheme: str) -> list[str]:
    """IOBES tags in another scheme; plain ones, for which it is empty, as they are."""
    return tags if scheme in ("", "iobes") else convert(tags, "iobes", scheme)


def tag_columns(tags: list[str], scheme: str) -> Columns:
    """The tags; their scores and those of the next best paths, where they were asked for."""
    columns = [in_scheme(tags, scheme)]
    if isinstance(tags, Scored):
        if tags.scores:
            columns.append([SHOWN[round(score * 1000)] for score in tags.scores])
        columns += [in_scheme(path.tags, scheme) for path in tags.paths[1:]]
        lacking = [NO_PATH] * len(tags)
        columns += [lacking] * (tags.n_best - max(len(tags.paths), 1))
    return columns


def written_spans(line: Line, name: str, phrases: Sequence[Phrase], tags: list[str]) -> list[Any]:
    """Phrases for JSON, each with its score where scores were asked for."""
    spans = [line.span(name, phrase) for phrase in phrases]
    if isinstance(tags, Scored) and tags.scores:
        for span, (first, last, _) in zip(spans, phrases, strict=True):
            span["score"] = round(tags.span(first, last), DIGITS)
    return spans


def scored(
    tags: list[str], scores: list[float], phrases: Sequence[Phrase], of_phrases: list[float]
) -> Scored:
    """Tags whose scores, and those of their phrases, are what was written of them."""
    opens = [math.log(max(score, TINY)) for score in scores]
    for phrase, score in zip(phrases, of_phrases, strict=bool(scores)):
        opens[phrase.start] = math.log(max(score, TINY))
    return Scored(tags, scores, opens, [0.0] * len(opens))


OUTPUTS = {
    "tags": TagOutput(),
    "phrases": PhraseOutput(),
    "segments": SegmentOutput(),
    "values": ValueOutput(),
}
