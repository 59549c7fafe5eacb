"""The first weights of a network: those of an earlier model, by the names of its arrays.

A run may begin from a model (`train.model`), whose features, vocabularies and phrase lists it then
has, from the encoder of a model (`train.encoder`), or from the best weights of a run of the same
network (`train.start`). Vectors of words alone are features: `features.word.embeddings`.

Of a model, tags that only the corpora have follow those of the folder; their scores begin at 0.
Rows for sentences without informative capitals also begin at 0 if the model was trained without
copies in other cases. Convolutions stored as two factors stay two factors, so the model stays as
large and as fast as before; `export.rank` makes them smaller. The network starts from the stored
numbers, which are rounded (half precision, words to a byte).

Of an encoder, words begin as its vectors. The tables of forms, their rows of the projection, and
the gated layers are taken; all else (heads, phrase lists, tags of other tasks) begins as it would
without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.inference.features.forms import Caps, FormFeatures
from senna.inference.features.settings import Features
from senna.inference.lookup import WordTable, load_form_features, load_words
from senna.inference.phrases import load_gazetteer
from senna.model.folder import ModelFolder, model_path
from senna.tasks import TASKS
from senna.text.vocabulary import N_CAPS_READ
from senna.training.config import Config, NetworkConfig
from senna.training.examples.corpora import TaskCorpus, new_tags
from senna.training.examples.vocabularies import Collected
from senna.training.layers.gated import as_stored
from senna.training.loop import load_checkpoint
from senna.training.networks.base import Network
from senna.training.origin import config_of, origin_of

# The features of forms that an encoder decides.
OF_FORMS = ("prefix", "suffix", "stem", "characters", "ngrams", "clusters")
PROJECTION = "layer-0.weight"
REMEDY = "Give it the encoder's settings, or another train.encoder."

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
    table, n_vectors = _first_table(words, bool(config.export.base))
    idf = dict[str, float]()
    if folder.has("idf.npy"):
        counted = ["", *folder.lines("idf.txt")]  # "" stands for all others
        idf = dict(zip(counted, folder.array("idf", len(counted)).tolist(), strict=True))
    parser = config.network.tree.parser
    features = load_form_features(folder, words)
    features = _with_sizes(features, folder, config.features.characters.filters)
    return Collected(
        config,
        forms,
        _marked(features) if config.features.caps.marks else features,
        {name: folder.vocabulary(f"{name}.txt") for name in folder.meta["features"]["tags"]},
        load_gazetteer(folder) if folder.has("gazetteer.txt") else None,
        folder.lines("tree.txt") if folder.has("tree.txt") else [],
        {task: _tags(folder, task, corpus, parser) for task, corpus in corpora.items()},
        table,
        n_vectors,
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


def _with_sizes(features: FormFeatures, folder: ModelFolder, n_letters: int) -> FormFeatures:
    """The same, and how many numbers each table gives for a form; n_letters: those of letters."""
    files = folder.meta["files"]
    sizes = [
        n_letters if t.array == "letters" else files[f"{t.array}.npy"]["shape"][-1]
        for t in features.tables
    ]
    tables = [replace(t, size=size) for t, size in zip(features.tables, sizes, strict=True)]
    return replace(features, tables=tuple(tables))


def _marked(features: FormFeatures) -> FormFeatures:
    """The same features, with rows for sentences in other cases."""
    tables = [
        replace(table, n_rows=N_CAPS_READ) if isinstance(table, Caps) else table
        for table in features.tables
    ]
    return replace(features, tables=tuple(tables), marks=True)


def _first_table(words: WordTable, of_base: bool) -> tuple[NDArray[np.floating], int]:
    """The first vectors (n_words, size), and how many words have one.

    `of_base`: those of its base, which moves are counted from.
    """
    n = len(words.words)
    if not of_base:
        return words.vectors(np.arange(n, dtype=np.int32)), n - 2
    base = words.base or words
    n_base = len(base.words)
    table = np.empty((n, words.size), np.float16)
    table[:n_base] = base.vectors(np.arange(n_base, dtype=np.int32))
    table[n_base:] = words.vectors(np.arange(n_base, n, dtype=np.int32))
    return table, n_base - 2


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
            raise SennaError(what, where=where, remedy=REMEDY)
    if theirs.dilations[: len(ours.dilations)] != ours.dilations:
        what = f"network.gated.dilations: {[*ours.dilations]}, the encoder's {[*theirs.dilations]}"
        raise SennaError(what, where=where, remedy=REMEDY)
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


# --------------------------------------------------------------------------- weights


def fill(model: Network, folder: ModelFolder, encoder: bool = False) -> None:
    """Give a network the weights of a folder, or those that it has of an encoder.

    What the network has beyond the folder, of tags and capitals, is at the end of each array, and
    begins at 0; beyond an encoder it stays. The network must be in the processor's memory, where
    its arrays are its weights.
    """
    if not encoder:
        as_stored(getattr(model, "layers", ()), folder, "gated")
        for task in model.heads:
            head: Any = model.head(task).layers
            inner = getattr(head, "convolutions", getattr(head, "layers", ()))
            as_stored(inner, folder, f"{task}.gated")
    stored: dict[str, NDArray[np.float32]] = {}
    for name, place in model.arrays().items():
        of_head = name.partition(".")[0] in model.heads
        of_sentences = name in model.inputs.tags or name.startswith("gazetteer-")
        if encoder and (of_head or of_sentences):
            continue
        stored[name] = _stored(folder, name, place, model, encoder)
        if not encoder:
            place[...] = 0
        place[tuple(map(slice, stored[name].shape))] = stored[name]
    if encoder:
        return
    model.read(stored)
    for name, weights in model.arrays().items():
        there = weights[tuple(map(slice, stored[name].shape))]
        if not np.allclose(there, stored[name], rtol=1e-5, atol=1e-6):
            raise SennaError(f"{name} cannot be trained further", where=str(folder.path))


def _stored(
    folder: ModelFolder, name: str, place: NDArray[Any], model: Network, encoder: bool
) -> NDArray[Any]:
    """An array of a folder that fits the network; SennaError if there is none."""
    array, grows = _array(folder, name), name == Caps.KEY or name.partition(".")[0] in model.heads
    if encoder and array is not None:
        most = {Caps.KEY: len(place), PROJECTION: model.inputs.of_forms}
        array = array[: most.get(name, len(array))]
        if array.shape[1:] == place.shape[1:] and len(array) <= len(place):
            return array
    elif array is not None and array.ndim == place.ndim:
        smaller = all(n <= most for n, most in zip(array.shape, place.shape, strict=True))
        if array.shape == place.shape or (grows and smaller):
            return array
    if encoder:
        what, remedy = f"it has no {name} {list(place.shape)}", REMEDY
    elif array is None:
        what, remedy = f"it has no {name}", ""
    else:
        what = f"{name} {list(array.shape)} does not fit {list(place.shape)} of the network"
        remedy = ""
    raise SennaError(what, where=str(folder.path), remedy=remedy)


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


def load_run(model: Network, run: Path) -> None:
    """Give a network the best weights of a run, of the same network and the same words."""
    path = run / "checkpoint.pt"
    if not path.exists():
        what = "not a run (it has no checkpoint.pt)"
        raise SennaError(what, where=f"train.start = {str(run)!r}")
    remedy = "It must have the same network, features and training words."
    with load_checkpoint(path, remedy) as bits:
        model.load_state_dict(bits["state"]["best"])
