"""The networks, one file each; `senna.infer` has a twin of each that tags."""

from senna.training.networks.gated import GatedTagger
from senna.training.networks.model import Model
from senna.training.networks.sentence import SentenceTagger
from senna.training.networks.window import WindowTagger

NETWORKS: dict[str, type[Model]] = {  # by `network.kind`
    "window": WindowTagger,
    "sentence": SentenceTagger,
    "gated": GatedTagger,
}
