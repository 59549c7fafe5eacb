"""From a model folder back to a network that trains on: its weights are the first ones.

Features, vocabularies, tags and phrase lists are the folder's. Convolutions that it keeps as two
factors stay two, trained as such, so the model is as large and as fast as before. Its stored
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
from senna.training import data
from senna.training.batches import Encoder
from senna.training.build import Corpus, Setup, encode_task, number_rows, trained_rows
from senna.training.lookup import Inputs
from senna.training.network import Network
from senna.training.networks import KINDS


def config_of(folder: ModelFolder) -> Config:
    """The configuration that a model was trained with, but for the rank: its factors are there."""
    about = folder.about
    if "config" not in about:
        raise SennaError("it does not say how it was trained", where=str(folder.path))
    # Settings that an earlier release had, and this one has not, are left out.
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
    folder: ModelFolder, config: Config, corpora: Mapping[str, Corpus], device: torch.device
) -> Setup:
    """The network of a folder, and corpora of its tasks encoded for it.

    Raises SennaError for tags that the model does not know.
    """
    torch.manual_seed(config.train.seed)
    words = load_words(folder, {})
    features = load_form_features(folder, words)
    vocabularies = {
        name: folder.vocabulary(f"{name}.txt") for name in folder.meta["features"]["tags"]
    }
    gazetteer = load_gazetteer(folder)
    labels = folder.lines("tree.txt") if folder.has("tree.txt") else []
    tags = {task: folder.lines(f"{task}.tags.txt") for task in folder.tasks}
    inputs = Inputs(config, features, vocabularies, len(gazetteer.types) if gazetteer else 0)
    model = KINDS[config.network.kind](config, inputs, tags, len(labels))
    fill(model, folder)
    encoder = Encoder(features, vocabularies, gazetteer, tags, model.margin, device, labels)
    caps = config.features.caps
    tasks = [encode_task(encoder, task, tags[task], corpora[task], caps) for task in tags]
    for task in tasks:
        if any((sentence.gold < 0).any() for sentence in task.train):
            what = f"tags of {task.name} that the model does not know"
            raise SennaError(what, where=str(folder.path))
    forms = data.count_forms([s for corpus in corpora.values() for s in corpus.train])
    encoder.hide(form for form, n in forms.items() if n == 1)
    trained = trained_rows(encoder, forms, tasks)
    if words.trained is not None:
        trained = np.union1d(trained, words.trained).astype(np.int32)
    word_rows, fixed = number_rows(len(features.words), trained, encoder.ids.words)
    encoder.use_rows(word_rows)
    inputs.set_words(
        torch.from_numpy(words.vectors(trained)),
        torch.from_numpy(words.vectors(fixed)),
        not config.features.word.fixed,
    )
    table, n_vectors = start_table(words)
    return Setup(
        config, features, vocabularies, gazetteer, labels, tags, model.to(device), encoder, tasks,
        table, trained, n_vectors, dict(corpora),
    )  # fmt: skip


def start_table(words: WordTable) -> tuple[NDArray[np.floating], int]:
    """The table (n_words, size) that moves are counted from, the base's; and its words."""
    base = words.base or words
    n_base, n = len(base.words), len(words.words)
    table = np.empty((n, words.size), np.float16)
    table[:n_base] = base.vectors(np.arange(n_base, dtype=np.int32))
    table[n_base:] = words.vectors(np.arange(n_base, n, dtype=np.int32))
    return table, n_base - 2


def fill(model: Network, folder: ModelFolder) -> None:
    """Give a network the weights of a folder, as two factors where these are what it has."""
    for name, layer in factorised(model):
        if folder.has(f"{name}.down.weight.npy"):
            down = folder.array(f"{name}.down.weight", None, None)
            layer.factorise(down, folder.array(f"{name}.up.weight", down.shape[1], None))
    arrays = model.arrays()
    for name, target in places(model).items():
        source = folder.array(name, *arrays[name].shape)
        with torch.no_grad():
            target.copy_(torch.from_numpy(np.array(source)))
    for name, array in model.arrays().items():
        if not np.array_equal(array, folder.array(name, *array.shape)):
            raise SennaError(f"{name} cannot be trained on", where=str(folder.path))


def factorised(model: Network) -> list[tuple[str, Any]]:
    """The layers that may be products of two matrices, by their names in the folder."""
    found = [(f"gated-{i}", layer) for i, layer in enumerate(getattr(model, "layers", ()))]
    for task in model.heads:
        layers: Any = model.head(task).layers
        own = getattr(layers, "convolutions", getattr(layers, "layers", ()))
        found += [(f"{task}.gated-{i}", layer) for i, layer in enumerate(own)]
    return [(name, layer) for name, layer in found if hasattr(layer, "factorise")]


def places(model: Network) -> dict[str, torch.Tensor]:
    """Where each array of a folder goes: its weight, as a view that is shaped like the array.

    The network knows only how to name its weights on the way out. So each weight in turn is marked
    by a number of its own, and looked for among the named arrays.
    """
    weights = [own for own in model.parameters() if own.numel()]
    kept = [own.detach().clone() for own in weights]
    with torch.no_grad():
        for number, weight in enumerate(weights):
            weight.fill_(number)
        found = {}
        linear = {id(own.weight) for own in model.modules() if isinstance(own, torch.nn.Linear)}
        for name, array in model.arrays().items():
            weight = weights[int(array.flat[0])]
            found[name] = weight.detach().T if id(weight) in linear else weight.detach()
        for weight, before in zip(weights, kept, strict=True):
            weight.copy_(before)
    return found
