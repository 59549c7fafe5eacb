"""From an encoder, or a model of other tasks, to the first weights of a network for new tasks.

Words begin as the vectors of the encoder. The tables of forms, their rows of the projection, and
the gated layers are taken by the names of their arrays; all else (heads, phrase lists, tags of
other tasks) begins as it would without.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna.config import NetworkConfig
from senna.errors import SennaError
from senna.features.caps import Caps
from senna.features.forms import FormFeatures
from senna.features.settings import Features
from senna.model.folder import ModelFolder, model_path
from senna.products.lookup import load_form_features, load_words
from senna.training.networks.base import Network
from senna.training.origin import config_of, origin_of

# The features of forms that an encoder decides.
OF_FORMS = ("prefix", "suffix", "stem", "characters", "ngrams", "clusters")
PROJECTION = "layer-0.weight"
MEND = "Give it the encoder's settings, or another train.encoder."


def with_encoder(features: Features, network: NetworkConfig, encoder: str) -> Features:
    """The features, those of words and of forms as an encoder has them.

    Raises SennaError where the network is not gated, or wider, or its layers are not the
    encoder's first ones.
    """
    folder, where = origin_of(encoder), f"train.encoder = {encoder!r}"
    before = config_of(folder)
    if not network.kind == before.network.kind == "gated":
        raise SennaError("an encoder is for networks of the kind gated", where=where)
    ours, theirs = network.gated, before.network.gated
    for key in ("units", "width"):
        if getattr(ours, key) != getattr(theirs, key):
            what = (
                f"network.gated.{key}: {getattr(ours, key)}, the encoder's {getattr(theirs, key)}"
            )
            raise SennaError(what, where=where, mend=MEND)
    if theirs.dilations[: len(ours.dilations)] != ours.dilations:
        what = f"network.gated.dilations: {[*ours.dilations]}, the encoder's {[*theirs.dilations]}"
        raise SennaError(what, where=where, mend=MEND)
    tables = {name: getattr(before.features, name) for name in OF_FORMS}
    caps = replace(features.caps, size=before.features.caps.size)
    word = features.word
    if before.features.word.size or before.features.word.embeddings:
        named = encoder if model_path(encoder) == folder.path else str(folder.path)
        word = replace(word, embeddings=named, size=0, scale=0.0)
    return replace(features, **tables | {"caps": caps, "word": word})


def encoder_tables(folder: ModelFolder, features: FormFeatures) -> FormFeatures:
    """Features of a training set whose tables of forms are those of an encoder.

    The words stay those of the training set.
    """
    loaded = load_form_features(folder, load_words(folder, {}))
    ours, theirs = ({table.array: table for table in f.tables} for f in (features, loaded))
    if list(ours) != list(theirs):
        raise SennaError("features of forms that its arrays do not have", where=str(folder.path))
    tables = [
        table if isinstance(table, Caps) else replace(theirs[name], size=table.size)
        for name, table in ours.items()
    ]
    return replace(features, tables=tuple(tables))


def fill_encoder(model: Network, folder: ModelFolder) -> None:
    """Give a network, in the processor's memory, the weights of an encoder by their names."""
    for name, place in model.arrays().items():
        if name.partition(".")[0] in model.heads:
            continue
        if name in model.inputs.tags or name.startswith("gazetteer-"):
            continue  # features of sentences
        array = _array(folder, name)
        if array is not None and name == Caps.KEY:  # sentences in one case may not be told apart
            array = array[: len(place)]
        elif array is not None and name == PROJECTION:
            array = array[: model.inputs.of_forms]
        if array is None or array.shape[1:] != place.shape[1:] or len(array) > len(place):
            what = f"it has no {name} {list(place.shape)}"
            raise SennaError(what, where=str(folder.path), mend=MEND)
        place[: len(array)] = array


def _array(folder: ModelFolder, name: str) -> NDArray[Any] | None:
    """An array of an encoder; of a convolution that is stored as two factors, their product."""
    stem = name.removesuffix(".weight")
    if not folder.has(f"{name}.npy") and folder.has(f"{stem}.down.weight.npy"):
        down = folder.array(f"{stem}.down.weight", None, None)
        product: NDArray[np.float32] = down @ folder.array(f"{stem}.up.weight", down.shape[1], None)
        return product
    if not folder.has(f"{name}.npy"):
        return None
    shape = folder.meta["files"][f"{name}.npy"]["shape"]
    return folder.array(name, *[None] * len(shape))
