"""Curves of runs: loss and dev score by epoch (`pip install 'senna[plot]'`)."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

from senna.errors import SennaError
from senna.files import replacing
from senna.training.runs.records import Record


def write_curves(records: Sequence[Record], path: Path) -> None:
    """Draw runs into an .svg or .png file; SennaError without matplotlib, or without an epoch."""
    form = path.suffix.lower().removeprefix(".")
    if form not in ("svg", "png"):
        raise SennaError("the picture must be an .svg or a .png", where=str(path))
    for record in records:
        if not record.epochs:
            raise SennaError("the run has no complete epoch to draw", where=str(record.path))
    drawing = _draw(records, form)
    with replacing(path) as place:
        place.write_bytes(drawing)


def _draw(records: Sequence[Record], form: str) -> bytes:
    try:
        import matplotlib  # type: ignore[import-not-found, unused-ignore]
        from matplotlib.figure import Figure  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        what = "drawing needs matplotlib, which is not installed"
        raise SennaError(what, mend="pip install 'senna[plot]'") from None
    figure = Figure(figsize=(10, 4), layout="constrained")
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
    out = io.BytesIO()
    # Equal curves, equal bytes: no time and no random names in it.
    with matplotlib.rc_context({"svg.hashsalt": "senna", "svg.fonttype": "none"}):
        figure.savefig(out, format=form, dpi=150, metadata={"Date": None} if form == "svg" else {})
    return out.getvalue()
