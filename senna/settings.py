"""TOML to frozen dataclasses, and tables to TOML; options of commands.

A dataclass describes a table. The type of a field says what the key takes, and a `Setting` in it
its range: Annotated[int, number(1, 9)]. Unknown keys, wrong types and values out of range are
refused in one line that names the key.
"""

from __future__ import annotations

import dataclasses
import math
import re
import tomllib
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

from senna.errors import SennaError, located

T = TypeVar("T")
Table = dict[str, Any]

SIZE = 10_000  # most numbers that a table has for an entry, most units of a layer
ROWS = 10_000_000  # most entries of a table
FAR = 1_000  # most words, letters or repetitions of something
TINY, ALMOST = 1e-9, 0.9999  # for what must be above 0, and below 1

# --------------------------------------------------------------------------- fields


class Setting(NamedTuple):
    """The values of a field, in its `Annotated` type: one, or each of several, that `fits`.

    A list may have no entry if it is `empty`, and one entry twice unless it is `distinct`; a table
    has `names` alone, if there are any. In a model folder what is `stored` must be there.
    """

    fits: Callable[[Any], bool] = lambda value: True
    wanted: str = ""
    empty: bool = True
    distinct: bool = False
    stored: bool = False
    names: Sequence[str] = ()


def number(
    least: float = 0, most: float = math.inf, *, odd: bool = False, empty: bool = False, **more: Any
) -> Setting:
    """A number from `least` to `most`; never infinite, never NaN."""

    def fits(value: Any) -> bool:
        return least <= value <= most and value < math.inf and (not odd or value % 2 == 1)

    bounds = f"from {least} to {most}" if most < math.inf else f"{least} or more"
    return Setting(fits, f"must be {'odd, ' if odd else ''}{bounds}", empty, **more)


def choice(*choices: str, **more: Any) -> Setting:
    """One of some strings, or several different ones."""
    wanted = f"is not one of {', '.join(choices)}"
    return Setting(choices.__contains__, wanted, distinct=True, **more)


def text(
    fits: Callable[[str], bool] = lambda value: "\0" not in value,
    wanted: str = "must have no null character",
    *,
    empty: bool = False,
    **more: Any,
) -> Setting:
    """A string that `fits`."""
    return Setting(fits, wanted, empty, **more)


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


def make(
    kind: type[T],
    table: Any,
    *,
    where: str,
    key: str = "",
    strict: bool = True,
    stored: bool | None = None,
) -> T:
    """Make a dataclass of a parsed table, the one at `key` of a file.

    Not `strict`, as for model folders: keys that the dataclass lacks are ignored, and those that
    are `stored` must be there, unless that is False.
    """
    with located(where):
        made: T = _Maker(kind, strict, not strict if stored is None else stored).table(
            kind, table, key
        )
    return made


class Field(NamedTuple):
    """A field of a dataclass: `kind` is that of its value, or of each of `several`."""

    kind: Any
    several: Any  # dict, tuple, or None for one value
    setting: Setting
    needed: bool

    @classmethod
    def of(cls, item: dataclasses.Field[Any], hint: Any) -> Field:
        """The field that an item of `dataclasses.fields` describes, whose type is `hint`."""
        setting = Setting()
        if typing.get_origin(hint) is Annotated:
            hint, setting = hint.__origin__, hint.__metadata__[0]
        if isinstance(hint, types.UnionType):  # of a table that may be left out, and None
            hint = hint.__args__[0]
        several = typing.get_origin(hint)
        if several is not None:
            hint = typing.get_args(hint)[several is dict]
        missing = dataclasses.MISSING
        needed = item.default is missing and item.default_factory is missing
        return cls(hint, several, setting, needed)


@cache
def fields_of(kind: Any) -> dict[str, Field]:
    """The fields of a dataclass by name."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return {item.name: Field.of(item, hints[item.name]) for item in dataclasses.fields(kind)}


class _Maker(NamedTuple):
    root: Any
    strict: bool
    stored: bool

    def table(self, kind: Any, value: Any, key: str) -> Any:
        """A dataclass of the table at `key`."""
        if isinstance(value, str) and hasattr(kind, "SHORT"):  # the key that a string stands for
            value = {kind.SHORT: value}
        known = fields_of(kind)
        self._check_names(value, known, key, self.strict)
        for name, item in known.items():
            if (item.needed or (self.stored and item.setting.stored)) and name not in value:
                raise SennaError(f"{_join(key, name)} is missing")
        given = {name: item for name, item in value.items() if name in known}
        return kind(**{n: self._field(known[n], item, _join(key, n)) for n, item in given.items()})

    def _check_names(self, value: Any, known: Iterable[str], key: str, strict: bool) -> None:
        if not isinstance(value, dict):
            of = f", of {', '.join(known)}" if known is not value else ""
            raise SennaError(f"{key} = {_shown(value)} must be a table{of}")
        unknown = [name for name in value if name not in known] if strict else []
        if unknown:
            raise self._unknown(unknown[0], value[unknown[0]], list(known), key)

    def _field(self, item: Field, value: Any, key: str) -> Any:
        setting = item.setting
        if item.several is dict:
            self._check_names(value, setting.names or value, key, strict=True)
            return {name: self._value(item, v, _join(key, name)) for name, v in value.items()}
        if item.several is None:
            return self._value(item, value, key)
        if not isinstance(value, (list, tuple)):
            raise SennaError(f"{key} = {_shown(value)} is not of type list")
        if not value and not setting.empty:
            raise SennaError(f"{key} must not be empty")
        values = tuple(self._value(item, v, f"{key}[{i}]") for i, v in enumerate(value))
        if setting.distinct and len(set(values)) < len(values):
            raise SennaError(f"{key} = {_shown(value)} has one twice")
        return values

    def _value(self, item: Field, value: Any, key: str) -> Any:
        kind = item.kind
        if dataclasses.is_dataclass(kind):
            return self.table(kind, value, key)
        if kind is float and type(value) is int:
            value = float(value) if abs(value) < 1e300 else math.inf
        if type(value) is not kind and kind is not Any:
            raise SennaError(f"{key} = {_shown(value)} is not of type {kind.__name__}")
        if not item.setting.fits(value):
            raise SennaError(f"{key} = {_shown(value)} {item.setting.wanted}")
        return value

    def _unknown(self, name: str, value: Any, known: Sequence[str], key: str) -> SennaError:
        import difflib  # not needed to tag, and not free to load

        parts = _join(key, name).split(".")
        while isinstance(value, dict) and len(value) == 1 and len(parts) < 9:
            ((part, value),) = value.items()
            parts.append(part)
        # A key that moved, as network.hidden to network.window.hidden, still has all its parts.
        moved = re.compile(r"(.*\.)?" + r"\.(.*\.)?".join(map(re.escape, parts)))
        near = [path for path in _paths(self.root, "") if moved.fullmatch(path)][:3]
        near = near or [_join(key, n) for n in difflib.get_close_matches(name, known, n=1)]
        names = "did you mean " + " or ".join(map(repr, near)) + "?" if near else ""
        what = f"unknown key {_join(key, name)!r}; {names or 'known: ' + ', '.join(known)}"
        return SennaError(what)


def _paths(kind: Any, before: str) -> Iterator[str]:
    for name, item in fields_of(kind).items():
        path = _join(before, name)
        yield path
        of_tables = dataclasses.is_dataclass(item.kind)
        if of_tables and item.several is None:
            yield from _paths(item.kind, path)
        for key in item.setting.names:
            yield _join(path, key)
            if of_tables:
                yield from _paths(item.kind, _join(path, key))


def _join(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def _shown(value: Any) -> str:
    try:
        return f"{value!r:.80}"
    except (ValueError, RecursionError):  # thousands of digits, or of tables in tables
        return "that"


def leaves(table: Table, path: str = "") -> Iterator[tuple[str, Any]]:
    """All values of nested tables with their dotted keys."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


# --------------------------------------------------------------------------- writing


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
    import json  # not needed to tag, and not free to load

    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")


# --------------------------------------------------------------------------- options
# What each is called, takes and does: the command and the server read tables of them, mappings of
# names to options or records whose fields are options.


class Option(NamedTuple):
    """The description of an option.

    `formats` are those of output that have a place for what it asks for; () means all.
    """

    help: str
    kind: Any = str  # of its value: str, bool, int, float, Path; or list, for several texts
    choices: Mapping[str, Any] | Sequence[str] = ()  # a mapping says what each does: see `abouts`
    least: float | None = None  # the range of a number
    most: float | None = None
    formats: Sequence[str] = ()
    file: bool = False  # its value may name a file or a folder: a server must not take it
    spacy: bool = True  # whether spaCy's component has it
    flag: str = ""  # of the command; filled in where it is the field's name
    short: str = ""  # its flag of one letter, for example -o
    metavar: str = ""
    required: bool = False
    name: str = ""
    default: Any = None

    @property
    def abouts(self) -> dict[str, str]:
        """The effect of each of its choices, where it is documented."""
        said = self.choices.items() if isinstance(self.choices, Mapping) else ()
        return {name: str(getattr(record, "about", record)) for name, record in said}

    @property
    def negation(self) -> str:
        """The flag that says no; "" where that is the default."""
        says_no = self.kind is bool and self.default is not False
        return f"--no-{self.flag.removeprefix('--')}" if says_no else ""


def option(default: Any, help: str, kind: type = str, **said: Any) -> Any:
    """A field that is an option."""
    return dataclasses.field(default=default, metadata={"option": Option(help, kind, **said)})


def switch(help: str, **described: Any) -> Option:
    """An option of the command that is off unless its flag is given."""
    return Option(help, bool, default=False, **described)


def named(options: Mapping[str, Option]) -> dict[str, Option]:
    """Options with their names and flags filled in; numbers are N in help."""
    return {
        name: each._replace(
            name=name,
            flag=each.flag or f"--{name.replace('_', '-')}",
            metavar="N" if each.kind is int else each.metavar,
        )
        for name, each in options.items()
    }


def unknown(name: str, known: Collection[str]) -> SennaError:
    """The error for the name of an option that is not one of those known."""
    from difflib import get_close_matches  # not free to load

    near = get_close_matches(name, known, 1)
    remedy = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(known)}."
    return SennaError(f"unknown option {name!r}", remedy=remedy)


_TABLES: dict[type, dict[str, Option]] = {}  # of records


def options_of(kind: type) -> dict[str, Option]:
    """The options that are fields of a record, by name, in order."""
    if kind not in _TABLES:
        described = {
            each.name: (each.metadata.get("option"), each.default)
            for each in dataclasses.fields(kind)
        }
        given = {name: o._replace(default=default) for name, (o, default) in described.items() if o}
        _TABLES[kind] = named(given)
    return _TABLES[kind]
