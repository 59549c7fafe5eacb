"""Words in a table of vectors: their rows, the words nearest to a row, and their map."""

from __future__ import annotations

import difflib
import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.formats.vectors import Vectors
from senna.lab.records import new_figure, picture_form, write_picture
from senna.text.vocabulary import normalise, spellings

BLOCK = 4_096  # rows looked at together: they stay in the processor's cache
MOST_NAMED = 10  # words that an error names


class Neighbours(NamedTuple):
    """The nearest words of the one in `row`, nearest first; `values` their cosines or distances."""

    row: int
    words: list[str]
    values: list[float]


def row_of(rows: Mapping[str, int], word: str) -> int | None:
    """The row of a word as written, else in lower case, normalised (digit runs 0) or capitals."""
    others = (word.capitalize(), word.upper())
    candidates = (word, word.lower(), *spellings(normalise(word)), *others)
    return next((rows[c] for c in candidates if c in rows), None)


def find_rows(vectors: Vectors, asked: Sequence[str], where: str = "") -> list[int]:
    """The row of each word; SennaError names the unknown words and similar spellings.

    `where` is the source of the vectors, for the message.
    """
    rows = {word: row for row, word in enumerate(vectors.words)}
    known = [row_of(rows, word) for word in asked]
    unknown = list(dict.fromkeys(w for w, row in zip(asked, known, strict=True) if row is None))
    if unknown:
        shown = unknown[:MOST_NAMED]
        more = f" and {len(unknown) - len(shown)} more" if len(unknown) > len(shown) else ""
        alike = [(word, _alike(vectors.words, word)) for word in shown]
        hints = [f"{word}: {', '.join(close)}" for word, close in alike if close]
        what = f"no vector for {', '.join(map(repr, shown))}{more}"
        remedy = (
            f"Similar spellings: {'; '.join(hints)}."
            if hints
            else "There are no similar spellings."
        )
        raise SennaError(what, where=where, remedy=remedy)
    return [row for row in known if row is not None]


def _alike(words: Sequence[str], asked: str) -> list[str]:
    asked = normalise(asked)
    start = asked[:2] if len(asked) > 2 else asked[:1]
    near = [w for w in words if w.startswith(start) and abs(len(w) - len(asked)) <= 3]
    return difflib.get_close_matches(asked, near, 3) if start else []


def nearest(
    vectors: Vectors, words: Sequence[str], n: int = 10, by: str = "cosine", where: str = ""
) -> list[Neighbours]:
    """The n words nearest to each of `words`, by exact search; ties in the order of the table.

    A word is not its own neighbour. Computes in float32, a block of rows at a time, so a table on
    disk need not fit into memory. A vector of zeros has cosine 0 with all others.
    """
    rows = find_rows(vectors, words, where)
    table = vectors.table
    asked = np.asarray(table[rows], np.float32)  # (n_asked, size)
    if by == "cosine":
        asked /= _lengths(asked)[:, None]
    best = [(np.empty(0, np.int64), np.empty(0, np.float32)) for _ in rows]
    for start in range(0, len(table), BLOCK):
        block = np.asarray(table[start : start + BLOCK], np.float32)
        places = np.arange(start, start + len(block))
        lengths = _lengths(block) if by == "cosine" else None
        for i, row in enumerate(rows):
            if lengths is None:
                away = _lengths(block - asked[i])
            else:
                # einsum and not a matrix product: a row's sum must not depend on its place.
                away = np.einsum("ij,j->i", block, -asked[i]) / lengths
            others = places != row
            # Earlier candidates come first, so they win ties.
            candidates = np.concatenate([best[i][0], places[others]])
            values = np.concatenate([best[i][1], away[others]])
            smallest = np.argsort(values, kind="stable")[:n]
            best[i] = candidates[smallest], values[smallest]
    sign = np.float32(-1 if by == "cosine" else 1)
    return [
        Neighbours(row, [vectors.words[j] for j in candidates], (sign * away + 0).tolist())
        for row, (candidates, away) in zip(rows, best, strict=True)
    ]


def _lengths(table: NDArray[np.float32]) -> NDArray[np.float32]:
    squares = np.einsum("ij,ij->i", table, table)
    lengths: NDArray[np.float32] = np.maximum(np.sqrt(squares), np.finfo(np.float32).tiny)
    return lengths


def as_table(vectors: Vectors, neighbours: Sequence[Neighbours], values: bool) -> list[list[str]]:
    """Rows of cells as in Tables 6 and 7: the words, their ranks in the table, their neighbours.

    One column per word, and with `values` another for the cosines or distances. Ranks are from 1.
    """
    columns: list[list[str]] = []
    for item in neighbours:
        columns.append([vectors.words[item.row], str(item.row + 1), *item.words])
        if values:
            columns.append(["", "", *(f"{value:.3f}" for value in item.values)])
    return [list(row) for row in zip(*columns, strict=True)]


def as_json(vectors: Vectors, item: Neighbours, by: str) -> str:
    """A word, its rank and its neighbours as a JSON object on one line."""
    pairs = zip(item.words, item.values, strict=True)
    record = {
        "word": vectors.words[item.row],
        "rank": item.row + 1,
        "neighbours": [{"word": word, by: round(value, 6)} for word, value in pairs],
    }
    return json.dumps(record, ensure_ascii=False)


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Cells in aligned columns, two spaces between them."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = zip(row, widths, strict=True)
        lines.append("  ".join(cell.ljust(width) for cell, width in cells).rstrip())
    return lines


Points = NDArray[np.float64]
PACKAGES = "matplotlib scikit-learn"
LETTER = 9  # size of the labels, in printer's points


def principal_components(table: NDArray[np.floating]) -> Points:
    """The two directions in which the rows differ most, (n, 2), by singular values.

    The largest number of each column is made positive: a decomposition leaves the sign open.
    """
    centred = np.asarray(table, np.float64) - np.mean(table, axis=0, dtype=np.float64)
    u, s, _ = np.linalg.svd(centred, full_matrices=False)
    points = np.zeros((len(centred), 2))
    k = min(2, len(s))
    points[:, :k] = u[:, :k] * s[:k]
    largest = np.abs(points).argmax(axis=0)
    return points * np.where(points[largest, [0, 1]] < 0, -1.0, 1.0)


def tsne(table: NDArray[np.floating], perplexity: float = 15.0) -> Points:
    """t-SNE (van der Maaten and Hinton 2008), from the principal components, (n, 2).

    Near words stay near; large distances mean nothing. `perplexity` is roughly the number of
    neighbours of a word and is lowered for few words. The same rows give the same points.
    """
    try:
        from sklearn.manifold import TSNE  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        what = "t-SNE needs scikit-learn, which is not installed"
        raise SennaError(what, remedy=f"pip install {PACKAGES}") from None
    first = principal_components(table)
    if len(first) < 4:
        return first
    first *= 1e-4 / max(float(first[:, 0].std()), 1e-12)
    projection = TSNE(perplexity=min(perplexity, (len(first) - 1) / 3), init=first, random_state=0)
    return np.asarray(projection.fit_transform(np.asarray(table, np.float32)), np.float64)


def draw_map(words: Sequence[str], points: Points, path: Path) -> None:
    """Draw the words at their points (n, 2) into a file."""
    figure = new_figure((10, 8), PACKAGES)
    axes = figure.add_subplot()
    axes.scatter(points[:, 0], points[:, 1], s=12, color="#1f5a99")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.08)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # letters that the font lacks
        figure.draw_without_rendering()  # places the points
        places = axes.transData.transform(points) * 72 / figure.dpi
        for word, point, shift in zip(words, points, label_shifts(words, places), strict=True):
            note = axes.annotate(word, point, shift, textcoords="offset points", fontsize=LETTER)
            note.set_parse_math(False)  # words such as $ are no formulas
        write_picture(figure, path)


def label_shifts(words: Sequence[str], places: Points) -> list[tuple[float, float]]:
    """The offset of each label from its point: the first choice that covers no other label.

    All in printer's points; `places` is (n, 2), and letters have an average width.
    """
    taken = [(x - 2, y - 2, x + 2, y + 2) for x, y in places]
    shifts: list[tuple[float, float]] = []
    for word, (x, y) in zip(words, places, strict=True):
        width = 0.62 * LETTER * len(word)
        choices = [(dx, dy) for dx in (4.0, -4 - width) for dy in (3.0, -10.0)]
        choices += [(4.0, 12.0), (4.0, -19.0)]
        boxes = [(x + dx, y + dy, x + dx + width, y + dy + LETTER) for dx, dy in choices]
        free = (
            i
            for i, (left, low, right, high) in enumerate(boxes)
            if not any(left < c and a < right and low < d and b < high for a, b, c, d in taken)
        )
        chosen = next(free, 0)
        taken.append(boxes[chosen])
        shifts.append(choices[chosen])
    return shifts


def write_map(
    vectors: Vectors, words: Sequence[str], path: Path, method: str, where: str = ""
) -> Points:
    """Draw the words into an .svg or .png file; returns their points, (n, 2).

    SennaError for another suffix, less than two words, or words without a vector; `where` is
    the source of the vectors, for the message.
    """
    picture_form(path)
    rows = list(dict.fromkeys(find_rows(vectors, words, where)))
    if len(rows) < 2:
        raise SennaError("a map needs at least two words", where=str(path))
    points = (tsne if method == "tsne" else principal_components)(vectors.table[rows])
    draw_map([vectors.words[row] for row in rows], points, path)
    return points
