"""The networks at tagging time, each the twin of one in `senna.training.networks`."""

from __future__ import annotations

from senna.errors import SennaError
from senna.infer.lookup import WordTable
from senna.infer.network import Network
from senna.infer.networks.gated import GatedNetwork
from senna.infer.networks.sentence import SentenceNetwork
from senna.infer.networks.window import WindowNetwork
from senna.model.folder import ModelFolder

KINDS = {"window": WindowNetwork, "sentence": SentenceNetwork, "gated": GatedNetwork}


def load_network(folder: ModelFolder, words: WordTable) -> Network:
    """The network of a model folder, of the kind that its model.toml names."""
    kind = folder.meta["network"]["kind"]
    if kind not in KINDS:
        what = f"a network of the kind {kind!r}"
        raise SennaError(what, where=str(folder.path), mend="Install a newer senna.")
    return KINDS[kind](folder, words)
