"""From a trained network to a model folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

import senna
from senna.config import Config, to_table
from senna.errors import SennaError
from senna.infer.model_folder import Array, quantise, read_model, shipped, write_model
from senna.text.features import RARE
from senna.training.build import Setup
from senna.training.gated import GatedLayer, GatedTagger, PairHead
from senna.training.networks import Head, Hidden, WindowTagger
from senna.training.sentence import RoleHead, SentenceTagger
from senna.training.structured import Transitions
from senna.vectors.read import Vectors, model_vectors


def export(setup: Setup, path: Path, about: dict[str, Any]) -> None:
    """Write the network's weights and vocabularies as a model folder.

    `about` holds tables for model.toml (scores, data, made): what a reader wants to know.
    """
    config = setup.config
    arrays, texts = _network_arrays(setup), _vocabularies(setup)
    use: dict[str, str] = {}
    word_arrays, own_words, base = _words(setup, path)
    arrays.update(word_arrays)
    if own_words:
        texts["words.txt"] = own_words
    use.update(base)
    needed = feature_models(config)
    for name, model in needed.items():
        # On a shared base the package's own models serve; else the model gets copies.
        use[name] = relative(model, path) if config.export.base else name
    names = list(setup.tags)
    meta: dict[str, Any] = {
        "senna": senna.__version__,
        "tasks": names,
        "use": use,
        "features": _features(setup),
        "network": _network(setup),
        **about,
        "config": to_table(config),
    }
    write_model(path, meta, arrays, texts)
    if not config.export.base:
        for name, model in needed.items():
            copy_complete(model, path / name)


def _network(setup: Setup) -> dict[str, Any]:
    """What a reader must know to compute the network."""
    network = setup.config.network
    common = {"constrained": network.constrained, "criterion": setup.config.train.criterion}
    if isinstance(setup.model, GatedTagger):
        return {
            "kind": "gated",
            "units": network.units,
            "width": network.width,
            "dilations": list(network.dilations),
            "pair_dilations": list(network.pair_dilations),
            "distance": network.distance,
            **common,
        }
    if isinstance(setup.model, SentenceTagger):
        hidden = list(network.hidden)
        sizes = {"window": list(network.window), "units": network.units, "hidden": hidden}
        return {"kind": "sentence", **sizes, **common}
    assert isinstance(setup.model, WindowTagger)
    return {
        "window": list(network.window),
        "hidden": list(network.hidden),
        "shared": len(setup.model.shared),
        **common,
    }


def relative(target: Path, folder: Path) -> str:
    """The path of another folder as seen from a model folder."""
    return os.path.relpath(target.resolve(), folder.resolve())


def feature_models(config: Config) -> dict[str, Path]:
    """The models whose tags the network was trained with, by feature."""
    found = {}
    for name, own in (("pos", config.features.pos), ("pt0", config.features.pt0)):
        if own.size and own.source == "model":
            if not own.model and name not in shipped():
                what = f"no model for {name} in the package"
                raise SennaError(what, where=f"features.{name}.model")
            found[name] = Path(own.model) if own.model else shipped()[name]
    return found


def _features(setup: Setup) -> dict[str, Any]:
    features = setup.features
    table: dict[str, Any] = {
        "prefixes": [n for n, _ in features.prefixes],
        "suffixes": [n for n, _ in features.suffixes],
        "longest": features.longest,
    }
    if setup.gazetteer is not None:
        coding = setup.config.features.gazetteer.coding
        table["gazetteer"] = {"types": list(setup.gazetteer.types), "coding": coding}
    return table


def _vocabularies(setup: Setup) -> dict[str, list[str]]:
    features = setup.features
    texts = {f"prefix-{n}.txt": list(v.entries[2:]) for n, v in features.prefixes}
    texts |= {f"suffix-{n}.txt": list(v.entries[2:]) for n, v in features.suffixes}
    if features.letters is not None:
        texts["letters.txt"] = list(features.letters.entries[2:])
    if setup.pos is not None:
        texts["pos.txt"] = list(setup.pos.entries[2:])
    if setup.pt0 is not None:
        texts["pt0.txt"] = list(setup.pt0.entries[2:])
    if setup.gazetteer is not None:
        texts["gazetteer.txt"] = setup.gazetteer.lines
    return texts | {f"{task}.tags.txt": names for task, names in setup.tags.items()}


def _network_arrays(setup: Setup) -> dict[str, Array]:
    """All weights but the word table's; linear weights as (inputs, outputs)."""
    model = setup.model
    arrays = _table_arrays(setup)
    if isinstance(model, WindowTagger):
        for i, layer in enumerate(model.shared):
            arrays |= _layer_arrays(f"layer-{i}", layer)
    elif isinstance(model, GatedTagger):
        arrays |= _linear("layer-0", model.projection)
        for i, layer in enumerate(model.layers):
            arrays |= _gated_arrays(f"gated-{i}", layer)
    elif isinstance(model, SentenceTagger):
        arrays |= _linear("layer-0", model.convolution)
        arrays["near"] = _numpy(model.near())
        if model.predicate is not None:
            arrays["predicate"] = _numpy(model.predicate())
    # Which of the hidden layers are the tasks' own.
    n_shared = len(model.shared) if isinstance(model, WindowTagger) else 1
    for task, head in model.heads.items():
        if isinstance(head, (Head, RoleHead)):
            for i, layer in enumerate(head.layers, n_shared):
                arrays |= _layer_arrays(f"{task}.layer-{i}", layer)
            arrays |= _linear(f"{task}.output", head.output)
            if isinstance(head, RoleHead):
                arrays |= _move_arrays(task, head.transitions)
                continue
            arrays[f"{task}.transitions"] = _numpy(head.transitions)
            arrays[f"{task}.initial"] = _numpy(head.initial)
        elif isinstance(head, PairHead):
            arrays |= _linear(f"{task}.word", head.word)
            arrays |= _linear(f"{task}.predicate", head.predicate)
            arrays[f"{task}.distance"] = _numpy(head.distance.weight)
            for i, layer in enumerate(head.layers):
                arrays |= _gated_arrays(f"{task}.gated-{i}", layer)
            arrays |= _linear(f"{task}.output", head.output)
            arrays |= _move_arrays(task, head.transitions)
    return arrays


def _table_arrays(setup: Setup) -> dict[str, Array]:
    """All lookup tables but that of words."""
    inputs = setup.model.inputs
    arrays: dict[str, Array] = {}
    tables = {"caps": inputs.caps, "case": inputs.case, "pos": inputs.pos, "pt0": inputs.pt0}
    for name, own in tables.items():
        if own is not None:
            arrays[name] = _numpy(own.weight)
    names = [f"prefix-{n}" for n, _ in setup.features.prefixes]
    names += [f"suffix-{n}" for n, _ in setup.features.suffixes]
    for name, table in zip(names, inputs.affixes, strict=True):
        arrays[name] = _numpy(table.weight)
    if inputs.characters is not None:
        arrays["letters"] = _numpy(inputs.characters.letters.weight)
        arrays |= _linear("characters", inputs.characters.convolution)
    for i, table in enumerate(inputs.gazetteer):
        arrays[f"gazetteer-{i}"] = _numpy(table.weight)
    return arrays


def _layer_arrays(name: str, layer: torch.nn.Module) -> dict[str, Array]:
    assert isinstance(layer, Hidden)
    return _linear(name, layer.linear)


def _gated_arrays(name: str, layer: torch.nn.Module) -> dict[str, Array]:
    assert isinstance(layer, GatedLayer)
    if layer.down is None:
        return _linear(name, layer.up)
    bias = {f"{name}.bias": _numpy(layer.up.bias)}
    down, up = _numpy(layer.down.weight).T, _numpy(layer.up.weight).T
    return {f"{name}.down.weight": down, f"{name}.up.weight": up} | bias


def _move_arrays(task: str, moves: Transitions) -> dict[str, Array]:
    scores = {"between": moves.between, "within": moves.within, "initial": moves.initial}
    return {f"{task}.{name}": _numpy(own) for name, own in scores.items()}


def _linear(name: str, layer: torch.nn.Linear) -> dict[str, Array]:
    arrays = {f"{name}.weight": _numpy(layer.weight).T}
    if layer.bias is not None:
        arrays[f"{name}.bias"] = _numpy(layer.bias)
    return arrays


def _numpy(tensor: Any) -> Array:
    found: Array = tensor.detach().cpu().numpy().astype(np.float32)
    return found


def _words(setup: Setup, path: Path) -> tuple[dict[str, Array], list[str], dict[str, str]]:
    """The word table's arrays, the model's own words, and the base it names."""
    config = setup.config
    trained = _numpy(setup.model.inputs.word)
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
    needed = {name: folder.used(name) for name in ("pos", "pt0")}
    meta = {k: v for k, v in folder.meta.items() if k not in ("format", "files", "use")}
    meta["use"] = {name: name for name, path in needed.items() if path is not None}
    write_model(target, meta, arrays, texts)
    for name, path in needed.items():
        if path is not None:
            copy_complete(path, target / name)


def write_base(
    vectors: Vectors, case: NDArray[np.uint8], path: Path, about: dict[str, Any], numbers: str
) -> None:
    """Write a base table: words, vectors and usual case, which several models share.

    case (2 + n_words,): see `senna.text.features.case_value`; PADDING and RARE come first.
    """
    table = np.zeros((2 + len(vectors.words), vectors.table.shape[1]), np.float32)
    table[2:] = vectors.table
    meta = {"senna": senna.__version__, "tasks": [], **about}
    arrays = quantise(table, numbers) | {"words.case": case}
    write_model(path, meta, arrays, {"words.txt": vectors.words})
