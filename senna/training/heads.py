"""What a task has for itself: layers of the network's kind, an output layer, scores of paths."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from senna.config import Config
from senna.infer.decode.charts import best_spans
from senna.infer.decode.levels import LevelPaths
from senna.infer.labels import several
from senna.outputs import output_of
from senna.text.iobes import FORBIDDEN, all_tags, forbidden
from senna.text.roles import Predicate
from senna.text.schemes import Phrase
from senna.text.trees import Tree
from senna.text.trees.constituents import outermost_first, tree_of
from senna.text.trees.levels import Ints, Nodes, S, levels
from senna.training.examples.batches import Batch
from senna.training.layers.recurrence import ends, last_states
from senna.training.losses.charts import log_trees
from senna.training.losses.criteria import (
    CRITERIA,
    DensePaths,
    Gold,
    GreedyPaths,
    Paths,
    StatePaths,
    WordMargin,
    mask_of,
)
from senna.training.losses.structured import Transitions
from senna.training.weights import Arrays, array_of, linear

TOGETHER = 32  # levels of like length whose paths are summed up in step


class Head(nn.Module):
    """One task's part of a network; `layers` belong to the task, and know their arrays."""

    layers: Any

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        """names (n_tags,): the task's tags; size: what the layers give a word."""
        super().__init__()
        self.names, self.layers = names, layers
        self.criterion = CRITERIA[config.train.criterion]
        self.output = nn.Linear(size, len(names))

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        """The output layer: (n_rows, n_steps, size) to emissions (n_rows, n_steps, n_tags)."""
        emissions: Tensor = self.output(x)
        return emissions

    def loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """The criterion of the configuration on one batch, summed."""
        gold = Gold(batch.gold, batch.gold_lengths, batch.allowed, batch.soft)
        scores, paths = self.split(emissions)
        return self.criterion.loss(scores, gold, paths)

    def predict(self, emissions: Tensor, batch: Batch) -> list[Any]:
        """What is predicted for each sentence, as `Example.gold`: its tags."""
        scores, paths = self.split(emissions)
        lengths = batch.gold_lengths
        best = paths.best(scores, lengths) if self.criterion.paths else scores.argmax(2)
        rows = zip(best.tolist(), lengths.tolist(), strict=True)
        return [[self.names[i] for i in row[:n]] for row, n in rows]

    def split(self, emissions: Tensor) -> tuple[Tensor, Paths]:
        """Of what `forward` gives the scores of tags, (n_rows, n_steps, n_tags), and of paths."""
        return emissions, self.paths()

    def paths(self) -> Paths:
        """The scores of paths through its tags."""
        raise NotImplementedError

    @property
    def settings(self) -> dict[str, Any]:
        """Tables of `network` that a reader must know to compute it."""
        return {}

    def arrays(self, task: str) -> Arrays:
        """Its weights, by their names in the model folder."""
        arrays: Arrays = self.layers.arrays(task) | linear(f"{task}.output", self.output)
        for name, weights in self.named_parameters():
            if not name.startswith(("layers.", "output.")):  # what scores the steps between tags
                arrays[f"{task}.{name.rpartition('.')[2]}"] = array_of(weights)
        return arrays


class TagHead(Head):
    """One tag a word: any tag may follow any, but what IOBES rules out."""

    forbidden: Tensor

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        super().__init__(config, task, names, layers, size)
        n = len(names)
        self.transitions = nn.Parameter(torch.zeros(n, n))
        self.initial = nn.Parameter(torch.zeros(n))
        # Without paths there are none to rule out.
        constrained = config.network.constrained and self.criterion.paths
        phrases = constrained and self._is_iobes(task)
        rules = forbidden(names) if phrases else np.zeros((n + 2, n), np.bool_)
        self.register_buffer("forbidden", torch.from_numpy(rules), persistent=False)

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        """Emissions; tags that cannot end a sentence are ruled out at its last word."""
        emissions: Tensor = self.output(x)
        steps = torch.arange(emissions.shape[1], device=emissions.device)
        last = (steps == lengths[:, None] - 1)[:, :, None]
        return emissions.masked_fill(last & self.forbidden[-1], FORBIDDEN)

    def _is_iobes(self, task: str) -> bool:
        """Whether its tags are phrases."""
        return output_of(task).is_iobes

    def paths(self) -> DensePaths:
        """See `Head.paths`; what IOBES rules out is filled in."""
        transitions = self.transitions.masked_fill(self.forbidden[1:-1], FORBIDDEN)
        return DensePaths(transitions, self.initial.masked_fill(self.forbidden[0], FORBIDDEN))


class WordMoves(nn.Module):
    """A weight vector for each two tags, on the units of the word at the second of them."""

    def __init__(self, size: int, n_tags: int) -> None:
        super().__init__()
        self.fan_in = size
        self.states = nn.Parameter(torch.zeros(size, n_tags, n_tags))

    def forward(self, x: Tensor) -> Tensor:
        """(n_sentences, n_steps, size) to (n_sentences, n_steps, n_tags * n_tags)."""
        return x @ self.states.flatten(1)


class StateHead(TagHead):
    """One tag a word, with transitions that also depend on the word's units, as in a BiLSTM-CRF."""

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        super().__init__(config, task, names, layers, size)
        self.moves = WordMoves(size, len(names))

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        """Emissions as of `TagHead`, and the scores of the moves to each word after them."""
        return torch.cat([super().forward(x, lengths), self.moves(x)], dim=2)

    def split(self, emissions: Tensor) -> tuple[Tensor, Paths]:
        n, paths = len(self.names), self.paths()
        moves = emissions[:, :, n:].reshape(*emissions.shape[:2], n, n)
        return emissions[:, :, :n], StatePaths(*paths, moves)


class GreedyHead(TagHead):
    """One tag a word, from left to right, by the word and the last tags."""

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        super().__init__(config, task, names, layers, size)
        n, network = len(names), config.network
        self.beam = network.beam
        self.earlier = nn.Parameter(torch.zeros(network.history - 1, n, n))

    def split(self, emissions: Tensor) -> tuple[Tensor, Paths]:
        return emissions, GreedyPaths(*self.paths(), self.earlier, self.beam)


class RoleHead(Head):
    """Roles of a predicate's arguments: many tags, whose transitions are tied by label."""

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        super().__init__(config, task, names, layers, size)
        self.transitions = Transitions(len(names))

    def paths(self) -> Transitions:
        return self.transitions

    def predict(self, emissions: Tensor, batch: Batch) -> list[list[Predicate]]:
        """See `Head.predict`: the predicates of each sentence."""
        return _predicates(super().predict(emissions, batch), batch)


class FullRoleHead(TagHead):
    """Roles with a score for each two tags, as other tasks have."""

    def _is_iobes(self, task: str) -> bool:
        return True

    def predict(self, emissions: Tensor, batch: Batch) -> list[list[Predicate]]:
        """See `Head.predict`: the predicates of each sentence."""
        return _predicates(super().predict(emissions, batch), batch)


def _predicates(rows: list[list[str]], batch: Batch) -> list[list[Predicate]]:
    """The tags of each pair of a sentence and a predicate as the predicates of each sentence."""
    assert batch.pairs is not None
    predicates: list[list[Predicate]] = [[] for _ in batch.lengths]
    for (sentence, place), tags in zip(batch.pairs.tolist(), rows, strict=True):
        predicates[sentence].append(Predicate(place, tags))
    return predicates


class TreeHead(Head):
    """Scores of spans, and labels of those of a tree; its emissions are the encoder's units."""

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        """The units (n_sentences, n_steps, size) as they are."""
        return x

    def loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """Negative log-likelihood of trees without labels, and of the labels of their spans."""
        assert batch.brackets is not None
        sentences, first, last, labels = batch.brackets.T
        scores = self.layers.spans(emissions)
        wide = first < last
        gold = scores[sentences[wide], first[wide], last[wide]].sum()
        guesses = self.output(self.layers.labels(emissions, sentences, first, last))
        wrong = functional.cross_entropy(guesses, labels, reduction="sum")
        loss: Tensor = log_trees(scores, batch.lengths) - gold + wrong
        return loss

    def predict(self, emissions: Tensor, batch: Batch) -> list[Tree]:
        """See `Head.predict`: trees, whose words have neither form nor part of speech."""
        lengths = batch.lengths.cpu().numpy()
        scores = self.layers.spans(emissions).cpu().numpy()
        spans = best_spans(scores, lengths)
        sentences, first, last = (torch.from_numpy(rows).to(emissions.device) for rows in spans)
        labels = self.output(self.layers.labels(emissions, sentences, first, last)).argmax(1)
        names = [self.names[i] for i in labels.tolist()]
        phrases: list[list[Phrase]] = [[] for _ in lengths]
        for s, start, end, name in zip(*(rows.tolist() for rows in spans), names, strict=True):
            phrases[s].append(Phrase(start, end + 1, name))
        return _trees(phrases, lengths)


class LevelHead(Head):
    """Tags of nodes by levels (`senna.text.trees.levels`); emissions are the encoder's units."""

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        super().__init__(config, task, all_tags(names[1:]), layers, size)
        self.labels = names
        self.transitions = Transitions(len(self.names))
        self.tree = config.network.tree

    @property
    def settings(self) -> dict[str, Any]:
        return {"tree": asdict(self.tree)}

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
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
            paths = Gold(gold[index], torch.from_numpy(lengths[rows]).to(scores.device))
            total = total + CRITERIA["sentence"].loss(scores[index], paths, self.transitions)
        return total

    def predict(self, emissions: Tensor, batch: Batch) -> list[Tree]:
        """See `Head.predict`: trees, whose words have neither form nor part of speech."""
        lengths = batch.lengths.cpu().numpy()
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
        return _trees(map(outermost_first, spans), lengths)


def _trees(phrases: Iterable[list[Phrase]], lengths: Ints) -> list[Tree]:
    """The trees of some constituents; their words have neither form nor part of speech."""
    words = [[Tree("", word="") for _ in range(n)] for n in lengths.tolist()]
    return list(map(tree_of, phrases, words))


def _means(x: Tensor, inside: Tensor) -> Tensor:
    return (x * inside).sum(1) / inside.sum(1)


def _maxima(x: Tensor, inside: Tensor) -> Tensor:
    return x.masked_fill(inside == 0, -math.inf).amax(1)


def _last(x: Tensor, inside: Tensor) -> Tensor:
    return last_states(x, inside.sum((1, 2)).long())


def _ends(x: Tensor, inside: Tensor) -> Tensor:
    return ends(x, inside.sum((1, 2)).long())


def _k_max(x: Tensor, inside: Tensor, k: int) -> Tensor:
    x = functional.pad(x.masked_fill(inside == 0, -math.inf), (0, 0, 0, k), value=-math.inf)
    places = x.argsort(dim=1, descending=True, stable=True)[:, :k].sort(1)[0]
    largest = x.gather(1, places)
    return largest.masked_fill(largest == -math.inf, 0).flatten(1)


def _regions(x: Tensor, inside: Tensor, k: int) -> Tensor:
    steps = torch.arange(x.shape[1], device=x.device)[:, None]
    lengths = inside.sum((1, 2)).long()[:, None, None]
    parts = []
    for region in range(k):
        here = (steps >= region * lengths // k) & (steps < (region + 1) * lengths // k)
        largest = x.masked_fill(~here, -math.inf).amax(1)
        parts.append(largest.masked_fill(largest == -math.inf, 0))
    return torch.cat(parts, 1)


# By their names in `network.label.pooling`: x (n_sentences, n_steps, size) and where words are
# (n_sentences, n_steps, 1) to (n_sentences, size), or of `SEVERAL` to (n_sentences, k * size).
SEVERAL = {"max": _k_max, "regions": _regions}
POOLING: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "mean": _means,
    "max": _maxima,
    "last": _last,
    "ends": _ends,
}


class VectorHead(Head):
    """One label a sentence, of which there is one vector."""

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        super().__init__(config, task, names, layers, size)
        self.dropout = nn.Dropout(config.train.dropout_hidden)

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        """Scores of labels (n, n_labels), of vectors (n, size)."""
        scores: Tensor = self.output(self.dropout(x))
        return scores

    def loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """The criterion of single words on labels, summed; their likelihood with one of paths."""
        if isinstance(self.criterion, WordMargin):
            right = functional.one_hot(batch.labels, emissions.shape[1]).bool()
            return self.criterion.of_words(emissions, right).sum()
        return functional.cross_entropy(emissions, batch.labels, reduction="sum")

    def predict(self, emissions: Tensor, batch: Batch) -> list[str]:
        """See `Head.predict`: labels."""
        return [self.names[i] for i in emissions.argmax(1).tolist()]


class LabelHead(VectorHead):
    """One label a sentence: the words' units are pooled to its vector."""

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        label = config.network.label
        super().__init__(config, task, names, layers, size * label.width)
        self.pooling = label.pooling

    @property
    def settings(self) -> dict[str, Any]:
        return {"label": {"pooling": list(self.pooling)}}

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        """Scores of labels (n_sentences, n_labels), of units (n_sentences, n_steps, size)."""
        return self.of_inputs([(x, lengths)])

    def of_inputs(self, inputs: Sequence[tuple[Tensor, Tensor]]) -> Tensor:
        """The same of several inputs, each with the lengths of sentences in it."""
        pooled = []
        for x, lengths in inputs:
            inside = mask_of(lengths, x.shape[1])[:, :, None].to(x)
            for name in self.pooling:
                k, kind = several(name)
                pooled.append(POOLING[name](x, inside) if k == 1 else SEVERAL[kind](x, inside, k))
        return super().forward(torch.cat(pooled, dim=1), lengths)


class NodeHead(VectorHead):
    """A label at each node of a binary tree, (n_nodes, size); a sentence's is its root's."""

    def loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """Mean negative log-likelihood of a labelled node (Tsakalos, eq. 5.3), times sentences.

        So its mean a sentence, by which optimisers step, is that of a node.
        """
        assert batch.brackets is not None
        labels = batch.brackets[:, 3]
        return len(batch.lengths) * functional.cross_entropy(emissions, labels, ignore_index=-1)

    def predict(self, emissions: Tensor, batch: Batch) -> list[str]:
        """See `Head.predict`: labels of roots."""
        nodes = 2 * batch.lengths - 1
        return super().predict(emissions[nodes.cumsum(0) - nodes], batch)


# By `Task.head`; "levels" is a parser of trees, "nodes" gives labels to the nodes of one, "vectors"
# to sentences that are one vector.
HEADS: dict[str, type[Head]] = {
    "tags": TagHead,
    "roles": RoleHead,
    "trees": TreeHead,
    "levels": LevelHead,
    "labels": LabelHead,
    "nodes": NodeHead,
    "vectors": VectorHead,
}
BY_TRANSITIONS: dict[tuple[str, str], type[Head]] = {  # others, by `network.transitions`
    ("roles", "full"): FullRoleHead,
    ("tags", "state"): StateHead,
}


def head_class(kind: str, config: Config) -> type[Head]:
    """The head of a kind, as in `HEADS` if transitions or criterion do not want another."""
    if kind == "tags" and config.train.criterion == "greedy":
        return GreedyHead
    return BY_TRANSITIONS.get((kind, config.network.transitions), HEADS[kind])
