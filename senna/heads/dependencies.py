"""From a network's last layer to dependency trees: see `senna.training.heads.dependencies`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from senna.answers.dependencies import ScoredArcs, root_relation
from senna.errors import SennaError
from senna.heads.base import read_tags, temperature_of
from senna.heads.crossing import COST, LONGEST, crossing_costs
from senna.model.folder import ModelFolder
from senna.model.schema import AGAIN
from senna.paths.arcs import (
    Wide,
    arc_marginals,
    best_heads,
    best_relations,
    close_heads,
    head_chances,
    relation_logs,
)
from senna.paths.confidence import PLAIN, Request
from senna.products.exact import LEVELS, LIMIT, Floats, Weights, product, sums, whole
from senna.products.groups import batches
from senna.products.workspace import Block, Ints
from senna.tasks import PARSER
from senna.text.conllu import Arc
from senna.text.dependencies import with_punctuation
from senna.text.schemes import Phrase

Trees = Sequence[Sequence[Phrase]]  # the constituents of sentences

WIDEST, GROUP = 64, 2_048  # sentences, and words of them, parsed together
UNITS = LIMIT // LEVELS**2  # of a word: products of whole numbers stay exact


class Said(NamedTuple):
    """Integer vectors of each word as dependent and as head; row 0 is the root.

    words (n_words, units), heads (n_words + 1, units), and what one of them is worth, (..., 1);
    begin and end (n_words, relations): what both say of their relation.
    """

    words: Floats
    worth: Floats
    heads: Floats
    value: Floats
    begin: Floats
    end: Floats


class DependencyHead:
    """Scores of arcs, the best tree by them, and the relations of its words."""

    def __init__(self, folder: ModelFolder, task: str, size: int) -> None:
        """For the encoder's output of `size` numbers per word."""
        self.names = read_tags(folder, task)
        self.temperature = temperature_of(folder, task)
        self.root_relation = root_relation(self.names)

        def layer(name: str, n_in: int, n_out: int | None) -> Weights:
            return Weights.of(folder.array(f"{task}.{name}.weight", n_in, n_out))

        self.word, self.head = layer("word", size, None), layer("head", size, None)
        units = self.word.shape[1]
        if units > UNITS:
            where = str(folder.path / f"{task}.word.weight.npy")
            raise SennaError(f"{units} units, at most {UNITS} can be", where=where, mend=AGAIN)
        self.both = layer("both", units, units)
        self.begin, self.end = layer("begin", size, None), layer("end", size, None)
        below = self.begin.shape[1]
        self.output = layer("output", below, len(self.names))
        self.word_bias = folder.array(f"{task}.word.bias", units)
        self.head_bias = folder.array(f"{task}.head.bias", units)
        self.both_bias = folder.array(f"{task}.both.bias", units)
        self.root = np.array(folder.array(f"{task}.root", units))
        self.begin_bias = folder.array(f"{task}.begin.bias", below)
        self.output_bias = folder.array(f"{task}.output.bias", len(self.names))

    def __call__(self, x: Floats, block: Block, request: Request = PLAIN) -> Sequence[list[Arc]]:
        """The tree of each sentence; x is what the network gives, (n_words, size)."""
        lengths, scored = block.lengths, request.asked.scores
        if not len(x):
            return [ScoredArcs() if scored else [] for _ in lengths]
        said = self.hear(x)
        pairs = zip(block.earlier.get(PARSER, ()), lengths.tolist(), strict=False)  # or none
        trees = [tree if n <= LONGEST else [] for tree, n in pairs]
        heads, chances = self.heads(said, lengths, trees, scored)
        starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
        scores = self.relations(said, np.arange(len(x)), starts, heads)
        relations = best_relations(scores, heads, self.root_relation)
        names = [self.names[k] for k in relations.tolist()]
        arcs = list(map(Arc, heads.tolist(), names))
        ends = np.cumsum(lengths).tolist()
        places = [slice(end - n, end) for end, n in zip(ends, lengths.tolist(), strict=True)]
        found = [
            with_punctuation(forms, arcs[place])
            for forms, place in zip(block.forms, places, strict=True)
        ]
        if not scored:
            return found
        scores_of = (chances[place].tolist() for place in places)
        return list(map(ScoredArcs, found, scores_of))

    def heads(
        self, said: Said, lengths: Ints, trees: Trees = (), scored: bool = False
    ) -> tuple[Ints, Wide]:
        """The head of each word, (n_words,), numbered from 1 in its sentence; 0 is the root.

        And its probability over all trees of the sentence, if they are `scored`.
        """
        starts = np.cumsum(lengths) - lengths
        every, chances = np.empty(len(said.words), np.int64), np.ones(len(said.words))
        for rows in batches(lengths, WIDEST, GROUP):
            sizes = lengths[rows]
            some = [trees[i] for i in rows] if trees else []
            scores = self.arcs(said, starts[rows], sizes, some)
            heads = best_heads(scores, sizes)
            steps = np.arange(heads.shape[1])
            inside = steps < sizes[:, None]
            every[(starts[rows, None] + steps)[inside]] = heads[inside]
            for i, (start, n) in enumerate(zip(starts[rows], sizes, strict=True) if scored else ()):
                marginals = arc_marginals(scores[i, :n, : n + 1], self.temperature)
                chances[start : start + n] = marginals[np.arange(n), heads[i, :n]]
        return every, chances

    def arcs(self, said: Said, starts: Ints, lengths: Ints, trees: Trees) -> Floats:
        """Scores of the heads of some sentences' words, as `arc_scores` has them.

        Those cost something that constituents contradict, if there are any; and of two close heads
        of a word each is as likely as its best relation makes it.
        """
        scores = arc_scores(said, starts, lengths)
        if any(trees):
            costs = crossing_costs(head_chances(scores, lengths, self.temperature), trees)
            scores -= np.float32(COST * self.temperature) * costs
        sentences, words, heads = close_heads(scores, lengths, self.temperature)
        begins = starts[sentences]
        relations = self.relations(said, begins + words, begins, heads)
        logs = relation_logs(relations, heads, self.root_relation)
        scores[sentences, words, heads] += (self.temperature * logs).astype(np.float32)
        return scores

    def hear(self, x: Floats) -> Said:
        """Vectors of each word as dependent and as head."""
        words = product(_rectified(product(x, self.word), self.word_bias), self.both)
        words += self.both_bias
        heads = np.empty((len(x) + 1, len(self.root)), np.float32)
        heads[0] = self.root
        heads[1:] = _rectified(product(x, self.head), self.head_bias)
        begin = product(x, self.begin)
        begin += self.begin_bias
        return Said(*whole(words), *whole(heads), begin, product(x, self.end))

    def relations(self, said: Said, words: Ints, starts: Ints, heads: Ints) -> Floats:
        """Scores of the relations of some words to some heads; starts: of the words' sentences."""
        above = np.where(heads > 0, starts + heads - 1, -1)
        below = sums([(said.begin, words), (said.end, above)], rectified=True)
        scores = product(below, self.output)
        scores += self.output_bias
        return scores


def _rectified(x: Floats, more: Floats) -> Floats:
    x += more
    return np.maximum(x, 0, out=x)


def arc_scores(said: Said, starts: Ints, lengths: Ints) -> Floats:
    """Scores of the heads of some sentences' words, (n_sentences, n, n + 1), the root's first.

    Both factors are whole numbers up to `LEVELS`, so that sums of up to `UNITS` products are exact.
    """
    n = int(lengths.max())
    words = np.minimum(starts[:, None] + np.arange(n), len(said.words) - 1)
    heads = np.concatenate([np.zeros_like(words[:, :1]), words + 1], axis=1)
    scores: Floats = said.words[words] @ said.heads[heads].transpose(0, 2, 1)
    scores *= said.worth[words]
    scores *= said.value[heads].transpose(0, 2, 1)
    return scores


def head(folder: ModelFolder, task: str, units: int, settings: object) -> DependencyHead:
    """The head above an encoder that gives `units` numbers per word."""
    return DependencyHead(folder, task, units)
