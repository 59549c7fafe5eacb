"""From a network's last layer to tags of words, or to roles of predicates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from senna.errors import SennaError
from senna.infer.confidence import PLAIN, Asked, Request, scored
from senna.infer.decode.greedy import Greedy
from senna.infer.decode.inventory import Inventory
from senna.infer.decode.once import Once
from senna.infer.decode.paths import Dense, Paths, Roles, States, batches, paths_of
from senna.infer.products import Floats, Weights, product
from senna.infer.workspace import Block, Ints
from senna.kernel import calls
from senna.model.folder import ModelFolder
from senna.model.schema import AGAIN
from senna.outputs import output_of
from senna.outputs.scored import Scored, between
from senna.tasks import PARSER
from senna.text.iobes import FORBIDDEN
from senna.text.roles import Predicate, regular
from senna.text.schemes import Phrase, tags_of
from senna.text.trees.constituents import LINK
from senna.text.trees.views import BEGIN, END, INSIDE, view

Constituents = Sequence[Sequence[Phrase]]  # of each sentence, each before its parts
# Of predicates: sentence, place in it, its words, first and number of those that it looks at.
Looking = tuple[Ints, ...]
SIGHT = 60  # words before and after it that a predicate looks at; roles farther away are not found
WIDEST, GROUP = 64, 2_048  # predicates, and words of them, decoded together


def read_tags(folder: ModelFolder, task: str) -> list[str]:
    """The tags of a task; SennaError if they are none, or not what its kind of output has."""
    tags = folder.lines(f"{task}.tags.txt")
    output = output_of(task)
    if not len(set(tags)) == len(tags) > 0 or not output.accepts(tags):
        where = str(folder.path / f"{task}.tags.txt")
        raise SennaError(f"no tags for {output.gives}", where=where, mend=AGAIN)
    return tags


def _role_paths(folder: ModelFolder, task: str, tags: Sequence[str]) -> Dense:
    """The scores of the moves between roles: of each two tags where they are stored, or tied."""
    n, kinds = len(tags), len(tags) // 4
    if not folder.has(f"{task}.transitions.npy"):
        return Roles(
            folder.array(f"{task}.between", kinds + 1, kinds + 1),
            folder.array(f"{task}.within", 4, kinds),
            folder.array(f"{task}.initial", kinds + 1),
        )
    transitions, initial = (
        np.array(folder.array(f"{task}.{name}", *shape))
        for name, shape in (("transitions", (n, n)), ("initial", (n,)))
    )
    # Of all tags of each kind the paths themselves know which may end a sentence.
    return paths_of(tags, transitions, initial, folder.meta["network"]["constrained"])[0]


def _greedy(folder: ModelFolder, task: str, paths: Dense) -> Greedy:
    """How tags are found from left to right; paths: the moves from the last tag."""
    n, order = len(paths.order), paths.order
    earlier = np.zeros((0, n, n), np.float32)
    if folder.has(f"{task}.earlier.npy"):
        earlier = folder.array(f"{task}.earlier", None, n, n)[:, order][:, :, order]
    return Greedy(paths, earlier, folder.meta["network"]["beam"])


def best_path(paths: Dense | None, scores: Floats, lengths: Ints) -> Paths:
    """The best paths, or the best tag of each word by itself; scores (n_words, n_tags)."""
    return scores.argmax(axis=1) if paths is None else paths.decode(scores, lengths)


def split_tags(tags: list[str], lengths: Ints) -> list[list[str]]:
    """Tags that lie end to end as those of each sentence."""
    ends = np.cumsum(lengths)
    return [tags[end - n : end] for end, n in zip(ends.tolist(), lengths.tolist(), strict=True)]


def name_phrases(tags: list[str], phrases: Sequence[Phrase], names: Sequence[str]) -> None:
    """Write the fixed phrases whose type the model does not have in the place of their O."""
    paths = tags.paths if isinstance(tags, Scored) else []
    for start, end, label in phrases:
        new = tags_of([Phrase(0, end - start, label)], end - start, "iobes")
        if not set(new) <= set(names):
            for path in (tags, *(path.tags for path in paths)):
                path[start:end] = new


def temperature_of(folder: ModelFolder, task: str) -> float:
    """What the scores of a task's paths are divided by before they become probabilities."""
    return float(folder.meta.get("temperature", {}).get(task, 1.0))


class TagHead:
    """The output layer and transitions of a task that gives each word a tag."""

    def __init__(self, folder: ModelFolder, task: str, units: int, unit: float = 1.0) -> None:
        """For layers that give `units` numbers a word, whole ones in `unit` or any.

        `units` is 0 where the network has no layer below the output: see `LinearHead`.
        """
        self.tags = read_tags(folder, task)
        n = len(self.tags)
        network = folder.meta["network"]
        transitions = np.array(folder.array(f"{task}.transitions", n, n))
        initial = np.array(folder.array(f"{task}.initial", n))
        self.paths: Dense | None = None
        self.final = np.zeros(n, np.float32)
        if network["paths"]:
            constrained = network["constrained"] and output_of(task).is_iobes
            self.paths, self.final = paths_of(self.tags, transitions, initial, constrained)
            if network.get("beam"):
                self.paths = _greedy(folder, task, self.paths)
        order = np.arange(n) if self.paths is None else self.paths.order
        self.names = [self.tags[i] for i in order]
        self.final = self.final[order]
        self.temperature = temperature_of(folder, task)
        self.states = folder.has(f"{task}.states.npy")  # whether moves depend on the word
        if units:
            weights = folder.array(f"{task}.output.weight", units, n)[:, order]
            self.bias = np.array(folder.array(f"{task}.output.bias", n)[order])
            if self.states:
                moves = folder.array(f"{task}.states", units, n, n)[:, order][:, :, order]
                weights = np.concatenate([weights, moves.reshape(units, n * n)], axis=1)
                self.bias = np.append(self.bias, np.zeros(n * n, np.float32))
            self.weights = Weights.of(weights, unit)

    def scores(self, x: Floats, lengths: Ints) -> Floats:
        """The output layer: (n_words, units) to (n_words, n_tags), tags as in `names`.

        With `states` the scores of moves to each word follow, n_tags * n_tags numbers.
        """
        emissions = product(x, self.weights)
        emissions += self.bias
        return emissions

    def __call__(self, x: Floats, block: Block, request: Request = PLAIN) -> Sequence[list[str]]:
        """The tags of each sentence's words; x is what the network gives, (n_words, units)."""
        lengths = block.lengths
        if not lengths.any():
            return [Scored() if request.asked else [] for _ in lengths]
        scores, paths = self.split(self.scores(x, lengths))
        ends = np.cumsum(lengths)
        scores[ends[lengths > 0] - 1] += self.final
        for start, phrases in zip((ends - lengths).tolist(), request.fixed, strict=False):
            for phrase in phrases:
                self._fix(scores[start + phrase.start : start + phrase.end], phrase.label)
                if isinstance(paths, Greedy) and phrase.start:  # it does not look ahead
                    scores[start + phrase.start - 1, self._open()] += np.float32(FORBIDDEN)
        path = best_path(paths, scores, lengths)
        if request.asked:
            arrays = paths, scores, lengths, path
            tags: Sequence[list[str]] = scored(self.names, *arrays, request.asked, self.temperature)
        else:
            tags = split_tags([self.names[i] for i in path.tolist()], lengths)
        for sentence, phrases in zip(tags, request.fixed, strict=False):
            name_phrases(sentence, phrases, self.names)
        return tags

    def _open(self) -> list[int]:
        """The columns of tags whose phrase goes on at the next word."""
        return [i for i, name in enumerate(self.names) if name[:2] in ("B-", "I-")]

    def split(self, scores: Floats) -> tuple[Floats, Dense | None]:
        """Emissions (n_words, n_tags), and how they are decoded."""
        if not self.states or self.paths is None:
            return scores, self.paths
        n = len(self.names)
        moves = scores[:, n:].reshape(-1, n, n)
        return np.ascontiguousarray(scores[:, :n]), States(self.paths, moves)

    def _fix(self, scores: Floats, label: str) -> None:
        """Rule out all tags of some words but those of one phrase, or O if it is of a new type."""
        tags = tags_of([Phrase(0, len(scores), label)], len(scores), "iobes")
        if not set(tags) <= set(self.names):
            tags = ["O"] * len(scores)
        places = range(len(tags)), [self.names.index(tag) for tag in tags]
        kept = scores[places]
        scores += np.float32(FORBIDDEN)
        scores[places] = kept


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


class Costs:
    """What arguments cost that do not go with the tree, as their predicate sees it.

    An argument is one constituent beside the way from the predicate to the root, or some that hang
    on the same one; `inside` is the cost of each end elsewhere, `across` of each step between words
    that hang on different ones.
    """

    def __init__(self, inside: float, across: float, names: Sequence[str]) -> None:
        """names (n_tags,): the tags, IOBES, in the order of the scores."""
        self.inside, self.across = np.float32(inside), np.float32(across)
        self.opening, self.closing, self.going_on = (
            _columns([i for i, name in enumerate(names) if name[0] in marks])
            for marks in ("BS", "ES", "BI")
        )

    def take(self, scores: Floats, pairs: Pairs) -> None:
        """Take the costs off scores (n_words, n_tags) of words for predicates."""
        assert pairs.views is not None
        beside, above = pairs.views
        place = beside % 4
        parted = (above[1:] != above[:-1]) & (pairs.owners[1:] == pairs.owners[:-1])
        for rows, tags, cost in (
            ((place == INSIDE) | (place == END), self.opening, self.inside),
            ((place == INSIDE) | (place == BEGIN), self.closing, self.inside),
            (np.append(parted, False), self.going_on, self.across),
        ):
            scores[:, tags] -= (rows * cost)[:, None]


def _columns(numbers: list[int]) -> slice | list[int]:
    """Some columns, as a slice where they stand side by side: NumPy is faster then."""
    side_by_side = numbers == list(range(min(numbers), min(numbers) + len(numbers)))
    return slice(min(numbers), max(numbers) + 1) if side_by_side else numbers


class RoleHead:
    """The output layer of roles, and the scores of moves between them; a network adds `pairs`."""

    def __init__(self, folder: ModelFolder, task: str, units: int) -> None:
        self.tags = read_tags(folder, task)
        n = len(self.tags)
        self.paths: Dense | None = None
        order = np.arange(n)
        if folder.meta["network"]["paths"]:
            self.paths = _role_paths(folder, task, self.tags)
            order = self.paths.order
        self.names = [self.tags[i] for i in order]
        self.once = Once(self.names) if folder.meta["network"].get("once") else None
        self.inventory: Inventory | None = None
        if folder.meta["network"].get("inventory"):
            self.inventory = Inventory(folder.lines(f"{task}.inventory.txt"), self.names)
        self.weights = Weights.of(folder.array(f"{task}.output.weight", units, n)[:, order])
        self.bias = folder.array(f"{task}.output.bias", n)[order]
        self.temperature = temperature_of(folder, task)
        tree = folder.meta["features"].get("tree")
        labels = folder.lines("tree.txt") if tree else []
        self.labels = {label: row for row, label in enumerate(labels, start=1)}
        self.costs = Costs(tree["inside"], tree["across"], self.names) if tree else None

    def hidden(self, x: Floats, lengths: Ints) -> Floats:
        """What is computed once a word for all predicates; x is what the network gives."""
        return x

    def pairs(self, x: Floats, hidden: Floats, pairs: Pairs) -> Floats:
        """The layer below the output, for words that predicates look at, (n_words, units)."""
        raise NotImplementedError

    def _packed(self, trees: Constituents) -> tuple[Ints, Ints]:
        """The constituents of sentences as `calls.views` takes them, and where those of each end.

        Labels are the rows of the highest and of the lowest of a chain.
        """
        get, ends = self.labels.get, np.cumsum([0, *map(len, trees)])
        chains = {label for tree in trees for _, _, label in tree}
        rows = {c: (get(c.partition(LINK)[0], 0), get(c.rpartition(LINK)[2], 0)) for c in chains}
        fields = ((start, end, *rows[label]) for tree in trees for start, end, label in tree)
        numbers = np.fromiter(chain.from_iterable(fields), np.int64, 4 * int(ends[-1]))
        return numbers.reshape(-1, 4), ends

    def _views(self, looking: Looking, trees: Constituents, packed: tuple[Ints, Ints]) -> Ints:
        """What some predicates see of their trees, of the words that they look at."""
        sentences, positions, lengths, first, seen = looking
        constituents, ends = packed
        columns = positions, lengths, first, seen, ends[sentences], ends[sentences + 1]
        views = calls.views(constituents, np.stack(columns, axis=1))
        if views is not None:
            return views
        rows = [
            np.array(view(place, trees[sentence], self.labels, n))[:, start : start + m]
            for sentence, place, n, start, m in zip(*(a.tolist() for a in looking), strict=True)
        ]
        return np.concatenate(rows, axis=1)

    def __call__(self, x: Floats, block: Block, request: Request = PLAIN) -> list[list[Predicate]]:
        """The predicates of each sentence that are asked for, with their roles."""
        pairs = zip(request.predicates, self.role_tags(x, block, request), strict=True)
        return [list(map(regular, *pair)) for pair in pairs]

    def role_tags(self, x: Floats, block: Block, request: Request) -> list[list[list[str]]]:
        """The roles of each sentence's words, IOBES, for each of its predicates.

        Scored tags are `regular` already.
        """
        lengths = block.lengths
        counts = [len(places) for places in request.predicates]
        if not sum(counts):
            return [[] for _ in counts]
        hidden = self.hidden(x, lengths)
        sentences = np.repeat(np.arange(len(counts)), counts)
        positions = np.array([place for row in request.predicates for place in row], np.int64)
        first = np.maximum(positions - SIGHT, 0)
        seen = np.minimum(positions + SIGHT + 1, lengths[sentences]) - first
        starts = (np.cumsum(lengths) - lengths)[sentences]
        after = lengths[sentences] - first - seen
        trees = block.earlier.get(PARSER, ())
        roles: list[list[str]] = [[] for _ in positions]
        looking = sentences, positions, lengths[sentences], first, seen
        packed = self._packed(trees) if self.labels else None
        for rows in batches(seen, WIDEST, GROUP):
            some = tuple(array[rows] for array in looking)
            views = None if packed is None else self._views(some, trees, packed)
            pairs = Pairs(starts[rows], positions[rows], first[rows], seen[rows], views)
            barred = None if self.inventory is None else self._barred(some, block.forms)
            places = positions[rows] - first[rows]
            tags = self._decoded(x, hidden, pairs, places, barred, request.asked)
            for row, inner in zip(rows.tolist(), tags, strict=True):
                roles[row] = between(inner, int(first[row]), int(after[row]))
        ends = np.cumsum(counts)
        return [roles[end - n : end] for end, n in zip(ends, counts, strict=True)]

    def _barred(self, some: Sequence[Ints], forms: Sequence[Sequence[str]]) -> Floats:
        """What tags cost each of some predicates that are no roles of its verb."""
        assert self.inventory is not None
        places = zip(some[0].tolist(), some[1].tolist(), strict=True)
        return np.array([self.inventory.of(forms[i][place]) for i, place in places])

    def _decoded(
        self,
        x: Floats,
        hidden: Floats,
        pairs: Pairs,
        places: Ints,
        barred: Floats | None,
        asked: Asked,
    ) -> Sequence[list[str]]:
        """The roles of the words that some predicates look at; places: theirs among these.

        barred (n_predicates, n_tags): added to the scores.
        """
        scores = product(self.pairs(x, hidden, pairs), self.weights)
        scores += self.bias
        if barred is not None:
            scores += barred[pairs.owners]
        if self.costs is not None:
            self.costs.take(scores, pairs)
        path = best_path(self.paths, scores, pairs.lengths)
        if self.once is not None and self.paths is not None:
            self.once.correct(self.paths, scores, pairs.lengths, path)
        tags = split_tags([self.names[i] for i in path.tolist()], pairs.lengths)
        return self._scored(scores, pairs.lengths, tags, places, asked) if asked else tags

    def _scored(
        self, scores: Floats, lengths: Ints, tags: Sequence[list[str]], places: Ints, asked: Asked
    ) -> Sequence[list[str]]:
        """The roles for some predicates, made regular, with their probabilities."""
        numbers = {name: i for i, name in enumerate(self.names)}
        roles = [regular(*pair).tags for pair in zip(places.tolist(), tags, strict=True)]
        # The predicate's own place is given: if the model does not know V, O says as much.
        path = np.array([numbers.get(tag, numbers["O"]) for row in roles for tag in row], np.intp)
        one = replace(asked, n_best=1)
        sentences = scored(self.names, self.paths, scores, lengths, path, one, self.temperature)
        for sentence, row in zip(sentences, roles, strict=True):
            sentence[:] = row
        return sentences
