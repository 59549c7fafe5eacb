"""Records of runs from their folders, progress and scores; their curves (the extra `plot`): loss
and dev score by epoch, and learning curves.
"""

from __future__ import annotations

import io
import json
import statistics
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from senna.atomic import is_locked, replacing
from senna.errors import SennaError
from senna.training.config import read_run


@dataclass(frozen=True)
class Record:
    """A run, by the files in its folder."""

    path: Path
    tasks: tuple[str, ...]
    epochs: tuple[dict[str, Any], ...]  # the lines of metrics.jsonl
    planned: int  # epochs at most
    state: str  # finished, running, stopped, damaged, or begun: without one whole epoch

    @property
    def dev(self) -> list[float]:
        """The mean dev score of its tasks after each epoch; none without dev sets."""
        scored = [line["dev"] for line in self.epochs]
        tasks = [task for task in self.tasks if any(task in scores for scores in scored)]
        return [sum(s.get(task, 0.0) for task in tasks) / len(tasks) for s in scored if tasks]

    @property
    def best(self) -> float:
        """The mean dev score of its tasks: of its written model, or of its best epoch so far.

        Numbers are rounded in a model, so its scores are not quite those of the epoch.
        """
        means = [score for task in self.tasks if (score := self.of_model(task)) is not None]
        return statistics.mean(means) if means else max(self.dev, default=0.0)

    def of_model(self, task: str) -> float | None:
        """The mean score of its written model on the dev sets of a task; None without them."""
        sets = self.scores.get(task, {})
        values = [sets[name] for name in sets if name.split()[-1] == "dev"]
        return statistics.mean(values) if values else None

    @property
    def seconds(self) -> float:
        """How long its epochs took, without their dev scores."""
        return sum(float(line["seconds"]) for line in self.epochs)

    @property
    def cpu_seconds(self) -> float:
        """CPU time of its epochs and dev scores."""
        return sum(float(line["cpu_seconds"]) for line in self.epochs)

    @property
    def scores(self) -> dict[str, dict[str, Any]]:
        """The scores of its model, by task and set; "measure" says which they are."""
        scores: dict[str, dict[str, Any]] = _about(self.path).get("scores", {})
        return scores


def read_record(path: Path) -> Record:
    """The record of a run; SennaError if there is no run."""
    config = read_run(path)
    if is_locked(path / "metrics.jsonl"):
        state = "running"
    elif is_finished(path):
        state = "finished"
    else:
        state = "stopped" if (path / "checkpoint.pt").exists() else "begun"
    return Record(path, config.tasks, tuple(_epochs(path)), config.train.epochs, state)


def records_of(name: str) -> list[Record]:
    """The record of runs/NAME, or else of the folder NAME; of each seed where it has several."""
    folder = Path("runs") / name
    path = folder if folder.is_dir() else Path(name)
    seeds = sorted(place.parent for place in path.glob("seed-*/config.toml"))
    return [read_record(seed) for seed in seeds or [path]]


def runs_in(folder: Path) -> list[Record]:
    """The runs in a folder, and in those of its folders that hold several, by name.

    A run whose files are damaged is reported as such. Runs of `senna pretrain` are left out.
    """
    if not folder.is_dir():
        raise SennaError("no such folder", where=str(folder), remedy="`senna train` makes runs.")
    records = []
    for path in sorted(p.parent for n in ("*", "*/*") for p in folder.glob(f"{n}/config.toml")):
        if (path / "metrics.jsonl").is_file() and not (path / "run.json").exists():
            try:
                records.append(read_record(path))
            except SennaError:
                records.append(Record(path, (), (), 0, "damaged"))
    return records


def is_finished(path: Path) -> bool:
    """Whether a run has trained to its end, and its model is whole."""
    made = _about(path).get("made", {})
    card = path / "model" / "README.md"  # written last, with the scores
    return card.is_file() and not made.get("stopped", False)


def _about(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        return tomllib.loads((path / "model" / "about.toml").read_text(encoding="utf-8"))
    return {}


def _epochs(path: Path) -> Iterator[dict[str, Any]]:
    with suppress(OSError):
        for text in (path / "metrics.jsonl").read_text(encoding="utf-8").splitlines():
            try:
                yield json.loads(text)
            except ValueError:
                what = "a line of it is not JSON"
                raise SennaError(what, where=str(path / "metrics.jsonl")) from None


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
        remedy = "Choose a name that ends so."
        raise SennaError("the picture must be an .svg or a .png", where=str(path), remedy=remedy)
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
