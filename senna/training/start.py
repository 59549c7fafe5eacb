"""`senna.train` and `senna train`: from corpora and settings to a model folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from types import ModuleType
from typing import Any

from senna.errors import SennaError, no_sentences
from senna.files import open_text, resource
from senna.inference.features.settings import Features, WordFeature
from senna.model.folder import is_model, model_path, read_model, shipped
from senna.registry import CORPORA, PYTORCH, READERS, SERIES
from senna.tasks import TASKS
from senna.training.config import (
    PATIENCE,
    Config,
    DataConfig,
    Source,
    Training,
    configs,
    default_config,
    override,
    read_config,
    read_run,
)
from senna.training.examples.corpora import fold_models
from senna.training.interruption import interruptible
from senna.training.start_from import check_same, fine_tuning, origin_of

Files = str | Path | Iterable[Any]  # one file or several; or sentences: see `formats.objects`
OF_VECTORS = ("size", "embeddings", "scale")  # settings that `embeddings` stands for
DEMO_NOTICE = "Training on the demonstration corpus, a toy: not on real text"


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
    start_from: str | Path = "",
    embeddings: str = "",
    criterion: str = "",
    data: str | Path | None = None,
    out: str | Path | None = None,
    resume: str | Path | None = None,
    runs: int | None = None,
    sizes: Sequence[int] = (),
    jobs: int = 1,
    device: str = "cpu",
    say: Callable[[str], None] = lambda line: None,
    command: str = "senna.train()",
) -> Path:
    """Train a tagger of one task, or of several; return its model folder, `<out>/model`.

    The tagger learns from the files of `train`, from a `corpus` ("demo" is the small one in the
    package), or else from the default corpora, which are downloaded if they are missing. In the
    place of files, sentences are taken (documents, or lists of pairs of a word and its tag), which
    are written to a file next to the run's folder, as a run reads its data again.
    `start_from` is the model to continue training: a task of the package ("ner"), a run or a model
    folder. `settings` override the configuration, for example {"train.epochs": 5}. `out` is the
    folder of the run, by default the first free one of runs/TASK, runs/TASK-2, ...; `resume` is a
    run that was interrupted. `runs` is the number of seeds to train with, `jobs` at a time, each in
    a folder of `out`; the model that is best on dev is returned, and the same call continues after
    an interruption. `say` is called with each line of progress; `command` is named on the model's
    card. `sizes` trains on so many of the sentences each time, for a learning curve. All other
    parameters are those of `senna train`. Raises SennaError for files that cannot be read, found or
    trained on, and without PyTorch; KeyboardInterrupt says what is kept.
    """
    need_torch()
    if runs is not None or sizes or jobs != 1:
        import_torch()
        SERIES["repetition"].check(runs, sizes, jobs, out)
    data_dir = None if data is None else Path(data)
    free = False
    if resume is not None:
        folder, complete = Path(resume), read_run(Path(resume))
    else:
        given = {"train": train, "dev": dev, "test": test}
        if corpus and any(given.values()):
            what, remedy = "a corpus beside files of your own", "Give --train or --corpus."
            raise SennaError(what, where=f"--corpus {corpus}", remedy=remedy)
        if embeddings and start_from:
            what, remedy = "the model trained on has vectors of its own", "Leave it out."
            raise SennaError(what, where="--embeddings", remedy=remedy)
        values: dict[str, object] = {"train.criterion": criterion} if criterion else {}
        if embeddings:
            word = WordFeature(0, embeddings)
            values |= {f"features.word.{key}": getattr(word, key) for key in OF_VECTORS}
        texts: Sequence[str] = ()
        if isinstance(settings, Mapping):
            values |= settings
        else:
            texts = settings
        tasks = task.split(",") if isinstance(task, str) else task
        names = [name for part in tasks if (name := part.strip())]
        path = None if config is None else Path(config)
        if path is not None and not path.exists():
            path = configs().get(path.with_suffix("").as_posix(), path)
        complete = configuration(names, path, texts, values, say, str(start_from))
        folder = Path("runs") / "-".join(complete.tasks) if out is None else Path(out)
        if path is not None and out is not None and path.parent.resolve() == folder.resolve():
            remedy = "Choose another folder (--name), or move the configuration."
            raise SennaError("is in the run's own folder", where=str(path), remedy=remedy)
        check_files(complete.train, complete.features, data_dir)
        own = own_data(given, columns, complete.tasks, complete.data, folder.parent)
        import_torch()  # what can be checked without PyTorch has been
        from senna.training.build import check_names

        check_names(complete)
        if own:
            complete = replace(complete, data=own)
        else:
            complete = with_corpora(complete, corpus, data_dir, say)
        CORPORA["store"].check_sources(complete.data, data_dir)
        named = {*values, *(text.partition("=")[0].strip() for text in texts)}
        free = bool(own) and not (start_from or path or "train.epochs" in named)
        if free and "train.patience" not in named:
            complete = replace(complete, train=replace(complete.train, patience=PATIENCE))
    import_torch()
    from senna.training import run as training_run

    numbered = resume is None and out is None
    run = training_run.Run(folder, data_dir, device, command, free, numbered)
    demo = DEMO_NOTICE in complete.notes
    if demo:
        say(DEMO_NOTICE)
    if runs is not None or sizes:
        model: Path = SERIES["repetition"].train(complete, run, runs, sizes, jobs, say)
    else:
        model = training_run.train(complete, run, say, resume=resume is not None)
    say(f"model: {model}; try: senna tag --model {model} < text.txt")
    if demo:
        say(DEMO_NOTICE)
    return model


def need_torch() -> None:
    """Raise SennaError where PyTorch is not installed, without loading it.

    Its threads will sleep while they wait. By default they spin, which takes four times the time
    when other processes are busy. OpenMP reads it once.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    if find_spec("torch") is None:
        raise SennaError("training needs PyTorch", remedy=f"The small build: {PYTORCH}")


def import_torch() -> ModuleType:
    """PyTorch; SennaError where it is not installed."""
    need_torch()
    with interruptible() as interruption:  # an import cut short leaves half a torch
        import torch
    interruption.check()
    return torch


def configuration(
    tasks: Sequence[str],
    path: Path | None,
    settings: Sequence[str],
    values: Mapping[str, object],
    say: Callable[[str], None],
    start_from: str = "",
) -> Config:
    """The configuration of a run, but for its corpora.

    `values` are those of options, by dotted key; `settings`, each KEY=VALUE, stand over them.
    `start_from`: the model whose features and network it has.
    """
    base = None
    if start_from:
        place = model_path(start_from)
        if tasks and not (is_model(place) or is_model(place / "model")):
            start_from = str(shipped(place).get(tasks[0], start_from))  # one of those of "paper"
        values = {**values, "train.model": start_from}
        if not tasks and start_from in TASKS:  # the package's model may have others
            tasks = [start_from]
        base = fine_tuning(origin_of(start_from), tasks)
    elif not tasks and path is None:
        raise SennaError(
            "no task is given", where="--task", remedy="Example: senna train --task ner"
        )
    if path is not None:
        config = read_config(path, tasks, say, base)
    else:
        config = base or default_config(tasks)
        changed = override(config, settings, values).network
        if changed.kind != config.network.kind:  # its own epochs and rate, unless others are given
            values = {**getattr(changed.settings, "TRAIN", {}), **values}
    config = override(config, settings, values)
    if config.train.model:
        origin = origin_of(config.train.model)
        check_same(config.features, config.network, config.tasks, origin)
    return config


def with_corpora(
    config: Config, corpus: str, data_dir: Path | None, say: Callable[[str], None]
) -> Config:
    """The configuration with the corpora that it names, or with `corpus`; all are obtained."""
    if corpus == "demo":
        folder, notes = resource("data/demo"), (*config.notes, DEMO_NOTICE)
        demos = {task: CORPORA["store"].demo_data(task, folder) for task in config.tasks}
        return replace(config, data=_learning_from(config.data, demos), notes=notes)
    if corpus:
        source = (Source(corpus),)
        sets = dict.fromkeys(config.tasks, DataConfig(source, source))
        config = replace(config, data=_learning_from(config.data, sets))
    try:
        CORPORA["store"].obtain(config.data, data_dir, say)
    except SennaError as error:
        demo = "--corpus demo trains on the small corpus in the package, offline."
        raise SennaError(
            error.what, where=error.where, remedy=f"{error.remedy} {demo}".strip()
        ) from None
    return config


def _learning_from(
    data: Mapping[str, DataConfig], sets: Mapping[str, DataConfig]
) -> dict[str, DataConfig]:
    """Other sets for tasks; the other settings of their data still hold."""
    return {
        task: replace(data.get(task, DataConfig()), train=new.train, dev=new.dev, test=new.test)
        for task, new in sets.items()
    }


def check_files(train: Training, features: Features, data_dir: Path | None) -> None:
    """Raise SennaError for a file or folder that settings name and that is not there."""
    if train.soft and not Path(train.soft).is_file():
        origin_of(train.soft)
    if not train.model:  # which has its words and lists
        if features.word.embeddings and not model_path(features.word.embeddings).exists():
            CORPORA["store"].locate(features.word.embeddings, data_dir)
        for name in features.gazetteer.files if features.gazetteer.size else ():
            CORPORA["store"].locate(name, data_dir)
        if features.clusters.file:
            CORPORA["store"].locate(features.clusters.file, data_dir)
    for feature in features.of_models.values():
        models = fold_models(Path(feature.folds)) if feature.folds else []
        for path in [*models, *([Path(feature.model)] if feature.model else [])]:
            read_model(path)


def own_data(
    given: Mapping[str, Files],
    columns: str,
    tasks: Sequence[str],
    before: Mapping[str, DataConfig],
    folder: Path,
) -> dict[str, DataConfig]:
    """The user's own files as the data of the task, in CoNLL-U also of several; {} without them.

    Sentences become files in a folder. All settings of `before` except the sets still hold.
    """
    files = {split: _paths(own, tasks, folder / split) for split, own in given.items()}
    if not any(files.values()):
        return {}
    if not files["train"]:
        remedy = "Name the training set with --train."
        raise SennaError("--dev or --test without --train", where="--train", remedy=remedy)
    for path in chain.from_iterable(files.values()):
        _check_file(path, len(tasks) > 1)
    train, dev, test = (
        tuple(Source(str(path), columns=columns) for path in files[split])
        for split in ("train", "dev", "test")
    )
    sets = _learning_from(before, dict.fromkeys(tasks, DataConfig(train, dev, test)))
    return {task: replace(data, dev_share=0.0 if dev else 0.1) for task, data in sets.items()}


def _paths(given: Files, tasks: Sequence[str], stem: Path) -> list[Path]:
    if isinstance(given, str | os.PathLike):
        return [Path(given)]
    every: Any = given if hasattr(given, "read") else [*given]
    if every == [] and given != ():
        raise SennaError("there are no sentences", where=f"--{stem.name}")
    if isinstance(every, list) and all(isinstance(file, str | os.PathLike) for file in every):
        return list(map(Path, every))
    return [READERS["objects"].kept(every, tasks, stem)]


def _check_file(path: Path, several: bool) -> None:
    if not path.exists():
        known = str(path) in CORPORA["catalogue"].read_catalogue()
        remedy = f"Of a corpus: --corpus {path}." if known else "Check the path."
        raise SennaError("no such file", where=str(path), remedy=remedy)
    if path.is_dir():
        raise SennaError("a folder, not a file", where=str(path), remedy="Name a file in it.")
    if not path.is_file():
        remedy = "Write it to one: a run reads it again."
        raise SennaError("a stream, not a file", where=str(path), remedy=remedy)
    if not several:
        return
    with open_text(path) as lines:
        heading = list(islice(lines, READERS["gold"].HEADING))
        if READERS["gold"].is_conllu(heading):
            return
        if not any(map(str.strip, chain(heading, lines))):
            raise no_sentences(str(path))
    what = "a file for several tasks must be in CoNLL-U"
    raise SennaError(what, where=str(path), remedy="Name one task with --task.")
