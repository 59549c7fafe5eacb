"""A map of words: their vectors reduced to two dimensions, and drawn.

Drawing needs matplotlib, t-SNE scikit-learn: ``pip install matplotlib scikit-learn``.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.lab.curves import new_figure, picture_form, write_picture
from senna.lab.vectors.neighbours import find_rows
from senna.vectors import Vectors

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
        free = (i for i, box in enumerate(boxes) if not any(_overlap(box, o) for o in taken))
        chosen = next(free, 0)
        taken.append(boxes[chosen])
        shifts.append(choices[chosen])
    return shifts


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


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
