"""TOML to frozen dataclasses and back.

A dataclass stands for a table. Each field says what it takes: by its type, and by `number`
or `choice` its range. Unknown keys, wrong types and values out of range are refused in
one line that names the key.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import math
import re
import tomllib
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Any, TypeVar

from senna.errors import SennaError
from senna.files import replacing

T = TypeVar("T")
Table = dict[str, Any]

# --------------------------------------------------------------------------- fields


def number(
    default: Any, least: float = 0, most: float = math.inf, *, odd: bool = False, **several: bool
) -> Any:
    """A field of a number, or of several, from `least` to `most`; never infinite, never NaN.

    Of several, `empty` says that there may be none, `distinct` that none may be there twice.
    """

    def fits(value: Any) -> bool:
        return least <= value <= most and value < math.inf and (not odd or value % 2 == 1)

    bounds = f"from {least} to {most}" if most < math.inf else f"{least} or more"
    wanted = f"must be {'odd, ' if odd else ''}{bounds}"
    return field(default=default, metadata={"fits": fits, "wanted": wanted, **several})


def choice(default: Any, *choices: str) -> Any:
    """A field of a string, or of several, that is one of `choices`."""
    wanted = f"is none of {', '.join(choices)}"
    own = {"fits": choices.__contains__, "wanted": wanted, "empty": True, "distinct": True}
    return field(default=default, metadata=own)


# --------------------------------------------------------------------------- reading


def read_table(path: Path) -> Table:
    """A TOML file as nested dicts; `SennaError` if there is none, or it is not readable."""
    try:
        # A path may be any bytes, in the file of a run too.
        return tomllib.loads(path.read_text(encoding="utf-8", errors="surrogateescape"))
    except FileNotFoundError:
        raise SennaError("no such configuration", where=str(path)) from None
    except (ValueError, RecursionError, OSError) as error:
        raise SennaError(f"not readable as TOML: {error}", where=str(path)) from None


def merged(base: Table, own: Table) -> Table:
    """Two tables as one: what `own` says stands over `base`, key by key; lists are not joined."""
    made = dict(base)
    for key, value in own.items():
        both = isinstance(value, dict) and isinstance(made.get(key), dict)
        made[key] = merged(made[key], value) if both else value
    return made


def with_settings(table: Table, settings: Sequence[str], values: Mapping[str, Any]) -> Table:
    """A table with `values` by dotted key, then settings as ``key=value``, put in.

    The values of settings are TOML, and bare words are strings.
    """
    for key, value in [*values.items(), *map(_setting, settings)]:
        for part in reversed(key.split(".")):
            value = {part.strip(): value}
        table = merged(table, value)
    return table


def _setting(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not equals:
        mend = "Example: --set train.epochs=5"
        raise SennaError(f"not of the form key=value: {text!r}", where="--set", mend=mend)
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except (ValueError, RecursionError):
        return key, value


def build(kind: type[T], table: Table, *, where: str) -> T:
    """Make a dataclass of a parsed table."""
    try:
        made: T = _table(kind, table, "", kind)
    except SennaError as error:
        raise SennaError(error.what, where=where, mend=error.mend) from None
    return made


def _table(kind: Any, value: Any, key: str, root: Any) -> Any:
    """A dataclass of the table at `key` within that of `root`."""
    if isinstance(value, str) and hasattr(kind, "SHORT"):  # the key that a bare string stands for
        value = {kind.SHORT: value}
    hints = typing.get_type_hints(kind)
    known = {item.name: item for item in dataclasses.fields(kind)}
    _check_names(value, known, key, root)
    made = {name: _field(known[name], hints[name], value[name], key, root) for name in value}
    return kind(**made)


def _check_names(value: Any, known: Iterable[str], key: str, root: Any) -> None:
    if not isinstance(value, dict):
        what = f"{key} = {_shown(value)} must be a table, of {', '.join(known)}"
        raise SennaError(what)
    unknown = [name for name in value if name not in known]
    if unknown:
        raise _unknown(unknown[0], value[unknown[0]], list(known), key, root)


def _field(item: dataclasses.Field[Any], hint: Any, value: Any, key: str, root: Any) -> Any:
    """The value of one field of the table at `key`."""
    key = _join(key, item.name)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is dict:
        _check_names(value, item.metadata["names"], key, root)
        return {
            name: _table(arguments[1], own, _join(key, name), root) for name, own in value.items()
        }
    if origin is not tuple:
        return _value(hint, value, key, item.metadata, root)
    if not isinstance(value, (list, tuple)):
        raise SennaError(f"{key} = {_shown(value)} is not of type list")
    if not value and "fits" in item.metadata and not item.metadata.get("empty"):
        raise SennaError(f"{key} must not be empty")
    made = tuple(
        _value(arguments[0], own, f"{key}[{i}]", item.metadata, root) for i, own in enumerate(value)
    )
    if item.metadata.get("distinct") and len(set(made)) < len(made):
        raise SennaError(f"{key} = {_shown(value)} has one twice")
    return made


def _value(kind: Any, value: Any, key: str, metadata: Mapping[str, Any], root: Any) -> Any:
    if dataclasses.is_dataclass(kind):
        return _table(kind, value, key, root)
    if kind is float and type(value) is int:
        value = float(value) if abs(value) < 1e300 else math.inf
    if type(value) is not kind:
        raise SennaError(f"{key} = {_shown(value)} is not of type {kind.__name__}")
    if "fits" in metadata and not metadata["fits"](value):
        raise SennaError(f"{key} = {_shown(value)} {metadata['wanted']}")
    return value


def _unknown(name: str, value: Any, known: Sequence[str], key: str, root: Any) -> SennaError:
    """What to tell of an unknown key: those that it may have been meant for, in full."""
    parts = _join(key, name).split(".")
    while isinstance(value, dict) and len(value) == 1 and len(parts) < 9:
        ((part, value),) = value.items()
        parts.append(part)
    # A key that moved, as network.hidden to network.window.hidden, still has all its parts.
    moved = re.compile(r"(.*\.)?" + r"\.(.*\.)?".join(map(re.escape, parts)))
    near = [path for path in _paths(root, "") if moved.fullmatch(path)][:3]
    near = near or [_join(key, own) for own in difflib.get_close_matches(name, known, n=1)]
    names = "did you mean " + " or ".join(map(repr, near)) + "?" if near else ""
    return SennaError(f"unknown key {_join(key, name)!r}; {names or 'known: ' + ', '.join(known)}")


def _paths(kind: Any, before: str) -> Iterator[str]:
    """The dotted keys of all tables and values of a dataclass."""
    hints = typing.get_type_hints(kind)
    for item in dataclasses.fields(kind):
        hint, path = hints[item.name], _join(before, item.name)
        yield path
        if dataclasses.is_dataclass(hint):
            yield from _paths(hint, path)
        for name in item.metadata.get("names", ()):
            yield _join(path, name)
            yield from _paths(typing.get_args(hint)[1], _join(path, name))


def _join(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _shown(value: Any) -> str:
    try:
        return f"{value!r:.80}"
    except (ValueError, RecursionError):  # thousands of digits, or of tables in tables
        return "that"


# --------------------------------------------------------------------------- writing


def write_config(path: Path, config: Any) -> None:
    """Write a complete configuration, from which its run can be repeated."""
    text = to_toml(dataclasses.asdict(config))
    with replacing(path) as place:
        place.write_text(text, encoding="utf-8", errors="surrogateescape", newline="\n")


def to_toml(table: Table, prefix: str = "") -> str:
    """Write nested dicts as TOML, tables after plain values; reads back to the same."""
    plain = {key: item for key, item in table.items() if not isinstance(item, dict)}
    nested = {key: item for key, item in table.items() if isinstance(item, dict)}
    lines = [f"{_key(key)} = {_toml(item)}" for key, item in plain.items()]
    text = "\n".join(lines) + ("\n" if lines else "")
    for key, item in nested.items():
        path = f"{prefix}.{_key(key)}" if prefix else _key(key)
        text += f"\n[{path}]\n" + to_toml(item, path)
    return text


def _key(key: str) -> str:
    bare = key and all(c.isascii() and (c.isalnum() or c in "-_") for c in key)
    return key if bare else _toml(key)


def _toml(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, float):
        return repr(value)
    # TOML's strings are JSON's, but for one control character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
