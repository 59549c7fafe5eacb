"""Trees level by level, from the words up: see `senna.lab.levels.nodes`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from senna.heads.settings import WIDTH, TreeConfig
from senna.heads.trees import TreeHead, read_labels
from senna.lab.levels.nodes import Nodes
from senna.model.folder import ModelFolder
from senna.paths.viterbi import Roles
from senna.products.convolutions import Convolutions
from senna.products.exact import Floats, Weights, product
from senna.products.workspace import Block, Ints
from senna.text.schemes import Phrase
from senna.toml import build

NEVER = np.float32(-np.inf)


class LevelPaths(Roles):
    """The best paths through the tags of a level: of those that have a constituent.

    Without it, one constituent that is missed would keep all others waiting for it. So the nodes
    before the first constituent are a kind of phrase of their own here, the last kind, which scores
    as O does, begins the level or is not there, and cannot end it. After it O begins no level.
    """

    def __init__(self, between: Floats, within: Floats, initial: Floats) -> None:
        """Arrays of n kinds as for `Roles`."""
        n = within.shape[1]
        wider = np.full((n + 2, n + 2), NEVER, np.float32)
        wider[:-1, :-1] = between
        wider[-1, 1:-1] = between[0, 1:]
        before = np.full((4, 1), between[0, 0], np.float32)
        first = np.concatenate([[NEVER], initial[1:], initial[:1]]).astype(np.float32)
        super().__init__(wider, np.concatenate([within, before], axis=1), first)
        # Of the network's tags, which is scored in each place of `order`.
        self.columns = np.where(self.order > 4 * n, 0, self.order)

    def tags(self, scores: Floats, lengths: Ints, is_first: bool) -> Ints:
        """Tags (n_nodes,) of a level of sentences, of scores (n_nodes, n_columns), used up.

        lengths (n_sentences,): their nodes, none without; is_first: these are words.
        """
        ends = np.cumsum(lengths)
        scores[ends - lengths, self.e] = scores[ends - lengths, self.i] = NEVER
        several = ends[lengths > 1] - 1
        scores[several, self.e.stop - 1] = scores[several, self.s.stop - 1] = NEVER
        if not is_first:
            scores[:, self.s.start : self.s.stop - 1] = NEVER
        tags = self.order[self.decode(scores, lengths)]
        tags[tags > 4 * (self.n_kinds - 1)] = 0
        return tags


class LevelHead(TreeHead):
    """Tags of nodes, level by level, all sentences together."""

    def __init__(
        self, folder: ModelFolder, task: str, size: int, mix: Callable[[Floats, Ints], None]
    ) -> None:
        """For the encoder's output of `size` numbers per word.

        mix: the convolutions over nodes (n_nodes, units), in place, and the nodes of each sentence.
        """
        self.mix, self.labels = mix, read_labels(folder, task)
        n = len(self.labels) - 1
        self.first_bias = folder.array(f"{task}.first.bias", None)
        units = len(self.first_bias)
        self.first, self.last = (
            Weights.of(folder.array(f"{task}.{name}.weight", size, units))
            for name in ("first", "last")
        )
        self.label = folder.array(f"{task}.label", n + 2, units)
        self.width = folder.array(f"{task}.width", None, units)
        self.paths = LevelPaths(
            folder.array(f"{task}.between", n + 1, n + 1),
            folder.array(f"{task}.within", 4, n),
            folder.array(f"{task}.initial", n + 1),
        )
        columns = self.paths.columns
        self.output = Weights.of(
            folder.array(f"{task}.output.weight", units, 4 * n + 1)[:, columns]
        )
        self.output_bias = folder.array(f"{task}.output.bias", 4 * n + 1)[columns]

    def __call__(self, x: Floats, block: Block, request: object = None) -> list[list[Phrase]]:
        """See `TreeHead`; sentences of any length, as time does not grow faster than that."""
        return self.find(x, block.lengths)

    def find(self, x: Floats, lengths: Ints) -> list[list[Phrase]]:
        """See `TreeHead.find`."""
        first, last = product(x, self.first), product(x, self.last)
        first += self.first_bias
        starts = np.cumsum(lengths) - lengths
        nodes, is_first = Nodes.words(lengths), True
        told = []
        while len(nodes.labels):
            before = starts[nodes.sentences]
            scores = self.scores(
                first[before + nodes.first], last[before + nodes.last], nodes, is_first
            )
            tags = self.paths.tags(scores, nodes.lengths, is_first)
            told.append(nodes.constituents(tags))
            nodes, is_first = nodes.next(tags), False
        return self._phrases(told, len(lengths))

    def scores(self, first: Floats, last: Floats, nodes: Nodes, is_first: bool) -> Floats:
        """Emissions of a level, (n_nodes, n_columns), as the paths have `columns`.

        first, last (n_nodes, units): of their first and last words; is_first: it is the first
        level of its sentences.
        """
        first += last
        first += self.label[-1] if is_first else self.label[nodes.labels]
        widest = len(self.width) - 1
        first += self.width[np.minimum(nodes.last - nodes.first, widest)]
        np.maximum(first, 0, out=first)
        self.mix(first, nodes.lengths)
        emissions = product(first, self.output)
        emissions += self.output_bias
        return emissions

    def _phrases(self, told: list[Nodes], n_sentences: int) -> list[list[Phrase]]:
        """The constituents of all levels as those of sentences, each before its parts."""
        phrases: list[list[Phrase]] = [[] for _ in range(n_sentences)]
        if told:
            nodes = Nodes(*map(np.concatenate, zip(*told, strict=True)))
            nodes = nodes.take(np.lexsort((-nodes.last, nodes.first, nodes.sentences)))
            for s, a, b, k in zip(*(array.tolist() for array in nodes), strict=True):
                phrases[s].append(Phrase(a, b + 1, self.labels[k]))
        return phrases


def head(folder: ModelFolder, task: str, units: int, table: object) -> LevelHead:
    """The parser above an encoder that gives `units` numbers per word; table: `network.tree`."""
    where = str(folder.path / "model.toml")
    tree = build(TreeConfig, table, where=where, key="network.tree", strict=False)
    n_units = len(folder.array(f"{task}.first.bias", None))
    layers = Convolutions(folder, f"{task}.gated", n_units, WIDTH, tree.node_dilations)
    return LevelHead(folder, task, units, layers)
