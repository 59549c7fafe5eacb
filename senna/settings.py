"""TOML and keywords to frozen dataclasses, and tables to TOML; options of commands.

A dataclass describes a table. The type of a field says what the key takes, and an `Option` in it
its range and its help: Annotated[int, number(1, 9)]. Unknown keys, wrong types and values out of
range are refused in one line that names the key.
"""

from __future__ import annotations

import dataclasses
import math
import re
import tomllib
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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


class Option(NamedTuple):
    """The description of a field of a table, in its `Annotated` type, or of a command's option.

    A value, or each of several, is one of `choices`, a number from `least` to `most`, or what
    `test` accepts; `said` is the message otherwise. `formats` are those of output that have a place
    for what it asks for; () means all.
    """

    help: str = ""
    kind: Any = str  # of its value: str, bool, int, float, Path; or list, for several texts
    choices: Mapping[str, Any] | Sequence[str] = ()  # a mapping says what each does: see `abouts`
    least: float | None = None
    most: float | None = None
    odd: bool = False
    test: Callable[[Any], bool] = lambda value: True
    said: str = ""
    empty: bool = True  # whether a list may have no entry
    distinct: bool = False  # whether no entry of a list may occur twice
    stored: bool = False  # whether a model folder must have it
    names: Sequence[str] = ()  # the only keys of a table, if there are any
    formats: Sequence[str] = ()
    file: bool = False  # its value may name a file or a folder: a server must not take it
    of_files: bool = False  # it is for files, not for `senna.load`
    flag: str = ""  # of the command; filled in where it is the field's name
    short: str = ""  # its flag of one letter, for example -o
    metavar: str = ""
    required: bool = False
    name: str = ""
    default: Any = None

    def fits(self, value: Any) -> bool:
        """Whether it takes a value of its type; numbers are never infinite, never NaN."""
        if self.choices:
            return value in self.choices
        if self.least is None:
            return self.test(value)
        in_range = self.least <= value <= (math.inf if self.most is None else self.most)
        return in_range and value < math.inf and (not self.odd or value % 2 == 1)

    @property
    def wanted(self) -> str:
        """The message for a value that does not fit; "" if all do."""
        if self.choices:
            return f"is not one of {', '.join(self.choices)}"
        if self.least is None:
            return self.said
        bounds = f"{self.least} or more" if self.most is None else f"{self.least} to {self.most}"
        return f"must be {'odd, ' * self.odd}{'from ' * (self.most is not None)}{bounds}"

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


def number(
    least: float = 0, most: float | None = None, *, empty: bool = False, **more: Any
) -> Option:
    """A number from `least` to `most`."""
    return Option(least=least, most=most, empty=empty, **more)


def choice(*choices: str, **more: Any) -> Option:
    """One of some strings, or several different ones."""
    return Option(choices=choices, distinct=True, **more)


def text(
    test: Callable[[str], bool] = lambda value: "\0" not in value,
    said: str = "must have no null character",
    *,
    empty: bool = False,
    **more: Any,
) -> Option:
    """A string that passes a test."""
    return Option(test=test, said=said, empty=empty, **more)


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


@cache
def options_of(kind: type) -> dict[str, Option]:
    """The fields of a dataclass that have help, as options by name, in order."""
    defaults = {item.name: item.default for item in dataclasses.fields(kind)}
    described = {name: item for name, item in fields_of(kind).items() if item.option.help}
    return named(
        {
            name: item.option._replace(
                kind=item.option.kind if item.kind is Any else item.kind, default=defaults[name]
            )
            for name, item in described.items()
        }
    )


# --------------------------------------------------------------------------- reading


def read_table(path: Path) -> Table:
    """A TOML file as nested dicts; `SennaError` if there is none, or it is not readable."""
    try:
        # A path may be any bytes, in the file of a run too.
        return tomllib.loads(path.read_text(encoding="utf-8", errors="surrogateescape"))
    except FileNotFoundError:
        remedy = "Check the path; `senna train --list-configs` prints the package's own."
        raise SennaError("no such configuration", where=str(path), remedy=remedy) from None
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
    option: Option
    needed: bool

    @classmethod
    def of(cls, item: dataclasses.Field[Any], hint: Any) -> Field:
        """The field that an item of `dataclasses.fields` describes, whose type is `hint`."""
        option = Option()
        if typing.get_origin(hint) is Annotated:
            hint, option = hint.__origin__, hint.__metadata__[0]
        if isinstance(hint, types.UnionType):  # the class checks what may be of several types
            kinds = [kind for kind in hint.__args__ if kind is not types.NoneType]
            hint = kinds[0] if len(kinds) == 1 else Any
        several = typing.get_origin(hint)
        if several in (dict, tuple):
            hint = typing.get_args(hint)[several is dict]
        elif several is not None:
            several, hint = None, Any
        missing = dataclasses.MISSING
        needed = item.default is missing and item.default_factory is missing
        return cls(hint, several, option, needed)


@cache
def fields_of(kind: Any) -> dict[str, Field]:
    """The fields of a dataclass by name, except those that have metadata: they are no keys."""
    hints, items = typing.get_type_hints(kind, include_extras=True), dataclasses.fields(kind)
    return {item.name: Field.of(item, hints[item.name]) for item in items if not item.metadata}


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
            if (item.needed or (self.stored and item.option.stored)) and name not in value:
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
        option = item.option
        if item.several is dict:
            self._check_names(value, option.names or value, key, strict=True)
            return {name: self._value(item, v, _join(key, name)) for name, v in value.items()}
        if item.several is None:
            return self._value(item, value, key)
        if not isinstance(value, (list, tuple)):
            raise SennaError(f"{key} = {_shown(value)} is not of type list")
        if not value and not option.empty:
            raise SennaError(f"{key} must not be empty")
        values = tuple(self._value(item, v, f"{key}[{i}]") for i, v in enumerate(value))
        if option.distinct and len(set(values)) < len(values):
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
        if not item.option.fits(value):
            raise SennaError(f"{key} = {_shown(value)} {item.option.wanted}")
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
        for key in item.option.names:
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
