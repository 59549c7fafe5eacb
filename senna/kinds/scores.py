"""Options of a scorer, its additions to the report, and precision, recall and F1."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple, TextIO, TypedDict, get_type_hints

from senna.errors import SennaError
from senna.files import open_text
from senna.settings import Option, named, switch
from senna.text.capitals import CASES


class ScoreOptions(TypedDict, total=False):
    """How to read, score and print. Not every option goes with every task."""

    as_is: Annotated[
        bool, switch("Read all tags as conlleval does, IOBES, BILOU and brackets too.")
    ]
    raw: Annotated[bool, switch("Tags are bare types; each token is a phrase.", short="-r")]
    delimiter: Annotated[
        str | None,
        Option(
            "The column separator, a Python regular expression. Default: a tab if the first line "
            "has one, else a space; with --as-is a space.",
            short="-d",
            metavar="REGEX",
        ),
    ]
    outside: Annotated[
        str,
        Option("With --raw: the tag outside phrases.", short="-o", metavar="TAG", default="O"),
    ]
    latex: Annotated[bool, switch("Print a LaTeX table.", short="-l")]
    confusion: Annotated[bool, switch("Add a table of gold types by predicted types.")]
    relaxed: Annotated[
        bool,
        switch(
            "Add the measures of SemEval 2013 that forgive wrong bounds or types: strict, exact, "
            "partial, type."
        ),
    ]
    merge_to: Annotated[
        bool, switch('Count IN and TO as one tag of "to", and "," and ":" as one tag of ";".')
    ]
    errors: Annotated[int, Option("Add the N most frequent errors.", int, least=0)]
    predicates: Annotated[
        str,
        Option(
            "For srl with --model: which predicates get roles; gold, or the values of senna tag.",
            metavar="gold|auto|pos|FILE|DIR",
            default="gold",
        ),
    ]
    kinds: Annotated[
        str,
        Option(
            "For srl and predicates with --model: the kinds of gold predicates, for example "
            "v,lv,n, or all; v,lv are all verbs but be and auxiliaries.",
            metavar="LIST",
            default="v,lv",
        ),
    ]
    columns: Annotated[
        str,
        Option(
            "For srl with --model: the names of the columns before the roles, for example "
            "word,-,predicate.",
            metavar="NAMES",
            default="",
        ),
    ]
    levels: Annotated[
        str,
        Option(
            "With a --model that reads levels of trees: their gold levels, for example "
            "pt0/ewt:test.levels.",
            metavar="FILE",
            default="",
        ),
    ]
    from_text: Annotated[
        bool,
        switch(
            "For dep with --model: split the text into sentences and words first; without it, "
            "the words are those of FILE."
        ),
    ]
    memory: Annotated[
        bool, Option("With --model: use names found earlier in a document.", bool, default=True)
    ]
    case: Annotated[
        str | None,
        Option("With --model: convert the words to this case first.", choices=[*CASES]),
    ]


OPTIONS = named(
    {
        name: hint.__metadata__[0]
        for name, hint in get_type_hints(ScoreOptions, include_extras=True).items()
    }
)


@dataclass
class Work:
    """One evaluation: its options, and what scorers add to the report."""

    task: str
    options: ScoreOptions
    known: frozenset[str] | None = None  # the words that the model has seen
    labels: str = ""  # the names that the model has for labels of files
    notes: list[str] = field(default_factory=list)
    text: str = ""  # after the report
    tables: dict[str, object] = field(default_factory=dict)  # the same in JSON


class Stream(NamedTuple):
    """A text of a program in the place of a file."""

    name: str
    text: str


Source = str | Stream  # the path of a file, "-" for standard input; or what stands in its place


def opened(source: Source, errors: str = "strict") -> TextIO:
    """Open a source; SennaError if it cannot be read."""
    if isinstance(source, str):
        return open_text(source, errors)
    try:
        source.text.encode("utf-8", errors)
    except UnicodeEncodeError:
        raise SennaError("not valid UTF-8", where=source.name) from None
    return io.StringIO(source.text, newline="\n")


def shown(source: Source) -> str:
    """The name of a source in messages."""
    if isinstance(source, Stream):
        return source.name
    return "<stdin>" if source == "-" else source


@dataclass(frozen=True)
class Figures:
    """Precision, recall and their harmonic mean, in percent; 0 where undefined."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, gold: int, predicted: int, correct: float) -> Figures:
        """The figures for so many things in gold, found things, and things in both."""
        # In conlleval's order of operations: the last digit printed depends on it.
        precision, recall = percent(correct, predicted), percent(correct, gold)
        total = precision + recall
        return cls(precision, recall, 2 * precision * recall / total if total else 0.0)

    def as_dict(self) -> dict[str, float]:
        """The figures under their names, as printed."""
        return {name: rounded(value) for name, value in vars(self).items()}


@dataclass(frozen=True)
class Scores(ABC):
    """How often each type stands in gold, is found (predicted), and is in both.

    Scorers have classes for their other counts.
    """

    gold: Counter[str]
    predicted: Counter[str]
    correct: Counter[str]

    @abstractmethod
    def report(self, *, latex: bool = False) -> str:
        """The report of the reference script. The types keep their bytes (surrogateescape)."""

    @abstractmethod
    def as_dict(self) -> dict[str, object]:
        """The report's figures under their names, percentages with two decimals as printed."""

    @property
    def stop(self) -> str:
        """Why the report breaks off where it ends, as the reference script does; mostly empty."""
        return ""

    @property
    def status(self) -> int:
        """The exit status of the reference script where it gives up; mostly 0."""
        return 0

    @property
    def accuracy(self) -> float | None:
        """Words with the right tag, in percent; None where words have none."""
        return None

    @property
    def labels(self) -> list[str]:
        """All types, in the order of their bytes."""
        return sorted({*self.gold, *self.predicted}, key=as_bytes)

    @property
    def overall(self) -> Figures:
        """The figures of all types together."""
        return Figures.of(*self.counts(*self.labels))

    @property
    def types(self) -> dict[str, Figures]:
        """The figures of each type."""
        return {label: Figures.of(*self.counts(label)) for label in self.labels}

    def counts(self, *labels: str) -> tuple[int, int, int]:
        """How many of some types stand in gold, are found, and are in both."""
        gold, predicted, correct = (
            sum(side[label] for label in labels)
            for side in (self.gold, self.predicted, self.correct)
        )
        return gold, predicted, correct


def percent(part: float, whole: int) -> float:
    """A share in percent; 0 of nothing."""
    return 100 * part / whole if whole else 0.0


def rounded(percentage: float) -> float:
    """A percentage as printed with two decimals."""
    return float(f"{percentage:.2f}")


def as_bytes(label: str) -> bytes:
    """The bytes that a type had in its file."""
    return label.encode("utf-8", "surrogateescape")
