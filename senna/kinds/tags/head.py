"""The output layer of tasks that give each word a tag, and the search for the best tags."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from senna.annotation.schemes import Phrase, tags_of
from senna.decoding.requests import PLAIN, Request, Scored
from senna.decoding.viterbi import FORBIDDEN, Dense, paths_of
from senna.inference.exact import Floats, Weights, product
from senna.inference.workspace import Block, Ints
from senna.kinds import output_of
from senna.kinds.head import best_path, name_phrases, read_tags, split_tags, temperature_of
from senna.model.folder import ModelFolder
from senna.registry import DECODERS
from senna.tasks import TASKS

PRIOR = "prior.txt"  # of a model's file, behind the name of the task
PRIOR_TASK = "pos"  # whose tags a prior is about
SHARE = 0.15  # of the logarithm, beside the network's scores: best on EWT dev
UNSEEN = 0.05  # words that each tag has beside those counted


class Prior:
    """The prior of tags given the part of speech that task `pos` assigns to a word.

    Two networks that err differently know more than one: the share of each tag among the words of a
    part of speech, in the training set, is a prior that is added to the network's scores. A strict
    one rules out what was never seen together, so that both tags of a word are of one kind.
    """

    def __init__(self, lines: Iterable[str], names: Sequence[str], strict: bool = False) -> None:
        """lines: of `senna.training.export.lists_of`; names: the tags in the network's order."""
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


UPOS = "upos"  # the task whose tags features must fit


class TagHead:
    """The output layer and transitions of a task that gives each word a tag."""

    def __init__(self, folder: ModelFolder, task: str, units: int, unit: float = 1.0) -> None:
        """For layers that give `units` numbers per word, whole ones in `unit` or any.

        `units` is 0 where the network has no layer below the output: see `LinearHead`.
        """
        self.tags = read_tags(folder, task)
        n = len(self.tags)
        network = folder.table.network
        self.paths: Dense | None = None
        self.final = np.zeros(n, np.float32)
        if network.paths and not TASKS[task].independent:
            transitions = np.array(folder.array(f"{task}.transitions", n, n))
            initial = np.array(folder.array(f"{task}.initial", n))
            constrained = network.constrained and output_of(task).kind == "phrases"
            self.paths, self.final = paths_of(self.tags, transitions, initial, constrained)
            if network.beam:  # tags are found from left to right
                self.paths = DECODERS["greedy"](folder, task, self.paths)
        order = np.arange(n) if self.paths is None else self.paths.order
        self.names = [self.tags[i] for i in order]
        self.final = self.final[order]
        self.temperature = temperature_of(folder, task)
        self.prior: Prior | None = None
        if folder.has(f"{task}.{PRIOR}"):
            lines = folder.lines(f"{task}.{PRIOR}")
            self.prior = Prior(lines, self.names, strict=task == UPOS)
        self.unfit: dict[str, Floats] = {}  # scores of features that no word of a UPOS has
        self.states: Any = None  # moves that depend on the word
        if self.paths is not None and folder.has(f"{task}.states.npy"):
            self.states = DECODERS["states"](folder, task, units, self.paths)
        if units:
            weights = folder.array(f"{task}.output.weight", units, n)[:, order]
            self.bias = np.array(folder.array(f"{task}.output.bias", n)[order])
            if self.states is not None:
                weights, self.bias = self.states.joined(weights, self.bias)
            self.weights = Weights.of(weights, unit)

    def scores(self, x: Floats, lengths: Ints) -> Floats:
        """The output layer: (n_words, units) to (n_words, n_tags), tags as in `names`.

        With `states` the scores of moves to each word follow.
        """
        return product(x, self.weights, self.bias)

    def __call__(self, x: Floats, block: Block, request: Request = PLAIN) -> Sequence[list[str]]:
        """The tags of each sentence's words; x is what the network gives, (n_words, units)."""
        lengths = block.lengths
        if not lengths.any():
            return [Scored() if request.asked else [] for _ in lengths]
        scores, paths = self.split(self.emissions(x, block))
        ends = np.cumsum(lengths)
        scores[ends[lengths > 0] - 1] += self.final
        opening = [i for i, name in enumerate(self.names) if name[:2] in ("B-", "I-")]
        for start, phrases in zip((ends - lengths).tolist(), request.fixed, strict=False):
            for phrase in phrases:
                self._fix(scores[start + phrase.start : start + phrase.end], phrase.label)
                if paths is not None and not paths.looks_ahead and phrase.start:
                    scores[start + phrase.start - 1, opening] += np.float32(FORBIDDEN)
        path = best_path(paths, scores, lengths)
        if request.asked:
            from senna.decoding.marginals import scored

            arrays = paths, scores, lengths, path
            tags: Sequence[list[str]] = scored(self.names, *arrays, request.asked, self.temperature)
        else:
            tags = split_tags(list(map(self.names.__getitem__, path.tolist())), lengths)
        for sentence, phrases in zip(tags, request.fixed, strict=False):
            name_phrases(sentence, phrases, self.names)
        return tags

    def emissions(self, x: Floats, block: Block) -> Floats:
        """The scores by which the tags of the words are found."""
        scores = self.scores(x, block.lengths)
        if self.prior is not None and PRIOR_TASK in block.earlier:
            scores[:, : len(self.names)] += self.prior(block.earlier[PRIOR_TASK])
        if UPOS in block.earlier:
            from senna.annotation.dependencies import may_have

            parts = [part for sentence in block.earlier[UPOS] for part in sentence]
            for part in {*parts} - {*self.unfit}:
                fit = [may_have(name, part) for name in self.names]
                self.unfit[part] = np.where(fit, 0, FORBIDDEN).astype(np.float32)
            scores[:, : len(self.names)] += [self.unfit[part] for part in parts]
        return scores

    def split(self, scores: Floats) -> tuple[Floats, Dense | None]:
        """Emissions (n_words, n_tags), and how they are decoded."""
        split: tuple[Floats, Dense | None] = (scores, self.paths)
        return split if self.states is None else self.states.split(scores)

    def _fix(self, scores: Floats, label: str) -> None:
        tags = tags_of([Phrase(0, len(scores), label)], len(scores), "iobes")
        if not set(tags) <= set(self.names):
            tags = ["O"] * len(scores)
        places = range(len(tags)), [self.names.index(tag) for tag in tags]
        kept = scores[places]
        scores += np.float32(FORBIDDEN)
        scores[places] = kept


def head(folder: ModelFolder, task: str, units: int, settings: object) -> TagHead:
    """The head above an encoder that gives `units` numbers per word."""
    return TagHead(folder, task, units)
