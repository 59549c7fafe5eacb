"""The sentence network at tagging time (section 3.3.2): see `senna.training.sentence`.

What the words give to the convolution is computed once a sentence, like the window network's
first layer; what distances give is one row a distance, computed once for good.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from senna.infer.first_layer import Block, Floats, Forms, Ints
from senna.infer.lookup import WordTable
from senna.infer.model_folder import ModelFolder
from senna.infer.network import Head, Hidden, Tagger, hidden
from senna.infer.roles import RoleOutput
from senna.text.iobes import FORBIDDEN

GROUP = 512  # words of all predicates whose maxima are sought together: they stay in cache


class SentenceTagger(Tagger):
    """The sentence network of a model folder."""

    def __init__(self, folder: ModelFolder, words: WordTable, forms: Forms) -> None:
        network = folder.meta["network"]["sentence"]
        super().__init__(folder, words, forms, network["width"], network["units"])
        self.near = np.array(folder.array("near"))  # (2 reach + 1, units)
        layers = {task: _layer(folder, task) for task in self.tasks}
        self.heads = {t: Head(folder, t, [layers[t]]) for t in self.tasks if t != "srl"}
        if "srl" in self.tasks:
            self.output = RoleOutput(folder)
            self.role_layer = layers["srl"]
            self.predicate = np.array(folder.array("predicate"))  # (2 reach + 1, units)
        self._last: tuple[Ints, Floats] | None = None

    def emissions(self, block: Block, tasks: Collection[str] | None = None) -> dict[str, Floats]:
        """See `Tagger.emissions`."""
        wanted = [task for task in self.heads if tasks is None or task in tasks]
        if not wanted:
            return {}
        words, lengths = self._words(block), block.lengths
        x = np.empty_like(words)
        starts = np.cumsum(lengths) - lengths
        for rows in _groups(lengths):
            first, end = int(starts[rows[0]]), int(starts[rows[-1]] + lengths[rows[-1]])
            x[first:end] = self._maxima(words, starts[rows], lengths[rows], None)
        scores = {}
        for task in wanted:
            head = self.heads[task]
            scores[task] = head.scores(hidden(x, head.layers[0], lengths))
        return scores

    def roles(self, block: Block, predicates: Sequence[Sequence[int]]) -> list[list[list[str]]]:
        """See `Tagger.roles`."""
        if not any(predicates):
            return [[] for _ in predicates]
        words, lengths = self._words(block), block.lengths
        starts = np.cumsum(lengths) - lengths

        def pairs(sentences: Ints, positions: Ints, steps: Ints, owners: Ints) -> Floats:
            own = lengths[sentences]
            x = np.empty((len(steps), words.shape[1]), np.float32)
            ends = np.cumsum(own)
            for rows in _groups(own):
                first, end = int(ends[rows[0]] - own[rows[0]]), int(ends[rows[-1]])
                begin = starts[sentences[rows]]
                x[first:end] = self._maxima(words, begin, own[rows], positions[rows])
            return hidden(x, self.role_layer, own)

        return self.output.decode(predicates, lengths, pairs)

    def _words(self, block: Block) -> Floats:
        """What words give to the convolution, (n_words, units); that of the last text is kept."""
        if self._last is None or self._last[0] is not block.flat:
            self._last = block.flat, self.first(block)
        return self._last[1]

    def _maxima(self, words: Floats, starts: Ints, lengths: Ints, positions: Ints | None) -> Floats:
        """The maximum over the sentence for each of its words (eq. 7), end to end.

        starts, lengths: of each row's sentence in `words`; positions: of its predicate, if any.
        """
        n = int(lengths.max(initial=0))
        steps = np.arange(n)[:, None]
        inside = steps < lengths
        index = np.minimum(starts + steps, len(words) - 1)
        x = words[index]  # (n_steps, n_rows, units)
        if positions is not None:
            reach = len(self.predicate) // 2
            x += self.predicate[np.clip(steps - positions, -reach, reach) + reach]
        x[~inside] = FORBIDDEN
        best = maxima(x, self.near)
        turned = np.ascontiguousarray(best.transpose(1, 0, 2))
        found: Floats = turned[inside.T]
        return found


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


def _layer(folder: ModelFolder, task: str) -> Hidden:
    weights = np.ascontiguousarray(folder.array(f"{task}.layer-1.weight"))
    return Hidden(weights, folder.array(f"{task}.layer-1.bias"), 1)


def _groups(lengths: Ints) -> list[Ints]:
    """Rows one after the other, in groups of about `GROUP` words in all."""
    found, start, words = [], 0, 0
    for i, n in enumerate(lengths.tolist()):
        if words and words + n > GROUP:
            found.append(np.arange(start, i))
            start, words = i, 0
        words += n
    if start < len(lengths):
        found.append(np.arange(start, len(lengths)))
    return found
