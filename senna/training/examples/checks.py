"""Errors in a configuration, found before anything is read, and probable mistakes in the data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path

from senna.answers import output_of
from senna.config import Config, DataConfig, Training, read_config
from senna.corpora import locate
from senna.errors import SennaError
from senna.features.settings import Features
from senna.model.folder import model_path, read_model
from senna.tasks import TAGGING, TASKS
from senna.training.examples import data
from senna.training.examples.corpora import TaskCorpus, fold_models, new_tags
from senna.training.examples.data import Example
from senna.training.examples.overview import doubts_of
from senna.training.origin import origin_of

FEW = 100  # phrases of a dev set; with fewer, chance decides which epoch is best
ROOM = 100  # characters of types that a warning lists


def check_files(train: Training, features: Features, data_dir: Path | None) -> None:
    """Raise SennaError for a file or folder that settings name and that is not there."""
    if train.start and not (Path(train.start) / "checkpoint.pt").is_file():
        what = "not a run (it has no checkpoint.pt)"
        raise SennaError(what, where=f"train.start = {train.start!r}")
    if train.soft and not Path(train.soft).is_file():
        origin_of(train.soft)
    if not train.model:  # which has its words and lists
        if features.word.embeddings and not model_path(features.word.embeddings).exists():
            locate(features.word.embeddings, data_dir)
        for name in features.gazetteer.files if features.gazetteer.size else ():
            locate(name, data_dir)
        if features.clusters.file:
            locate(features.clusters.file, data_dir)
    for feature in features.of_models.values():
        models = fold_models(Path(feature.folds)) if feature.folds else []
        for path in [*models, *([Path(feature.model)] if feature.model else [])]:
            read_model(path)


def check_sources(sets: Mapping[str, DataConfig], data_dir: Path | None) -> None:
    """Raise SennaError for a corpus, or a split of one, that is not there."""
    for settings in sets.values():
        for split in ("train", "dev", "test"):
            for source in getattr(settings, split):
                data.locate(source, split, data_dir)
                if source.levels:
                    data.levels_file(source, split, data_dir)


def read_run(out: Path) -> Config:
    """The configuration of a run that is to be continued."""
    if not (out / "config.toml").exists():
        raise SennaError("no such run", where=str(out), mend="`senna runs list` lists the runs.")
    return read_config(out / "config.toml")


def doubts(
    settings: Mapping[str, DataConfig],
    corpora: Mapping[str, TaskCorpus],
    known: Mapping[str, Sequence[str]],
) -> Iterator[str]:
    """A line for each probable mistake that does not prevent training.

    `settings` are those of the data of each task, `known` the tags that the model has for it.
    """
    for task, corpus in corpora.items():
        yield from (f"warning: {doubt}" for doubt in doubts_of(task, corpus))
        if task in TAGGING:
            for name, examples in corpus.dev + corpus.test:
                new = new_tags(known[task], task, examples)
                types = dict.fromkeys(tag[2:] if tag[1:2] == "-" else tag for tag in new)
                if types:
                    what = f"{name} has {_listed([*types])}, not in the training data"
                    yield f"warning: {what}: the model cannot find it"
            yield from _small(task, corpus.dev)
        learnt = {Path(source.corpus).resolve() for source in settings[task].train}
        for name, sources in (("dev", settings[task].dev), ("test", settings[task].test)):
            for source in sources:
                path = Path(source.corpus)
                if path.is_file() and path.resolve() in learnt:
                    yield f"warning: {path} is both training and {name} set"


def _small(task: str, sets: Sequence[tuple[str, Sequence[Example]]]) -> Iterator[str]:
    """A warning for each dev set whose score is mostly chance, with the worth of one phrase."""
    output = output_of(task)
    if not output.is_iobes:
        return
    for name, examples in sets:
        n = sum(len(list(output.spans(example.gold))) for example in examples)
        if 0 < n < FEW:
            of = "name" if TASKS[task].names else "phrase"
            what = f"{name} has only {n} {of}{'s' if n > 1 else ''} of {task}"
            yield f"warning: {what}: one {of} is worth {100 / n:.1f} points of the dev score"


def _listed(types: Sequence[str]) -> str:
    """The first of some types, and how many more there are."""
    ends = accumulate(len(type_) + 2 for type_ in types)
    n = max(sum(end <= ROOM for end in ends), 1)
    return ", ".join(types[:n]) + (f" and {len(types) - n} more" if n < len(types) else "")
