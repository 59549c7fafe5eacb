"""Older formats of model.toml in the shape of the newest."""

from __future__ import annotations

from typing import Any

# What format 1 had in [network] for each kind, and what it is called in the table of the kind.
_KEYS = {
    "window": {"window": "widths", "hidden": "hidden", "shared": "shared"},
    "sentence": {"window": "width", "units": "units", "hidden": "hidden"},
    "gated": {name: name for name in ("units", "width", "dilations", "pair_dilations", "distance")},
}
_LISTS = {("sentence", "window"), ("sentence", "hidden")}  # of one number; now the number


def upgrade(meta: dict[str, Any]) -> dict[str, Any]:
    """The model.toml of format 1 with the tables of format 2; what is damaged stays as it is."""
    network, features, files = (meta.get(key) for key in ("network", "features", "files"))
    made = dict(meta)
    if isinstance(network, dict):
        made["network"] = _network(network)
    if isinstance(features, dict) and isinstance(files, dict):
        tags = [name for name in ("pos", "pt0") if f"{name}.npy" in files]
        made["features"] = {"tags": tags, **features}
    return made


def _network(old: dict[str, Any]) -> dict[str, Any]:
    kind = old.get("kind", "window")
    keys = _KEYS.get(kind) if isinstance(kind, str) else None
    if keys is None or isinstance(old.get(kind), dict):
        return old
    table = {}
    for key in (key for key in keys if key in old):
        value, one = old[key], (kind, key) in _LISTS
        table[keys[key]] = (
            value[0] if one and isinstance(value, list) and len(value) == 1 else value
        )
    rest = {key: value for key, value in old.items() if key not in keys}
    return {**rest, "kind": kind, kind: table}
