"""What `senna.train` and `senna train` do: from corpora and settings to a model folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

from senna.config import (
    Config,
    DataConfig,
    Source,
    WordFeature,
    default_config,
    override,
    read_config,
)
from senna.corpora import store
from senna.corpora.catalogue import entry_of, read_catalogue
from senna.corpora.download import reach, stored_path
from senna.errors import SennaError
from senna.files import resource
from senna.training.checks import check_files
from senna.training.corpora import demo_data, obtain

Files = str | Path | Sequence[str | Path]  # one or several
OF_VECTORS = ("size", "embeddings", "scale")  # settings that `embeddings` stands for
DEMO_NOTICE = "Trained on the demonstration corpus, not on real text"


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
    say: Callable[[str], None] = lambda line: None,
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
    from senna.training import run as training_run  # both import torch
    from senna.training.build import check_names

    data_dir = None if data is None else Path(data)
    if resume is not None:
        complete = training_run.read_run(Path(resume))
        demo = "as it began" if DEMO_NOTICE in complete.notes else ""
        run = training_run.Run(Path(resume), data_dir, device)
    else:
        tasks = task.split(",") if isinstance(task, str) else task
        values: dict[str, object] = {"train.criterion": criterion} if criterion else {}
        if embeddings:
            word = WordFeature(0, embeddings)
            values |= {f"features.word.{key}": getattr(word, key) for key in OF_VECTORS}
        texts: Sequence[str] = ()
        if isinstance(settings, Mapping):
            values |= settings
        else:
            texts = settings
        names = [name for part in tasks if (name := part.strip())]
        path = None if config is None else Path(config)
        complete = configuration(names, path, texts, values, say)
        check_names(complete)
        files = {"train": _paths(train), "dev": _paths(dev), "test": _paths(test)}
        if any(files.values()):
            complete, demo = replace(complete, data=_files_as_data(complete, files, columns)), ""
        else:
            named = path is not None or data_dir is not None
            complete, demo = with_corpora(complete, corpus, data_dir, named, say)
        folder = Path("runs") / "-".join(complete.tasks) if out is None else Path(out)
        if path is not None and out is not None and _same_folder(path.parent, folder):
            mend = "Choose another folder (--name), or move the configuration."
            raise SennaError("lies in the run's own folder", where=str(path), mend=mend)
        run = training_run.Run(folder, data_dir, device, command, numbered=out is None)
    if resume is None:
        check_files(complete, data_dir)
    if demo:
        say(f"{DEMO_NOTICE} ({demo})")
    model = training_run.train(complete, run, say, resume=resume is not None)
    say(f"model: {model}; try: senna tag --model {model} < text.txt")
    if demo:
        say(f"{DEMO_NOTICE} ({demo})")
    return model


def import_torch() -> ModuleType:
    """PyTorch; SennaError where it is not installed.

    Its threads sleep while they wait. By default they spin, which takes four times the time when
    other processes are busy (scripts/experiments/measure_threads.py). OpenMP reads it once.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        import torch
    except ImportError:
        raise SennaError("training needs PyTorch", mend="pip install torch") from None
    return torch


def configuration(
    tasks: Sequence[str],
    path: Path | None,
    settings: Sequence[str],
    values: Mapping[str, object],
    say: Callable[[str], None],
) -> Config:
    """The configuration of a run, but for its corpora.

    `values` are those of options, by dotted key; `settings`, as key=value, stand over them.
    """
    if not tasks and path is None:
        raise SennaError("which task?", where="--task", mend="Example: senna train --task ner")
    config = default_config(tasks) if path is None else read_config(path, tasks, say)
    return override(config, settings, values)


def with_corpora(
    config: Config, corpus: str, data_dir: Path | None, named: bool, say: Callable[[str], None]
) -> tuple[Config, str]:
    """The configuration with its corpora obtained, and why it has the demonstration corpus if so.

    Where the default corpora can be neither found nor downloaded, the demonstration corpus
    stands in for them; corpora that the user `named` must be there.
    """
    if corpus == "demo":
        return with_demo(config), "--corpus demo"
    if corpus:
        source = (Source(corpus),)
        config = _learning_from(config, dict.fromkeys(config.tasks, DataConfig(source, source)))
    if corpus or named:
        obtain(config, data_dir, say)
        return config, ""
    try:
        _reach_first(config)
        obtain(config, data_dir, say)
    except SennaError as error:
        return with_demo(config), str(error)
    return config, ""


def with_demo(config: Config) -> Config:
    """The same run on the demonstration corpus."""
    folder = resource("data/demo")
    config = _learning_from(config, {task: demo_data(task, folder) for task in config.tasks})
    return replace(config, notes=(*config.notes, DEMO_NOTICE))


def _learning_from(config: Config, sets: Mapping[str, DataConfig]) -> Config:
    """The same run on other sets; all else that it says of its data still holds."""
    data = {
        task: replace(
            config.data.get(task, DataConfig()), train=new.train, dev=new.dev, test=new.test
        )
        for task, new in sets.items()
    }
    return replace(config, data=data)


def _reach_first(config: Config) -> None:
    """Ask for the first file that must be downloaded.

    Where it cannot be had, the demonstration corpus stands in before anything else is said.
    """
    catalogue = read_catalogue()
    for settings in config.data.values():
        for used in (*settings.train, *settings.dev, *settings.test):
            if Path(used.corpus).is_file() or store.lookup(used.corpus, catalogue=catalogue):
                continue
            for source in entry_of(used.corpus, catalogue).sources:
                if not stored_path(source, store.cache_folder() / "sources").is_file():
                    return reach(source)


def _files_as_data(
    config: Config, files: dict[str, list[Path]], columns: str
) -> dict[str, DataConfig]:
    """The user's own files as the data of the one task."""
    if len(config.tasks) != 1:
        raise SennaError("--train, --dev and --test are for one task", where="--task")
    if not files["train"]:
        raise SennaError("--dev or --test without --train", where="--train")
    for path in (path for paths in files.values() for path in paths):
        if not path.is_file():
            raise SennaError("no such file", where=str(path))
    train, dev, test = (
        tuple(Source(str(path), columns=columns) for path in files[split])
        for split in ("train", "dev", "test")
    )
    config = _learning_from(config, {config.tasks[0]: DataConfig(train, dev, test)})
    share = 0.0 if dev else 0.1
    return {task: replace(data, dev_share=share) for task, data in config.data.items()}


def _same_folder(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _paths(files: Files) -> list[Path]:
    return [Path(files)] if isinstance(files, str | os.PathLike) else list(map(Path, files))
