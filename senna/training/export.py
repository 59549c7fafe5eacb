"""From a trained network to a model folder."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.inference.features.forms import LONGEST
from senna.inference.features.settings import Features
from senna.kinds.lemmas.head import TABLE_FILE
from senna.kinds.tags.head import PRIOR, PRIOR_TASK
from senna.model.folder import Array, read_model, shipped
from senna.model.writing import copy_complete, quantise, write_model
from senna.registry import CRITERIA, VECTORS
from senna.tasks import PARSER, TASKS
from senna.text.lemmas import LemmaTable
from senna.text.vocabulary import RARE
from senna.training.build import Setup
from senna.training.examples.corpora import Example
from senna.training.examples.vocabularies import Collected
from senna.training.layers.weights import array_of
from senna.training.start_from import origin_of
from senna.version import __version__

NOTHING: Mapping[str, Sequence[str]] = MappingProxyType({})
SAME = 1e-2  # length of a difference that rounding can make
ALIKE = 0.5  # share of a base's words that begin with its vectors, at least


def export(setup: Setup, path: Path, about: dict[str, Any]) -> None:
    """Write the network's weights and vocabularies as a model folder.

    `about` holds tables for model.toml (scores, data, made): what a reader wants to know.
    """
    config, needed = setup.config, feature_models(setup.config.features)
    texts = _vocabularies(setup.collected) | _lists(setup)
    word_arrays, words, use = _words(setup, path)
    weights = setup.model.arrays().items()
    arrays: dict[str, Array] = {name: w.astype(config.export.weights) for name, w in weights}
    arrays |= word_arrays
    if idf := setup.collected.idf:
        arrays["idf"], texts["idf.txt"] = np.array([*idf.values()], np.float32), [*idf][1:]
    if words or not use:
        texts["words.txt"] = words
    for name, model in needed.items():
        # On a shared base the package's own models serve; else the model gets copies.
        use[name] = relative(model, path) if config.export.base else name
    meta: dict[str, Any] = {
        "senna": __version__,
        "tasks": list(config.tasks),
        "use": use,
        "features": _features(setup.collected),
        "network": _network(setup),
        **about,
        "config": asdict(config),
    }

    def add_copies(folder: Path) -> None:
        for name, model in needed.items() if not config.export.base else ():
            copy_complete(model, folder / name)

    write_model(path, meta, arrays, texts, add_copies)


def _network(setup: Setup) -> dict[str, Any]:
    network, criterion = setup.config.network, setup.config.train.criterion
    settings: dict[str, Any] = {}
    for task in setup.config.tasks:
        settings |= setup.model.head(task).settings
    return {
        "kind": network.kind,
        "constrained": network.constrained,
        "criterion": criterion,
        "paths": CRITERIA[criterion].paths,
        **({"beam": network.beam} if criterion == "greedy" else {}),
        network.kind: asdict(network.settings),
        **settings,
    }


def relative(target: Path, folder: Path) -> str:
    """The path of another folder as seen from a model folder."""
    return os.path.relpath(target.resolve(), folder.resolve())


def feature_models(features: Features) -> dict[str, Path]:
    """The models whose tags the network was trained with, by task."""
    models = {}
    for name, feature in features.of_models.items():
        if not feature.model and name not in shipped():
            what = f"no model for {name} in the package"
            of_trees = "tree" if features.tree.used else "levels"
            where = f"features.{of_trees if name == PARSER else 'tags.' + name}.model"
            raise SennaError(what, where=where)
        models[name] = Path(feature.model) if feature.model else shipped()[name]
    return models


def _features(collected: Collected) -> dict[str, Any]:
    settings, features = collected.config.features, collected.features
    table: dict[str, Any] = {
        "forms": [form_table.array for form_table in features.tables],
        "longest": next((getattr(t, "longest", LONGEST) for t in features.tables), LONGEST),
        "tags": list(collected.vocabularies),
        "marks": features.marks,
    }
    if settings.joined != "concatenate":
        table["joined"] = settings.joined
    if settings.ngrams.buckets:
        table["ngrams"] = asdict(settings.ngrams)
    if settings.levels.size:
        table["levels"] = settings.levels.source
    if settings.characters.filters:
        table["letters"] = settings.characters.kind
    if settings.states:
        table["states"] = settings.states
    if collected.labels:
        table["tree"] = {"inside": settings.tree.inside, "across": settings.tree.across}
    if collected.gazetteer is not None:
        types, coding = list(collected.gazetteer.types), settings.gazetteer.coding
        table["gazetteer"] = {"types": types, "coding": coding}
    return table


def _vocabularies(collected: Collected) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for table in collected.features.tables:
        texts |= table.saved()
    texts |= {f"{name}.txt": list(v.entries[2:]) for name, v in collected.vocabularies.items()}
    if collected.labels:
        texts["tree.txt"] = collected.labels
    if collected.gazetteer is not None:
        texts["gazetteer.txt"] = collected.gazetteer.lines
    return texts | {f"{task}.tags.txt": names for task, names in collected.tags.items()}


def _lists(setup: Setup) -> dict[str, list[str]]:
    """The lists that kinds of answers keep of the corpora, and of the first model."""
    first, texts = setup.collected.config.train.model, dict[str, list[str]]()
    origin = origin_of(first) if first else None
    files = origin.meta["files"] if origin else ()
    for task, corpus in setup.corpora.items():
        own = [file for file in files if file.startswith(f"{task}.") and file.endswith(".txt")]
        before = {f.removeprefix(f"{task}."): origin.lines(f) for f in own} if origin else {}
        lists = lists_of(task, corpus.train, before)
        texts |= {f"{task}.{name}": lines for name, lines in lists.items()}
    return texts


def lists_of(
    task: str, train: Iterable[Example], before: Mapping[str, Sequence[str]] = NOTHING
) -> dict[str, list[str]]:
    """The lists that a model keeps of its training sentences, by their names.

    Of lemmas the table of forms with their parts of speech: what was known before stays, and forms
    of the corpus are as it has them. Of tags that parts of speech help to find, how often each tag
    has each of these: tag, tab, the other, tab, number. before: the lists of the first model.
    """
    if TASKS[task].head == "lemmas":
        words = [
            word
            for sentence in train
            if "pos" in sentence.tags
            for word in zip(sentence.forms, sentence.tags["pos"], sentence.gold, strict=True)
            if not word[2].is_open
        ]
        known = LemmaTable.of_lines(before.get(TABLE_FILE, ()))
        name, lines = TABLE_FILE, LemmaTable.learn(words).compact().over(known).lines()
    elif TASKS[task].is_tagging and PRIOR_TASK in TASKS[task].needs:
        pairs = Counter(
            pair
            for sentence in train
            for pair in zip(sentence.gold, sentence.tags.get(PRIOR_TASK, ()), strict=False)
        )
        for line in before.get(PRIOR, ()):
            tag, pos, n = line.split("\t")
            pairs[tag, pos] += int(n)
        name, lines = PRIOR, [f"{tag}\t{pos}\t{n}" for (tag, pos), n in sorted(pairs.items())]
    else:
        return {}
    return {name: lines} if lines else {}


def _words(setup: Setup, path: Path) -> tuple[dict[str, Array], list[str], dict[str, str]]:
    """The word table's arrays, the words that the model adds to its base, and that base."""
    config, rows, first = setup.config, setup.numbered.trained, setup.collected.table
    trained = array_of(setup.model.inputs.word)
    entries = setup.collected.features.words.entries
    if not config.export.base:
        table = np.array(first, np.float32)
        table[rows] = trained
        arrays = quantise(table, config.export.numbers)
        arrays["words.trained"] = rows.astype(np.int32)
        return arrays, list(entries[2:]), {}
    base = Path(config.export.base)
    start = base_vectors(setup.collected, base)
    n_base = len(start)
    n = min(n_base + (config.export.own or len(entries)), len(entries))  # most frequent first
    left_out = rows >= n
    if left_out.any():  # from now on they are RARE
        trained[rows == RARE] = trained[left_out].mean(axis=0)
    trained, rows = trained[~left_out], rows[~left_out]
    # Words that an encoder had moved away from the base or added, and that training did not see.
    least = max(config.export.moved, SAME)
    others = np.flatnonzero(np.linalg.norm(first[:n_base] - start, axis=1) >= least)
    others = np.setdiff1d(np.append(others, np.arange(n_base, n)), rows)
    known: NDArray[np.int64] = np.append(rows, others).astype(np.int64)
    vectors = np.concatenate([trained, first[others]])
    order = np.argsort(known)
    known, vectors = known[order], np.asarray(vectors[order], np.float32)
    inside = known < n_base
    moved = np.full(len(known), np.inf)
    moved[inside] = np.linalg.norm(vectors[inside] - start[known[inside]], axis=1)
    stored = (moved >= config.export.moved) | (known <= RARE)
    arrays = quantise(vectors[stored], config.export.numbers)
    arrays["words.rows"] = known[stored].astype(np.int32)
    if not np.array_equal(known[stored], rows):
        arrays["words.trained"] = rows.astype(np.int32)
    use = {
        "base": relative(base, path),
        "base_sha256": read_model(base).meta["files"]["words.npy"]["sha256"],
    }
    return arrays, list(entries[n_base:n]), use


def base_vectors(collected: Collected, base: Path) -> NDArray[np.float32]:
    """The first rows of the word table as the base has them, (2 + n_words, size).

    Raises SennaError for a base whose words are not the first ones of the network, or most of whose
    vectors are not: those that an encoder moved may differ.
    """
    words, table = VECTORS["files"].model_vectors(base)
    remedy = 'Start from it: features.word.embeddings = "base", scale = 0.0.'
    if list(collected.features.words.entries[2 : 2 + len(words)]) != words:
        raise SennaError(
            "the model knows other words than its base", where=str(base), remedy=remedy
        )
    first = np.asarray(collected.table[: 2 + len(words)], np.float32)
    # Half precision lies between the two.
    if first[2:].shape == table.shape:
        alike = np.isclose(first[2:], table, rtol=2e-3, atol=1e-4).all(axis=1)
        if alike.mean() >= ALIKE:
            return np.concatenate([first[:2], np.asarray(table, np.float32)])
    raise SennaError("vectors of other values than its base", where=str(base), remedy=remedy)
