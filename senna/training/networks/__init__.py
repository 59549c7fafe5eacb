"""The networks, each the twin of one in `senna.infer.networks`, which tags."""

from senna.training.network import Network
from senna.training.networks.bag import BagNetwork
from senna.training.networks.convolution import ConvolutionNetwork
from senna.training.networks.gated import GatedNetwork
from senna.training.networks.recurrent import RecurrentNetwork
from senna.training.networks.recursive import RecursiveNetwork
from senna.training.networks.sentence import SentenceNetwork
from senna.training.networks.window import WindowNetwork

KINDS: dict[str, type[Network]] = {  # by `network.kind`
    "window": WindowNetwork,
    "sentence": SentenceNetwork,
    "gated": GatedNetwork,
    "recurrent": RecurrentNetwork,
    "recursive": RecursiveNetwork,
    "convolution": ConvolutionNetwork,
    "bag": BagNetwork,
}
