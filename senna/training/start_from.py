"""From a model folder back to a network that trains on: its weights are the first ones.

Features, vocabularies, tags and phrase lists are the folder's. Convolutions that it keeps as two
factors stay two, trained as such, so the model stays as large and as fast as before. Its stored
numbers are rounded (half precision, words to a byte): the network starts from those.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from senna.config import Config, from_table
from senna.errors import SennaError
from senna.infer.first_layer import load_gazetteer
from senna.infer.lookup import WordTable, load_form_features, load_words
from senna.model.folder import ModelFolder
from senna.text.forms import FormFeatures
from senna.training.build import Setup, check_names, make_network
from senna.training.examples import data
from senna.training.examples.batches import Batches
from senna.training.examples.collect import Collected
from senna.training.examples.corpora import TaskCorpus
from senna.training.examples.numbers import Numbered, number
from senna.training.network import Network


def config_of(folder: ModelFolder) -> Config:
    """The configuration of a model, without settings that only earlier releases had.

    Its rank is 0: the factors are there.
    """
    about = folder.about
    if "config" not in about:
        raise SennaError("it does not say how it was trained", where=str(folder.path))
    known = asdict(Config())
    table = {
        name: {key: own for key, own in value.items() if key in known[name]}
        if isinstance(value, dict) and name != "data"
        else value
        for name, value in about["config"].items()
    }
    config = from_table(table, where=str(folder.path / "about.toml"))
    base = folder.used("base")
    export = replace(config.export, rank=0, tuned=0, base=str(base) if base else "", own=0)
    return replace(config, export=export)


def setup_from(
    folder: ModelFolder, config: Config, corpora: Mapping[str, TaskCorpus], device: torch.device
) -> Setup:
    """The network of a folder, and corpora of its tasks numbered for it.

    Raises SennaError for tags that the model does not know, and for the sentence network, of which
    a folder has products of weights.
    """
    check_names(config)
    if config.network.kind == "sentence":
        raise SennaError("a sentence network cannot be trained on", where=str(folder.path))
    words = load_words(folder, {})
    collected = _collected(folder, words, config, corpora)
    numbered = number(collected, corpora)
    _check_tags(numbered, folder)
    model = make_network(collected, numbered)
    fill(model, folder)
    trained, fixed = (
        torch.from_numpy(words.vectors(rows)) for rows in (numbered.trained, numbered.fixed)
    )
    model.inputs.set_words(trained, fixed, not config.features.word.fixed)
    model = model.to(device)
    return Setup(dict(corpora), collected, numbered, Batches(numbered, device), model)


def _collected(
    folder: ModelFolder, words: WordTable, config: Config, corpora: Mapping[str, TaskCorpus]
) -> Collected:
    """The folder's vocabularies, and the forms of the corpora.

    The words that the model has learnt are counted too, twice each: their vectors stay its own.
    """
    forms = data.count_forms([s for corpus in corpora.values() for s in corpus.train])
    if words.trained is not None:
        entries = words.words.entries
        forms |= dict.fromkeys((entries[row] for row in words.trained.tolist() if row > 1), 2)
    table, n_vectors = _first_table(words)
    features = folder.meta["features"]
    return Collected(
        config,
        forms,
        _with_sizes(load_form_features(folder, words), folder),
        {name: folder.vocabulary(f"{name}.txt") for name in features["tags"]},
        load_gazetteer(folder),
        folder.lines("tree.txt") if folder.has("tree.txt") else [],
        {task: folder.lines(f"{task}.tags.txt") for task in folder.tasks},
        table,
        n_vectors,
    )


def _with_sizes(features: FormFeatures, folder: ModelFolder) -> FormFeatures:
    """The same, and how many numbers each table gives for a form."""
    files = folder.meta["files"]
    arrays = {"letters": "characters.bias.npy"}
    sizes = [files[arrays.get(t.array, f"{t.array}.npy")]["shape"][-1] for t in features.tables]
    tables = [replace(t, size=size) for t, size in zip(features.tables, sizes, strict=True)]
    return replace(features, tables=tuple(tables))


def _first_table(words: WordTable) -> tuple[NDArray[np.floating], int]:
    """The table (n_words, size) that moves are counted from, the base's; and its words."""
    base = words.base or words
    n_base, n = len(base.words), len(words.words)
    table = np.empty((n, words.size), np.float16)
    table[:n_base] = base.vectors(np.arange(n_base, dtype=np.int32))
    table[n_base:] = words.vectors(np.arange(n_base, n, dtype=np.int32))
    return table, n_base - 2


def _check_tags(numbered: Numbered, folder: ModelFolder) -> None:
    for task in numbered.tasks:
        for sentence in task.train:
            rows = sentence.gold if sentence.brackets is None else sentence.brackets
            if (rows < 0).any():
                what = f"the corpora have tags of {task.name} that it does not know"
                raise SennaError(what, where=str(folder.path))


def fill(model: Network, folder: ModelFolder) -> None:
    """Give a network the weights of a folder, as two factors where these are what it has."""
    for name, layer in _convolutions(model):
        if folder.has(f"{name}.down.weight.npy"):
            down = folder.array(f"{name}.down.weight", None, None)
            layer.factorise(down, folder.array(f"{name}.up.weight", down.shape[1], None))
    arrays = model.arrays()
    for name, place in _places(model).items():
        with torch.no_grad():
            place.copy_(torch.from_numpy(np.array(folder.array(name, *arrays[name].shape))))
    for name, array in model.arrays().items():
        if not np.array_equal(array, folder.array(name, *array.shape)):
            raise SennaError(f"{name} cannot be trained on", where=str(folder.path))


def _convolutions(model: Network) -> list[tuple[str, Any]]:
    """The layers that may be products of two matrices, by their names in the folder."""
    layers = [(f"gated-{i}", layer) for i, layer in enumerate(getattr(model, "layers", ()))]
    for task in model.heads:
        head: Any = model.head(task).layers
        inner = getattr(head, "convolutions", getattr(head, "layers", ()))
        layers += [(f"{task}.gated-{i}", layer) for i, layer in enumerate(inner)]
    return [(name, layer) for name, layer in layers if hasattr(layer, "factorise")]


def _places(model: Network) -> dict[str, torch.Tensor]:
    """Where each array of a folder goes: its weight, as a view that is shaped like the array.

    A network only knows the names of its weights on the way out. So each weight is set to a number
    of its own for a moment, which then stands in one of the named arrays.
    """
    weights = [weight for weight in model.parameters() if weight is not model.inputs.word]
    linear = {id(layer.weight) for layer in model.modules() if isinstance(layer, torch.nn.Linear)}
    kept = [weight.detach().clone() for weight in weights]
    places = {}
    with torch.no_grad():
        for mark, weight in enumerate(weights):
            weight.fill_(mark)
        for name, array in model.arrays().items():
            marked = weights[int(array.flat[0])]
            places[name] = marked.detach().T if id(marked) in linear else marked.detach()
        for weight, before in zip(weights, kept, strict=True):
            weight.copy_(before)
    return places
