"""The start of a run from a model that it continues (`train.model`).

A continued model gives features, vocabularies, phrase lists and all weights. Tags that only the
corpora have follow those of the folder; their scores begin at 0, as do rows for sentences without
informative capitals if the model was trained without copies in other cases. Convolutions stored as
two factors stay two factors, so the model stays as large and as fast as before; `export.rank` makes
them smaller. Weights are the stored numbers, which are rounded (half precision, words to a byte).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.inference.features.forms import Caps, FormFeatures
from senna.inference.features.settings import Features
from senna.inference.lookup import WordTable, load_form_features
from senna.inference.phrases import load_gazetteer
from senna.model.folder import MODELS, ModelFolder, model_path, read_model, shipped
from senna.registry import LEARNERS
from senna.settings import leaves
from senna.tasks import PARSER, TASKS
from senna.text.vocabulary import N_CAPS_READ
from senna.training.config import (
    Config,
    DataConfig,
    NetworkConfig,
    Training,
    default_config,
    from_table,
)
from senna.training.examples.corpora import TaskCorpus, new_tags
from senna.training.examples.vocabularies import Collected

if TYPE_CHECKING:
    from senna.training.networks.base import Network

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
Weights = NDArray[np.float32]
LICENCE = "CC BY-SA 4.0; whom to credit: senna/models/ATTRIBUTION.md"  # of the package's models

# --------------------------------------------------------------------------- settings


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
    """The configuration of a model, without settings that are none any more.

    Its rank is 0, as the factors are there; models of other tasks that it reads are its copies.
    """
    about = folder.about
    if "network" not in folder.meta:
        raise SennaError("it has word vectors, but no network", where=str(folder.path))
    if folder.table.network.kind not in LEARNERS:
        what, remedy = "an ensemble cannot be trained further", "Start from one of its members."
        raise SennaError(what, where=str(folder.path), remedy=remedy)
    if "config" not in about:
        raise SennaError("it does not say how it was trained", where=str(folder.path))
    config = from_table(about["config"], where=str(folder.path / "about.toml"), strict=False)
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
    features, data = before.features, dict[str, DataConfig]()
    tags = {name: replace(tag, folds="") for name, tag in features.tags.items()}
    tree, levels = replace(features.tree, folds=""), replace(features.levels, folds="")
    for name in features.of_models:
        path = folder.used(name)
        model = "" if path is None or path == shipped().get(name) else str(path)
        if name == PARSER:
            tree, levels = replace(tree, model=model), replace(levels, model=model)
        else:
            tags[name] = replace(tags[name], model=model)
    for task in tasks:
        own, usual = (config.data.get(task, DataConfig()) for config in (before, default))
        data[task] = replace(usual, merge_to=own.merge_to, kinds=own.kinds)
    kept = ("criterion", "dropout_input", "dropout_hidden", "average")
    of_model = {name: getattr(before.train, name) for name in kept}
    return Config(
        tasks=tasks,
        data=data,
        features=replace(features, tags=tags, tree=tree, levels=levels),
        network=before.network,
        train=Training(epochs=10, batch=8, learning_rate=0.0005, **of_model),
        export=replace(before.export, base="", moved=0.0),
    )


def check_same(
    features: Features, network: NetworkConfig, tasks: Sequence[str], folder: ModelFolder
) -> None:
    """Raise SennaError where a run asks for other features, words or another network."""
    there = fine_tuning(folder, tasks)
    kind = there.network.kind

    def tables(features: Features, network: NetworkConfig) -> dict[str, Any]:
        own = {
            name: value
            for name, value in asdict(network).items()
            if not isinstance(value, dict) or name in (kind, "tree", "label")
        }
        return {"network": own, "features": asdict(features)}

    expected = dict(leaves(tables(there.features, there.network)))
    for key, value in leaves(tables(features, network)):
        same = value == expected.get(key) or (key == "features.word.size" and value == 0)
        if not same and key not in FREE and not key.endswith(".folds"):
            what = f"{key} = {value!r:.60}, but the model has {expected.get(key)!r:.60}"
            remedy = "Features and network are the model's: leave them out."
            raise SennaError(what, where=str(folder.path), remedy=remedy)


def heritage(folder: ModelFolder) -> dict[str, Any]:
    """Notes and training data of a model, for the card of a model that starts from it."""
    about = folder.about
    path = folder.path.resolve()
    ships = MODELS.resolve() in path.parents
    name = f"the package's {path.name} ({LICENCE})" if ships else str(folder.path)
    first = f"The first weights are those of {name}."
    return {"notes": [first, *about.get("notes", ())], "data": about.get("data", {})}


# --------------------------------------------------------------------------- vocabularies


def collected_of(
    folder: ModelFolder, words: WordTable, config: Config, corpora: Mapping[str, TaskCorpus]
) -> Collected:
    """The folder's vocabularies, and the forms of the corpora.

    On a base the words that the model has learnt are counted too, twice each: else they would get
    the base's vectors.
    """
    forms = Counter(form for c in corpora.values() for s in c.train for form in s.forms)
    if config.export.base and words.trained is not None:
        entries = words.words.entries
        forms |= dict.fromkeys((entries[row] for row in words.trained.tolist() if row > 1), 2)
    # On a base, moves are counted from its vectors.
    known = (words.base or words) if config.export.base else words
    n, n_known = len(words.words), len(known.words)
    table: NDArray[np.floating] = known.vectors(np.arange(n_known, dtype=np.int32))
    if config.export.base:
        table = table.astype(np.float16)
        added = words.vectors(np.arange(n_known, n, dtype=np.int32))
        table = np.concatenate([table, added.astype(np.float16)])
    idf = dict[str, float]()
    if folder.has("idf.npy"):
        counted = ["", *folder.lines("idf.txt")]  # "" stands for all others
        idf = dict(zip(counted, folder.array("idf", len(counted)).tolist(), strict=True))
    return Collected(
        config,
        forms,
        _form_features(folder, words, config.features),
        {name: folder.vocabulary(f"{name}.txt") for name in folder.table.features.tags},
        load_gazetteer(folder) if folder.has("gazetteer.txt") else None,
        folder.lines("tree.txt") if folder.has("tree.txt") else [],
        {
            task: _tags(folder, task, corpus, config.network.tree.parser)
            for task, corpus in corpora.items()
        },
        table,
        n_known - 2,
        idf,
    )


def _tags(folder: ModelFolder, task: str, corpus: TaskCorpus, parser: str) -> list[str]:
    """The tags of a task: the folder's, then those that only the corpus has."""
    known = folder.lines(f"{task}.tags.txt")
    new = new_tags(known, task, corpus.train)
    if new and TASKS[task].head == "trees" and parser == "levels":
        what = f"a parser by levels cannot learn a new label, for example {new[0]!r:.40}"
        raise SennaError(what, where=str(folder.path))
    return known + new


def _form_features(folder: ModelFolder, words: WordTable, chosen: Features) -> FormFeatures:
    """The folder's features of forms, with sizes, and with rows for the copies in other cases."""
    features, files = load_form_features(folder, words), folder.meta["files"]
    tables = []
    for table in features.tables:
        stored = table.array != "letters"
        size = files[f"{table.array}.npy"]["shape"][-1] if stored else chosen.characters.filters
        table = replace(table, size=size)
        if chosen.caps.marks and isinstance(table, Caps):
            table = replace(table, n_rows=N_CAPS_READ)
        tables.append(table)
    return replace(features, tables=tuple(tables), marks=features.marks or chosen.caps.marks)


# --------------------------------------------------------------------------- weights


def fill(model: Network, folder: ModelFolder) -> None:
    """Give a network the weights of a folder.

    What the network has beyond the folder, of tags and capitals, is at the end of each array, and
    begins at 0. The network must be in the processor's memory, where its arrays are its weights.
    """
    take_factors(getattr(model, "layers", ()), folder, "gated")
    for task in model.heads:
        head: Any = model.head(task).layers
        inner = getattr(head, "convolutions", getattr(head, "layers", ()))
        take_factors(inner, folder, f"{task}.gated")
    places = model.arrays()
    stored = {name: stored_array(folder, name) for name in places}
    grown = {name for name in places if name == Caps.KEY or name.partition(".")[0] in model.heads}
    for name in grown:
        places[name][...] = 0
    put(stored, places, grown, folder)
    model.read(stored)
    for name, weights in model.arrays().items():
        there = weights[tuple(map(slice, stored[name].shape))]
        if not np.allclose(there, stored[name], rtol=1e-5, atol=1e-6):
            raise SennaError(f"{name} cannot be trained further", where=str(folder.path))


def put(
    stored: Mapping[str, Weights],
    places: Mapping[str, Weights],
    grown: Collection[str],
    folder: ModelFolder,
) -> None:
    """Copy arrays to their places, those that have `grown` too; SennaError for others."""
    for name, array in stored.items():
        place = places[name]
        within = array.ndim == place.ndim and not np.any(np.array(array.shape) > place.shape)
        if array.shape != place.shape and not (name in grown and within):
            what = f"{name} {list(array.shape)} does not fit {list(place.shape)} of the network"
            raise SennaError(what, where=str(folder.path))
        place[tuple(map(slice, array.shape))] = array


def take_factors(layers: Any, folder: ModelFolder, name: str) -> None:
    """Put two factors in place of weights, in the layers of which a folder has these."""
    for i, layer in enumerate(layers):
        if folder.has(f"{name}-{i}.down.weight.npy") and hasattr(layer, "factorise"):
            down = folder.array(f"{name}-{i}.down.weight", None, None)
            up = folder.array(f"{name}-{i}.up.weight", down.shape[1], None)
            layer.factorise(down, up)


def stored_array(folder: ModelFolder, name: str) -> NDArray[Any]:
    """An array of any shape; of a convolution that is stored as two factors, their product."""
    stem = name.removesuffix(".weight")
    if not folder.has(f"{name}.npy") and folder.has(f"{stem}.down.weight.npy"):
        down = folder.array(f"{stem}.down.weight", None, None)
        product: NDArray[np.float32] = down @ folder.array(f"{stem}.up.weight", down.shape[1], None)
        return product
    if not folder.has(f"{name}.npy"):
        raise SennaError(f"it has no {name}", where=str(folder.path))
    shape = folder.meta["files"][f"{name}.npy"]["shape"]
    return folder.array(name, *[None] * len(shape))
