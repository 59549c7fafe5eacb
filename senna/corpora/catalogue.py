"""The catalogue of corpora: their licences, files and addresses.

It is the resource data/corpora.toml; data/corpora/ has the small files that the converters need.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

from senna.errors import SennaError
from senna.files import resource
from senna.settings import Table, read_table


@dataclass(frozen=True)
class Archive:
    """A repository as one compressed file, from which many sources are taken in one download."""

    address: str  # of a .tar.gz with one folder, the repository at a fixed commit
    size: int  # bytes up to the last of the sources; an estimate, as it is packed at each request


@dataclass(frozen=True)
class SourceFile:
    """A file that a corpus is made from, or a folder of an archive, which is kept as a .zip."""

    name: str  # the converter's name for it; in an archive its path
    address: str  # where it is downloaded, at a fixed commit
    digest: str  # "sha256:...", or git's own id: "git_blob:..." of a file, "git_tree:..." a folder
    size: int  # bytes; an estimate where only git's id is known
    archive: Archive | None = None  # the archive that has it under its name

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder of an archive."""
        return self.digest.startswith("git_tree:")


@dataclass(frozen=True)
class Columns:
    """How files with a word and a tag per line are read; names are separated by spaces."""

    labels: Mapping[str, str] = field(  # those of the set by ours; "-": no names
        default_factory=lambda: {name: name for name in ("PER", "LOC", "ORG", "MISC")}
    )
    delimiter: str = "\t"  # between columns; empty: white space
    # of the splits that have not their own names
    files: Mapping[str, str] = field(default_factory=dict)
    every: int = 1  # one of so many documents is kept
    proper_misc: bool = False  # whether a MISC without a capital letter or digit is dropped


@dataclass(frozen=True)
class Corpus:
    """One corpus of the catalogue."""

    name: str  # "ner/docred": also its folder below a data folder
    tasks: tuple[str, ...]
    splits: tuple[str, ...]  # names of its files, without .xz
    licence: str
    attribution: str  # whom to credit, in words to be passed on
    converter: str = ""  # one of those in `senna.corpora.convert`
    marks: bool = False  # whether -DOCSTART- lines open documents
    sources: tuple[SourceFile, ...] = ()  # empty: never downloaded, the user has to obtain it
    columns: Columns | None = None  # instead of a converter; research sets have neither

    @property
    def archives(self) -> list[Archive]:
        """The archives that sources are taken from, each once."""
        return list(dict.fromkeys(s.archive for s in self.sources if s.archive is not None))

    @property
    def single_sources(self) -> list[SourceFile]:
        """The sources that are downloaded by themselves."""
        return [source for source in self.sources if source.archive is None]

    @property
    def size(self) -> int:
        """Bytes to download."""
        return sum(part.size for parts in (self.single_sources, self.archives) for part in parts)


def resource_lines(name: str) -> list[str]:
    """The lines of a file of data/, without blank ones and those that start with "#"."""
    text = resource(f"data/{name}").read_text(encoding="utf-8")
    return [line for line in text.split("\n") if line and not line.startswith("#")]


def word_list(name: str) -> frozenset[str]:
    """A list of words in data/corpora/word-lists.txt."""
    rows = (line.split(" ") for line in resource_lines("corpora/word-lists.txt"))
    return frozenset(word for row in rows if row[0] == name for word in row[1:])


@cache
def read_catalogue() -> Mapping[str, Corpus]:
    """{name: corpus} of the package's catalogue, in the file's order; it is read once."""
    table = read_table(resource("data/corpora.toml"))
    return MappingProxyType({name: _corpus(name, **entry) for name, entry in table.items()})


def _corpus(
    name: str,
    tasks: Sequence[str],
    splits: Sequence[str],
    files: Table | None = None,
    lists: Sequence[Table] = (),
    columns: Table | None = None,
    **others: Any,
) -> Corpus:
    sources = [_source(key, **file) for key, file in (files or {}).items()]
    sources += [source for entry in lists for source in _listed_sources(**entry)]
    if columns is not None:
        others["columns"] = Columns(**columns)
    return Corpus(name, tuple(tasks), tuple(splits), sources=tuple(sources), **others)


def _source(
    name: str, size: int, address: str = "", archive: str = "", archive_size: int = 0, **digest: str
) -> SourceFile:
    ((kind, hexadecimal),) = digest.items()
    whole = Archive(archive, archive_size) if archive else None
    return SourceFile(name, address or archive, f"{kind}:{hexadecimal}", size, whole)


def _listed_sources(address: str, resource: str, **archive: Any) -> Iterator[SourceFile]:
    """The files of a set that has hundreds: a resource with lines `git_blob size path`."""
    for line in resource_lines(resource):
        blob, size, path = line.split(" ", 2)
        yield _source(path, int(size), f"{address}/{path}", git_blob=blob, **archive)


def entry_of(name: str, catalogue: Mapping[str, Corpus]) -> Corpus:
    """The corpus called `name`; SennaError, with the nearest name, if there is none."""
    if name in catalogue:
        return catalogue[name]
    near = difflib.get_close_matches(name, catalogue, n=1)
    remedy = (f"Did you mean {near[0]}? " if near else "") + "`senna data list` shows all of them."
    raise SennaError(f"no corpus is called {name!r}", remedy=remedy)
