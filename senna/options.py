"""Options: what each is called, takes and does; the command and the server read tables of them.

A table is a mapping of names to options, or a record whose fields are options.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field, fields
from typing import Any, NamedTuple

from senna.errors import SennaError


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
    return field(default=default, metadata={"option": Option(help, kind, **said)})


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
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    remedy = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(known)}."
    return SennaError(f"unknown option {name!r}", remedy=remedy)


_TABLES: dict[type, dict[str, Option]] = {}  # of records


def options_of(kind: type) -> dict[str, Option]:
    """The options that are fields of a record, by name, in order."""
    if kind not in _TABLES:
        described = {
            each.name: (each.metadata.get("option"), each.default) for each in fields(kind)
        }
        given = {name: o._replace(default=default) for name, (o, default) in described.items() if o}
        _TABLES[kind] = named(given)
    return _TABLES[kind]
