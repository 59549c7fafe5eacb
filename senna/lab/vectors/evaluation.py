"""Word similarity: whether cosines of vectors rank pairs of words as people do; and analogies.

A list of pairs is lines of word, tab, word, tab, score; a higher score is more similar. The measure
is Spearman's rank correlation over the pairs both of whose words have a vector.

An analogy is whether b - a + c is nearest to d, for words a : b as c : d (Mikolov et al. 2013). A
file has a line for each question, four words, in sections that a line `: name` begins.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from senna.errors import SennaError
from senna.files import open_text
from senna.formats.vectors import Vectors
from senna.lab.vectors.neighbours import BLOCK, row_of

RatedPair = tuple[str, str, float]  # two words, and how similar people found them


def read_pairs(path: Path) -> list[RatedPair]:
    """The pairs of a list; SennaError, with the line, for anything else."""
    pairs = []
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            fields = line.rstrip("\r\n").split("\t")
            try:
                left, right, score = fields[0], fields[1], float(fields[2])
            except (IndexError, ValueError):
                score = math.nan
            if len(fields) != 3 or not math.isfinite(score):
                what = "expected word, tab, word, tab, number"
                raise SennaError(what, where=f"{path}:{number}")
            pairs.append((left, right, score))
    if not pairs:
        raise SennaError("the file has no pairs of words", where=str(path))
    return pairs


def score_pairs(
    vectors: Vectors, rows: Mapping[str, int], pairs: Sequence[RatedPair]
) -> tuple[int, int, float]:
    """The numbers of known pairs and of all, and the correlation over the known ones, or NaN.

    Cosines of pairs are compared with their scores; `rows` has the row of each word.
    """
    places = [(row_of(rows, left), row_of(rows, right)) for left, right, _ in pairs]
    known = [i for i, place in enumerate(places) if None not in place]
    if not known:
        return 0, len(pairs), math.nan
    left, right = np.array([places[i] for i in known], np.int64).T
    a, b = (np.asarray(vectors.table[rows_], np.float64) for rows_ in (left, right))
    lengths = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
    cosines = (a * b).sum(axis=1) / np.where(lengths > 0, lengths, 1)  # 0 with a vector of zeros
    return len(known), len(pairs), spearman(cosines, [pairs[i][2] for i in known])


def spearman(x: ArrayLike, y: ArrayLike) -> float:
    """Spearman's rank correlation, equal values sharing their mean rank; NaN for a constant.

    >>> round(spearman([1, 2, 3, 4], [10, 30, 20, 40]), 3)
    0.8
    """
    a, b = _ranks(x), _ranks(y)
    a, b = a - a.mean(), b - b.mean()
    spread = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / spread if spread else math.nan


def _ranks(values: ArrayLike) -> NDArray[np.float64]:
    """Ranks from 1, (n,); equal values get the mean of theirs."""
    _, places, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    ranks: NDArray[np.float64] = np.cumsum(counts) - (counts - 1) / 2
    return ranks[places]


# --------------------------------------------------------------------------- analogies


Question = tuple[str, ...]  # four words
QUESTIONS = 512  # answered together: their cosines with a block of rows take 8 MB


class Answers(NamedTuple):
    """How many questions of a section are answered rightly, how many are known, and all."""

    right: int
    known: int
    all: int

    @property
    def accuracy(self) -> str:
        """Right ones in percent of the known ones, or "-"."""
        return f"{100 * self.right / self.known:.2f}" if self.known else "-"


def read_questions(path: Path) -> dict[str, list[Question]]:
    """The questions of each section; SennaError, with the line, for anything else.

    Those before the first section are in one with the name of the file.
    """
    sections: dict[str, list[Question]] = {}
    section = path.stem
    with open_text(path) as lines:
        for number, line in enumerate(lines, 1):
            words = tuple(line.removeprefix("\ufeff").split())
            if words[:1] == (":",) and len(words) > 1:
                section = " ".join(words[1:])
            elif words:
                if len(words) != 4:
                    what = f"{len(words)} words, expected four, or a section, for example ': name'"
                    raise SennaError(what, where=f"{path}:{number}")
                sections.setdefault(section, []).append(words)
    if not sections:
        raise SennaError("the file has no questions", where=str(path))
    return sections


def answer(vectors: Vectors, sections: Mapping[str, Sequence[Question]]) -> dict[str, Answers]:
    """How the questions of each section are answered; those with an unknown word are not asked.

    An answer is the word, but a, b and c, with the largest cos(b) - cos(a) + cos(c) (3CosAdd).
    """
    rows = {word: row for row, word in enumerate(vectors.words)}
    answers = {}
    for name, questions in sections.items():
        places = ([row_of(rows, word) for word in words] for words in questions)
        known = np.array([place for place in places if None not in place], np.int64).reshape(-1, 4)
        right = int((nearest_to(vectors, known) == known[:, 3]).sum())
        answers[name] = Answers(right, len(known), len(questions))
    return answers


def nearest_to(vectors: Vectors, questions: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows that answer questions, (n,), from the rows of their words, (n, 3 or more)."""
    a, b, c = (_unit(vectors.table[questions[:, i]]) for i in range(3))
    targets = b - a + c  # (n, size)
    best = np.full(len(targets), -np.inf, np.float32)
    answers = np.zeros(len(targets), np.int64)
    for start in range(0, len(vectors.words), BLOCK):
        block = _unit(vectors.table[start : start + BLOCK])
        for first in range(0, len(targets), QUESTIONS):
            part = slice(first, first + QUESTIONS)
            cosines = targets[part] @ block.T  # (n_questions, n_rows)
            for column in (questions[part, :3] - start).T:
                inside = np.flatnonzero((column >= 0) & (column < len(block)))
                cosines[inside, column[inside]] = -np.inf
            places = cosines.argmax(axis=1)
            values = cosines[np.arange(len(places)), places]
            better = values > best[part]  # the first of equal ones
            best[part] = np.where(better, values, best[part])
            answers[part] = np.where(better, places + start, answers[part])
    return answers


def _unit(table: NDArray[np.floating]) -> NDArray[np.float32]:
    """Rows of length 1; zeros stay."""
    rows = np.asarray(table, np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), np.float32)
