"""From a trained network to a model folder."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

import senna
from senna.config import to_table
from senna.errors import SennaError
from senna.infer.model_folder import Array, quantise, read_model, read_words, write_model
from senna.infer.pipeline import shipped
from senna.text.vectors import Vectors
from senna.training.build import Setup
from senna.training.networks import Hidden


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
    if config.features.pos.size and config.features.pos.source == "model":
        # On a shared base the package's own tagger serves; else the model gets a copy.
        shared = bool(config.export.base)
        use["pos"] = relative(pos_model(setup), path) if shared else "pos"
    names = list(setup.tags)
    meta: dict[str, Any] = {
        "senna": senna.__version__,
        "tasks": names,
        "use": use,
        "features": _features(setup),
        "network": {
            "window": list(config.network.window),
            "hidden": list(config.network.hidden),
            "shared": len(setup.model.shared),
            "constrained": config.network.constrained,
            "criterion": config.train.criterion,
        },
        **about,
        "config": to_table(config),
    }
    write_model(path, meta, arrays, texts)
    if use.get("pos") == "pos":
        copy_complete(pos_model(setup), path / "pos")


def relative(target: Path, folder: Path) -> str:
    """The path of another folder as seen from a model folder."""
    return os.path.relpath(target.resolve(), folder.resolve())


def pos_model(setup: Setup) -> Path:
    """The part-of-speech model that a network was trained with."""
    own = setup.config.features.pos.model
    if not own and "pos" not in shipped():
        raise SennaError("no part-of-speech model in the package", where="features.pos.model")
    return Path(own) if own else shipped()["pos"]


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
    if setup.gazetteer is not None:
        phrases = sorted(setup.gazetteer.phrases.items())
        texts["gazetteer.txt"] = [f"{phrase}\t{bits}" for phrase, bits in phrases]
    return texts | {f"{task}.tags.txt": names for task, names in setup.tags.items()}


def _network_arrays(setup: Setup) -> dict[str, Array]:
    """All weights but the word table's; linear weights as (inputs, outputs)."""
    inputs, model = setup.model.inputs, setup.model
    arrays: dict[str, Array] = {}
    if inputs.caps is not None:
        arrays["caps"] = _numpy(inputs.caps.weight)
    if inputs.case is not None:
        arrays["case"] = _numpy(inputs.case.weight)
    names = [f"prefix-{n}" for n, _ in setup.features.prefixes]
    names += [f"suffix-{n}" for n, _ in setup.features.suffixes]
    for name, table in zip(names, inputs.affixes, strict=True):
        arrays[name] = _numpy(table.weight)
    if inputs.characters is not None:
        arrays["letters"] = _numpy(inputs.characters.letters.weight)
        arrays["characters.weight"] = _numpy(inputs.characters.convolution.weight).T
        arrays["characters.bias"] = _numpy(inputs.characters.convolution.bias)
    if inputs.pos is not None:
        arrays["pos"] = _numpy(inputs.pos.weight)
    for i, table in enumerate(inputs.gazetteer):
        arrays[f"gazetteer-{i}"] = _numpy(table.weight)
    for i, layer in enumerate(model.shared):
        arrays |= _layer_arrays(f"layer-{i}", layer)
    for task in setup.tags:
        head = model.head(task)
        for i, layer in enumerate(head.layers, len(model.shared)):
            arrays |= _layer_arrays(f"{task}.layer-{i}", layer)
        arrays[f"{task}.output.weight"] = _numpy(head.output.weight).T
        arrays[f"{task}.output.bias"] = _numpy(head.output.bias)
        arrays[f"{task}.transitions"] = _numpy(head.transitions)
        arrays[f"{task}.initial"] = _numpy(head.initial)
    return arrays


def _layer_arrays(name: str, layer: torch.nn.Module) -> dict[str, Array]:
    assert isinstance(layer, Hidden)
    return {
        f"{name}.weight": _numpy(layer.linear.weight).T,
        f"{name}.bias": _numpy(layer.linear.bias),
    }


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
    arrays = quantise(trained, config.export.numbers)
    own = np.arange(n_base, len(entries))
    if len(np.setdiff1d(own, setup.trained)):
        raise SennaError("words beyond the base that training never saw", where="export.base")
    arrays["words.rows"] = setup.trained.astype(np.int32)
    use = {
        "base": relative(base, path),
        "base_sha256": read_model(base).meta["files"]["words.npy"]["sha256"],
    }
    return arrays, list(entries[n_base:]), use


def _check_base(setup: Setup, base: Path) -> int:
    """Refuse a base whose words or vectors the network did not start from; its number of words."""
    words, table = read_words(base)
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
    temporary = target.with_name(target.name + ".tmp")
    if folder.used("base") is None:
        shutil.copytree(source, temporary, dirs_exist_ok=True)
        temporary.rename(target)
        return
    from senna.infer.lookup import load_words

    words = load_words(folder, {})
    table = words.vectors(np.arange(len(words.words), dtype=np.int32))
    arrays = {
        name[:-4]: folder.array(name[:-4])
        for name in folder.meta["files"]
        if name.endswith(".npy") and not name.startswith("words")
    }
    numbers = "int8" if folder.has("words.scale.npy") else "float32"
    arrays |= quantise(table, numbers)
    if words.case is not None:
        arrays["words.case"] = words.case
    texts = {name: folder.lines(name) for name in folder.meta["files"] if name.endswith(".txt")}
    texts["words.txt"] = list(words.words.entries[2:])
    meta = {k: v for k, v in folder.meta.items() if k not in ("format", "files", "use")}
    write_model(target, meta, arrays, texts)


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
