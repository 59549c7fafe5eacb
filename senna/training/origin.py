"""The model that a run starts from: its configuration, what its card says of it, its copies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from senna.errors import SennaError
from senna.inference.features.settings import Features
from senna.inference.lookup import load_words
from senna.model.folder import MODELS, ModelFolder, model_path, read_model, shipped
from senna.model.writing import quantise, write_model
from senna.registry import LEARNERS
from senna.settings import leaves
from senna.tasks import PARSER, TASKS
from senna.training.config import (
    Config,
    DataConfig,
    NetworkConfig,
    Training,
    default_config,
    from_table,
)

# What a run may set by itself; all else of features and network is as the model has it.
FREE = {
    "features.word.fixed",
    "features.word.rare",
    "features.caps.caseless",
    "features.caps.titled",
    "features.tree.inside",
    "features.tree.across",
    "features.tree.folds",
    "network.beam",
    "network.constrained",
}
LICENCE = "CC BY-SA 4.0; whom to credit: senna/models/ATTRIBUTION.md"  # of the package's models


def origin_of(name: str) -> ModelFolder:
    """The model that a name stands for: a task or folder of the package, a run, a model folder."""
    path = model_path(name)
    inner = path / "model"
    seeds = sorted(path.glob("seed-*/model"))
    if seeds:
        remedy = f"Name one of them, for example {seeds[0].parent}."
        raise SennaError(f"{len(seeds)} runs with models", where=str(path), remedy=remedy)
    return read_model(inner if (inner / "model.toml").is_file() else path)


def config_of(folder: ModelFolder) -> Config:
    """The configuration of a model.

    Its rank is 0, as the factors are there; models of other tasks that it reads are its copies.
    """
    about = folder.about
    if "network" not in folder.meta:
        raise SennaError("it has word vectors, but no network", where=str(folder.path))
    if folder.meta["network"]["kind"] not in LEARNERS:
        what, remedy = "an ensemble cannot be trained further", "Start from one of its members."
        raise SennaError(what, where=str(folder.path), remedy=remedy)
    if "config" not in about:
        raise SennaError("it does not say how it was trained", where=str(folder.path))
    where = str(folder.path / "about.toml")
    config = from_table(about["config"], where=where)
    base = folder.used("base")
    export = replace(config.export, rank=0, tuned=0, base=str(base) if base else "", own=0)
    return replace(config, export=export)


def fine_tuning(folder: ModelFolder, tasks: Sequence[str]) -> Config:
    """The configuration to continue training a model: its features and network, at a low rate.

    The new model is complete: it needs no base table.
    """
    tasks = tuple(tasks) or tuple(folder.tasks)
    for task in tasks:
        if task not in folder.tasks:
            remedy = f"It has {', '.join(folder.tasks) or 'none'}."
            raise SennaError(
                f"there is no model for task {task!r}", where=str(folder.path), remedy=remedy
            )
    before, default = config_of(folder), default_config(tasks)
    features = before.features
    tags = {name: replace(tag, folds="") for name, tag in features.tags.items()}
    tree, levels = replace(features.tree, folds=""), replace(features.levels, folds="")
    for name in features.of_models:
        path = folder.used(name)
        model = "" if path is None or path == shipped().get(name) else str(path)
        if name == PARSER:
            tree, levels = replace(tree, model=model), replace(levels, model=model)
        else:
            tags[name] = replace(tags[name], model=model)
    return Config(
        tasks=tasks,
        data={
            task: replace(
                default.data.get(task, DataConfig()), merge_to=data.merge_to, kinds=data.kinds
            )
            for task in tasks
            if (data := before.data.get(task, DataConfig()))
        },
        features=replace(features, tags=tags, tree=tree, levels=levels),
        network=before.network,
        train=replace(
            Training(epochs=10, batch=8, learning_rate=0.0005),
            criterion=before.train.criterion,
            dropout_input=before.train.dropout_input,
            dropout_hidden=before.train.dropout_hidden,
            average=before.train.average,
        ),
        export=replace(before.export, base="", moved=0.0),
    )


def check_same(
    features: Features, network: NetworkConfig, tasks: Sequence[str], folder: ModelFolder
) -> None:
    """Raise SennaError where a run asks for other features, words or another network."""
    there = fine_tuning(folder, tasks)
    kind = there.network.kind
    expected = dict(leaves(_tables(there.features, there.network, kind)))
    for key, value in leaves(_tables(features, network, kind)):
        same = value == expected.get(key) or (key == "features.word.size" and value == 0)
        if not same and key not in FREE and not key.endswith(".folds"):
            what = f"{key} = {value!r:.60}, but the model has {expected.get(key)!r:.60}"
            remedy = "Features and network are the model's: leave them out."
            raise SennaError(what, where=str(folder.path), remedy=remedy)


def _tables(features: Features, network: NetworkConfig, kind: str) -> dict[str, Any]:
    """The tables that a model of a kind of network has."""
    shared = {
        name: value
        for name, value in asdict(network).items()
        if not isinstance(value, dict) or name in (kind, "tree", "label")
    }
    return {"network": shared, "features": asdict(features)}


def heritage(folder: ModelFolder) -> dict[str, Any]:
    """Notes and training data of a model, for the card of a model that starts from it."""
    about = folder.about
    path = folder.path.resolve()
    ships = MODELS.resolve() in path.parents
    name = f"the package's {path.name} ({LICENCE})" if ships else str(folder.path)
    first = f"The first weights are those of {name}."
    return {"notes": [first, *about.get("notes", ())], "data": about.get("data", {})}


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
        texts["words.txt"] = list(words.words.entries[2:])
    needed = {name: path for name in TASKS if (path := folder.used(name)) is not None}
    meta = {k: v for k, v in folder.meta.items() if k not in ("format", "files")} | folder.about

    def add(place: Path) -> None:
        for name, path in needed.items():
            copy_complete(path, place / name)

    write_model(target, meta | {"use": {name: name for name in needed}}, arrays, texts, add)
