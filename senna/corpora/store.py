"""Corpora in the user's folders: looked up, or downloaded and converted; those that a run names."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from senna.corpora.catalogue import Corpus, entry_of, read_catalogue
from senna.errors import SennaError
from senna.tasks import TASKS
from senna.training.config import DataConfig, Source

# A folder's own name: no dots, so that a name cannot lead out of the data folder.
_NAME = re.compile(r"[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*")


def cache_folder() -> Path:
    """The user's cache folder for corpora: $XDG_CACHE_HOME/senna, else the platform's.

    Raises SennaError for a user without a home folder.
    """
    if os.environ.get("XDG_CACHE_HOME"):
        base = Path(os.environ["XDG_CACHE_HOME"])
    elif sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        base = Path(os.environ["LOCALAPPDATA"])
    else:
        try:
            base = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
        except RuntimeError as error:
            what = "the user has no home folder, and so no cache of corpora"
            raise SennaError(what, remedy="Name a folder with --data, or set HOME.") from error
    return base / "senna" / "data"


def folders(data_dir: Path | None = None) -> list[Path]:
    """The data folders that are searched, in order: `data_dir`, $SENNA_DATA, the user's cache."""
    named = os.environ.get("SENNA_DATA")
    candidates = [data_dir, Path(named) if named else None]
    with suppress(SennaError):
        candidates.append(cache_folder())
    return [folder for folder in candidates if folder is not None]


def lookup(name: str, data_dir: Path | None = None) -> Path | None:
    """The folder of a corpus, with one .xz file per split, or None when no data folder has it.

    A folder that lacks a split of the catalogue does not count. Names outside the catalogue are
    the user's own corpora. Raises SennaError for a name that cannot be a folder's.
    """
    if not _NAME.fullmatch(name):
        raise SennaError(f"{name!r} is not the name of a corpus", remedy="For example ner/docred.")
    corpus = read_catalogue().get(name)
    for folder in folders(data_dir):
        place = folder / name
        splits = corpus.splits if corpus else ()
        whole = all(os.path.isfile(place / f"{split}.xz") for split in splits)
        if whole and (corpus or (os.path.isdir(place) and any(place.glob("*.xz")))):
            return place
    return None


def find(name: str, data_dir: Path | None = None) -> Path:
    """As `lookup`, but raises SennaError for a corpus that is in no data folder."""
    path = lookup(name, data_dir)
    if path is not None:
        return path
    corpus = entry_of(name, read_catalogue())
    searched = ", ".join(str(folder) for folder in folders(data_dir) or [cache_folder()])
    remedy = f"`senna data get {name}` downloads it." if corpus.sources else _obtain(corpus)
    raise SennaError(f"the corpus {name} is not in {searched}", remedy=remedy)


def split_file(folder: Path, split: str) -> Path:
    """The file of a split in a corpus's folder, as the catalogue or a user names it.

    Raises SennaError if the folder has none.
    """
    for suffix in (".xz", ".txt", ".txt.xz", ".gz", ".mrg.xz", ".conllu.xz", ".trees.xz"):
        if (folder / f"{split}{suffix}").is_file():
            return folder / f"{split}{suffix}"
    names = sorted({path.name.partition(".")[0] for path in folder.glob("*.*")})
    remedy = f"It has {', '.join(names)}."
    raise SennaError(f"the corpus has no split {split!r}", where=str(folder), remedy=remedy)


def locate(name: str, data_dir: Path | None = None) -> Path:
    """A file or folder other than a corpus (vectors, phrase lists), by path or in a data folder."""
    for path in (Path(name), *(folder / name for folder in folders(data_dir))):
        if os.path.exists(path):
            return path
    searched = ", ".join(str(folder) for folder in folders(data_dir)) or "no folder of corpora"
    raise SennaError("no such file or folder", where=name, remedy=f"Also looked for in {searched}.")


def _obtain(corpus: Corpus) -> str:
    files = ", ".join(f"{corpus.name}/{split}.xz" for split in corpus.splits)
    return (
        "It may not be passed on and is never downloaded. "
        f"Obtain it as docs/corpora.md says and put {files} into a data folder."
    )


def get(
    name: str,
    data_dir: Path | None = None,
    *,
    say: Callable[[str], object] = lambda line: None,
    progress: bool = False,
) -> Path:
    """The folder of a corpus, which is downloaded and converted if no data folder has it.

    It is then written to `data_dir`, or else to the user's cache. `say` gets lines for the user:
    licence and size before the download, the folder afterwards. `progress` shows a bar on stderr.
    Raises SennaError when the corpus is not available; nothing half-written is left then.
    """
    path = lookup(name, data_dir)
    if path is not None:
        return path
    corpus = entry_of(name, read_catalogue())
    if not corpus.sources:
        raise SennaError(f"the corpus {name} cannot be downloaded", remedy=_obtain(corpus))
    root = data_dir or cache_folder()
    say(f"{name}: {corpus.licence}. {corpus.attribution}")
    say(f"{name}: downloading {size_in_words(corpus.size)} to {root}")
    # Only who downloads a corpus needs archives and converters.
    from senna.corpora.convert import convert, download_all, write

    sources = download_all(corpus, root / "sources", progress)
    write(corpus, root / name, convert(corpus, sources))
    say(f"{name}: in {root / name}")
    return root / name


def size_in_words(size: int) -> str:
    """A number of bytes as "5 kB" or "5.2 MB" (a kB is 1,000 bytes)."""
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(1, round(size / 1e3))} kB"


PARTS = ("train", "dev", "test")  # of the demonstration corpus


def label(source: Source) -> str:
    """The name of a source in cards and logs; of a file, without its folder."""
    name = Path(source.corpus).name if Path(source.corpus).is_absolute() else source.corpus
    return name.encode("utf-8", "replace").decode("utf-8")  # names of files need not be UTF-8


def source_file(source: Source, split: str, data_dir: Path | None, levels: bool = False) -> Path:
    """The file of a source: the user's own, or a split of a corpus; or the file of its levels."""
    name = source.levels if levels else source.corpus
    if Path(name).is_file():
        return Path(name)
    return split_file(find(name, data_dir), (source.split or split) + ".levels" * levels)


def check_sources(sets: Mapping[str, DataConfig], data_dir: Path | None) -> None:
    """Raise SennaError for a corpus, or a split of one, that is not there."""
    for settings in sets.values():
        for split in PARTS:
            for source in getattr(settings, split):
                source_file(source, split, data_dir)
                if source.levels:
                    source_file(source, split, data_dir, levels=True)


def obtain(
    sets: Mapping[str, DataConfig], data_dir: Path | None, say: Callable[[str], None]
) -> None:
    """Find or download every corpus of the catalogue that the data of tasks name."""
    for settings in sets.values():
        for source in (*settings.train, *settings.dev, *settings.test):
            if not Path(source.corpus).is_file():
                get(source.corpus, data_dir, say=say, progress=True)


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
