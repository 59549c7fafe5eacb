"""Sentences as a network at tagging time takes them."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna.decoding.requests import Request
from senna.inference.networks.base import Network, load_network, tag_ids
from senna.inference.workspace import Block, Workspace
from senna.kinds.roles.head import Constituents
from senna.model.folder import read_model
from senna.text.capitals import as_read
from tests import toys

Sentences = list[list[str]]
LENGTHS = [1, 12, 2_000, 1, 0, 40, 7, *range(2, 40)]


def load(path: Path) -> Network:
    folder = read_model(path)
    return load_network(folder, {})


def words(seed: int, lengths: list[int]) -> Sentences:
    """Random sentences of some lengths."""
    random = np.random.default_rng(seed)
    known = toys.WORDS + toys.UNSEEN + [f"w{letter}x" for letter in "abcdefghijklmnop"]
    return [[known[i] for i in random.integers(0, len(known), n)] for n in lengths]


class Text:
    """Some sentences, encoded by a network."""

    def __init__(
        self,
        network: Network,
        forms: Sentences,
        tags: dict[str, Sentences] | None = None,
        space: Workspace | None = None,
        trees: Constituents = (),
    ) -> None:
        space = space or Workspace()
        first = network.first
        self.network, self.lengths = network, np.array([len(s) for s in forms], np.int64)
        flat, places = space.number(list(map(as_read, forms)), network.margin)
        ids = {
            name: tag_ids(known, (tags or {})[name], flat, places)
            for name, known in first.vocabularies.items()
        }
        marks = first.phrases and first.phrases.marks(forms, flat, places)
        self.block = Block(flat, places, self.lengths, ids, marks, forms, {"psg": trees})
        self.x = network.encode(self.block, space)

    def scores(self, task: str) -> NDArray[np.float32]:
        """The emissions of a task, (n_words, n_tags), tags as in the head's `names`."""
        head: Any = self.network.heads[task]
        found: NDArray[np.float32] = head.scores(self.x, self.lengths)
        return found

    def annotate(
        self, task: str, places: list[list[int]] | None = None, trees: Constituents = ()
    ) -> list[Any]:
        """What the task finds; of roles their tags, as the network has them."""
        head: Any = self.network.heads[task]
        if places is None or not hasattr(head, "role_tags"):
            return list(head(self.x, self.block))
        block = self.block._replace(earlier={"psg": trees})
        tags: list[Any] = head.role_tags(self.x, block, Request(predicates=places))
        return tags
