"""From a trained network to a model folder."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna.config import Config
from senna.errors import SennaError
from senna.model.folder import Array, quantise, read_model, shipped, write_model
from senna.tasks import TASKS
from senna.text.features import RARE
from senna.training.arrays import array_of
from senna.training.build import Setup
from senna.vectors.read import Vectors, model_vectors
from senna.version import __version__


def export(setup: Setup, path: Path, about: dict[str, Any]) -> None:
    """Write the network's weights and vocabularies as a model folder.

    `about` holds tables for model.toml (scores, data, made): what a reader wants to know.
    """
    config = setup.config
    texts, needed = _vocabularies(setup), feature_models(config)
    word_arrays, own_words, use = _words(setup, path)
    weights = {
        name: own.astype(config.export.weights) for name, own in setup.model.arrays().items()
    }
    arrays: dict[str, Array] = {**weights, **word_arrays}
    if own_words or not use:
        texts["words.txt"] = own_words
    for name, model in needed.items():
        # On a shared base the package's own models serve; else the model gets copies.
        use[name] = relative(model, path) if config.export.base else name
    meta: dict[str, Any] = {
        "senna": __version__,
        "tasks": list(setup.tags),
        "use": use,
        "features": _features(setup),
        "network": _network(setup),
        **about,
        "config": asdict(config),
    }
    write_model(path, meta, arrays, texts)
    if not config.export.base:
        for name, model in needed.items():
            copy_complete(model, path / name)


def _network(setup: Setup) -> dict[str, Any]:
    """What a reader must know to compute the network."""
    network = setup.config.network
    by_levels = network.tree.parser == "levels" and "psg" in setup.tags
    return {
        "kind": network.kind,
        "constrained": network.constrained,
        "criterion": setup.config.train.criterion,
        network.kind: asdict(getattr(network, network.kind)),
        **({"tree": asdict(network.tree)} if by_levels else {}),
    }


def relative(target: Path, folder: Path) -> str:
    """The path of another folder as seen from a model folder."""
    return os.path.relpath(target.resolve(), folder.resolve())


def feature_models(config: Config) -> dict[str, Path]:
    """The models whose tags the network was trained with, by task."""
    found = {}
    for name, own in config.features.of_models.items():
        if not own.model and name not in shipped():
            what = f"no model for {name} in the package"
            where = f"features.{'tree' if name == 'psg' else 'tags.' + name}.model"
            raise SennaError(what, where=where)
        found[name] = Path(own.model) if own.model else shipped()[name]
    return found


def _features(setup: Setup) -> dict[str, Any]:
    features = setup.features
    table: dict[str, Any] = {
        "prefixes": [n for n, _ in features.prefixes],
        "suffixes": [n for n, _ in features.suffixes],
        "longest": features.longest,
        "tags": list(setup.vocabularies),
        "marks": features.marks,
    }
    if setup.labels:
        tree = setup.config.features.tree
        table["tree"] = {"inside": tree.inside, "across": tree.across}
    if setup.gazetteer is not None:
        coding = setup.config.features.gazetteer.coding
        table["gazetteer"] = {"types": list(setup.gazetteer.types), "coding": coding}
    return table


def _vocabularies(setup: Setup) -> dict[str, list[str]]:
    features = setup.features
    own = {f"prefix-{n}": vocabulary for n, vocabulary in features.prefixes}
    own |= {f"suffix-{n}": vocabulary for n, vocabulary in features.suffixes}
    own |= {"letters": features.letters} if features.letters is not None else {}
    texts = {f"{name}.txt": list(v.entries[2:]) for name, v in (own | setup.vocabularies).items()}
    if setup.labels:
        texts["tree.txt"] = setup.labels
    if setup.gazetteer is not None:
        texts["gazetteer.txt"] = setup.gazetteer.lines
    return texts | {f"{task}.tags.txt": names for task, names in setup.tags.items()}


def _words(setup: Setup, path: Path) -> tuple[dict[str, Array], list[str], dict[str, str]]:
    """The word table's arrays, the model's own words, and the base it names."""
    config = setup.config
    trained = array_of(setup.model.inputs.word)
    entries = setup.features.words.entries
    if not config.export.base:
        table = np.array(setup.table, np.float32)
        table[setup.trained] = trained
        arrays = quantise(table, config.export.numbers)
        arrays["words.trained"] = setup.trained.astype(np.int32)
        if setup.features.case is not None:
            arrays["words.case"] = setup.features.case
        return arrays, list(entries[2:]), {}
    base = Path(config.export.base)
    n_base = 2 + _check_base(setup, base)
    own = np.arange(n_base, len(entries))
    if len(np.setdiff1d(own, setup.trained)):
        raise SennaError("words beyond the base that training never saw", where="export.base")
    n = n_base + config.export.own if config.export.own else len(entries)  # most frequent first
    left_out = setup.trained >= n
    if left_out.any():  # from now on they are RARE
        trained[setup.trained == RARE] = trained[left_out].mean(axis=0)
    trained, rows = trained[~left_out], setup.trained[~left_out]
    moved = np.linalg.norm(trained - np.asarray(setup.table[rows], np.float32), axis=1)
    stored = (moved >= config.export.moved) | (rows <= RARE) | (rows >= n_base)
    arrays = quantise(trained[stored], config.export.numbers)
    arrays["words.rows"] = rows[stored].astype(np.int32)
    if not stored.all():
        arrays["words.trained"] = rows.astype(np.int32)
    use = {
        "base": relative(base, path),
        "base_sha256": read_model(base).meta["files"]["words.npy"]["sha256"],
    }
    return arrays, list(entries[n_base:n]), use


def _check_base(setup: Setup, base: Path) -> int:
    """Refuse a base whose words or vectors the network did not start from; its number of words."""
    words, table = model_vectors(base)
    mend = 'Start from it: features.word.embeddings = "base", scale = 0.0.'
    if list(setup.features.words.entries[2 : 2 + len(words)]) != words:
        raise SennaError("the model knows other words than its base", where=str(base), mend=mend)
    own = setup.table[2 : 2 + len(words)]
    # Half precision lies between the two.
    if own.shape != table.shape or not np.allclose(own, table, rtol=2e-3, atol=1e-4):
        raise SennaError("vectors of other values than its base", where=str(base), mend=mend)
    return len(words)


def copy_complete(source: Path, target: Path) -> None:
    """Copy a model folder, its base table merged in, so that it stands on its own."""
    folder = read_model(source)
    arrays = dict(folder.arrays())
    texts = {name: folder.lines(name) for name in folder.meta["files"] if name.endswith(".txt")}
    if folder.used("base") is not None:
        from senna.infer.lookup import load_words

        words = load_words(folder, {})
        table = words.vectors(np.arange(len(words.words), dtype=np.int32))
        numbers = "int8" if folder.has("words.scale.npy") else "float32"
        arrays = {name: own for name, own in arrays.items() if not name.startswith("words")}
        arrays |= quantise(table, numbers)
        if words.case is not None:
            arrays["words.case"] = words.case
        texts["words.txt"] = list(words.words.entries[2:])
    needed = {name: path for name in TASKS if (path := folder.used(name)) is not None}
    meta = {k: v for k, v in folder.meta.items() if k not in ("format", "files")} | folder.about
    write_model(target, meta | {"use": {name: name for name in needed}}, arrays, texts)
    for name, path in needed.items():
        copy_complete(path, target / name)


def write_base(
    vectors: Vectors, case: NDArray[np.uint8], path: Path, about: dict[str, Any], numbers: str
) -> None:
    """Write a base table: words, vectors and usual case, which several models share.

    case (2 + n_words,): see `senna.text.features.case_value`; PADDING and RARE come first.
    """
    table = np.zeros((2 + len(vectors.words), vectors.table.shape[1]), np.float32)
    table[2:] = vectors.table
    meta = {"senna": __version__, "tasks": [], **about}
    arrays = quantise(table, numbers) | {"words.case": case}
    write_model(path, meta, arrays, {"words.txt": vectors.words})
