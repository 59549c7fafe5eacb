"""From a model folder back to a network that trains on: its weights are the first ones.

Features, vocabularies and phrase lists are the folder's. Tags that only the corpora have follow
those of the folder; their scores begin at 0. Rows for sentences without informative capitals also
begin at 0 if the model was trained without copies in other cases. Convolutions stored as two
factors stay two factors, so the model stays as large and as fast as before; `export.rank` makes
them smaller. The network starts from the stored numbers, which are rounded (half precision, words
to a byte).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from senna.config import Config
from senna.errors import SennaError
from senna.features.caps import Caps
from senna.features.forms import FormFeatures
from senna.model.folder import ModelFolder
from senna.products.first_layer import load_gazetteer
from senna.products.lookup import WordTable, load_form_features, load_words
from senna.tasks import TASKS
from senna.text.features import N_CAPS_READ
from senna.training.build import Setup, check_names, set_up
from senna.training.examples import data
from senna.training.examples.collect import Collected
from senna.training.examples.corpora import TaskCorpus, new_tags
from senna.training.networks.base import Network


def setup_from(
    folder: ModelFolder, config: Config, corpora: Mapping[str, TaskCorpus], device: torch.device
) -> Setup:
    """The network of a folder, and corpora of some of its tasks numbered for it.

    Raises SennaError for the sentence network, of which a folder has products of weights, and for
    new labels of a parser by levels.
    """
    check_names(config)
    if config.network.kind == "sentence":
        raise SennaError("a sentence network cannot be trained further", where=str(folder.path))
    words = load_words(folder, {})
    collected = _collected(folder, words, config, corpora)
    setup = set_up(collected, dict(corpora), device)
    model, numbered = setup.model, setup.numbered
    fill(model.cpu(), folder)
    trained, fixed = (
        torch.from_numpy(words.vectors(rows)) for rows in (numbered.trained, numbered.fixed)
    )
    model.inputs.set_words(trained, fixed, not config.features.word.fixed)
    model.to(device)
    return setup


def _collected(
    folder: ModelFolder, words: WordTable, config: Config, corpora: Mapping[str, TaskCorpus]
) -> Collected:
    """The folder's vocabularies, and the forms of the corpora.

    On a base the words that the model has learnt are counted too, twice each: else they would get
    the base's vectors.
    """
    forms = data.count_forms([s for corpus in corpora.values() for s in corpus.train])
    if config.export.base and words.trained is not None:
        entries = words.words.entries
        forms |= dict.fromkeys((entries[row] for row in words.trained.tolist() if row > 1), 2)
    table, n_vectors = _first_table(words, bool(config.export.base))
    parser = config.network.tree.parser
    features = load_form_features(folder, words)
    features = _with_sizes(features, folder, config.features.characters.filters)
    return Collected(
        config,
        forms,
        _marked(features) if config.features.caps.marks else features,
        {name: folder.vocabulary(f"{name}.txt") for name in folder.meta["features"]["tags"]},
        load_gazetteer(folder),
        folder.lines("tree.txt") if folder.has("tree.txt") else [],
        {task: _tags(folder, task, corpus, parser) for task, corpus in corpora.items()},
        table,
        n_vectors,
        frequencies(folder),
    )


def frequencies(folder: ModelFolder) -> dict[str, float]:
    """The inverse document frequencies of a folder's words; "" stands for all others."""
    if not folder.has("idf.npy"):
        return {}
    words = ["", *folder.lines("idf.txt")]
    return dict(zip(words, folder.array("idf", len(words)).tolist(), strict=True))


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


def fill(model: Network, folder: ModelFolder) -> None:
    """Give a network the weights of a folder, as two factors where these are what it has.

    What the network has beyond the folder, of tags and capitals, is at the end of each array, and
    begins at 0. The network must be in the processor's memory, where its arrays are its weights.
    """
    for name, layer in _convolutions(model):
        if folder.has(f"{name}.down.weight.npy"):
            down = folder.array(f"{name}.down.weight", None, None)
            layer.factorise(down, folder.array(f"{name}.up.weight", down.shape[1], None))
    stored = {name: folder.array(name, *[None] * a.ndim) for name, a in model.arrays().items()}
    for name, place in model.arrays().items():
        grows = name == Caps.KEY or name.partition(".")[0] in model.heads
        array = stored[name]
        if not _fits(array.shape, place.shape, grows):
            what = f"{name} {list(array.shape)} does not fit {list(place.shape)} of the network"
            raise SennaError(what, where=str(folder.path))
        place[...] = 0
        place[tuple(map(slice, array.shape))] = array
    for name, weights in model.arrays().items():
        if not np.array_equal(weights[tuple(map(slice, stored[name].shape))], stored[name]):
            raise SennaError(f"{name} cannot be trained further", where=str(folder.path))


def _fits(stored: Sequence[int], wanted: Sequence[int], grows: bool) -> bool:
    if grows and len(stored) == len(wanted):
        return all(n <= most for n, most in zip(stored, wanted, strict=True))
    return tuple(stored) == tuple(wanted)


def _convolutions(model: Network) -> list[tuple[str, Any]]:
    """The layers that may be products of two matrices, by their names in the folder."""
    layers = [(f"gated-{i}", layer) for i, layer in enumerate(getattr(model, "layers", ()))]
    for task in model.heads:
        head: Any = model.head(task).layers
        inner = getattr(head, "convolutions", getattr(head, "layers", ()))
        layers += [(f"{task}.gated-{i}", layer) for i, layer in enumerate(inner)]
    return [(name, layer) for name, layer in layers if hasattr(layer, "factorise")]
