"""Precision, recall and F1 of what is counted by its type."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass


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
