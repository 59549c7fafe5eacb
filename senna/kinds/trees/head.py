"""From a network's last layer to the brackets of trees: of spans, or by levels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from senna.annotation.schemes import NO_LABEL, Phrase
from senna.decoding.viterbi import batches, places_in
from senna.inference.exact import UNITS, Floats, Layer, Weights, product, sums, whole
from senna.inference.kernel import calls
from senna.inference.workspace import Block, Ints
from senna.kinds.answer import moved
from senna.model.folder import ModelFolder
from senna.model.schema import damaged
from senna.registry import DECODERS

WIDEST, GROUP = 64, 1_024  # sentences, and words of them, parsed together
LONGEST = 200  # words that are parsed as one: time grows with their cube
STOPS = frozenset(";:.!?,") | {"--", "...", "-"}  # where longer sentences are cut, the first first


def read_labels(folder: ModelFolder, task: str) -> list[str]:
    """The labels of constituents, O first; SennaError if there are none."""
    names = folder.lines(f"{task}.tags.txt")
    if len(set(names)) != len(names) or names[:1] != [NO_LABEL]:
        raise damaged("no labels of constituents", folder.path / f"{task}.tags.txt")
    return names


class SpanVectors(NamedTuple):
    """Vectors of each word as the start and as the end of a span, for scores and labels."""

    first: Floats  # (n_words, units)
    last: Floats
    begin: Floats  # (n_words, labels)
    end: Floats


class TreeHead:
    """The parser of sentences into constituents."""

    def __call__(self, x: Floats, block: Block, request: object = None) -> list[list[Phrase]]:
        """The constituents of sentences, each before its parts; long ones are parsed in pieces."""
        lengths = [pieces(forms) for forms in block.forms]
        parts = iter(self.find(x, np.array(list(chain.from_iterable(lengths)), np.int64)))
        return [
            moved([next(parts) for _ in sizes], list(accumulate(sizes[:-1], initial=0)))
            for sizes in lengths
        ]

    def find(self, x: Floats, lengths: Ints) -> list[list[Phrase]]:
        """The constituents of each sentence, each before its parts; x (n_words, size)."""
        raise NotImplementedError


class SpanHead(TreeHead):
    """Scores of spans, the best tree by them, and labels of its spans."""

    def __init__(self, folder: ModelFolder, task: str, size: int) -> None:
        """For the encoder's output of `size` numbers per word."""
        self.names = read_labels(folder, task)
        self.first = Layer(folder, f"{task}.first", size, None)
        self.last = Layer(folder, f"{task}.last", size, units := self.first.units)
        if units > UNITS:
            raise damaged(
                f"{units} units, at most {UNITS} are possible",
                folder.path / f"{task}.first.weight.npy",
            )
        self.both = Layer(folder, f"{task}.both", units, units)
        self.begin = Layer(folder, f"{task}.begin", size, None)
        labels = self.begin.units
        self.end = Weights.of(folder.array(f"{task}.end.weight", size, labels))
        self.output = Layer(folder, f"{task}.output", labels, len(self.names))

    def find(self, x: Floats, lengths: Ints) -> list[list[Phrase]]:
        phrases: list[list[Phrase]] = [[] for _ in lengths]
        for rows in batches(lengths, WIDEST, GROUP):
            sizes = lengths[rows]
            vectors, starts = self.project(x[places_in(rows, lengths)]), np.cumsum(sizes) - sizes
            sentences, i, j = best_trees(vectors, starts, sizes)
            begins = starts[sentences]
            labels = self.label_scores(vectors, begins + i, begins + j).argmax(axis=1)
            for row, found in zip(
                rows, labelled((sentences, i, j), labels, self.names, len(rows)), strict=True
            ):
                phrases[row] = found
        return phrases

    def project(self, x: Floats) -> SpanVectors:
        """The vectors of each word; x (n_words, size)."""
        first = self.both(self.first(x, rectified=True))
        last = self.last(x, rectified=True)
        return SpanVectors(first, last, self.begin(x), product(x, self.end))

    def label_scores(self, vectors: SpanVectors, first: Ints, last: Ints) -> Floats:
        """Scores of the labels (n_spans, n_labels) of spans by their first and last words."""
        return self.output(sums([(vectors.begin, first), (vectors.end, last)], rectified=True))


def labelled(
    spans: tuple[Ints, Ints, Ints], labels: Ints, names: Sequence[str], n: int
) -> list[list[Phrase]]:
    """The constituents of n sentences, by the spans of `best_spans` and the numbers of labels."""
    phrases: list[list[Phrase]] = [[] for _ in range(n)]
    kept = np.flatnonzero(labels)
    rows = (array[kept].tolist() for array in (*spans, labels))
    for sentence, first, last, k in zip(*rows, strict=True):
        phrases[sentence].append(Phrase(first, last + 1, names[k]))
    return phrases


def best_trees(vectors: SpanVectors, starts: Ints, lengths: Ints) -> tuple[Ints, Ints, Ints]:
    """See `best_spans`, of sentences of some lengths, none of them empty, from `starts` on."""
    spans = calls.best_trees(vectors.first, vectors.last, starts, lengths)
    if spans is None:
        from senna.decoding.best_trees import best_spans

        return best_spans(span_scores(vectors, starts, lengths), lengths)
    return np.repeat(np.arange(len(lengths)), 2 * lengths - 1), spans[0], spans[1]


def span_scores(vectors: SpanVectors, starts: Ints, lengths: Ints) -> Floats:
    """Scores of the spans of some sentences, (n_sentences, n, n), of first and last words.

    Both factors are whole numbers up to `LEVELS`, so that sums of up to `UNITS` products are exact.
    """
    n = int(lengths.max())
    places = np.minimum(starts[:, None] + np.arange(n), len(vectors.first) - 1)
    one, worth = whole(vectors.first[places.ravel()])
    other, value = whole(vectors.last[places.ravel()])
    shape = (*places.shape, -1)
    scores: Floats = one.reshape(shape) @ other.reshape(shape).transpose(0, 2, 1)
    scores *= worth.reshape(shape)
    scores *= value.reshape(shape).transpose(0, 2, 1)
    return scores


def pieces(forms: Sequence[str]) -> list[int]:
    """The lengths of the pieces in which a sentence is parsed: one, but for those over `LONGEST`.

    Those are cut after the last mark of punctuation that leaves a piece no longer than that, and
    more than half as long; or at that length.
    """
    sizes, start = [], 0
    while len(forms) - start > LONGEST:
        stops = (i for i in range(LONGEST, LONGEST // 2, -1) if forms[start + i - 1] in STOPS)
        sizes.append(next(stops, LONGEST))
        start += sizes[-1]
    return [*sizes, len(forms) - start]


def head(folder: ModelFolder, task: str, units: int, settings: object) -> TreeHead:
    """The parser of a model: by levels if it has a table `network.tree`, otherwise by spans."""
    table = folder.meta["network"].get("tree")
    if table is None:
        return SpanHead(folder, task, units)
    parser: TreeHead = DECODERS["levels"](folder, task, units, table)
    return parser
