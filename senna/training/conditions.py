"""Conditions of settings: which values of others they need, as the metadata of their fields says.

Without what it `needs` a setting is refused; unless it is `used` it has no effect, as the others of
a table have none without its `switch`. Such a condition is "KEY" (not 0, false or empty),
"KEY=VALUE|VALUE", "KEY!=VALUE|VALUE" or "KEY>NUMBER" (of a list: its length), with " or " between
alternatives, and "; " between conditions that must all be met. A key is looked up in the table of
the field, then in those around it. "tasks=" takes names of tasks, of their outputs and their heads:
a setting is used if one of the tasks fits; if it needs them, all must fit. In a table that is
checked alone, as that of a model, conditions of what is not in it are met.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields, is_dataclass
from typing import Any

from senna.settings import leaves
from senna.tasks import TASKS

# Each after the place of its table, for example "train." or "network.window.".
Conditions = tuple[tuple[str, str], ...]


def refused(settings: Any) -> str:
    """The error of a setting that needs others, or nothing."""
    found = next(lacking("needs", settings), None)
    return f"{found[0]} = {json.dumps(found[1])} needs {found[2]}" if found else ""


def lacking(word: str, settings: Any) -> Iterator[tuple[str, Any, str, str]]:
    """Settings without what `word` says: key, value, the condition, and what is there instead."""
    values = dict(leaves(asdict(settings)))
    values |= {f"data.{task}.tasks": (task,) for task in getattr(settings, "data", ())}
    for key, value, conditions in _changed(word, settings, "", ()):
        for place, condition in conditions:
            clauses = [_clause(c, place, values, word == "needs") for c in condition.split(" or ")]
            if not any(met for met, *_ in clauses):
                yield key, value, " or ".join(lack for _, lack, _ in clauses), clauses[0][2]
                break


def _changed(
    word: str, table: Any, place: str, above: Conditions
) -> Iterator[tuple[str, Any, Conditions]]:
    """Settings that are not as by default: key, value and conditions."""
    if word == "used":
        above += tuple((place, f.name) for f in fields(table) if f.metadata.get("switch"))
    for item in fields(table):
        key, value = place + item.name, getattr(table, item.name)
        said = filter(None, item.metadata.get(word, "").split("; "))
        conditions = above + tuple((place, condition) for condition in said)
        if is_dataclass(value):
            yield from _changed(word, value, f"{key}.", conditions)
        elif isinstance(value, dict):
            for name, inner in value.items():
                yield from _changed(word, inner, f"{key}.{name}.", conditions)
        elif value != item.default:
            yield key, value, conditions


def _clause(
    clause: str, place: str, values: Mapping[str, Any], every: bool
) -> tuple[bool, str, str]:
    """Whether one alternative is met, the same in words, and what is there instead."""
    name, sign, right = re.findall(r"([\w.]+)(!=|=|>|)(.*)", clause)[0]
    around = place.split(".")
    keys = (".".join([*around[:n], name]) for n in reversed(range(len(around))))
    key = next((key for key in keys if key in values), "")
    if not key:
        return True, "", ""
    value, wanted = values[key], right.split("|")
    met, words = bool(value), " or ".join(wanted)
    if name == "tasks" and sign == "=":
        known = [TASKS[task] for task in value]
        fit = [bool({task.name, task.output, task.head} & {*wanted}) for task in known]
        return (all if every else any)(fit), in_words(right), f"for {','.join(value)}"
    if sign == ">":
        met = (len(value) if isinstance(value, tuple) else value) > int(right)
    elif sign:
        text = value if isinstance(value, str) else json.dumps(value)
        met = (text in wanted) == (sign == "=")
    return met, f"{key} {sign} {words}".rstrip(), f"with {key} = {json.dumps(value)}"


def in_words(tasks: str) -> str:
    """The values after "tasks=": names of tasks, or of their answers and heads."""
    names = tasks.split("|")
    of = "the task" if TASKS.keys() >= {*names} else "tasks whose output is"
    return f"{of} {' or '.join(names)}"
