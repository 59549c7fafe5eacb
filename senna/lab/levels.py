"""Trees as levels of tags: what is a constituent of words, of these and words, and so on.

At the first level the nodes of a sentence are its words. The tags of a level say, in IOBES, which
neighbouring nodes make a constituent, and of which label (a chain of constituents over the same
words is one label, see `senna.annotation.trees`). At the next level each is one node. So
constituents of all levels nest, whatever the tags.

A constituent belongs to the first level at which all its children are nodes. Those of one word
therefore belong to the first level, and no other has a tag S: from the second level on each
constituent is of two nodes or more, so each level has fewer nodes than the one before. A sentence
ends where one node is left, or where a level brings nothing new; what is left then hangs on TOP. So
n words have at most n levels. (With tags that break the rules above, 2 n: each level has fewer
nodes, or fewer that are words.)

Labels are numbers, 0 for a word; tags are 0 for O, and 4 (label - 1) + 1, 2, 3, 4 for B, I, E, S,
as in `senna.annotation.schemes.all_tags`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from senna.annotation.schemes import Phrase, all_tags
from senna.annotation.trees import Tree
from senna.decoding.viterbi import FORBIDDEN, Roles
from senna.inference.exact import Floats
from senna.inference.workspace import Block, Ints
from senna.kinds.settings import TreeConfig
from senna.kinds.trees import head as heads
from senna.lab.torch_tagger import one_thread
from senna.model.folder import ModelFolder
from senna.registry import CRITERIA
from senna.settings import make
from senna.training.config import NetworkConfig
from senna.training.criteria import GoldBatch
from senna.training.heads.base import Head, NetworkOptions, Place
from senna.training.heads.trees import trees_of
from senna.training.iobes_crf import Transitions
from senna.training.layers.batch import Batch
from senna.training.layers.gated import GatedLayer
from senna.training.layers.weights import Arrays, array_of, linear, view_of
from senna.training.start_from import take_factors

WIDEST = 10  # nodes of more words count as so wide
B, I, E, S = range(1, 5)  # noqa: E741

WIDTH = 3  # nodes that each convolution sees


def outermost_first(phrases: Iterable[Phrase]) -> list[Phrase]:
    """Constituents of different spans, each before its parts."""
    return sorted(phrases, key=lambda phrase: (phrase.start, -phrase.end))


class Nodes(NamedTuple):
    """Some constituents and words: those of a level in order, sentences end to end.

    Of each (n,): the number of its sentence, its first and its last word there, and its label.
    """

    sentences: Ints
    first: Ints
    last: Ints
    labels: Ints

    @classmethod
    def words(cls, lengths: Ints) -> Nodes:
        """The first level of sentences of some lengths."""
        words = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return cls(np.repeat(np.arange(len(lengths)), lengths), words, words, np.zeros_like(words))

    def take(self, rows: NDArray[np.bool_] | Ints) -> Nodes:
        """Some of them."""
        return Nodes(*(column[rows] for column in self))

    @property
    def lengths(self) -> Ints:
        """The nodes of each sentence that has any, from left to right."""
        sentences = self.sentences
        starts = np.flatnonzero(np.diff(sentences, prepend=-1))
        return np.diff(starts, append=len(sentences))

    def merged(self, tags: Ints) -> Nodes:
        """These nodes with each constituent that the tags (n,) mark as one node."""
        first = self._first(tags)
        last = np.append(first[1:], True)[: len(first)]
        labels = np.where(tags == 0, self.labels, (tags + 3) // 4)
        return Nodes(self.sentences[first], self.first[first], self.last[last], labels[first])

    def constituents(self, tags: Ints) -> Nodes:
        """The constituents that the tags (n,) mark."""
        return self.merged(tags).take(tags[self._first(tags)] > 0)

    def _first(self, tags: Ints) -> NDArray[np.bool_]:
        """Which nodes are the first of a node of the next level, whatever the tags."""
        inside = np.isin(tags % 4, (I, E)) & (tags > 0)
        return ~inside | (np.diff(self.sentences, prepend=-1) > 0)

    def next(self, tags: Ints) -> Nodes:
        """The next level, of the sentences that have one."""
        above = self.merged(tags)
        n = int(self.sentences.max(initial=-1)) + 1
        nodes = [np.bincount(level.sentences, minlength=n) for level in (self, above)]
        words = [
            np.bincount(level.sentences[level.labels == 0], minlength=n) for level in (self, above)
        ]
        new = (nodes[1] < nodes[0]) | (words[1] < words[0])
        return above.take((new & (nodes[1] > 1))[above.sentences])

    def tags(self, constituents: Nodes) -> Ints:
        """Tags (n,) that mark some constituents of these nodes."""
        tags = np.zeros(len(self.labels), np.int64)
        offsets, others = self.sentences << 32, constituents.sentences << 32
        starts = np.searchsorted(offsets + self.first, others + constituents.first)
        ends = np.searchsorted(offsets + self.last, others + constituents.last)
        sizes = ends - starts + 1
        before = np.repeat(np.cumsum(sizes) - sizes, sizes)
        inside = np.repeat(starts, sizes) + np.arange(sizes.sum()) - before
        base = 4 * (constituents.labels - 1)
        tags[inside] = np.repeat(base, sizes) + I
        tags[starts], tags[ends] = base + B, base + E
        single = starts == ends
        tags[starts[single]] = base[single] + S
        return tags


def levels(constituents: Nodes, lengths: Ints) -> Iterator[tuple[Nodes, Ints]]:
    """The nodes and tags of each level of trees; lengths (n_sentences,) in words.

    `constituents` are those of the trees, each before its parts. Each level has some of them in
    each sentence, but for that of a sentence of one word, which may have none.
    """
    heights = _heights(constituents)
    n_levels = (lengths == 1).astype(np.int64)  # of each sentence
    np.maximum.at(n_levels, constituents.sentences, heights)
    nodes = Nodes.words(lengths)
    for level in range(1, int(n_levels.max(initial=0)) + 1):
        nodes = nodes.take(n_levels[nodes.sentences] >= level)
        tags = nodes.tags(constituents.take(heights == level))
        yield nodes, tags
        nodes = nodes.merged(tags)


def _heights(constituents: Nodes) -> Ints:
    """How many constituents stand one below the other in each, itself included."""
    heights = np.zeros(len(constituents.labels), np.int64)
    below: list[tuple[int, int, int, int]] = []  # whose parent has not come yet
    rows = list(zip(*(column.tolist() for column in constituents), strict=True))
    for i in range(len(rows) - 1, -1, -1):
        sentence, first, last, _ = rows[i]
        height = 0
        while below and below[-1][0] == sentence and below[-1][2] <= last:
            height = max(height, below.pop()[3])
        heights[i] = height + 1
        below.append((sentence, first, last, height + 1))
    return heights


# --------------------------------------------------------------------------- paths

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


# --------------------------------------------------------------------------- network

TOGETHER = 32  # levels of like length whose paths are summed up in step


class LevelHead(Head):
    """Tags of nodes by levels (`senna.lab.levels.nodes`); emissions are the encoder's units."""

    def __init__(self, place: Place) -> None:
        super().__init__(place._replace(names=all_tags(place.names[1:])))
        self.labels = place.names
        self.transitions = Transitions(len(self.names))
        self.tree: TreeConfig = place.options.network.tree

    @property
    def settings(self) -> dict[str, Any]:
        return {"tree": asdict(self.tree)}

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """The units (n_sentences, n_steps, size) as they are."""
        return x

    def scores(self, x: Tensor, nodes: Nodes, is_first: NDArray[np.bool_], lengths: Ints) -> Tensor:
        """Emissions (n_nodes, n_tags) of nodes of some levels, end to end.

        x (n_sentences, n_steps, size); is_first (n_nodes,): of the first level of a sentence;
        lengths: nodes of each level.
        """
        starts = nodes.sentences * x.shape[1]
        labels = np.where(is_first, len(self.labels), nodes.labels)
        widths = nodes.last - nodes.first + 1
        rows = np.stack([starts + nodes.first, starts + nodes.last, labels, widths])
        inner = torch.from_numpy(rows).to(x.device), torch.from_numpy(lengths).to(x.device)
        emissions: Tensor = self.output(self.layers(x.flatten(0, 1), *inner))
        ruled_out = emissions.new_zeros(len(self.names))
        ruled_out[S::4] = FORBIDDEN
        later = torch.from_numpy(~is_first).to(emissions)
        return emissions + later[:, None] * ruled_out

    def loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """The sentence-level criterion on the levels of the gold trees, summed."""
        assert batch.brackets is not None
        sentences, first, last, labels = batch.brackets[batch.brackets[:, 3] > 0].T.cpu().numpy()
        spans = Nodes(sentences, first, last, labels)
        gold_levels = list(levels(spans, batch.lengths.cpu().numpy()))
        if not gold_levels:  # no sentence has a constituent
            return 0 * emissions.sum()
        nodes = Nodes(*map(np.concatenate, zip(*(n for n, _ in gold_levels), strict=True)))
        lengths = np.concatenate([level.lengths for level, _ in gold_levels])
        is_first = np.arange(len(nodes.labels)) < len(gold_levels[0][1])
        scores = self.scores(emissions, nodes, is_first, lengths)
        gold = torch.from_numpy(np.concatenate([tags for _, tags in gold_levels]))
        gold = gold.to(scores.device)
        order = np.argsort(-lengths, kind="stable")
        starts = np.cumsum(lengths) - lengths
        total = scores.new_zeros(())
        for begin in range(0, len(order), TOGETHER):
            rows = order[begin : begin + TOGETHER]
            # Beyond a level's end any row does: nothing looks at it.
            steps = np.minimum(starts[rows, None] + np.arange(lengths[rows[0]]), len(gold) - 1)
            index = torch.from_numpy(steps).to(scores.device)
            paths = GoldBatch(gold[index], torch.from_numpy(lengths[rows]).to(scores.device))
            total = total + CRITERIA["sentence"].loss(scores[index], paths, self.transitions)
        return total

    def predict(self, emissions: Tensor, batch: Batch) -> list[Tree]:
        lengths = batch.lengths.cpu().numpy()
        return trees_of(self.spans(emissions, lengths), lengths)

    def spans(self, emissions: Tensor, lengths: Ints) -> list[list[Phrase]]:
        """The constituents of sentences, each before its parts."""
        nodes, is_first = Nodes.words(lengths), True
        spans: list[list[Phrase]] = [[] for _ in lengths]
        moves = self.transitions
        paths = LevelPaths(*map(array_of, (moves.between, moves.within, moves.initial)))
        while n := len(nodes.labels):
            scores = self.scores(emissions, nodes, np.full(n, is_first), nodes.lengths)
            tags = paths.tags(scores.cpu().numpy()[:, paths.columns], nodes.lengths, is_first)
            for s, a, b, k in zip(*(o.tolist() for o in nodes.constituents(tags)), strict=True):
                spans[s].append(Phrase(a, b + 1, self.labels[k]))
            nodes, is_first = nodes.next(tags), False
        return list(map(outermost_first, spans))


class NodeLayers(nn.Module):
    """Layers over the nodes of a level, each with its neighbours."""

    def __init__(
        self,
        size: int,
        settings: TreeConfig,
        n_labels: int,
        convolutions: Sequence[Any],
        dropout: float,
        widest: int = WIDEST,
    ) -> None:
        """convolutions: over nodes, `senna.training.layers.gated.GatedLayer`."""
        super().__init__()
        units, self.widest = settings.node, widest
        self.first = nn.Linear(size, units)
        self.last = nn.Linear(size, units, bias=False)
        self.label = nn.Embedding(n_labels + 1, units)  # the last row: a word of the first level
        self.width = nn.Embedding(self.widest, units)
        self.convolutions = nn.ModuleList(convolutions)
        self.reach = max((c.width // 2 * c.dilation for c in convolutions), default=0)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, nodes: Tensor, lengths: Tensor) -> Tensor:
        """Units (n_nodes, units) of the nodes of several levels, end to end.

        x (n_words, size); nodes (4, n_nodes): the rows in x of a node's first and last word, its
        label and its width; lengths: nodes of each level.
        """
        first, last, labels, widths = nodes
        y = self.first(x)[first] + self.last(x)[last]
        y = y + self.label(labels) + self.width((widths - 1).clamp_max(self.widest - 1))
        # One long row, with so much room between levels that no convolution sees two of them.
        numbers = torch.arange(len(lengths), device=x.device).repeat_interleave(lengths)
        places = torch.arange(len(labels), device=x.device) + self.reach * numbers
        row = y.new_zeros(1, int(places[-1]) + 1, y.shape[1])
        inside = row.new_zeros(1, row.shape[1], 1)
        row[0, places], inside[0, places] = self.dropout(functional.relu(y)), 1.0
        for layer in self.convolutions:
            row = layer(row, inside)
        mixed: Tensor = self.dropout(functional.layer_norm(row[0, places], row.shape[2:]))
        return mixed

    def arrays(self, task: str) -> Arrays:
        """Their weights, by their names in the model folder."""
        arrays = linear(f"{task}.first", self.first) | linear(f"{task}.last", self.last)
        for name in ("label", "width"):
            arrays[f"{task}.{name}"] = view_of(getattr(self, name).weight)
        convolutions: Any = self.convolutions
        for i, layer in enumerate(convolutions):
            arrays |= layer.arrays(f"{task}.gated-{i}")
        return arrays


class HeadOfFolder(heads.TreeHead):
    """The parser at tagging time, with the weights of a model folder."""

    def __init__(self, folder: ModelFolder, task: str, size: int, table: Any) -> None:
        """For an encoder that gives `size` numbers per word; table: `network.tree`."""
        where = str(folder.path / "model.toml")
        tree = make(TreeConfig, table, where=where, key="network.tree", strict=False)
        tree = replace(tree, node=len(folder.array(f"{task}.first.bias", None)))
        names = heads.read_labels(folder, task)
        widest = folder.meta["files"][f"{task}.width.npy"]["shape"][0]
        tables: dict[str, Any] = {"tree": tree}
        options = NetworkOptions(replace(NetworkConfig(), **tables))
        self.head = head(Place(task, names, size, options), widest).eval()
        take_factors(self.head.layers.convolutions, folder, f"{task}.gated")
        for name, place in self.head.arrays(task).items():
            place[...] = folder.array(name, *place.shape)

    def __call__(self, x: Floats, block: Block, request: object = None) -> list[list[Phrase]]:
        spans: list[list[Phrase]] = [[] for _ in block.lengths]
        some = np.flatnonzero(block.lengths)
        lengths = block.lengths[some]
        rows = torch.split(torch.from_numpy(x), lengths.tolist())
        if len(some):
            with one_thread(), torch.no_grad():
                padded = nn.utils.rnn.pad_sequence(list(rows), batch_first=True)
                found = self.head.spans(padded, lengths)
            for i, phrases in zip(some.tolist(), found, strict=True):
                spans[i] = phrases
        return spans


def head(place: Place, widest: int = WIDEST) -> LevelHead:
    """The parser above a network that gives `place.units` numbers per word."""
    tree: TreeConfig = place.options.network.tree
    dropout = place.options.train.dropout_hidden
    convolutions = [GatedLayer(tree.node, WIDTH, d, dropout) for d in tree.node_dilations]
    layers = NodeLayers(place.units, tree, len(place.names), convolutions, dropout, widest)
    return LevelHead(place._replace(units=tree.node, layers=layers))


HEADS = {"levels": head}
DECODERS = {"levels": HeadOfFolder}
