"""Trees as levels of tags: what is a constituent of words, of these and words, and so on.

At the first level the nodes of a sentence are its words. The tags of a level say, in IOBES, which
neighbouring nodes make a constituent, and of which label (a chain of constituents over the same
words is one label, see `senna.text.trees.constituents`). At the next level each is one node. So
constituents of all levels nest, whatever the tags.

A constituent belongs to the first level at which all its children are nodes. Those of one word
therefore belong to the first level, and no other has a tag S: from the second level on each
constituent is of two nodes or more, so each level has fewer nodes than the one before. A sentence
ends where one node is left, or where a level brings nothing new; what is left then hangs on TOP. So
n words have at most n levels. (With tags that break the rules above, 2 n: each level has fewer
nodes, or fewer that are words.)

Labels are numbers, 0 for a word; tags are 0 for O, and 4 (label - 1) + 1, 2, 3, 4 for B, I, E, S,
as in `senna.text.iobes.all_tags`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

B, I, E, S = range(1, 5)  # noqa: E741


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
        """These nodes with each constituent of the tags (n,) as one node."""
        first = self._first(tags)
        last = np.append(first[1:], True)[: len(first)]
        labels = np.where(tags == 0, self.labels, (tags + 3) // 4)
        return Nodes(self.sentences[first], self.first[first], self.last[last], labels[first])

    def constituents(self, tags: Ints) -> Nodes:
        """The constituents of the tags (n,)."""
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
        """Tags (n,) of some constituents of these nodes."""
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
