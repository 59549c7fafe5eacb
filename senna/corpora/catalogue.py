"""The catalogue of corpora: what they are, under which licence, and where their files are.

It is data/corpora.toml in a checkout; in an installed package it lies among its resources, with
the small files that the converters need (data/corpora/).
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from senna.errors import SennaError


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
    converter: str  # one of `senna.corpora.convert.CONVERTERS`; "" for research sets
    marks: bool  # whether -DOCSTART- lines open documents
    sources: tuple[Source, ...]  # empty: never downloaded, the user has to obtain it

    @property
    def archives(self) -> list[Archive]:
        """The archives that sources are taken from, each once."""
        return list(dict.fromkeys(s.archive for s in self.sources if s.archive is not None))

    @property
    def size(self) -> int:
        """Bytes to download."""
        single = [source.size for source in self.sources if source.archive is None]
        return sum(single) + sum(archive.size for archive in self.archives)


def resource(name: str) -> Path:
    """The path of a file of the package's data folder, such as "corpora.toml".

    Installed, it is looked for in senna/resources/data, in a source checkout in data/ at its top.
    Raises SennaError when it is in neither.
    """
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "resources" / "data", package.parent / "data"):
        if (folder / name).is_file():
            return folder / name
    raise SennaError(f"the package's file data/{name} is missing", mend="Reinstall senna.")


def resource_lines(name: str) -> list[str]:
    """The lines of a resource, without blank ones and those that start with "#"."""
    text = resource(name).read_text(encoding="utf-8")
    return [line for line in text.split("\n") if line and not line.startswith("#")]


def read_catalogue(path: Path | None = None) -> dict[str, Corpus]:
    """{name: corpus} of a catalogue file, the package's own by default, in the file's order.

    Raises SennaError for a file that is no TOML, and for unknown, missing or ill-typed keys.
    """
    path = path or resource("corpora.toml")
    try:
        with path.open("rb") as file:
            table = tomllib.load(file)
    except OSError as error:
        raise SennaError(f"cannot be read: {error.strerror}", where=str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SennaError(f"not a TOML file: {error}", where=str(path)) from error
    catalogue = {}
    lists: dict[str, tuple[Source, ...]] = {}
    for name, entry in table.items():
        try:
            catalogue[name] = _corpus(name, entry, lists)
        except (KeyError, TypeError, ValueError) as error:
            raise SennaError(
                f"bad entry: {error}",
                where=f"{path}:[{name}]",
                mend="Compare it with the other entries.",
            ) from error
    return catalogue


def _strings(values: Any, key: str) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError(f"{key} is not a list of strings")
    return tuple(values)


def _refuse_unknown(table: Mapping[str, Any], known: Collection[str]) -> None:
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1, cutoff=0)
            raise ValueError(f"unknown key {key}; the nearest known one is {near[0]}")


def _corpus(name: str, entry: dict[str, Any], lists: dict[str, tuple[Source, ...]]) -> Corpus:
    """One entry; `lists` keeps what was read of lists of files, which corpora share."""
    described = ("tasks", "splits", "licence", "attribution")
    _refuse_unknown(entry, (*described, "converter", "marks", "files", "lists"))
    sources = [_source(key, file) for key, file in entry.get("files", {}).items()]
    for listed in entry.get("lists", ()):
        key = repr(listed)
        if key not in lists:
            lists[key] = _listed_sources(listed)
        sources += lists[key]
    converter = entry.get("converter", "")
    if bool(converter) != bool(sources):
        raise ValueError("a converter needs files, and files need a converter")
    return Corpus(
        name=name,
        tasks=_strings(entry["tasks"], "tasks"),
        splits=_strings(entry["splits"], "splits"),
        licence=str(entry["licence"]),
        attribution=str(entry["attribution"]),
        converter=str(converter),
        marks=bool(entry.get("marks", False)),
        sources=tuple(sources),
    )


def _source(name: str, file: dict[str, Any]) -> Source:
    _refuse_unknown(file, ("address", "size", "sha256", "git_blob"))
    digests = [f"{kind}:{file[kind]}" for kind in ("sha256", "git_blob") if kind in file]
    if len(digests) != 1:
        raise ValueError(f"file {name} needs one of sha256 and git_blob")
    return Source(name, str(file["address"]), digests[0], int(file["size"]))


def _listed_sources(listed: dict[str, Any]) -> tuple[Source, ...]:
    """The files of a set that has hundreds: a resource with lines `git_blob size path`."""
    _refuse_unknown(listed, ("address", "resource", "archive", "archive_size"))
    archive = None
    if "archive" in listed:
        archive = Archive(str(listed["archive"]), int(listed["archive_size"]))
    entries = (line.split(" ", 2) for line in resource_lines(listed["resource"]))
    return tuple(
        Source(path, f"{listed['address']}/{path}", f"git_blob:{blob}", int(size), archive)
        for blob, size, path in entries
    )


def entry_of(name: str, catalogue: Mapping[str, Corpus]) -> Corpus:
    """The corpus called `name`; SennaError names the nearest one when there is none."""
    if name in catalogue:
        return catalogue[name]
    near = difflib.get_close_matches(name, catalogue, n=1)
    hint = f"Did you mean {near[0]}? " if near else ""
    raise SennaError(
        f"no corpus is called {name!r}", mend=f"{hint}`senna data list` shows all of them."
    )
