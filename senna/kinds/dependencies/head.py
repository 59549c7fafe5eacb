"""From a network's last layer to dependency trees: see `senna.training.heads.dependencies`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice, starmap
from typing import NamedTuple

import numpy as np

from senna.annotation.dependencies import (
    BEHIND,
    ROOT,
    Arc,
    Change,
    conflict,
    dependents,
    fits,
    part_of,
    plain,
    subtree,
    with_punctuation,
)
from senna.annotation.schemes import Phrase
from senna.decoding.best_trees import (
    Wide,
    arc_marginals,
    best_heads,
    best_relations,
    close_heads,
    head_chances,
    logs_of_relations,
    relation_logs,
    rounded,
)
from senna.decoding.requests import PLAIN, Request
from senna.decoding.viterbi import batches, places_in
from senna.inference.exact import UNITS, Floats, Layer, Weights, product, sums, whole
from senna.inference.workspace import Block, Ints
from senna.kinds.dependencies.answer import ScoredArcs, root_relation
from senna.kinds.head import read_tags, temperature_of
from senna.model.folder import ModelFolder
from senna.model.schema import damaged
from senna.tasks import PARSER

Row = Callable[[int], Wide]  # of a word, from 0: logarithms of its arcs, (n + 1, n_relations)


class Mending:
    """A search for the best arcs that keep the rules of Universal Dependencies: see `conflict`.

    A rule that is broken is about some arcs, for example two subjects of a word, and there are some
    ways to keep it: other arcs of some of these words. The way is taken that costs least by the
    network's own scores. names: the relations in the order of the columns of rows.
    """

    def __init__(self, names: Sequence[str], row: Row) -> None:
        self.names, self.row = names, row
        self.columns = {name: i for i, name in enumerate(names)}
        self.rows: dict[int, Wide] = {}  # of words, and what is left of them
        self.left: dict[int, Wide] = {}

    def __call__(self, arcs: list[Arc], negations: Sequence[bool]) -> list[Arc]:
        """A tree like this one that keeps the rules, as far as some changes can do that."""
        for _ in arcs:
            ways = conflict(arcs, negations)
            tried = [(*self._change(arcs, way), i) for i, way in enumerate(ways)]
            if not tried:
                break
            cost, trees, i = min(tried, key=lambda one: (one[0], one[2]))
            if np.isinf(cost):
                break
            arcs = trees
            for change in ways[i]:  # no later way goes back
                self._bar(self.left[change.word], change)
        return arcs

    def _change(self, arcs: list[Arc], way: Sequence[Change]) -> tuple[float, list[Arc]]:
        arcs, cost = list(arcs), 0.0
        for change in way:
            word, old = change.word, arcs[change.word]
            if old.head == ROOT:
                return np.inf, arcs
            if word not in self.rows:
                self.rows[word] = self.row(word)
                self.left[word] = self.rows[word].copy()
            row = self.left[word].copy()
            self._bar(row, change)
            row[[ROOT, *(k + 1 for k in subtree(dependents(arcs), word))]] = -np.inf
            head, column = divmod(int(row.argmax()), len(self.names))
            cost += self.rows[word][old.head, self.columns[old.relation]] - row[head, column]
            arcs[word] = Arc(head, self.names[column])
        return cost, arcs

    def _bar(self, row: Wide, change: Change) -> None:
        """Rule out the arcs of a word that a change is about."""
        heads = slice(None) if change.head is None else change.head
        named = [k for k, name in enumerate(self.names) if plain(name) in change.relations]
        row[heads, named if change.relations else slice(None)] = -np.inf


COST = 0.45  # of an arc for each such constituent, as a logarithm: best on EWT and GUM dev
LONGEST = 200  # words; longer sentences are not looked at: time and memory grow with the square


def crossing_costs(chances: Wide, trees: Sequence[Sequence[Phrase]]) -> Floats:
    """How many constituents speak against each arc, (n_sentences, n, n + 1) as `chances` are.

    Of the words of a constituent one has its head outside, and words outside have no other head in
    it. A parser of constituents above the same encoder errs elsewhere than one of arcs, so that
    each constituent that an arc contradicts costs it something. Which word a constituent's head is,
    is not known: it is each of its words with the share that this word has of the heads outside.
    chances: of the heads of each word, the root's first; trees: the constituents of each sentence.
    """
    n_sentences, n = chances.shape[:2]
    counts = np.array([len(tree) for tree in trees], np.int64)
    every = chain.from_iterable(trees)
    edges = np.fromiter(chain.from_iterable((p.start, p.end) for p in every), np.int64)
    first, last = edges.reshape(-1, 2).T
    inner = last - first > 1
    owners = np.repeat(np.arange(n_sentences), counts)[inner]
    first, last = first[inner], last[inner]
    # Constituents with one chain of labels stand for one. With an index no `numpy.ma` is imported.
    spans, _ = np.unique((owners * n + first) * (n + 1) + last, return_index=True)
    owners, first, last = spans // (n + 1) // n, spans // (n + 1) % n, spans % (n + 1)
    widths = last - first
    starts = np.cumsum(widths) - widths
    of = np.repeat(np.arange(len(spans)), widths)  # pairs of a constituent and one of its words
    words = np.arange(len(of)) - starts[of] + first[of]
    return _against(chances, owners[of], words, first[of], last[of], starts)


def _against(
    chances: Wide, owners: Ints, words: Ints, first: Ints, last: Ints, starts: Ints
) -> Floats:
    """See `crossing_costs`; of pairs of a constituent and a word their sentences, words and edges,
    those of one constituent from each of `starts` on."""
    n_sentences, n = chances.shape[:2]
    up_to = np.zeros((n_sentences, n, n + 2))
    np.cumsum(chances, axis=2, out=up_to[:, :, 1:])
    outside = 1 - up_to[owners, words, last + 1] + up_to[owners, words, first + 1]
    if len(starts):
        sums = np.add.reduceat(outside, starts)
        sums = np.repeat(sums, np.diff(starts, append=len(outside)))
        shares = np.divide(outside, sums, out=np.zeros_like(outside), where=sums > 0)
    else:
        shares = outside
    # By word and head: the constituents that have both, where the word is not the head.
    rows = (owners * n + words) * (n + 2)
    places = np.concatenate([rows + first + 1, rows + last + 1])
    others = rounded(1 - shares)
    steps = np.bincount(places, np.concatenate([others, -others]), n_sentences * n * (n + 2))
    both = steps.reshape(n_sentences, n, n + 2).cumsum(axis=2)[:, :, : n + 1].astype(np.float32)
    at = np.arange(n)
    alone = both[:, at, at + 1]
    costs: Floats = alone[:, :, None] - both
    costs[:, :, 1:] += alone[:, None, :] - both[:, :, 1:].transpose(0, 2, 1)
    return costs


Trees = Sequence[Sequence[Phrase]]  # the constituents of sentences

WIDEST, GROUP = 64, 1_024  # sentences, and words of them, parsed together
NEGATION = "Polarity=Neg"


# Of arcs, by their sentences, words and heads: the scores of their relations, (n_arcs,
# n_relations), and what is added to these for relations that words cannot have.
Relations = Callable[[Ints, Ints, Ints], tuple[Floats, Floats | float]]


def add_relations(
    scores: Floats, lengths: Ints, root: int, relations: Relations, temperature: float = 1.0
) -> None:
    """Make two close heads of a word each as likely as its best relation; scores as `best_heads`.

    root: the number of the root's relation, -1 for none.
    """
    close = close_heads(scores, lengths, temperature)
    of_arcs, fit = relations(*close)
    logs = relation_logs(of_arcs, close[2], root, fit)
    scores[close] += (temperature * logs).astype(np.float32)


def best_arcs(
    scores: Floats, lengths: Ints, names: Sequence[str], relations: Relations
) -> Iterator[list[Arc]]:
    """The best tree of each sentence, by the scores of heads as `best_heads` has them."""
    best = best_heads(scores, lengths)
    sentences, words = np.nonzero(np.arange(best.shape[1]) < lengths[:, None])
    heads = best[sentences, words]
    of_arcs, fit = relations(sentences, words, heads)
    numbers = best_relations(of_arcs + fit, heads, root_relation(names))
    arcs = map(Arc, heads.tolist(), [names[k] for k in numbers])
    for n in lengths.tolist():
        yield list(islice(arcs, n))


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
            raise damaged(
                f"{units} units, at most {UNITS} can be", folder.path / f"{task}.word.weight.npy"
            )
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
        pairs = zip(block.earlier.get(PARSER, ()), lengths.tolist(), strict=False)  # or none
        trees = [tree if n <= LONGEST else [] for tree, n in pairs]
        for rows in batches(lengths, WIDEST, GROUP):
            some = [trees[i] for i in rows] if trees else []
            places = places_in(rows, lengths)
            vectors = self.project(x[places], [parts[i] for i in places.tolist()])
            starts = np.cumsum(lengths[rows]) - lengths[rows]
            scores = self.arcs(vectors, starts, lengths[rows], some)
            scores[:, np.arange(scores.shape[1]), np.arange(scores.shape[1]) + 1] = -np.inf
            best = best_arcs(scores, lengths[rows], self.names, self._of_arcs(vectors, starts))
            each = rows.tolist(), starts.tolist(), scores, best
            for i, start, of_sentence, arcs in zip(*each, strict=True):
                n = len(arcs)
                logs = of_sentence[:n, : n + 1].astype(np.float64) / self.temperature
                mending = Mending(self.names, partial(self.row, vectors, start, logs))
                arcs = mending(arcs, [negations[k] for k in places[start : start + n]])
                found[i] = arcs = with_punctuation(block.forms[i], arcs, logs)
                if scored:
                    chances = arc_marginals(of_sentence[:n, : n + 1], self.temperature)
                    found[i] = ScoredArcs(
                        arcs, chances[np.arange(n), [a.head for a in arcs]].tolist()
                    )
        return found

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
        relations = self._of_arcs(vectors, starts)
        add_relations(scores, lengths, self.root_relation, relations, self.temperature)
        return scores

    def _of_arcs(self, vectors: ArcVectors, starts: Ints) -> Relations:
        def relations(sentences: Ints, words: Ints, heads: Ints) -> tuple[Floats, Floats]:
            begins = starts[sentences]
            arcs = begins + words, begins, heads
            return self.relations(vectors, *arcs), self.fit(vectors, *arcs)

        return relations

    def project(self, x: Floats, parts: Sequence[str] = ()) -> ArcVectors:
        """Vectors of each word as dependent and as head, and what fits its part of speech."""
        words = whole(self.both(self.word(x, rectified=True)))
        heads = whole(np.concatenate([self.root[None], self.head(x, rectified=True)]))
        parts = parts or [""] * len(x)
        for part in {*parts} - {*self.fitting}:
            good = [fits(name, part) for name in self.names]
            self.fitting[part] = np.where(good, 0, -np.inf).astype(np.float32)
        fit = np.array([self.fitting[part] for part in parts])
        return ArcVectors(*words, *heads, self.begin(x), product(x, self.end), fit)

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
