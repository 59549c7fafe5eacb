"""The corpora that the data of a run name: found, downloaded and credited."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from senna.corpora import store
from senna.corpora.catalogue import read_catalogue
from senna.errors import SennaError
from senna.tasks import TASKS
from senna.training.config import DataConfig, Source

PARTS = ("train", "dev", "test")  # of the demonstration corpus


def label(source: Source) -> str:
    """The name of a source in cards and logs; of a file, without its folder."""
    name = Path(source.corpus).name if Path(source.corpus).is_absolute() else source.corpus
    return name.encode("utf-8", "replace").decode("utf-8")  # names of files need not be UTF-8


def source_file(source: Source, split: str, data_dir: Path | None) -> Path:
    """The file of a source: the user's own, or a split of a corpus of the catalogue."""
    path = Path(source.corpus)
    if path.is_file():
        return path
    return store.split_file(store.find(source.corpus, data_dir), source.split or split)


def levels_file(source: Source, split: str, data_dir: Path | None) -> Path:
    """The file of levels that a source names: a path, or a corpus that has them."""
    path = Path(source.levels)
    if path.is_file():
        return path
    folder = store.find(source.levels, data_dir)
    return store.split_file(folder, f"{source.split or split}.levels")


def check_sources(sets: Mapping[str, DataConfig], data_dir: Path | None) -> None:
    """Raise SennaError for a corpus, or a split of one, that is not there."""
    for settings in sets.values():
        for split in PARTS:
            for source in getattr(settings, split):
                source_file(source, split, data_dir)
                if source.levels:
                    levels_file(source, split, data_dir)


def obtain(
    sets: Mapping[str, DataConfig], data_dir: Path | None, say: Callable[[str], None]
) -> None:
    """Find or download every corpus of the catalogue that the data of tasks name."""
    for settings in sets.values():
        for source in (*settings.train, *settings.dev, *settings.test):
            if not Path(source.corpus).is_file():
                store.get(source.corpus, data_dir, say=say, progress=True)


def demo_data(task: str, folder: Path) -> DataConfig:
    """The demonstration corpus as the data of a task."""
    name = TASKS[task].corpora_of or task
    if not (folder / name).is_dir():
        raise SennaError(f"the demonstration corpus has no data for {task}", where=str(folder))
    train, dev, test = (
        tuple(Source(str(path)) for path in (folder / name).glob(f"{part}.*")) for part in PARTS
    )
    return DataConfig(train, dev, test)


def data_table(sets: Mapping[str, DataConfig]) -> dict[str, Any]:
    """The sources of a model: licence and attribution of each corpus."""
    catalogue = read_catalogue()
    table: dict[str, Any] = {}
    for settings in sets.values():
        for source in settings.train:
            entry = catalogue.get(source.corpus)
            name = label(source)
            split = source.split or "train"
            splits = table.setdefault(name, {"splits": []})["splits"]
            splits += [split] * (split not in splits)
            if entry is not None:
                table[name] |= {"licence": entry.licence, "attribution": entry.attribution}
    return table
