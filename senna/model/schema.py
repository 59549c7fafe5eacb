"""The tables of a model folder: read with bounds, brought to the newest format, checked.

A model folder may come from anywhere: what stands in its model.toml is believed only after it has
been compared with what the program can compute.
"""

from __future__ import annotations

import re
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from senna.errors import SennaError
from senna.tasks import TAGGING, TASKS

FORMAT = 2
ABOUT = ("notes", "made", "data", "config", "scores")  # what a reader wants to know, in about.toml
AGAIN = "Copy or train the model again."
# Of a table's file; of a line without its strings, and of the points in it: more makes its
# reader slow.
BYTES, LINE, POINTS = 1 << 18, 1 << 13, 200
# Strings and comments of a line; a string that goes on over several lines is none of these.
_INERT = re.compile(rb"""(?!["]{3}|'{3})(?:"(?:[^"\\]|\\.)*"|'[^']*')|#.*""")
DTYPES = ("<f4", "<f2", "|i1", "<i4", "|u1")

Table = dict[str, Any]
Test = Callable[[Any], bool]


def read_table(path: Path) -> Table:
    """A TOML file of a model folder; SennaError for one that is damaged or much too large."""
    where = str(path)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise SennaError("no regular file", where=where, mend=AGAIN)
        text = path.read_bytes()[: BYTES + 1]
        if len(text) > BYTES or any(map(_too_long, text.split(b"\n"))):
            raise SennaError("too large, or a line of it too long", where=where, mend=AGAIN)
        return tomllib.loads(text.decode("utf-8"))
    except (ValueError, OSError, RecursionError) as error:
        if isinstance(error, (FileNotFoundError, NotADirectoryError)):
            raise
        what = f"damaged: {getattr(error, 'strerror', None) or error}"
        raise SennaError(what, where=where, mend=AGAIN) from None


def _too_long(line: bytes) -> bool:
    """Whether a line would keep the reader busy: keys of very many parts do, and their tables."""
    rest = _INERT.sub(b"", line)
    return len(rest) > LINE or rest.count(b".") > POINTS or b'"' in rest or b"'" in rest


def read_meta(path: Path) -> Table:
    """The model.toml of a folder, in the newest format, checked."""
    try:
        meta = read_table(path / "model.toml")
    except (FileNotFoundError, NotADirectoryError):
        raise SennaError(
            "no model folder (it has no model.toml)",
            where=str(path),
            mend="`senna models` lists those that ship; `senna train` makes one.",
        ) from None
    version = meta.get("format")
    if type(version) is not int or not 1 <= version <= FORMAT:
        newer = type(version) is int and version > FORMAT
        mend = "Install a newer senna." if newer else "Train the model again."
        what = f"format {version!r}, this senna reads 1 to {FORMAT}"
        raise SennaError(what, where=str(path), mend=mend)
    where = str(path / "model.toml")
    _check(meta, {"files": _is_table}, "", where)
    if version == 1:
        meta = _upgrade(meta, where)
    _check(meta, _META, "", where)
    for name, file in meta["files"].items():
        if name in ("", ".", "..") or set(name) & set("/\\:\0"):
            raise SennaError(f"names a file {name!r}", where=where, mend=AGAIN)
        rules = _FILE | (_ARRAY if name.endswith(".npy") else {})
        _check(file if isinstance(file, dict) else {}, rules, f"files.{name}", where)
    _check({"temperature": {}} | meta, {"temperature": _temperatures}, "", where)
    if meta["tasks"]:
        _check(meta, {"features": _is_table, "network": _is_table}, "", where)
        _check({"marks": False} | meta["features"], _FEATURES, "features", where)
        if "tree" in meta["features"]:
            _check(meta["features"], {"tree": _is_table}, "features", where)
            _check(meta["features"]["tree"], _TREE, "features.tree", where)
        if "gazetteer" in meta["features"]:
            _check(meta["features"], {"gazetteer": _is_table}, "features", where)
            _check(meta["features"]["gazetteer"], _GAZETTEER, "features.gazetteer", where)
        _check_network(meta["network"], where)
    return meta


# --------------------------------------------------------------------------- what is well-formed


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)


def _number(least: int, most: int = 1 << 20) -> Test:
    return lambda value: type(value) is int and least <= value <= most


def _odd(value: Any) -> bool:
    return _number(1, 999)(value) and value % 2 == 1


def _is_cost(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= 10_000


def _one_of(*values: Any) -> Test:
    # True is 1 for Python, not here.
    return lambda value: any(type(value) is type(own) and value == own for own in values)


def _list(of: Test, least: int = 0) -> Test:
    return lambda value: isinstance(value, list) and len(value) >= least and all(map(of, value))


def _text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _use(value: Any) -> bool:
    known = ("base", "base_sha256", *TASKS)
    return isinstance(value, dict) and all(k in known and _text(v) for k, v in value.items())


def _temperatures(value: Any) -> bool:
    """A number for some tasks; with one below or above these, probabilities would be 0 or alike."""
    numbers = value.items() if isinstance(value, dict) else [("", 0)]
    return all(k in TASKS and type(v) in (int, float) and 0.1 <= v <= 10 for k, v in numbers)


_META = {"tasks": lambda v: _list(_one_of(*TASKS))(v) and len(set(v)) == len(v), "use": _use}
_FILE = {"bytes": _number(0, 1 << 40), "sha256": lambda v: _text(v) and len(v) == 64}
_ARRAY = {"dtype": _one_of(*DTYPES), "shape": _list(_number(0, 1 << 32))}
_FEATURES = {
    "prefixes": _list(_number(1, 100)),
    "suffixes": _list(_number(1, 100)),
    "longest": _number(1, 1000),
    "marks": _one_of(True, False),  # since release 0.3
    "tags": _list(_one_of(*TAGGING)),
}
_TREE: dict[str, Test] = dict.fromkeys(("inside", "across"), _is_cost)
_GAZETTEER = {
    "types": lambda v: _list(_text, 1)(v) and len(v) <= 60,
    "coding": _one_of("position", "on_off"),
}
_NETWORK = {"constrained": _one_of(True, False), "criterion": _one_of("sentence", "word")}
_KINDS: dict[str, dict[str, Test]] = {
    "window": {"widths": _list(_odd, 1), "hidden": _list(_number(1), 1), "shared": _number(1)},
    "sentence": {"width": _odd, "units": _number(1), "hidden": _number(1)},
    "gated": {
        "units": _number(1),
        "width": _odd,
        "dilations": _list(_number(1, 10_000)),
        "pair_dilations": _list(_number(1, 10_000)),
        "distance": _number(1, 10_000),
    },
}


def _check(table: Table, rules: dict[str, Test], name: str, where: str) -> None:
    for key, test in rules.items():
        if not test(table.get(key)):
            shown = repr(table.get(key))[:60]
            path = f"{name}.{key}" if name else key
            raise SennaError(f"{path} = {shown} is not possible", where=where, mend=AGAIN)


def _check_network(network: Table, where: str) -> None:
    kind = network.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        what = f"network.kind = {kind!r:.60} is not known"
        raise SennaError(what, where=where, mend="Install a newer senna.")
    _check(network, _NETWORK | {kind: _is_table}, "network", where)
    own = network[kind]
    _check(own, _KINDS[kind], f"network.{kind}", where)
    if "tree" in network:  # of the parser by levels
        _check(network, {"tree": _is_table}, "network", where)
        rules = {"node_dilations": _list(_number(1, 10_000))}
        _check(network["tree"], rules, "network.tree", where)
    if kind == "window":
        n = len(own["widths"])
        rules = {"hidden": lambda v: len(v) == n, "shared": _number(1, n)}
        _check(own, rules, "network.window", where)


# --------------------------------------------------------------------------- older formats

_FLAT = {  # format 1 had the keys of all networks in one table
    "window": {"window": "widths", "hidden": "hidden", "shared": "shared"},
    "sentence": {"window": "width", "units": "units", "hidden": "hidden"},
    "gated": {name: name for name in ("units", "width", "dilations", "pair_dilations", "distance")},
}


def _upgrade(meta: Table, where: str) -> Table:
    """The contents of a model.toml of format 1, in format 2."""
    meta = {"tasks": [], "use": {}, **meta, "format": FORMAT}
    if isinstance(features := meta.get("features"), dict):
        tags = [name for name in ("pos", "pt0") if f"{name}.npy" in meta["files"]]
        meta["features"] = {**features, "tags": tags}
    if isinstance(network := meta.get("network"), dict):
        old = dict(network)
        kind = old.pop("kind", "window")
        own = {new: old.pop(name, None) for name, new in _FLAT.get(str(kind), {}).items()}
        if kind == "sentence":  # lists of one number, as the window network's
            own = {k: v[0] if isinstance(v, list) and len(v) == 1 else v for k, v in own.items()}
        meta["network"] = {"kind": kind, **old, str(kind): own}
    return meta
