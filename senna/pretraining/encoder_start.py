"""The start of a run from an encoder (`train.encoder`).

It gives the vectors of words, the tables of forms with their rows of the projection, and the gated
layers; all else (heads, phrase lists, tags of other tasks) begins as it would without. Vectors of
words alone are features: `features.word.embeddings`.
"""

from __future__ import annotations

from dataclasses import asdict, replace

from senna.errors import SennaError
from senna.inference.features.forms import Caps, FormFeatures
from senna.inference.features.settings import Features
from senna.inference.lookup import load_form_features, load_words
from senna.model.folder import ModelFolder, model_path
from senna.training.config import NetworkConfig
from senna.training.networks.base import Network
from senna.training.start_from import config_of, origin_of, put, stored_array

# The features of forms that an encoder decides.
OF_FORMS = ("prefix", "suffix", "stem", "characters", "ngrams", "clusters")


def with_encoder(features: Features, network: NetworkConfig, encoder: str) -> Features:
    """The features, those of words and of forms as an encoder has them.

    Raises SennaError where the network is not gated, or wider, or its layers are not the
    encoder's first ones.
    """
    folder, where = origin_of(encoder), f"train.encoder = {encoder!r}"
    before = config_of(folder)
    if not network.kind == before.network.kind == "gated":
        raise SennaError("an encoder is for networks of the kind gated", where=where)
    ours, theirs = asdict(network.gated), asdict(before.network.gated)
    first = theirs["dilations"][: len(ours["dilations"])]
    for key, expected in (
        ("units", theirs["units"]),
        ("width", theirs["width"]),
        ("dilations", first),
    ):
        if ours[key] != expected:
            own, other = (list(v) if isinstance(v, tuple) else v for v in (ours[key], theirs[key]))
            what = f"network.gated.{key}: {own}, the encoder's {other}"
            remedy = "Give it the encoder's settings, or another train.encoder."
            raise SennaError(what, where=where, remedy=remedy)
    tables = {name: getattr(before.features, name) for name in OF_FORMS}
    caps, word = replace(features.caps, size=before.features.caps.size), features.word
    if before.features.word.used:
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


def fill_from_encoder(model: Network, folder: ModelFolder) -> None:
    """Give a network the weights that it has of an encoder; what it has beyond these stays."""
    others = {*model.heads, *model.inputs.tags}
    places = {
        name: place
        for name, place in model.arrays().items()
        if name.partition(".")[0] not in others and not name.startswith("gazetteer-")
    }
    # Of a wider input, or with more values of capitals.
    rows = {Caps.KEY: len(places.get(Caps.KEY, ())), "layer-0.weight": model.inputs.of_forms}
    stored = {name: stored_array(folder, name)[: rows.get(name)] for name in places}
    grown = {name for name, array in stored.items() if array.shape[1:] == places[name].shape[1:]}
    put(stored, places, grown, folder)
