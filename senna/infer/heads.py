"""From a network's last layer to tags of words, or to roles of predicates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from senna.errors import SennaError
from senna.infer.format import AGAIN
from senna.infer.model_folder import ModelFolder
from senna.infer.paths import Dense, Roles, batches, paths_of
from senna.infer.products import Floats, Weights, product
from senna.infer.workspace import Ints
from senna.tasks import TASKS
from senna.text.iobes import all_tags
from senna.text.schemes import Phrase
from senna.text.views import view

Trees = Sequence[Sequence[Phrase]]  # the constituents of each sentence, each before its parts
IOBES = ("B-", "I-", "E-", "S-")
SIGHT = 60  # words before and after it that a predicate looks at; roles farther away are not found
WIDEST, GROUP = 64, 2_048  # predicates, and words of them, decoded together


def read_tags(folder: ModelFolder, task: str) -> list[str]:
    """The tags of a task; SennaError if they are none, or not what its kind of output has."""
    tags = folder.lines(f"{task}.tags.txt")
    kind = TASKS[task].output
    well_formed = len(set(tags)) == len(tags) > 0
    if kind != "tags":
        well_formed &= all(tag == "O" or (tag[:2] in IOBES and len(tag) > 2) for tag in tags)
    if kind == "roles":
        well_formed &= tags == all_tags(tag[2:] for tag in tags[1::4])
    if not well_formed:
        where = str(folder.path / f"{task}.tags.txt")
        raise SennaError(f"no tags for {kind}", where=where, mend=AGAIN)
    return tags


def _best_tags(
    names: Sequence[str], paths: Dense | None, scores: Floats, lengths: Ints
) -> list[str]:
    """The tags of the best paths, or of each word by itself; scores (n_words, n_tags)."""
    path = scores.argmax(axis=1) if paths is None else paths.decode(scores, lengths)
    return [names[i] for i in path.tolist()]


class TagHead:
    """The output layer and transitions of a task that gives each word a tag."""

    def __init__(self, folder: ModelFolder, task: str, units: int, unit: float = 1.0) -> None:
        """For the output of `units` numbers a word, whole ones in `unit` or any."""
        self.tags = read_tags(folder, task)
        n = len(self.tags)
        network = folder.meta["network"]
        transitions = np.array(folder.array(f"{task}.transitions", n, n))
        initial = np.array(folder.array(f"{task}.initial", n))
        self.paths: Dense | None = None
        self.final = np.zeros(n, np.float32)
        if network["criterion"] == "sentence":
            constrained = network["constrained"] and TASKS[task].output == "phrases"
            self.paths, self.final = paths_of(self.tags, transitions, initial, constrained)
        order = np.arange(n) if self.paths is None else self.paths.order
        self.names = [self.tags[i] for i in order]
        weights = folder.array(f"{task}.output.weight", units, n)
        self.weights = Weights.of(weights[:, order], unit)
        self.bias = np.array(folder.array(f"{task}.output.bias", n)[order])
        self.final = self.final[order]

    def scores(self, x: Floats, lengths: Ints) -> Floats:
        """The output layer: (n_words, units) to (n_words, n_tags), tags as in `names`."""
        found = product(x, self.weights)
        found += self.bias
        return found

    def __call__(
        self, x: Floats, lengths: Ints, places: object = None, trees: object = ()
    ) -> list[list[str]]:
        """The tags of each sentence's words; x is what the network gives, (n_words, units)."""
        if len(x) == 0:
            return [[] for _ in lengths]
        scores = self.scores(x, lengths)
        ends = np.cumsum(lengths)
        scores[ends[lengths > 0] - 1] += self.final
        tags = _best_tags(self.names, self.paths, scores, lengths)
        return [tags[end - n : end] for end, n in zip(ends.tolist(), lengths.tolist(), strict=True)]


class Pairs:
    """Some predicates, and the words that each looks at, all end to end.

    predicates (n,): their sentences and places in the text; first, lengths (n,): of the words that
    they look at, in the sentence; words, owners, steps (n_words,): of each such word its place in
    the text, its predicate, and its place among those of its predicate; views (2, n_words): what
    predicates see of trees, if they do.
    """

    def __init__(
        self, starts: Ints, positions: Ints, first: Ints, lengths: Ints, views: Ints | None = None
    ) -> None:
        self.places = starts + positions
        self.lengths = lengths
        self.owners = np.repeat(np.arange(len(lengths)), lengths)
        self.steps = np.arange(len(self.owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        self.words = (starts + first)[self.owners] + self.steps
        self.away = self.words - self.places[self.owners]  # from the predicate
        self.views = views


class RoleHead:
    """The output layer of roles, and the scores of moves between them; a network adds `pairs`."""

    def __init__(self, folder: ModelFolder, task: str, units: int) -> None:
        self.tags = read_tags(folder, task)
        n, kinds = len(self.tags), len(self.tags) // 4
        self.paths: Roles | None = None
        order = np.arange(n)
        if folder.meta["network"]["criterion"] == "sentence":
            self.paths = Roles(
                folder.array(f"{task}.between", kinds + 1, kinds + 1),
                folder.array(f"{task}.within", 4, kinds),
                folder.array(f"{task}.initial", kinds + 1),
            )
            order = self.paths.order
        self.names = [self.tags[i] for i in order]
        self.weights = Weights.of(folder.array(f"{task}.output.weight", units, n)[:, order])
        self.bias = folder.array(f"{task}.output.bias", n)[order]
        labels = folder.lines("tree.txt") if folder.meta["features"].get("tree") else []
        self.labels = {label: row for row, label in enumerate(labels, start=1)}

    def hidden(self, x: Floats, lengths: Ints) -> Floats:
        """What is computed once a word for all predicates; x is what the network gives."""
        return x

    def pairs(self, x: Floats, hidden: Floats, pairs: Pairs) -> Floats:
        """The layer below the output, for words that predicates look at, (n_words, units)."""
        raise NotImplementedError

    def _views(
        self, rows: Ints, sentences: Ints, positions: Ints, lengths: Ints, trees: Trees
    ) -> Ints | None:
        """What some predicates see of their trees, of the words that they look at."""
        if not self.labels:
            return None
        made = []
        for row in rows.tolist():
            sentence, place = int(sentences[row]), int(positions[row])
            own = view(place, trees[sentence], self.labels, int(lengths[sentence]))
            made.append(np.array(own)[:, max(place - SIGHT, 0) : place + SIGHT + 1])
        return np.concatenate(made, axis=1)

    def __call__(
        self,
        x: Floats,
        lengths: Ints,
        places: Sequence[Sequence[int]] | None = None,
        trees: Trees = (),
    ) -> list[list[list[str]]]:
        """The roles of each sentence's words, IOBES, for each of its predicates in `places`."""
        assert places is not None
        counts = [len(own) for own in places]
        if not sum(counts):
            return [[] for _ in places]
        hidden = self.hidden(x, lengths)
        sentences = np.repeat(np.arange(len(counts)), counts)
        positions = np.array([place for own in places for place in own], np.int64)
        first = np.maximum(positions - SIGHT, 0)
        seen = np.minimum(positions + SIGHT + 1, lengths[sentences]) - first
        starts = (np.cumsum(lengths) - lengths)[sentences]
        found: list[list[str]] = [[] for _ in positions]
        for rows in batches(seen, WIDEST, GROUP):
            views = self._views(rows, sentences, positions, lengths, trees)
            own = Pairs(starts[rows], positions[rows], first[rows], seen[rows], views)
            scores = product(self.pairs(x, hidden, own), self.weights)
            scores += self.bias
            tags = _best_tags(self.names, self.paths, scores, own.lengths)
            ends = np.cumsum(own.lengths)
            for row, end, n in zip(rows.tolist(), ends.tolist(), own.lengths.tolist(), strict=True):
                before = int(first[row])
                after = int(lengths[sentences[row]]) - before - n
                found[row] = ["O"] * before + tags[end - n : end] + ["O"] * after
        ends = np.cumsum(counts)
        return [found[end - n : end] for end, n in zip(ends, counts, strict=True)]
