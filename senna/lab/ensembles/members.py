"""The folder of an ensemble: its members are copied into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from senna.errors import SennaError
from senna.files import replacing
from senna.model.card import model_card
from senna.model.folder import Array, ModelFolder, add_about, read_model, write_model
from senna.networks import ENSEMBLES
from senna.tasks import TAGGING, TASKS
from senna.training.origin import copy_complete, heritage
from senna.version import __version__


def write_vote(models: Sequence[ModelFolder], out: Path, command: str) -> None:
    """Write an ensemble that tags by the vote of its members.

    Raises SennaError as `check_members` does.
    """
    check_members(models, out)
    note = f"Tags by the vote of {len(models)} models."
    with replacing(out) as place:
        write_members(models, place, "vote", note, command)


def write_members(
    models: Sequence[ModelFolder],
    path: Path,
    kind: str,
    note: str,
    command: str,
    arrays: Mapping[str, Array] | None = None,
    data: Mapping[str, Any] | None = None,
) -> None:
    """Write an ensemble of a kind; arrays: its own layers; data: what these learnt from."""
    first, names = models[0], [str(i) for i in range(1, len(models) + 1)]
    cards = [heritage(model) for model in models]
    learnt: dict[str, Any] = {}
    for card in (*cards, {"data": data or {}}):
        learnt |= card["data"]
    notes = dict.fromkeys(note for card in cards for note in card["notes"][1:])
    meta = {
        "senna": __version__,
        "tasks": first.tasks,
        "use": {name: f"{names[0]}/{name}" for name in TASKS if first.used(name) is not None},
        "features": {"forms": [], "longest": 1, "tags": [], "marks": False},
        "network": {"kind": kind, "constrained": True, "paths": True, kind: {"members": names}},
        "notes": [note, *notes],
        "made": {"command": command, "senna": __version__},
        "data": learnt,
    }
    texts = {f"{task}.tags.txt": first.lines(f"{task}.tags.txt") for task in first.tasks}
    write_model(path, meta, dict(arrays or {}), texts)
    for name, model in zip(names, models, strict=True):
        copy_complete(model.path, path / name)
    add_about(path, {}, model_card)


def check_members(models: Sequence[ModelFolder], out: Path) -> None:
    """Raise SennaError for models that make no ensemble, or a folder that is there already.

    They are of other tasks or tags, one comes twice, or their tasks do not give words tags.
    """
    if len(models) < 2:
        raise SennaError("an ensemble needs several models", mend="Give two or more.")
    first = models[0]
    for task in first.tasks:
        if task not in TAGGING:
            what = f"{task} does not tag words; an ensemble is of tasks that do"
            raise SennaError(what, where=str(first.path))
    if out.exists():
        raise SennaError("the folder already exists", where=str(out), mend="Choose another --out.")
    digests: dict[str, Path] = {}
    for model in models:
        where = str(model.path)
        if model.meta["network"]["kind"] in ENSEMBLES:
            raise SennaError("this is already an ensemble", where=where, mend="Give its members.")
        if model.tasks != first.tasks:
            there, here = ", ".join(model.tasks) or "none", ", ".join(first.tasks) or "none"
            what = f"it has the tasks {there}, but {first.path} has {here}"
            raise SennaError(what, where=where)
        same = digests.setdefault(_digest(model), model.path)
        if same != model.path or [m.path for m in models].count(same) > 1:
            raise SennaError(f"the same model twice, as {same}", where=where)
        for task in model.tasks:
            tags, others = (set(m.lines(f"{task}.tags.txt")) for m in (model, first))
            if tags != others:
                what = f"tags of {task} differ from those of {first.path}: {min(tags ^ others)}"
                raise SennaError(what, where=where)
        for name in TASKS:
            if _used(model, name) != _used(first, name):
                what = f"it reads another model of {name} than {first.path}"
                raise SennaError(what, where=where)


def _digest(model: ModelFolder) -> str:
    """A key that is the same for equal models, wherever they are."""
    return str(sorted((name, file["sha256"]) for name, file in model.meta["files"].items()))


def _used(model: ModelFolder, name: str) -> str:
    """The model of a task that a model reads, by its contents."""
    path = model.used(name)
    return "" if path is None else _digest(read_model(path))
