"""From a network's last layer to dependency trees: see `senna.training.heads.dependencies`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice, starmap
from typing import NamedTuple

import numpy as np

from senna.answers.dependencies import ScoredArcs, root_relation
from senna.errors import SennaError
from senna.heads.base import read_tags, temperature_of
from senna.heads.crossing import COST, LONGEST, crossing_costs
from senna.heads.universal import Mending
from senna.model.folder import ModelFolder
from senna.model.schema import AGAIN
from senna.paths.arcs import (
    Wide,
    arc_marginals,
    best_heads,
    best_relations,
    close_heads,
    head_chances,
    logs_of_relations,
    relation_logs,
)
from senna.paths.confidence import PLAIN, Request
from senna.products.exact import UNITS, Floats, Layer, Weights, product, sums, whole
from senna.products.workspace import Block, Ints, batches
from senna.tasks import PARSER
from senna.text.conllu import Arc
from senna.text.dependencies import BEHIND, fits, part_of, plain, with_punctuation
from senna.text.schemes import Phrase

Trees = Sequence[Sequence[Phrase]]  # the constituents of sentences

WIDEST, GROUP = 64, 2_048  # sentences, and words of them, parsed together
NEGATION = "Polarity=Neg"


class ArcVectors(NamedTuple):
    """Integer vectors of each word as dependent and as head; row 0 is the root.

    words (n_words, units), heads (n_words + 1, units), and what one of them is worth, (..., 1);
    begin and end (n_words, units): what both say of their relation; fit (n_words, relations): 0, or
    -inf where no word of this part of speech has the relation.
    """

    words: Floats
    worth: Floats
    heads: Floats
    value: Floats
    begin: Floats
    end: Floats
    fit: Floats


class DependencyHead:
    """Scores of arcs, the best tree by them, and the relations of its words."""

    def __init__(self, folder: ModelFolder, task: str, size: int) -> None:
        """For the encoder's output of `size` numbers per word."""
        self.names = read_tags(folder, task)
        self.temperature = temperature_of(folder, task)
        self.root_relation = root_relation(self.names)
        self.behind = np.array([plain(name) in BEHIND for name in self.names])
        self.fitting: dict[str, Floats] = {}  # 0 or -inf for each relation, by part of speech
        self.word = Layer(folder, f"{task}.word", size, None)
        self.head = Layer(folder, f"{task}.head", size, units := self.word.units)
        if units > UNITS:
            where = str(folder.path / f"{task}.word.weight.npy")
            raise SennaError(f"{units} units, at most {UNITS} can be", where=where, mend=AGAIN)
        self.both = Layer(folder, f"{task}.both", units, units)
        self.root = np.array(folder.array(f"{task}.root", units))
        self.begin = Layer(folder, f"{task}.begin", size, None)
        below = self.begin.units
        self.end = Weights.of(folder.array(f"{task}.end.weight", size, below))
        self.output = Layer(folder, f"{task}.output", below, len(self.names))

    def __call__(self, x: Floats, block: Block, request: Request = PLAIN) -> Sequence[list[Arc]]:
        """The tree of each sentence; x is what the network gives, (n_words, size)."""
        lengths, scored = block.lengths, request.asked.scores
        found = [ScoredArcs() if scored else list[Arc]() for _ in lengths]
        if not len(x):
            return found
        parts, negations = _morphology(block)
        vectors = self.project(x, parts)
        starts = np.cumsum(lengths) - lengths
        pairs = zip(block.earlier.get(PARSER, ()), lengths.tolist(), strict=False)  # or none
        trees = [tree if n <= LONGEST else [] for tree, n in pairs]
        for rows in batches(lengths, WIDEST, GROUP):
            some = [trees[i] for i in rows] if trees else []
            scores = self.arcs(vectors, starts[rows], lengths[rows], some)
            scores[:, np.arange(scores.shape[1]), np.arange(scores.shape[1]) + 1] = -np.inf
            best = self.trees(vectors, starts[rows], lengths[rows], scores)
            for i, of_sentence, arcs in zip(rows.tolist(), scores, best, strict=True):
                n, start = len(arcs), int(starts[i])
                logs = of_sentence[:n, : n + 1].astype(np.float64) / self.temperature
                mending = Mending(self.names, partial(self.row, vectors, start, logs))
                arcs = mending(arcs, negations[start : start + n])
                found[i] = arcs = with_punctuation(block.forms[i], arcs, logs)
                if scored:
                    chances = arc_marginals(of_sentence[:n, : n + 1], self.temperature)
                    found[i] = ScoredArcs(
                        arcs, chances[np.arange(n), [a.head for a in arcs]].tolist()
                    )
        return found

    def trees(
        self, vectors: ArcVectors, starts: Ints, lengths: Ints, scores: Floats
    ) -> Iterator[list[Arc]]:
        """The best tree of each of some sentences."""
        best = best_heads(scores, lengths)
        sentences, words = np.nonzero(np.arange(best.shape[1]) < lengths[:, None])
        heads, begins = best[sentences, words], starts[sentences]
        relations = self.relations(vectors, begins + words, begins, heads)
        relations += self.fit(vectors, begins + words, begins, heads)
        names = [self.names[k] for k in best_relations(relations, heads, self.root_relation)]
        arcs = map(Arc, heads.tolist(), names)
        for n in lengths.tolist():
            yield list(islice(arcs, n))

    def row(self, vectors: ArcVectors, start: int, logs: Wide, word: int) -> Wide:
        """Logarithms of all arcs of a word, (n + 1, n_relations), but for what heads have in
        common; start: of its sentence, logs (n, n + 1): of the heads of its words."""
        heads = np.arange(len(logs) + 1)
        arcs = np.full(len(heads), start + word), np.full(len(heads), start), heads
        relations = logs_of_relations(self.relations(vectors, *arcs), self.root_relation)
        return logs[word, :, None] + relations + self.fit(vectors, *arcs)

    def arcs(self, vectors: ArcVectors, starts: Ints, lengths: Ints, trees: Trees) -> Floats:
        """Scores of the heads of some sentences' words, as `arc_scores` has them.

        Those cost something that constituents contradict, if there are any; and of two close heads
        of a word each is as likely as its best relation makes it.
        """
        scores = arc_scores(vectors, starts, lengths)
        if any(trees):
            costs = crossing_costs(head_chances(scores, lengths, self.temperature), trees)
            scores -= np.float32(COST * self.temperature) * costs
        sentences, words, heads = close_heads(scores, lengths, self.temperature)
        begins = starts[sentences]
        arcs = begins + words, begins, heads
        relations, fit = self.relations(vectors, *arcs), self.fit(vectors, *arcs)
        logs = relation_logs(relations, heads, self.root_relation, fit)
        scores[sentences, words, heads] += (self.temperature * logs).astype(np.float32)
        return scores

    def project(self, x: Floats, parts: Sequence[str] = ()) -> ArcVectors:
        """Vectors of each word as dependent and as head, and what fits its part of speech."""
        words = self.both(self.word(x, rectified=True))
        heads = np.empty((len(x) + 1, len(self.root)), np.float32)
        heads[0] = self.root
        heads[1:] = self.head(x, rectified=True)
        parts = parts or [""] * len(x)
        for part in {*parts} - {*self.fitting}:
            good = [fits(name, part) for name in self.names]
            self.fitting[part] = np.where(good, 0, -np.inf).astype(np.float32)
        fit = np.array([self.fitting[part] for part in parts])
        return ArcVectors(*whole(words), *whole(heads), self.begin(x), product(x, self.end), fit)

    def relations(self, vectors: ArcVectors, words: Ints, starts: Ints, heads: Ints) -> Floats:
        """Scores of the relations of some words to some heads; starts: of the words' sentences."""
        above = np.where(heads > 0, starts + heads - 1, -1)
        return self.output(sums([(vectors.begin, words), (vectors.end, above)], rectified=True))

    def fit(self, vectors: ArcVectors, words: Ints, starts: Ints, heads: Ints) -> Floats:
        """0, or -inf for relations that these words cannot have to these heads."""
        fit = vectors.fit[words]
        ahead = heads > words - starts + 1
        fit[np.ix_(ahead, self.behind)] = -np.inf
        return fit


def _morphology(block: Block) -> tuple[list[str], list[bool]]:
    """The universal parts of speech of all words, "" if they are not known, and what negates."""
    unknown = [[""] * len(forms) for forms in block.forms]
    upos, feats = (chain(*block.earlier.get(task, unknown)) for task in ("upos", "feats"))
    words = list(zip(upos, feats, strict=True))
    return list(starmap(part_of, words)), [NEGATION in feats for _, feats in words]


def arc_scores(vectors: ArcVectors, starts: Ints, lengths: Ints) -> Floats:
    """Scores of the heads of some sentences' words, (n_sentences, n, n + 1), the root's first.

    Both factors are whole numbers up to `LEVELS`, so that sums of up to `UNITS` products are exact.
    """
    n = int(lengths.max())
    words = np.minimum(starts[:, None] + np.arange(n), len(vectors.words) - 1)
    heads = np.concatenate([np.zeros_like(words[:, :1]), words + 1], axis=1)
    scores: Floats = vectors.words[words] @ vectors.heads[heads].transpose(0, 2, 1)
    scores *= vectors.worth[words]
    scores *= vectors.value[heads].transpose(0, 2, 1)
    return scores


def head(folder: ModelFolder, task: str, units: int, settings: object) -> DependencyHead:
    """The head above an encoder that gives `units` numbers per word."""
    return DependencyHead(folder, task, units)
