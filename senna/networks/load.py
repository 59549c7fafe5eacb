"""From a model folder to its network, whose module is imported by the name of its kind."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from senna import toml
from senna.errors import SennaError
from senna.lazy import lab_module
from senna.model.folder import ModelFolder
from senna.networks import ENSEMBLES, KINDS, is_core, tagger_of
from senna.networks.base import Network
from senna.products.lookup import WordTable, load_words


def load_network(folder: ModelFolder, bases: dict[Path, WordTable]) -> Network:
    """The network of a model folder, of the kind that its model.toml names.

    bases: the base tables that are loaded already; one that the folder needs is added.
    """
    if folder.meta["network"]["kind"] in ENSEMBLES:
        ensemble = import_module("senna.lab.ensembles.network")
        members = [load_network(member, bases) for member in ensemble.members_of(folder)]
        joined: Network = ensemble.EnsembleNetwork(folder, members)
        return joined
    words = load_words(folder, bases)
    table, where = folder.meta["network"], str(folder.path / "model.toml")
    kind = table["kind"]
    if kind not in KINDS:
        what = f"network.kind = {kind!r:.60} is not known"
        raise SennaError(what, where=where, mend="Install a newer senna.")
    if not is_core(kind) or folder.meta["features"].get("states"):
        of_lab: Network = lab_module("networks.tagging").TorchNetwork(folder, words)
        return of_lab
    unit = (table.get(kind) or {}).get("unit", "hardtanh")
    if unit != "hardtanh":
        raise SennaError(f"network.{kind}.unit is no setting any more: {unit!r:.60}", where=where)
    make: type[Network] = tagger_of(kind)
    settings = toml.build(
        make.SETTINGS, table.get(kind), where=where, key=f"network.{kind}", strict=False
    )
    return make(folder, words, settings)  # type: ignore[call-arg]
