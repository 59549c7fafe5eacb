"""The catalogue of corpora: what they are, under which licence, and where their files are.

It is the resource data/corpora.toml; beside it stand the small files that the converters need
(data/corpora/).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from senna.errors import SennaError
from senna.files import resource
from senna.toml import Table, read_table


@dataclass(frozen=True)
class Archive:
    """A repository as one compressed file, from which many sources are taken in one download."""

    address: str  # of a .tar.gz with one folder, the repository at a fixed commit
    size: int  # bytes until the last of the sources; a guess, as it is packed anew when asked for


@dataclass(frozen=True)
class Source:
    """One file that a corpus is made from."""

    name: str  # what its converter calls it
    address: str  # where it is downloaded, at a fixed commit
    digest: str  # "sha256:..." or "git_blob:..." (git's own id of the content), in hexadecimal
    size: int  # bytes; a close guess where only the git id is known
    archive: Archive | None = None  # which has it under its name


@dataclass(frozen=True)
class Corpus:
    """One corpus of the catalogue."""

    name: str  # "ner/docred": also its folder below a data folder
    tasks: tuple[str, ...]
    splits: tuple[str, ...]  # the files of its folder, without .xz
    licence: str
    attribution: str  # who is to be credited, in words to be passed on
    converter: str = ""  # one of those in `senna.corpora.convert`; none for research sets
    marks: bool = False  # whether -DOCSTART- lines open documents
    sources: tuple[Source, ...] = ()  # empty: never downloaded, the user has to obtain it

    @property
    def archives(self) -> list[Archive]:
        """The archives that sources are taken from, each once."""
        return list(dict.fromkeys(s.archive for s in self.sources if s.archive is not None))

    @property
    def size(self) -> int:
        """Bytes to download."""
        single = [source.size for source in self.sources if source.archive is None]
        return sum(single) + sum(archive.size for archive in self.archives)


def resource_lines(name: str) -> list[str]:
    """The lines of a file of data/, without blank ones and those that start with "#"."""
    text = resource(f"data/{name}").read_text(encoding="utf-8")
    return [line for line in text.split("\n") if line and not line.startswith("#")]


def read_catalogue() -> dict[str, Corpus]:
    """{name: corpus} of the package's catalogue, in the file's order."""
    table = read_table(resource("data/corpora.toml"))
    return {name: _corpus(name, **entry) for name, entry in table.items()}


def _corpus(
    name: str,
    tasks: Sequence[str],
    splits: Sequence[str],
    files: Table | None = None,
    lists: Sequence[Table] = (),
    **others: Any,
) -> Corpus:
    sources = [_source(key, **file) for key, file in (files or {}).items()]
    sources += [source for listed in lists for source in _listed_sources(**listed)]
    return Corpus(name, tuple(tasks), tuple(splits), sources=tuple(sources), **others)


def _source(name: str, address: str, size: int, **digests: str) -> Source:
    ((kind, digest),) = digests.items()
    return Source(name, address, f"{kind}:{digest}", size)


def _listed_sources(
    address: str, resource: str, archive: str = "", archive_size: int = 0
) -> Iterator[Source]:
    """The files of a set that has hundreds: a resource with lines `git_blob size path`."""
    whole = Archive(archive, archive_size) if archive else None
    for line in resource_lines(resource):
        blob, size, path = line.split(" ", 2)
        yield Source(path, f"{address}/{path}", f"git_blob:{blob}", int(size), whole)


def entry_of(name: str, catalogue: Mapping[str, Corpus]) -> Corpus:
    """The corpus called `name`; SennaError names the nearest one when there is none."""
    if name in catalogue:
        return catalogue[name]
    near = difflib.get_close_matches(name, catalogue, n=1)
    mend = (f"Did you mean {near[0]}? " if near else "") + "`senna data list` shows all of them."
    raise SennaError(f"no corpus is called {name!r}", mend=mend)
