"""The tables of a model folder: read with bounds, and checked.

A model folder may come from anywhere: its model.toml is checked before the program relies on it.
The table of a network's kind is checked where the network is loaded.
"""

from __future__ import annotations

import re
import stat
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from senna.errors import SennaError
from senna.settings import ROWS, Table, choice, make, number, text
from senna.tasks import LEARNT, TAGGING, TREE_LEVELS

FORMAT_VERSION = 3
ABOUT = ("notes", "made", "data", "config", "scores")  # what a reader wants to know, in about.toml
AGAIN = "Copy or train the model again."
# Most bytes of a table's file, and of a line without its strings; most points in that: with more
# the TOML reader gets slow.
BYTES, LINE, POINTS = 1 << 18, 1 << 13, 200
LIST = 1 << 30  # bytes of a list, which is read whole; arrays are mapped into memory
# Strings and comments of a line, and from a quote on that opens none of these: several lines may.
_INERT = re.compile(
    rb"""(?!["]{3}|'{3})(?:"[^"\\\n]*+(?:\\.[^"\\\n]*+)*"|'[^'\n]*')|#.*|(?P<odd>["']).*"""
)
DTYPES = ("<f4", "<f2", "|i1", "<i4", "|u1")
# The table of one file as `write_model` has it: its values are in bounds.
_LISTED = re.compile(
    r'\n\[files\."([^"\\\n]+)"\]\n(?:dtype = "(<f4|<f2|\|i1|<i4|\|u1)"\nshape = \['
    r"((?:[0-9]{1,9}, )*[0-9]{1,9}|)\]\n|lines = ([0-9]{1,10})\n)bytes = ([1-9][0-9]{0,11})\n"
    r'sha256 = "([0-9a-f]{64})"\n'
)

_ANY_NUMBER: Any = {"empty": True, "distinct": True}

COST = 10_000  # most that a role may lose

# --------------------------------------------------------------------------- its tables
# Those that a configuration has too are frozen.


@dataclass(frozen=True)
class NgramFeature:
    """Vectors of a word's letter n-grams, added to its own vector (Bojanowski et al. 2017)."""

    # rows that all n-grams share by hashing; 0: feature not used
    buckets: Annotated[int, number(0, ROWS, stored=True)] = 0
    least: Annotated[int, number(1, 100, stored=True)] = (
        3  # letters of an n-gram; the word's ends count as letters
    )
    most: Annotated[int, number(1, 100, stored=True)] = 6


@dataclass(frozen=True)
class TreeFeature:
    """The parse tree of our own model: roles see it, recursive networks follow it."""

    used: bool = False
    # in tagging, off the scores of arguments: for each end inside a constituent, and for each step
    # from what hangs on one constituent over the predicate to what hangs on another
    inside: Annotated[float, number(0, COST, stored=True)] = 2.0
    across: Annotated[float, number(0, COST, stored=True)] = 6.0
    model: str = ""  # folder of the model; empty: the one in the package
    folds: str = ""  # as of tags


# The others are of model folders alone: nothing compares or prints them.


@dataclass(eq=False, repr=False)
class FileEntry:
    """One file of the folder."""

    bytes: Annotated[int, number(least=0, most=1 << 40)]
    sha256: Annotated[str, text(test=lambda value: len(value) == 64, said="is not a sha256")]


@dataclass(eq=False, repr=False)
class ArrayEntry(FileEntry):
    """One array of the folder, NAME.npy."""

    dtype: Annotated[str, text(test=DTYPES.__contains__, said="is not a type of arrays")]
    shape: Annotated[tuple[int, ...], number(least=0, most=1 << 32, empty=True)]


@dataclass(eq=False, repr=False)
class PhraseLists:
    """The phrase lists of a model."""

    types: Annotated[tuple[str, ...], text()]
    coding: Annotated[str, text(test=("position", "on_off").__contains__, said="is not a coding")]


@dataclass(eq=False, repr=False)
class FeatureTable:
    """The lookup tables of a model."""

    forms: Annotated[tuple[str, ...], text(**_ANY_NUMBER)]
    longest: Annotated[int, number(least=1, most=1000)]
    marks: bool = False
    letters: Annotated[str, choice("convolution", "recurrent")] = "convolution"
    states: str = ""  # a language model that only PyTorch reads
    tags: Annotated[tuple[str, ...], choice(*TAGGING, *TREE_LEVELS)] = ()
    levels: Annotated[str, choice("model", "column")] = "column"
    joined: Annotated[str, choice("concatenate", "sum")] = "concatenate"
    ngrams: NgramFeature | None = None
    tree: TreeFeature | None = None
    gazetteer: PhraseLists | None = None


@dataclass(eq=False, repr=False)
class NetworkTable:
    """Keys of all kinds of networks."""

    constrained: bool
    paths: bool  # tags are decoded by paths, not each by itself
    kind: Annotated[str, text()]
    inventory: bool = False
    beam: Annotated[int, number(0, 1000)] = 0  # taggings kept from left to right; 0: Viterbi


@dataclass(eq=False, repr=False, kw_only=True)
class ModelTable:
    """All that a program relies on in model.toml, but the table of the network's kind."""

    tasks: Annotated[tuple[str, ...], choice(*LEARNT)]
    use: Annotated[dict[str, str], text(names=("base", "base_sha256", *LEARNT))]
    # With a temperature outside of these bounds probabilities would be 0, or all alike.
    temperature: Annotated[dict[str, float], number(least=0.1, most=10, names=LEARNT)]
    files: dict[str, Any]  # see `FileEntry`, `ArrayEntry`
    features: FeatureTable = FeatureTable((), 1)
    network: NetworkTable = NetworkTable(False, False, "")


def read_meta(path: Path, meta: Table | None = None) -> tuple[Table, ModelTable]:
    """The model.toml of a folder, checked, and what is in it; `meta`: where it was read already."""
    meta, where = meta or read_raw(path), str(path / "model.toml")
    if meta["format"] < FORMAT_VERSION:
        what = f"format {meta['format']} of an earlier release"
        raise SennaError(what, where=str(path), remedy=f"Run: senna models upgrade {path}")
    try:
        checked: Table = {"temperature": {}} | meta
        tables = make(ModelTable, checked, where=where, strict=False)
        for name, entry in tables.files.items():
            if name in ("", ".", "..") or set(name) & set("/\\:\0"):
                raise SennaError(f"names a file {name!r}", where=where)
            kind = ArrayEntry if name.endswith(".npy") else FileEntry
            if not isinstance(entry, Listed):
                make(kind, entry, where=where, key=f"files.{name}", strict=False)
            if kind is FileEntry and entry["bytes"] > LIST:
                what = f"files.{name}.bytes = {entry['bytes']}, {LIST} at most"
                raise SennaError(what, where=where)
        if tables.tasks and not {"features", "network"} <= meta.keys():
            raise SennaError("tables features and network are missing", where=where)
    except SennaError as error:
        raise SennaError(error.what, where=error.where, remedy=AGAIN) from None
    return meta, tables


def read_raw(path: Path) -> Table:
    """The model.toml of a folder, of which the format alone is checked."""
    try:
        meta = read_table(path / "model.toml")
    except (FileNotFoundError, NotADirectoryError):
        remedy = "`senna models` lists the models of the package; `senna train` makes one."
        if (path / "model" / "model.toml").is_file():
            remedy = f"That of this run is {path / 'model'}."
        what = "not a model folder (it has no model.toml)"
        raise SennaError(what, where=str(path), remedy=remedy) from None
    version = meta.get("format")
    if type(version) is not int or not 1 <= version <= FORMAT_VERSION:
        newer = type(version) is int and version > FORMAT_VERSION
        remedy = "Install a newer senna." if newer else "Train the model again."
        what = f"format {version!r}, this senna reads {FORMAT_VERSION}"
        raise SennaError(what, where=str(path), remedy=remedy)
    return meta


def damaged(what: str, path: Path) -> SennaError:
    """The error for a folder, or a file of it, that cannot be right."""
    return SennaError(what, where=str(path), remedy=AGAIN)


def read_table(path: Path) -> Table:
    """A TOML file of a model folder; SennaError for one that is damaged or much too large."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise damaged("not a regular file", path)
        with path.open("rb") as file:
            content = file.read(BYTES + 1)
        if len(content) > BYTES or _too_long(content):
            raise damaged("the file or one of its lines is too large", path)
        return _parsed(content.decode("utf-8"))
    except (ValueError, OSError, RecursionError) as error:
        if isinstance(error, (FileNotFoundError, NotADirectoryError)):
            raise
        raise damaged(f"damaged: {getattr(error, 'strerror', None) or error}", path) from None


class Listed(dict[str, Any]):
    """The table of a file whose values were checked as it was read."""


def _parsed(text: str) -> Table:
    """The tables of a TOML file; those of its files, most of it, are read without its reader."""
    rest, mark, listed = text.partition("\n[files]\n")
    files, end = dict[str, Any](), 0
    while mark and (match := _LISTED.match(listed, end)):
        name, dtype, shape, lines, size, sha256 = match.groups()
        if (dtype is not None) != name.endswith(".npy") or name in files:
            break
        own: Table = {"lines": int(lines or 0)}
        if dtype is not None:
            own = {"dtype": dtype, "shape": [int(n) for n in shape.split(", ") if n]}
        # In the order of the file: written again, they are read so again.
        files[name] = Listed(own, bytes=int(size), sha256=sha256)
        end = match.end()
    if not mark or end < len(listed):
        return tomllib.loads(text)
    return tomllib.loads(rest + "\n") | {"files": files}


def _too_long(content: bytes) -> bool:
    """Whether a line would keep the reader busy: keys of very many parts do, and their tables."""
    rest = _INERT.sub(rb"\g<odd>", content)
    long = [line for line in rest.split(b"\n") if len(line) > POINTS]
    many = any(len(line) > LINE or line.count(b".") > POINTS for line in long)
    return many or b'"' in rest or b"'" in rest
