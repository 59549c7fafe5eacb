"""First weights from a trained model of other tasks: its tables, by entry, and its encoder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.errors import SennaError
from senna.infer.lookup import load_form_features, load_words
from senna.infer.model_folder import ModelFolder, read_model
from senna.text.features import RARE, FormFeatures, Vocabulary
from senna.training.network import Network
from senna.training.networks.gated import GatedNetwork


def take_encoder(
    model: Network, features: FormFeatures, trained: NDArray[np.int32], path: Path
) -> None:
    """Give a gated network the tables and the encoder of a model folder.

    trained: rows of the words that the network trains. What only one of them has, as tables of tag
    features, words or affixes, stays as it is. Raises SennaError where sizes differ.
    """
    folder = read_model(path)
    if not isinstance(model, GatedNetwork) or folder.meta["network"]["kind"] != "gated":
        raise SennaError("both networks must be gated", where=f"train.encoder = {str(path)!r}")
    words = load_words(folder, {})
    entries, row = features.words.entries, words.words.row
    rows = np.array([row(entries[i]) or RARE for i in trained.tolist()], np.int64)
    rows[:2] = 0, 1
    known = np.flatnonzero(rows > 1)
    with torch.no_grad():
        vectors = torch.from_numpy(words.vectors(rows[known].astype(np.int32)))
        _fill(model.inputs.word, known, vectors, path)
        for own, name, kept in _tables(model, features, load_form_features(folder, words)):
            table = torch.from_numpy(np.array(folder.array(name, None, own.shape[1])))
            _fill(own, kept[0], table[kept[1]], path)
        for own, name in _layers(model):
            weights = torch.from_numpy(_whole(folder, name))
            _fill(own, np.arange(len(weights)), weights, path)


Kept = tuple[NDArray[np.int64], NDArray[np.int64]]  # rows here, and there


def _tables(
    model: GatedNetwork, here: FormFeatures, there: FormFeatures
) -> Iterator[tuple[Tensor, str, Kept]]:
    """Tables of features of forms: their weights, names and the entries that both have."""
    inputs: Any = model.inputs
    if inputs.caps is not None:
        rows = np.arange(len(inputs.caps.weight))
        yield inputs.caps.weight, "caps", (rows, rows)
    for kind in ("prefix", "suffix"):
        others = dict(getattr(there, f"{kind}es"))
        for n, own in getattr(here, f"{kind}es"):
            if n in others:
                yield inputs.affixes[f"{kind}-{n}"].weight, f"{kind}-{n}", _both(own, others[n])
    if inputs.characters is not None and here.letters and there.letters:
        yield inputs.characters.letters.weight, "letters", _both(here.letters, there.letters)


def _both(here: Vocabulary, there: Vocabulary) -> Kept:
    rows = [(i, there.rows[own]) for own, i in here.rows.items() if own in there.rows]
    pairs = np.array([(0, 0), (1, 1), *rows], np.int64)
    return pairs[:, 0], pairs[:, 1]


def _layers(model: GatedNetwork) -> Iterator[tuple[Tensor, str]]:
    """Weights as (inputs, outputs), and biases, of the layers below the heads."""
    layers: list[tuple[str, Any]] = [("layer-0", model.projection)]
    layers += [(f"gated-{i}", layer.up) for i, layer in enumerate(model.layers)]
    if model.inputs.characters is not None:
        layers.append(("characters", model.inputs.characters.convolution))
    for name, own in layers:
        yield own.weight.T, f"{name}.weight"
        yield own.bias, f"{name}.bias"


def _whole(folder: ModelFolder, name: str) -> NDArray[np.float32]:
    if not folder.has(f"{name}.npy"):
        mend = "Its convolutions must be whole: train it with export.rank=0."
        raise SennaError(f"has no {name}", where=str(folder.path), mend=mend)
    shape = folder.meta["files"][f"{name}.npy"]["shape"]
    return np.array(folder.array(name, *[None] * len(shape)))


def _fill(own: Tensor, rows: NDArray[np.int64], values: Tensor, path: Path) -> None:
    """Some rows of weights get their values."""
    if own.shape[1:] != values.shape[1:] or len(rows) > len(own):
        what = f"weights {tuple(values.shape)} do not fit {tuple(own.shape)}"
        raise SennaError(what, where=f"train.encoder = {str(path)!r}")
    own[torch.from_numpy(rows)] = values.to(own)
