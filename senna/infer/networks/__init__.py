"""The networks at tagging time, each the twin of one in `senna.training.networks`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from senna import toml
from senna.errors import SennaError
from senna.infer.lookup import WordTable
from senna.infer.network import Network
from senna.infer.networks.bag import BagNetwork
from senna.infer.networks.convolution import ConvolutionNetwork
from senna.infer.networks.gated import GatedNetwork
from senna.infer.networks.recurrent import RecurrentNetwork
from senna.infer.networks.recursive import RecursiveNetwork
from senna.infer.networks.sentence import SentenceNetwork
from senna.infer.networks.window import WindowNetwork
from senna.model.folder import ModelFolder

KINDS: dict[str, type[Network]] = {  # by `network.kind`
    "window": WindowNetwork,
    "sentence": SentenceNetwork,
    "gated": GatedNetwork,
    "recurrent": RecurrentNetwork,
    "recursive": RecursiveNetwork,
    "convolution": ConvolutionNetwork,
    "bag": BagNetwork,
}


def load_network(folder: ModelFolder, words: WordTable) -> Network:
    """The network of a model folder, of the kind that its model.toml names."""
    table, where = folder.meta["network"], str(folder.path / "model.toml")
    kind = table["kind"]
    if states := folder.meta["features"].get("states"):
        what = f"reads the states of a language model ({states}), which only PyTorch computes"
        mend = "It can teach, or be trained on (senna train --from)."
        raise SennaError(what, where=str(folder.path), mend=mend)
    if kind not in KINDS:
        what = f"network.kind = {kind!r:.60} is not known"
        raise SennaError(what, where=where, mend="Install a newer senna.")
    make: Callable[[ModelFolder, WordTable, Any], Network] = KINDS[kind]
    settings = toml.build(
        KINDS[kind].SETTINGS, table.get(kind), where=where, key=f"network.{kind}", strict=False
    )
    return make(folder, words, settings)
