"""What a task has for itself: layers of the network's kind, an output layer, scores of paths."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from senna.config import Config
from senna.infer.decode.charts import best_spans
from senna.infer.decode.levels import LevelPaths
from senna.infer.decode.paths import Dense, Roles
from senna.outputs import output_of
from senna.text.constituents import in_order, tree_of
from senna.text.iobes import FORBIDDEN, all_tags, forbidden
from senna.text.levels import Ints, Nodes, S, levels
from senna.text.roles import Predicate
from senna.text.schemes import Phrase
from senna.text.trees import Tree
from senna.training import criteria
from senna.training.arrays import Arrays, array_of, linear
from senna.training.batches import Batch
from senna.training.charts import log_trees
from senna.training.structured import Transitions

Scores = NDArray[np.float32]
TOGETHER = 32  # levels of like length whose paths are summed up in step


class Head(nn.Module):
    """One task's part of a network; `layers` are its own, and know their arrays."""

    layers: Any

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        """names (n_tags,): the task's tags; size: what the layers give a word."""
        super().__init__()
        self.names, self.layers, self.criterion = names, layers, config.train.criterion
        self.output = nn.Linear(size, len(names))

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        """The output layer: (n_rows, n_steps, size) to emissions (n_rows, n_steps, n_tags)."""
        emissions: Tensor = self.output(x)
        return emissions

    def loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """The criterion of the configuration on one batch, summed."""
        if self.criterion == "word":
            gold, lengths = batch.gold, batch.gold_lengths
            return criteria.word_level(emissions, gold, lengths, batch.allowed)
        return self.path_loss(emissions, batch)

    def found(self, emissions: Tensor, batch: Batch) -> list[Any]:
        """What is found in each sentence, as `Example.gold`: its tags."""
        paths = self.best(emissions, batch.gold_lengths)
        lengths = batch.gold_lengths.tolist()
        return [[self.names[i] for i in paths[:n, row]] for row, n in enumerate(lengths)]

    def best(self, emissions: Tensor, lengths: Tensor) -> NDArray[np.intp]:
        """The numbers of the tags on the best paths, (n_steps, n_rows)."""
        scores = emissions.cpu().numpy()
        if self.criterion == "word":
            found: NDArray[np.intp] = scores.argmax(2).T
            return found
        return self.best_paths(scores.transpose(1, 2, 0), lengths.cpu().numpy().astype(np.int32))

    def path_loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """The sentence-level criterion."""
        raise NotImplementedError

    def best_paths(self, scores: Scores, lengths: NDArray[np.int32]) -> NDArray[np.intp]:
        """Viterbi on scores (n_steps, n_tags, n_rows)."""
        raise NotImplementedError

    def arrays(self, task: str) -> Arrays:
        """Its weights, by their names in the model folder."""
        found: Arrays = self.layers.arrays(task) | linear(f"{task}.output", self.output)
        for name, own in self.named_parameters():
            if not name.startswith(("layers.", "output.")):  # what scores the steps between tags
                found[f"{task}.{name.rpartition('.')[2]}"] = array_of(own)
        return found


class TagHead(Head):
    """One tag a word: any tag may follow any, but what IOBES rules out."""

    forbidden: Tensor

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        super().__init__(config, task, names, layers, size)
        n = len(names)
        self.transitions = nn.Parameter(torch.zeros(n, n))
        self.initial = nn.Parameter(torch.zeros(n))
        # The word-level criterion knows no paths, so it has none to rule out.
        constrained = config.network.constrained and self.criterion == "sentence"
        phrases = constrained and output_of(task).gives != "tags"
        rules = forbidden(names) if phrases else np.zeros((n + 2, n), np.bool_)
        self.register_buffer("forbidden", torch.from_numpy(rules), persistent=False)

    def forward(self, x: Tensor, lengths: Tensor) -> Tensor:
        """Emissions; tags that cannot end a sentence are ruled out at its last word."""
        emissions: Tensor = self.output(x)
        steps = torch.arange(emissions.shape[1], device=emissions.device)
        last = (steps == lengths[:, None] - 1)[:, :, None]
        return emissions.masked_fill(last & self.forbidden[-1], FORBIDDEN)

    def path_scores(self) -> tuple[Tensor, Tensor]:
        """transitions (n_tags, n_tags) and initial (n_tags,), what IOBES rules out filled in."""
        transitions = self.transitions.masked_fill(self.forbidden[1:-1], FORBIDDEN)
        return transitions, self.initial.masked_fill(self.forbidden[0], FORBIDDEN)

    def path_loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """See `Head.path_loss`."""
        lengths, paths = batch.gold_lengths, self.path_scores()
        return criteria.sentence_level(emissions, batch.gold, lengths, *paths, batch.allowed)

    def best_paths(self, scores: Scores, lengths: NDArray[np.int32]) -> NDArray[np.intp]:
        """See `Head.best_paths`."""
        paths = Dense(*map(array_of, self.path_scores()))
        return paths.best(np.ascontiguousarray(scores), lengths)


class RoleHead(Head):
    """Roles of a predicate's arguments: many tags, by the structure of IOBES."""

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        super().__init__(config, task, names, layers, size)
        self.transitions = Transitions(len(names))

    def path_loss(self, emissions: Tensor, batch: Batch) -> Tensor:
        """See `Head.path_loss`."""
        return self.transitions.loss(emissions, batch.gold, batch.gold_lengths)

    def best_paths(self, scores: Scores, lengths: NDArray[np.int32]) -> NDArray[np.intp]:
        """See `Head.best_paths`."""
        own = self.transitions
        paths = Roles(*map(array_of, (own.between, own.within, own.initial)))
        return paths.order[paths.best(np.ascontiguousarray(scores[:, paths.order]), lengths)]

    def found(self, emissions: Tensor, batch: Batch) -> list[list[Predicate]]:
        """See `Head.found`: the predicates of each sentence."""
        assert batch.pairs is not None
        found: list[list[Predicate]] = [[] for _ in batch.lengths]
        for (sentence, place), tags in zip(
            batch.pairs.tolist(), super().found(emissions, batch), strict=True
        ):
            found[sentence].append(Predicate(place, tags))
        return found


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

    def found(self, emissions: Tensor, batch: Batch) -> list[Tree]:
        """See `Head.found`: trees, whose words have neither form nor part of speech."""
        lengths = batch.lengths.cpu().numpy()
        scores = self.layers.spans(emissions).cpu().numpy()
        spans = best_spans(scores, lengths)
        sentences, first, last = (torch.from_numpy(own).to(emissions.device) for own in spans)
        labels = self.output(self.layers.labels(emissions, sentences, first, last)).argmax(1)
        names = [self.names[i] for i in labels.tolist()]
        found: list[list[Phrase]] = [[] for _ in lengths]
        for s, start, end, name in zip(*(own.tolist() for own in spans), names, strict=True):
            found[s].append(Phrase(start, end + 1, name))
        return _trees(found, lengths)


class LevelHead(Head):
    """Tags of nodes, level by level: see `senna.text.levels`; emissions are the encoder's units."""

    def __init__(self, config: Config, task: str, names: list[str], layers: nn.Module, size: int):
        super().__init__(config, task, all_tags(names[1:]), layers, size)
        self.labels = names
        self.transitions = Transitions(len(self.names))

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
        told = list(levels(Nodes(sentences, first, last, labels), batch.lengths.cpu().numpy()))
        if not told:  # no sentence has a constituent
            return 0 * emissions.sum()
        nodes = Nodes(*(np.concatenate(own) for own in zip(*(n for n, _ in told), strict=True)))
        lengths = np.concatenate([own.lengths for own, _ in told])
        is_first = np.arange(len(nodes.labels)) < len(told[0][1])
        scores = self.scores(emissions, nodes, is_first, lengths)
        gold = torch.from_numpy(np.concatenate([tags for _, tags in told])).to(scores.device)
        order = np.argsort(-lengths, kind="stable")
        starts = np.cumsum(lengths) - lengths
        total = scores.new_zeros(())
        for begin in range(0, len(order), TOGETHER):
            rows = order[begin : begin + TOGETHER]
            # Beyond a level's end any row does: nothing looks at it.
            steps = np.minimum(starts[rows, None] + np.arange(lengths[rows[0]]), len(gold) - 1)
            index = torch.from_numpy(steps).to(scores.device)
            own = torch.from_numpy(lengths[rows]).to(scores.device)
            total = total + self.transitions.loss(scores[index], gold[index], own)
        return total

    def found(self, emissions: Tensor, batch: Batch) -> list[Tree]:
        """See `Head.found`: trees, whose words have neither form nor part of speech."""
        lengths = batch.lengths.cpu().numpy()
        nodes, is_first = Nodes.words(lengths), True
        spans: list[list[Phrase]] = [[] for _ in lengths]
        own = self.transitions
        paths = LevelPaths(*map(array_of, (own.between, own.within, own.initial)))
        while n := len(nodes.labels):
            scores = self.scores(emissions, nodes, np.full(n, is_first), nodes.lengths)
            tags = paths.tags(scores.cpu().numpy()[:, paths.columns], nodes.lengths, is_first)
            for s, a, b, k in zip(*(o.tolist() for o in nodes.found(tags)), strict=True):
                spans[s].append(Phrase(a, b + 1, self.labels[k]))
            nodes, is_first = nodes.next(tags), False
        return _trees(map(in_order, spans), lengths)


def _trees(found: Iterable[list[Phrase]], lengths: Ints) -> list[Tree]:
    """The trees of some constituents; their words have neither form nor part of speech."""
    words = [[Tree("", word="") for _ in range(n)] for n in lengths.tolist()]
    return list(map(tree_of, found, words))


HEADS: dict[str, type[Head]] = {  # by `Task.head`; "levels" is a parser of trees
    "tags": TagHead,
    "roles": RoleHead,
    "trees": TreeHead,
    "levels": LevelHead,
}
