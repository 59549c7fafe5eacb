"""The prior of tags given the part of speech that task `pos` assigns to a word.

Two networks that err differently know more than one: the share of each tag among the words of a
part of speech, in the training set, is a prior that is added to the network's scores. A strict one
rules out what was never seen together, so that both tags of a word are of one kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from senna.paths.viterbi import FORBIDDEN
from senna.products.exact import Floats

SHARE = 0.15  # of the logarithm, beside the network's scores: best on EWT dev
UNSEEN = 0.05  # words that each tag has beside those counted


class Prior:
    """The logarithms of the shares of tags, for each part of speech."""

    def __init__(self, lines: Iterable[str], names: Sequence[str], strict: bool = False) -> None:
        """lines: see `TagOutput.lists`; names: the tags in the order of a network's columns."""
        columns = {name: i for i, name in enumerate(names)}
        counts: dict[str, Floats] = {}
        for line in lines:
            tag, pos, n = line.split("\t")
            if tag not in columns:  # of the model that this one started from
                continue
            row = counts.setdefault(pos, np.full(len(names), UNSEEN, np.float64))
            row[columns[tag]] += int(n)
        if strict and "TO" in counts and "IN" in counts:
            counts["TO"] += counts["IN"]  # treebanks differ: *to* may be TO as a preposition, too
        self._rows = {pos: i for i, pos in enumerate(counts)}
        nothing = np.zeros(len(names))  # is known of other parts of speech
        logs = [SHARE * np.log(row / row.sum()) for row in counts.values()]
        if strict:
            for log, row in zip(logs, counts.values(), strict=True):
                log[row < 1] = FORBIDDEN
        self._logs = np.array([*logs, nothing], np.float32)

    def __call__(self, tags: Iterable[Sequence[str]]) -> Floats:
        """The scores to add for words with these parts of speech: (n_words, n_tags)."""
        other = len(self._rows)
        rows = [self._rows.get(tag, other) for sentence in tags for tag in sentence]
        return self._logs[rows]
