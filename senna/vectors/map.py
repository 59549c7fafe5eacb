"""A map of words: their vectors brought to two dimensions, and a drawing of it.

Only the drawing needs matplotlib, which is an extra: ``pip install senna[plot]``.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.files import replacing
from senna.vectors.neighbours import find_rows
from senna.vectors.read import Vectors

Floats = NDArray[np.float64]
Method = Literal["pca", "tsne"]
Form = Literal["svg", "png"]
MOST_TSNE = 2_000  # its arrays are (n, n)
LETTER = 9  # size of the labels, in printer's points


def principal_components(table: NDArray[np.floating]) -> Floats:
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


def tsne(table: NDArray[np.floating], perplexity: float = 15.0, steps: int = 500) -> Floats:
    """t-SNE (van der Maaten and Hinton 2008), exact, from the principal components, (n, 2).

    Words near one another stay so; what is far apart tells nothing. `perplexity` is about how many
    neighbours a word has; it is lowered for few words. The same rows give the same points.
    """
    n = len(table)
    if n > MOST_TSNE:
        raise SennaError(f"{n} words, t-SNE takes {MOST_TSNE} at most")
    points = principal_components(table)
    if n < 4:
        return points
    x = np.asarray(table, np.float64)
    near = _affinities(_squares(x), min(perplexity, (n - 1) / 3))
    points *= 1e-4 / max(float(points[:, 0].std()), 1e-12)
    moved, gain = np.zeros_like(points), np.ones_like(points)
    for step in range(steps):
        kernel = 1 / (1 + _squares(points))  # Student's t with one degree of freedom
        np.fill_diagonal(kernel, 0)
        pull = 4.0 if step < 100 else 1.0  # "early exaggeration"
        weights = (pull * near - kernel / kernel.sum()) * kernel
        slope = 4 * (weights.sum(axis=1)[:, None] * points - weights @ points)
        gain = np.where(slope * moved < 0, gain + 0.2, np.maximum(gain * 0.8, 0.01))
        moved = (0.5 if step < 250 else 0.8) * moved - max(n / 12, 10) * gain * slope
        points = points + moved
        points -= points.mean(axis=0)
    return points


def _squares(x: Floats) -> Floats:
    """Squared distances of all pairs of rows, (n, n)."""
    lengths = (x * x).sum(axis=1)
    squares: Floats = np.maximum(lengths[:, None] + lengths - 2 * x @ x.T, 0)
    return squares


def _affinities(squares: Floats, perplexity: float) -> Floats:
    """How near each pair is, (n, n), summing to 1: Gaussians as wide as the perplexity asks."""
    n = len(squares)
    near: Floats = np.zeros((n, n))
    for i in range(n):
        others = np.arange(n) != i
        away = squares[i, others] - squares[i, others].min()
        low, high = 0.0, np.inf
        precision = 1 / max(float(away.mean()), 1e-12)
        for _ in range(60):
            weights = np.exp(-away * precision)
            weights /= weights.sum()
            entropy = -float((weights * np.log(np.maximum(weights, 1e-300))).sum())
            if entropy > np.log(perplexity):
                low = precision
            else:
                high = precision
            precision = 2 * low if high == np.inf else (low + high) / 2
        near[i, others] = weights
    return (near + near.T) / (2 * n)


def draw_map(words: Sequence[str], points: Floats, form: Form) -> bytes:
    """A drawing of the words at their points (n, 2), as an SVG or PNG file's bytes."""
    try:
        import matplotlib  # type: ignore[import-not-found, unused-ignore]
        from matplotlib.figure import Figure  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        mend = "pip install 'senna[plot]'"
        raise SennaError("drawing needs matplotlib, which is not installed", mend=mend) from None
    figure = Figure(figsize=(10, 8), layout="constrained")
    axes = figure.add_subplot()
    axes.scatter(points[:, 0], points[:, 1], s=12, color="#1f5a99")
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.08)
    out = io.BytesIO()
    # Equal points, equal bytes: no time and no random names in it.
    settings = matplotlib.rc_context({"svg.hashsalt": "senna", "svg.fonttype": "none"})
    with settings, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")  # letters that the font lacks
        figure.draw_without_rendering()  # only now is it known where points come to lie
        places = axes.transData.transform(points) * 72 / figure.dpi
        for word, point, shift in zip(words, points, label_shifts(words, places), strict=True):
            note = axes.annotate(word, point, shift, textcoords="offset points", fontsize=LETTER)
            note.set_parse_math(False)  # words such as $ are no formulas
        figure.savefig(out, format=form, dpi=150, metadata={"Date": None} if form == "svg" else {})
    return out.getvalue()


def label_shifts(words: Sequence[str], places: Floats) -> list[tuple[float, float]]:
    """Where each label begins, from its point: the first of some places that covers no other's.

    All in printer's points, `places` (n, 2); a letter is taken to be so wide on average.
    """
    taken = [(x - 2, y - 2, x + 2, y + 2) for x, y in places]
    shifts: list[tuple[float, float]] = []
    for word, (x, y) in zip(words, places, strict=True):
        width = 0.62 * LETTER * len(word)
        choices: list[tuple[float, float]]
        choices = [(4, 3), (4, -10), (-4 - width, 3), (-4 - width, -10), (4, 12), (4, -19)]
        boxes = [(x + dx, y + dy, x + dx + width, y + dy + LETTER) for dx, dy in choices]
        free = [not any(_overlap(box, other) for other in taken) for box in boxes]
        chosen = free.index(True) if True in free else 0
        taken.append(boxes[chosen])
        shifts.append(choices[chosen])
    return shifts


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def write_map(
    vectors: Vectors, words: Sequence[str], path: Path, *, method: Method = "pca", where: str = ""
) -> Floats:
    """Draw the words asked for into an .svg or .png file; returns their points, (n, 2).

    SennaError for another suffix, less than two words, or words without a vector; `where` is
    where the vectors come from, for the message.
    """
    forms: dict[str, Form] = {".svg": "svg", ".png": "png"}
    form = forms.get(path.suffix.lower())
    if form is None:
        raise SennaError("a map is an .svg or a .png", where=str(path))
    rows = list(dict.fromkeys(find_rows(vectors, words, where)))
    if len(rows) < 2:
        raise SennaError("a map needs two words at least", where=str(path))
    points = {"pca": principal_components, "tsne": tsne}[method](vectors.table[rows])
    drawing = draw_map([vectors.words[row] for row in rows], points, form)
    with replacing(path) as place:
        place.write_bytes(drawing)
    return points
