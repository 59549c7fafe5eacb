"""`senna models upgrade`: model folders of earlier releases in the newest format.

Format 1 was written by releases 0.1 and 0.2, format 2 by 0.3 to 0.5. Weights stay as they are, but
for `features.case` (how a word is usually written), whose vectors join those of the words.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import numpy as np
import typer

from senna.errors import SennaError
from senna.inference.lookup import WordTable, load_words
from senna.model.folder import Array, ModelFolder, model_path
from senna.model.schema import ABOUT, FORMAT_VERSION, read_meta, read_raw
from senna.model.writing import write_model
from senna.settings import Table
from senna.tasks import TASKS
from senna.text.vocabulary import RARE
from senna.training.config import Config

EXAMPLE = "Example: senna models upgrade runs/ner"
# Settings that were removed, and the value each is now fixed to.
FIXED: dict[str, object] = {
    "features.characters.longest": 20,
    "features.clusters.prefixes": [4, 6, 10, 20],
    "network.tree.widest": 10,
    "network.recurrent.directions": 2,
    "network.recurrent.pair": 200,
    "network.recursive.split": "right",
    "network.bag.sum": "mean",
    "network.window.unit": "hardtanh",
    "network.sentence.unit": "hardtanh",
    "train.table_rate": 1.0,
    "train.decay": 0.0,
    "train.plateau": 0,
}
_FLAT = {  # format 1 had the keys of all networks in one table
    "window": {"window": "widths", "hidden": "hidden", "shared": "shared"},
    "sentence": {"window": "width", "units": "units", "hidden": "hidden"},
    "gated": {name: name for name in ("units", "width", "dilations", "pair_dilations", "distance")},
}


def upgrade_command(
    folder: Annotated[
        str, typer.Argument(metavar="NAME|DIR", help="A model folder, or a folder of them.")
    ],
) -> None:
    """Rewrite models of earlier releases in the newest format; their tags stay the same."""
    for path in upgrade(model_path(folder)):
        typer.echo(f"{path}: format {FORMAT_VERSION}")


def upgrade(path: Path) -> list[Path]:
    """Rewrite the model folders at and below a path; returns those that were of an older format."""
    found = sorted((p.parent for p in path.rglob("model.toml")), key=lambda p: -len(p.parts))
    if not found:
        read_meta(path)  # raises the error of a folder without model.toml
    former = [one for one in found if read_raw(one)["format"] < FORMAT_VERSION]
    for one in former:  # inner ones first
        _upgrade(one)
    return former


def _upgrade(path: Path) -> None:
    folder = _read(path)
    known = folder.meta | folder.about  # format 1 had one file
    about = {n: _config(t) if n == "config" else t for n, t in known.items() if n in ABOUT}
    about = {name: table for name, table in about.items() if table}
    arrays = dict(folder.arrays())
    texts = {name: folder.lines(name) for name in folder.meta["files"] if name.endswith(".txt")}
    left_out = ("format", "files", *ABOUT)
    meta = {name: value for name, value in folder.meta.items() if name not in left_out}
    if "case" in meta.get("features", {}).get("forms", ()):
        added = _fold_case(folder, meta, arrays, texts)
        word = about.get("config", {}).get("features", {}).get("word", {})
        word["size"] = word["size"] + added if word.get("size") else 0

    def add_others(place: Path) -> None:
        for other in path.iterdir():
            if other.is_dir():
                shutil.copytree(other, place / other.name, symlinks=True)
            elif other.name == "README.md":
                shutil.copy2(other, place)

    write_model(path, meta | about, arrays, texts, add_others)


def _read(path: Path) -> ModelFolder:
    """A model folder of any format, as one of the newest."""
    meta = read_raw(path)
    if meta["format"] == FORMAT_VERSION:
        return ModelFolder(path, *read_meta(path))
    where = str(path / "model.toml")
    files, network, features = (meta.get(name) for name in ("files", "network", "features"))
    if meta["format"] == 1:
        meta = {"tasks": [], "use": {}, **meta}
        if isinstance(features, dict) and isinstance(files, dict):
            features = {**features, "tags": [n for n in ("pos", "pt0") if f"{n}.npy" in files]}
        if isinstance(network, dict):
            network = _nested(network)
    if isinstance(features, dict) and isinstance(files, dict):
        features.setdefault("marks", False)
        features.setdefault("forms", _forms(features, files))
        affixes = ("prefixes", "suffixes")
        meta["features"] = {name: v for name, v in features.items() if name not in affixes}
    if isinstance(network, dict):
        meta["network"] = network
        network.setdefault("paths", network.get("criterion") == "sentence")
        unit = (network.get(network.get("kind")) or {}).pop("unit", "hardtanh")
        if unit != "hardtanh":
            what = f"its hidden unit is {unit!r:.60}, and was removed; all are hardtanh now"
            raise SennaError(what, where=where)
    return ModelFolder(path, *read_meta(path, meta | {"format": FORMAT_VERSION}))


def _forms(features: Table, files: Table) -> list[str]:
    affixes = [
        f"{kind}-{n}"
        for kind, key in (("prefix", "prefixes"), ("suffix", "suffixes"))
        for n in features.get(key, ())
    ]
    names = ["caps", "case", *affixes, "letters"]
    return [name for name in names if f"{name}.npy" in files or name in affixes]


def _nested(network: Table) -> Table:
    """The table `network` of format 1 as one with a table for its kind."""
    old = dict(network)
    kind = str(old.pop("kind", "window"))
    settings = {new: old.pop(name, None) for name, new in _FLAT.get(kind, {}).items()}
    if kind == "sentence":  # lists of one number, as the window network's
        settings = {
            k: v[0] if isinstance(v, list) and len(v) == 1 else v for k, v in settings.items()
        }
    return {"kind": kind, **old, kind: settings}


def _config(table: Table) -> Table:
    """A stored configuration without removed settings; empty if one had another value than now."""
    for key, value in FIXED.items():
        *path, name = key.split(".")
        inner: Any = table
        for part in path:
            inner = inner.get(part, {})
        if inner.get(name, value) != value:
            return {}
    known: Table = _known(Config, table)
    return known


def _known(kind: Any, value: Any) -> Any:
    """A table without the keys, and inner tables, that a dataclass and those within it lack."""
    if isinstance(value, Mapping) and is_dataclass(kind):
        hints = get_type_hints(kind)
        names = {f.name for f in fields(kind)}
        return {name: _known(hints[name], inner) for name, inner in value.items() if name in names}
    inner_kind = next((k for k in get_args(kind) if is_dataclass(k)), None)
    if isinstance(value, Mapping):
        return {name: _known(inner_kind, inner) for name, inner in value.items()}
    return [_known(inner_kind, inner) for inner in value] if isinstance(value, list) else value


def _fold_case(
    folder: ModelFolder, meta: Table, arrays: dict[str, Array], texts: dict[str, list[str]]
) -> int:
    """Put the vectors of words' usual case behind those of the words; returns their size.

    The model becomes complete: it needs no base table. Weights of the first layer follow the order
    of its input.
    """
    base = folder.used("base")
    words = load_words(folder, {base: WordTable(_read(base), None)} if base else {})
    n, own = len(words.words), folder.has("words.case.npy")
    owner = folder if own or base is None else _read(base)
    stored = owner.array("words.case", None, types=("|u1",))
    if len(stored) > n or (own and len(stored) < n):
        raise SennaError("words.case does not fit the words", where=str(folder.path))
    case = np.full(n, RARE, np.uint8)
    case[: len(stored)] = stored
    vectors, table = words.vectors(np.arange(n, dtype=np.int32)), arrays.pop("case")
    forms = meta["features"]["forms"]
    before = ["characters.bias" if name == "letters" else name for name in forms]
    start = words.size + sum(arrays[name].shape[-1] for name in before[: forms.index("case")])
    for name in ("words", "words.scale", "words.rows", "words.case"):
        arrays.pop(name, None)
    arrays["words"] = np.concatenate([vectors, table[case]], axis=1, dtype=np.float32)
    texts["words.txt"] = list(words.words.entries[2:])
    meta["use"] = {task: name for task, name in meta["use"].items() if task in TASKS}
    network, size = meta["network"], int(table.shape[1])
    own_table = network[network["kind"]]
    window = {"window": lambda: own_table["widths"][0], "sentence": lambda: own_table["width"]}
    width = window.get(network["kind"], lambda: 1)()
    layers = ["layer-0"] if "layer-0.weight" in arrays else [f"{t}.output" for t in meta["tasks"]]
    for layer in layers:
        weights = arrays[f"{layer}.weight"]
        rows = np.arange(len(weights)).reshape(width, -1)  # (window, features)
        parts = np.split(rows, [words.size, start, start + size], axis=1)
        order = np.concatenate([parts[0], parts[2], parts[1], parts[3]], axis=1)
        arrays[f"{layer}.weight"] = weights[order.ravel()]
    forms.remove("case")
    return size
