"""The sentence network at tagging time (section 3.3.2): see `senna.training.networks.sentence`.

What the words give to the convolution is computed once per sentence, like the window network's
first layer; what distances give is one row a distance, computed once for good.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from senna.decoding.viterbi import FORBIDDEN
from senna.inference.exact import Floats, Weights, product
from senna.inference.lookup import WordTable
from senna.inference.networks.base import Network
from senna.inference.networks.settings import SentenceConfig
from senna.inference.workspace import Block, Ints, Workspace
from senna.kinds.labels.head import LabelHead
from senna.kinds.roles.head import Pairs, RoleHead
from senna.kinds.tags.head import TagHead
from senna.model.folder import ModelFolder
from senna.model.schema import damaged

GROUP = 512  # words of all predicates whose maxima are sought together: they stay in cache


class Maxima:
    """The maxima over the sentence and the hidden layer, if there is one, for one task."""

    def __init__(self, folder: ModelFolder, task: str, settings: SentenceConfig) -> None:
        units, hidden = settings.units, settings.hidden
        self.near = distances(folder, "near", units)
        self.hidden = None
        if hidden:
            weights = Weights.of(folder.array(f"{task}.layer-1.weight", units, hidden))
            self.hidden = weights, folder.array(f"{task}.layer-1.bias", hidden)

    def __call__(self, words: Floats, lengths: Ints) -> Floats:
        """words (n_words, units) of sequences end to end: what the heads see."""
        x = np.empty_like(words)
        starts = np.cumsum(lengths) - lengths
        for rows in _groups(lengths):
            first, end = int(starts[rows[0]]), int(starts[rows[-1]] + lengths[rows[-1]])
            x[first:end] = self._maxima(words, starts[rows], lengths[rows])
        if self.hidden is None:
            return x
        weights, bias = self.hidden
        y = product(x, weights, bias)
        np.clip(y, -1.0, 1.0, out=y)  # HardTanh
        return y

    def _maxima(self, words: Floats, starts: Ints, lengths: Ints) -> Floats:
        """The maximum over its sequence for each word (eq. 7), end to end."""
        steps = np.arange(int(lengths.max(initial=0)))[:, None]
        inside = steps < lengths
        x = words[np.minimum(starts + steps, len(words) - 1)]  # (n_steps, n_rows, units)
        x[~inside] = FORBIDDEN
        turned = np.ascontiguousarray(maxima(x, self.near).transpose(1, 0, 2))
        best: Floats = turned[inside.T]
        return best


def distances(folder: ModelFolder, name: str, units: int) -> Floats:
    """The contribution of each distance to the convolution, (2 reach + 1, units)."""
    rows: Floats = folder.array(name, None, units)
    if len(rows) < 3 or len(rows) % 2 == 0:
        what = f"{len(rows)} distances, expected an odd number from 3 on"
        raise damaged(what, folder.path / f"{name}.npy")
    return rows


class SentenceTags(TagHead):
    """Tags of words."""

    def __init__(self, folder: ModelFolder, task: str, settings: SentenceConfig) -> None:
        super().__init__(folder, task, settings.size)
        self.layer = Maxima(folder, task, settings)

    def scores(self, x: Floats, lengths: Ints) -> Floats:
        return super().scores(self.layer(x, lengths), lengths)


class SentenceLabels(LabelHead):
    """Labels of sentences."""

    def __init__(self, folder: ModelFolder, task: str, settings: SentenceConfig) -> None:
        super().__init__(folder, task, settings.size)
        self.layer = Maxima(folder, task, settings)

    def scores(self, x: Floats, lengths: Ints) -> Floats:
        return super().scores(self.layer(x, lengths), lengths)


class SentenceRoles(RoleHead):
    """Roles of words for predicates."""

    def __init__(self, folder: ModelFolder, task: str, settings: SentenceConfig) -> None:
        super().__init__(folder, task, settings.size)
        self.layer = Maxima(folder, task, settings)
        self.predicate = distances(folder, "predicate", settings.units)

    def pairs(self, x: Floats, hidden: Floats, pairs: Pairs) -> Floats:
        reach = len(self.predicate) // 2
        words = np.take(x, pairs.words, axis=0)
        words += self.predicate[np.clip(pairs.away, -reach, reach) + reach]
        return self.layer(words, pairs.lengths)


class SentenceNetwork(Network):
    """A convolution, its maximum over the sentence, and a hidden layer or none."""

    SETTINGS: ClassVar = SentenceConfig

    def __init__(self, folder: ModelFolder, words: WordTable, settings: SentenceConfig) -> None:
        super().__init__(folder, words, settings.width, settings.units)
        self.add_heads(
            tags=lambda folder, task: SentenceTags(folder, task, settings),
            roles=lambda folder, task: SentenceRoles(folder, task, settings),
            labels=lambda folder, task: SentenceLabels(folder, task, settings),
        )

    def encode(self, block: Block, space: Workspace) -> Floats:
        """The contribution of words to the convolution."""
        return self.first(block, space)


def maxima(words: Floats, near: Floats) -> Floats:
    """For each word w the maximum over words t of words[t] + near[t - w].

    words (n_steps, n_rows, units), very low where there is no word; near (2 reach + 1, units),
    the first row for all words that are `reach` words before w or farther.
    """
    n, reach = len(words), len(near) // 2
    best: Floats = words + near[reach]
    buffer = np.empty_like(words)
    for away in range(1, min(reach, n)):
        other = buffer[away:]
        np.add(words[:-away], near[reach - away], out=other)
        np.maximum(best[away:], other, out=best[away:])
        np.add(words[away:], near[reach + away], out=other)
        np.maximum(best[:-away], other, out=best[:-away])
    if n > reach:
        far = np.maximum.accumulate(words[:-reach], axis=0)
        far += near[0]
        np.maximum(best[reach:], far, out=best[reach:])
        far = np.maximum.accumulate(words[: reach - 1 : -1], axis=0)[::-1]
        far += near[-1]
        np.maximum(best[:-reach], far, out=best[:-reach])
    return best


def _groups(lengths: Ints) -> Iterator[Ints]:
    """Sequences one after the other, in groups of about `GROUP` words in all."""
    part = np.cumsum(lengths) // GROUP
    for rows in np.split(np.arange(len(lengths)), np.flatnonzero(np.diff(part)) + 1):
        if len(rows):
            yield rows


NETWORK = SentenceNetwork
