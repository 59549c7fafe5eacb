"""Conditions of settings: when they are met, and that each names settings that there are."""

from __future__ import annotations

import dataclasses
import re
import typing
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from senna.kinds import output_of
from senna.lab.networks.settings import RecurrentConfig
from senna.pretraining.config import Pretraining
from senna.settings import number, setting
from senna.tasks import TASKS
from senna.training.conditions import lacking, refused
from senna.training.config import Config, DataConfig, override


@dataclass(frozen=True)
class Inner:
    size: int = number(0, switch=True)
    kind: str = "a"
    other: int = number(1, used="kind=b|c; outer")
    either: int = number(1, needs="size or kind=b")
    above: int = number(1, used="entries>1")


@dataclass(frozen=True)
class Outer:
    outer: str = ""
    entries: tuple[int, ...] = (1,)
    kind: str = "b"
    inner: Inner = Inner()
    several: dict[str, Inner] = field(default_factory=dict)
    table: Inner = setting(Inner(), used="kind!=b|c")


def said(word: str, settings: Any) -> list[str]:
    return [f"{key}: {wanted}, {why}" for key, _, wanted, why in lacking(word, settings)]


@pytest.mark.parametrize(
    ("inner", "told"),
    [
        (Inner(), ""),
        (Inner(5), ""),
        (Inner(other=2), "other: PLACE.size, with PLACE.size = 0"),
        (Inner(5, "b", other=2), 'other: outer, with outer = ""'),
        (Inner(5, "d", other=2), 'other: PLACE.kind = b or c, with PLACE.kind = "d"'),
        (Inner(5, above=2), "above: entries > 1, with entries = [1]"),
    ],
)
def test_settings_that_are_not_used(inner: Inner, told: str) -> None:
    for place, outer in (("inner", Outer(inner=inner)), ("several.x", Outer(several={"x": inner}))):
        expected = f"{place}.{told}".replace("PLACE", place)
        assert said("used", outer) == ([expected] if told else [])
        assert not said("used", dataclasses.replace(outer, outer="x", entries=(1, 2))) or inner in (
            Inner(other=2),
            Inner(5, "d", other=2),
        )


def test_a_table_that_is_not_used_comes_before_what_is_in_it() -> None:
    [line] = said("used", Outer(table=Inner(other=2)))
    assert line == 'table.other: kind != b or c, with kind = "b"'


def test_alternatives() -> None:
    assert refused(Inner(either=2)) == "either = 2 needs size or kind = b"
    assert refused(Inner(size=1, either=2)) == refused(Inner(kind="b", either=2)) == ""


def test_tasks_by_name_output_and_head() -> None:
    """One of them may make use of a setting; what needs them needs all."""
    roles, both = (Config(tasks=tasks) for tasks in (("srl",), ("ner", "srl")))
    gated = ["network.kind=gated", "network.gated.pair=7"]
    assert not said("used", override(roles, gated)) and not said("used", override(both, gated))
    [line] = said("used", override(Config(tasks=("ner", "pos")), gated))
    assert line == "network.gated.pair: tasks whose output is roles, for ner,pos"
    soft = ["train.soft=x"]
    assert override(Config(tasks=("ner", "pos")), soft)
    for config in (roles, both):
        with pytest.raises(Exception, match=r'train\.soft = "x" needs tasks whose output is tags'):
            override(config, soft)
    data = {"ner": DataConfig(), "pos": DataConfig(merge_to=True)}
    assert not said("used", Config(tasks=("ner", "pos"), data=data))


def test_a_table_that_is_checked_alone() -> None:
    assert refused(RecurrentConfig(spans=True)) == ""
    ranking = 'loss = "log" needs objective = ranking'
    assert refused(Pretraining(objective="likelihood", loss="log")) == ranking


def conditions(kind: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every condition in a configuration class, after the key of its setting."""
    hints = typing.get_type_hints(kind)
    for item in dataclasses.fields(kind):
        for word in ("needs", "used"):
            for condition in filter(None, item.metadata.get(word, "").split("; ")):
                yield place + item.name, condition
        name = next(iter(item.metadata.get("names", ())), None)
        for inner in (hints[item.name], *typing.get_args(hints[item.name])):
            if dataclasses.is_dataclass(inner):
                yield from conditions(inner, f"{place}{item.name}.{f'{name}.' if name else ''}")


def value(settings: Any, key: str) -> Any:
    for name in key.split("."):
        settings = settings[name] if isinstance(settings, dict) else getattr(settings, name)
    return settings


@pytest.mark.parametrize("kind", [Config, Pretraining])
def test_each_condition_names_settings_and_values_that_there_are(kind: Any) -> None:
    """What is not there would count as met."""
    tables = {"features.tags.pos.size": 1, "data.pos.train": [], "data.ner.train": []}
    settings = override(Config(), values=tables) if kind is Config else kind()
    of_tasks = {name for task in TASKS.values() for name in (task.name, task.output, task.head)}
    every = [*conditions(kind)]
    assert len(every) > (20 if kind is Config else 5)
    for key, condition in every:
        for clause in condition.split(" or "):
            name, sign, right = re.findall(r"^([\w.]+)(!=|=|>|)(.*)$", clause)[0]
            if name == "tasks" and sign == "=":
                assert {*right.split("|")} <= of_tasks, (key, clause)
                continue
            around = key.split(".")[:-1]
            places = [".".join([*around[:n], name]) for n in range(len(around) + 1)]
            assert any(_is_there(settings, place) for place in places), (key, clause)


def _is_there(settings: Any, key: str) -> bool:
    try:
        value(settings, key)
    except (AttributeError, KeyError, TypeError):
        return False
    return True


def test_kinds_are_of_the_outputs_that_choose_predicates() -> None:
    """`kinds` names in its metadata what the outputs say of themselves."""
    for task in TASKS:
        data = {task: DataConfig(kinds=("n",))}
        lines = said("used", Config(tasks=(task,), data=data))
        assert bool(lines) == ("kinds" not in output_of(task).of_gold), task
        plain = TASKS[task].is_tagging and not output_of(task).is_iobes
        lines = said("used", Config(tasks=(task,), data={task: DataConfig(merge_to=True)}))
        assert bool(lines) == (not plain), task
