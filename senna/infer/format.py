"""Older model folders: their model.toml read as if it were of the newest format."""

from __future__ import annotations

from typing import Any

_FLAT = {  # format 1 had the keys of all networks in one table
    "window": {"window": "widths", "hidden": "hidden", "shared": "shared"},
    "sentence": {"window": "width", "units": "units", "hidden": "hidden"},
    "gated": {name: name for name in ("units", "width", "dilations", "pair_dilations", "distance")},
}


def upgrade(meta: dict[str, Any]) -> dict[str, Any]:
    """The contents of a model.toml of format 1, in format 2."""
    meta = dict(meta, format=2)
    if "features" in meta:
        tags = [name for name in ("pos", "pt0") if f"{name}.npy" in meta["files"]]
        meta["features"] = dict(meta["features"], tags=tags)
    if "network" in meta:
        old = dict(meta["network"])
        kind = old.pop("kind", "window")
        own = {new: old.pop(name) for name, new in _FLAT.get(kind, {}).items() if name in old}
        if kind == "sentence":
            own = {"width": own["width"][0], "units": own["units"], "hidden": own["hidden"][0]}
        meta["network"] = {"kind": kind, **old, kind: own}
    return meta
