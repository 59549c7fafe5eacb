"""Curves of runs: loss and dev score by epoch, and learning curves (the extra `plot`)."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from senna.errors import SennaError
from senna.files import replacing
from senna.lab.records import Record


def write_curves(records: Sequence[Record], path: Path) -> None:
    """Draw runs into an .svg or .png file; SennaError without matplotlib, or without an epoch."""
    picture_form(path)
    for record in records:
        if not record.epochs:
            raise SennaError("the run has no complete epoch to draw", where=str(record.path))
    write_picture(_draw(records), path)


def write_sizes(sizes: Sequence[int], curves: Mapping[str, Sequence[float]], path: Path) -> None:
    """Draw dev scores by the number of training sentences; SennaError without matplotlib."""
    figure = new_figure((5, 4))
    axes = figure.subplots()
    for task, scores in curves.items():
        axes.plot(sizes, scores, marker="o", label=task)
    axes.set_xscale("log")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.minorticks_off()
    axes.set_xlabel("training sentences")
    axes.set_title("score, dev")
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    write_picture(figure, path)


def picture_form(path: Path) -> str:
    """The format of a picture by its suffix; SennaError for others than svg and png."""
    form = path.suffix.lower().removeprefix(".")
    if form not in ("svg", "png"):
        raise SennaError("the picture must be an .svg or a .png", where=str(path))
    return form


def new_figure(size: tuple[float, float], packages: str = "matplotlib") -> Any:
    """A figure of some inches; SennaError, which names what to install, without matplotlib."""
    try:
        from matplotlib.figure import Figure  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        what = "drawing needs matplotlib, which is not installed"
        raise SennaError(what, remedy=f"pip install {packages}") from None
    return Figure(figsize=size, layout="constrained")


def write_picture(figure: Any, path: Path) -> None:
    """Write a picture, whose bytes are equal for equal curves, without time and random names."""
    import matplotlib  # type: ignore[import-not-found, unused-ignore]

    form, out = picture_form(path), io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "senna", "svg.fonttype": "none"}):
        figure.savefig(out, format=form, dpi=150, metadata={"Date": None} if form == "svg" else {})
    with replacing(path) as place:
        place.write_bytes(out.getvalue())


def _draw(records: Sequence[Record]) -> Any:
    figure = new_figure((10, 4))
    loss, dev = figure.subplots(1, 2)
    for record in records:
        name = record.path.as_posix().removeprefix("runs/")
        epochs = range(1, len(record.epochs) + 1)
        loss.plot(epochs, [line["loss"] for line in record.epochs], label=name)
        if record.dev:
            dev.plot(epochs, record.dev, label=name)
    for axes, title in ((loss, "loss of a word, training"), (dev, "score, dev")):
        axes.set_title(title)
        axes.set_xlabel("epoch")
        axes.grid(alpha=0.3)
    legend = loss.legend(fontsize=8)
    for text in legend.get_texts():
        text.set_parse_math(False)  # names with $ are no formulas
    return figure
