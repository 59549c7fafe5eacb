"""Copies of model folders that stand on their own, and ensembles of such copies."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from senna.errors import SennaError
from senna.files import replacing
from senna.infer.lookup import load_words
from senna.infer.networks.vote import members_of
from senna.model.card import model_card
from senna.model.folder import ModelFolder, add_about, quantise, read_model, write_model
from senna.tasks import TAGGING, TASKS
from senna.training.origin import heritage
from senna.version import __version__


def copy_complete(source: Path, target: Path) -> None:
    """Copy a model folder, its base table merged in, so that it stands on its own."""
    folder = read_model(source)
    arrays = dict(folder.arrays())
    texts = {name: folder.lines(name) for name in folder.meta["files"] if name.endswith(".txt")}
    if folder.used("base") is not None:
        words = load_words(folder, {})
        table = words.vectors(np.arange(len(words.words), dtype=np.int32))
        numbers = "int8" if folder.has("words.scale.npy") else "float32"
        arrays = {name: a for name, a in arrays.items() if not name.startswith("words")}
        arrays |= quantise(table, numbers)
        if words.case is not None:
            arrays["words.case"] = words.case
        texts["words.txt"] = list(words.words.entries[2:])
    needed = {name: path for name in TASKS if (path := folder.used(name)) is not None}
    meta = {k: v for k, v in folder.meta.items() if k not in ("format", "files")} | folder.about
    write_model(target, meta | {"use": {name: name for name in needed}}, arrays, texts)
    for name, path in needed.items():
        copy_complete(path, target / name)


def write_vote(models: Sequence[ModelFolder], out: Path, command: str) -> None:
    """Write an ensemble that tags by the vote of its members, which are copied into it.

    Raises SennaError for models of other tasks or tags, one that comes twice, tasks other than
    tagging, and a folder that is there already.
    """
    _check_members(models)
    if out.exists():
        raise SennaError("it is there already", where=str(out), mend="Choose another --out.")
    first, names = models[0], [str(i) for i in range(1, len(models) + 1)]
    reads = [name for name in TASKS if first.used(name) is not None]
    cards = [heritage(model) for model in models]
    data: dict[str, Any] = {}
    for card in cards:
        data |= card["data"]
    notes = dict.fromkeys(note for card in cards for note in card["notes"][1:])
    about = {
        "notes": [f"Tags by the vote of {len(models)} models.", *notes],
        "made": {"command": command, "senna": __version__},
        "data": data,
    }
    meta = {
        "senna": __version__,
        "tasks": first.tasks,
        "use": {name: f"{names[0]}/{name}" for name in reads},
        "features": {"forms": [], "longest": 1, "tags": [], "marks": False},
        "network": {
            "kind": "vote",
            "constrained": True,
            "paths": True,
            "vote": {"members": names},
        },
    }
    texts = {f"{task}.tags.txt": first.lines(f"{task}.tags.txt") for task in first.tasks}
    with replacing(out) as place:
        write_model(place, meta | about, {}, texts)
        for name, model in zip(names, models, strict=True):
            copy_complete(model.path, place / name)
        add_about(place, {}, model_card)


def _check_members(models: Sequence[ModelFolder]) -> None:
    """Refuse models that cannot vote together."""
    if len(models) < 2:
        raise SennaError("an ensemble of one model", mend="Give two or more.")
    first = models[0]
    for task in first.tasks:
        if task not in TAGGING:
            what = f"{task} does not give words tags, of which most could decide"
            raise SennaError(what, where=str(first.path))
    digests: dict[str, Path] = {}
    for model in models:
        where = str(model.path)
        if members_of(model):
            raise SennaError("an ensemble already", where=where, mend="Give its members.")
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
    """What two equal models have in common, wherever they are."""
    return str(sorted((name, file["sha256"]) for name, file in model.meta["files"].items()))


def _used(model: ModelFolder, name: str) -> str:
    """The model of a task that a model reads, by its contents."""
    path = model.used(name)
    return "" if path is None else _digest(read_model(path))
