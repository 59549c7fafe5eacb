"""Predicates and their roles; and which words are predicates."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from senna.annotation.predicates import VERB, Predicate, predicate_column, verbal
from senna.annotation.schemes import Phrase, tags_of
from senna.decoding.requests import Scored, between
from senna.kinds.answer import (
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
    phrase_of,
    probabilities,
    probability,
    whole,
)
from senna.kinds.tags.answer import PhraseOutput, in_scheme, scored, tag_columns, written_spans
from senna.registry import SCORERS

if TYPE_CHECKING:
    from senna.text.tokens import Tokens

NOTHING = ("O", "*")  # cells of words outside all roles


class Finder(NamedTuple):
    """How the predicates of sentences are found: by a task, whose tags mark them."""

    task: str
    places: Callable[[Sequence[str], Sequence[str]], list[int]]  # of forms and tags
    error: tuple[str, str, str]  # what, where and remedy, if there is no model for the task


def marked(forms: Sequence[str], tags: Sequence[str]) -> list[int]:
    """The predicates that a model of them has found."""
    return [i for i, tag in enumerate(tags) if tag != "O"]


_NO_MODEL = (
    "the package has no model that finds predicates",
    "--predicates auto",
    "Use --predicates pos, a file of them, or the folder of your own model.",
)
_NO_POS = "there is no model for parts of speech", "--predicates pos", ""
FINDERS = {"auto": Finder("predicates", marked, _NO_MODEL), "pos": Finder("pos", verbal, _NO_POS)}


class RoleOutput(Output):
    """Answers are lists of `Predicate`, whose tags may be `Scored`."""

    fields: ClassVar[Record] = {
        "predicates": [
            {
                **{"index": int, "text": str, "start": int, "end": int},
                "arguments": [{"role": str, **SPAN}],
            }
        ],
        "scores": {TASK: [[float]]},
    }
    kind = "roles"

    def targets(
        self, answer: list[Predicate], n: int, tree: Sequence[Phrase] | None = None
    ) -> tuple[list[list[str]], None]:
        return [predicate.tags for predicate in answer], None

    def vocabulary(self, seen: Collection[str]) -> list[str]:
        """O and all four IOBES tags of each role."""
        return _PHRASES.vocabulary(seen)

    def measure(
        self, gold: Sequence[Sequence[Predicate]], predicted: Sequence[Sequence[Predicate]]
    ) -> Measure:
        """F1 of arguments, as srl-eval counts them."""
        return Measure("F1", SCORERS["srleval"].f1(gold, predicted))

    def join(
        self, parts: Sequence[list[Predicate]], starts: Sequence[int], n: int, given: bool
    ) -> list[Predicate]:
        """The given predicates; none are looked for in a sentence that was cut."""
        if len(parts) > 1 and not given:
            return []
        return [
            Predicate(place + start, between(tags, start, n - start - len(tags)))
            for start, part in zip(starts, parts, strict=True)
            for place, tags in part
        ]

    def columns(self, words: Sequence[str], answer: list[Predicate], scheme: str) -> Columns:
        """The word where it is a predicate, then one column per predicate."""
        roles = [column for predicate in answer for column in tag_columns(predicate.tags, scheme)]
        return [predicate_column(words, answer), *roles]

    def cells(self, words: Sequence[str], answer: list[Predicate], scheme: str) -> list[str]:
        """The roles of a word, for example 2:B-A0,5:S-V, with the numbers of predicates from 1."""
        cells: list[list[str]] = [[] for _ in words]
        for predicate, column in zip(
            sorted(place + 1 for place, _ in answer),
            (in_scheme(tags, scheme) for _, tags in answer),
            strict=True,
        ):
            for cell, tag in zip(cells, column, strict=True):
                if tag not in NOTHING:
                    cell.append(f"{predicate}:{tag}")
        return [",".join(cell) for cell in cells]

    def write(
        self, record: Record, task: str, line: Line, answer: list[Predicate], scheme: str
    ) -> None:
        record["predicates"] = predicates = []
        for predicate in answer:
            place = predicate.position
            start, end = line.place(place, place + 1)
            arguments = written_spans(line, "role", predicate.arguments, predicate.tags)
            text = line.tokens[place].text
            predicates.append({"index": place, "text": text, "start": start, "end": end})
            predicates[-1]["arguments"] = arguments
        rows = [tags.scores for _, tags in answer if isinstance(tags, Scored) and tags.scores]
        if rows:
            add_scores(record, task, rows)

    def parse(self, record: Record, task: str, tokens: Tokens) -> list[Predicate]:
        answer, n = [], len(tokens)
        scores_of = record.get("scores", {}).get(task)
        if scores_of is not None and len(scores_of) != len(record["predicates"]):
            raise DocumentError("scores of other predicates")
        rows = None if scores_of is None else iter(scores_of)
        for entry in record["predicates"]:
            place = whole(entry["index"])
            spans = entry["arguments"]
            phrases = [phrase_of(span, "role", n) for span in spans]
            verb = Phrase(place, place + 1, VERB)
            tags = tags_of([*phrases, verb], n, "iobes")
            if rows is not None or (spans and all("score" in span for span in spans)):
                # Older files have scores of arguments alone: what is between them is certain.
                scores = [1.0] * n if rows is None else probabilities(next(rows), n)
                tags = scored(tags, scores, phrases, [probability(span["score"]) for span in spans])
            answer.append(Predicate(place, tags))
        return answer

    def spans(self, answer: list[Predicate]) -> Iterator[Labelled]:
        for predicate in answer:
            place = predicate.position
            for phrase in (Phrase(place, place + 1, VERB), *predicate.arguments):
                yield Labelled(phrase, place)


class MarkOutput(PhraseOutput):
    """Which words are predicates, tagged S-V; read from files of roles."""

    def learnable(self, gold: list[Gold], name: str) -> list[Gold]:
        return gold

    def vocabulary(self, seen: Collection[str]) -> list[str]:
        """All predicates are of one word."""
        return sorted({"O", "S-V"}.union({*seen}.intersection(super().vocabulary(seen))))


_PHRASES = PhraseOutput()
OUTPUTS = {"roles": RoleOutput(), "marks": MarkOutput()}
