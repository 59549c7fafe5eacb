"""What `senna.train` and `senna train` do: from corpora and settings to a model folder."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

from senna.config import WordFeature
from senna.errors import SennaError
from senna.training.settings import Say, resolve

Files = str | Path | Sequence[str | Path]  # one or several
OF_VECTORS = ("size", "embeddings", "scale")  # settings that `embeddings` stands for


def train(
    task: str | Sequence[str] = (),
    *,
    train: Files = (),
    dev: Files = (),
    test: Files = (),
    columns: str = "",
    corpus: str = "",
    config: str | Path | None = None,
    settings: Mapping[str, object] | Sequence[str] = (),
    embeddings: str = "",
    criterion: str = "",
    data: str | Path | None = None,
    out: str | Path | None = None,
    resume: str | Path | None = None,
    device: str = "cpu",
    say: Say = lambda line: None,
    command: str = "senna.train()",
) -> Path:
    """Train a tagger of one task, or of several; return its model folder, `<out>/model`.

    It learns from the files of `train`, from a `corpus` by its name ("demo": the small one in the
    package), or else from the default corpora, which are downloaded where they are not found.
    `settings` stand over the configuration, as {"train.epochs": 5}; `out` is the run's folder, by
    default the first free one of runs/TASK, runs/TASK-2, ...; `resume` one that was interrupted.
    `say` is given each line about what is done, `command` goes on the model's card; all else is as
    `senna train` has it. Raises SennaError for what cannot be read, found or trained, and without
    PyTorch; KeyboardInterrupt tells what is kept.
    """
    import_torch()
    from senna.training.run import DEMO_NOTICE, Run, read_run
    from senna.training.run import train as run_training

    where = None if data is None else Path(data)
    if resume is not None:
        resolved = read_run(Path(resume))
        demo = "as it began" if DEMO_NOTICE in resolved.notes else ""
        run = Run(Path(resume), where, device)
    else:
        tasks = task.split(",") if isinstance(task, str) else task
        values: dict[str, object] = {"train.criterion": criterion} if criterion else {}
        if embeddings:
            word = WordFeature(0, embeddings)
            values |= {f"features.word.{key}": getattr(word, key) for key in OF_VECTORS}
        texts: list[str] = []
        if isinstance(settings, Mapping):
            values |= settings
        else:
            texts += settings
        resolved, demo = resolve(
            [name for part in tasks if (name := part.strip())],
            None if config is None else Path(config),
            texts,
            values,
            {"train": _paths(train), "dev": _paths(dev), "test": _paths(test)},
            columns,
            corpus,
            where,
            say,
        )
        folder = Path("runs") / "-".join(resolved.tasks) if out is None else Path(out)
        run = Run(folder, where, device, command, numbered=out is None)
    if demo:
        say(f"{DEMO_NOTICE} ({demo})")
    path = run_training(resolved, run, say, resume=resume is not None)
    say(f"model: {path}; try: senna tag --model {path} < text.txt")
    if demo:
        say(f"{DEMO_NOTICE} ({demo})")
    return path


def _paths(files: Files) -> list[Path]:
    return [Path(files)] if isinstance(files, str | os.PathLike) else list(map(Path, files))


def import_torch() -> ModuleType:
    """PyTorch; SennaError where it is not installed."""
    try:
        import torch
    except ImportError:
        raise SennaError("training needs PyTorch", mend="pip install torch") from None
    return torch
