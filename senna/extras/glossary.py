"""Meanings of tags, by the table data/tags.toml."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from typing import NamedTuple

from senna.errors import SennaError
from senna.files import resource
from senna.settings import Table, read_table
from senna.tasks import TASKS, task_of


class Meaning(NamedTuple):
    """The meaning of a tag of a task, and an example in which [brackets] mark what has it."""

    tag: str
    task: str
    meaning: str
    example: str

    def __str__(self) -> str:
        return f"{self.tag} ({self.task}): {self.meaning}. For example: {self.example}"


# Types of names that others use, by ours.
ELSEWHERE = {"PERSON": "PER", "GPE": "LOC", "FAC": "LOC", "NORP": "MISC"}


def explain(tag: str = "", task: str = "") -> list[Meaning]:
    """The meanings of a tag: one per task that has it, and per part of it (`Case=Nom|Poss=Yes`).

    Without a task, those of all tasks; without a tag, all tags of the task. SennaError for a tag
    that is not in the table, with those that are close to it.
    """
    every = [name for name in TASKS if isinstance(_tables().get(name), dict)]
    tables = [task_of(task).name] if task else every
    if not any(map(_table, tables)):
        remedy = f"These have: {', '.join(every)}."
        raise SennaError(f"task {task} has no tags that are always the same", remedy=remedy)
    if not tag:
        return [meaning for name in tables for own in _table(name) for meaning in _of(own, name)]
    known = {own.casefold(): own for name in tables for own in _table(name)}
    for own in (tag, ELSEWHERE.get(tag, ""), known.get(tag.casefold(), "")):
        found = [meaning for name in tables for meaning in _of(own, name)] if own else []
        if found:
            break
    else:
        near = [known[own] for own in get_close_matches(tag.casefold(), known)]
        remedy = f"Close to it: {', '.join(near)}." if near else "`senna explain` prints all tags."
        if tag in TASKS and _table(tag):
            remedy = f"It is a task: `senna explain --task {tag}` prints its tags."
        raise SennaError(f"unknown tag {tag!r}" + f" of task {task}" * bool(task), remedy=remedy)
    return found


@cache
def meaning(tag: str, task: str) -> str:
    """The meaning of a tag of a task in a few words, for a tooltip; "" of an unknown tag."""
    return "; ".join(found.meaning for found in _of(tag, task))


def _of(tag: str, task: str) -> Iterator[Meaning]:
    """The meanings of the parts of a tag; none if a part is unknown."""
    parts = [tag] if tag in _table(task) else re.split(r"[|+]", tag)
    found = [_part(part, task) for part in parts]
    return iter([own for own in found if own] if all(found) else [])


def _part(tag: str, task: str) -> Meaning | None:
    if tag in _table(task):
        return Meaning(tag, task, *_table(task)[tag])
    prefix, inner = tag[:2], tag[2:]
    base = _part(inner, task) if prefix in _tables()["prefixes"] else None
    if base is None:
        return None
    more, *example = _tables()["prefixes"][prefix]
    return Meaning(tag, task, f"{base.meaning}; {more}", *(example or [base.example]))


def _table(task: str) -> Table:
    table = _tables().get(task, {})
    return _table(table) if isinstance(table, str) else table


@cache
def _tables() -> Table:
    return read_table(resource("data/tags.toml"))
