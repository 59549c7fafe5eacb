"""From a network's last layer to tags of words, or to roles of predicates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna.annotation.predicates import Predicate, regular
from senna.annotation.schemes import LINK, Phrase
from senna.decoding.requests import PLAIN, Asked, Request, between
from senna.decoding.viterbi import FORBIDDEN, Dense, Roles, batches, paths_of
from senna.inference.convolutions import Convolutions
from senna.inference.exact import Floats, Layer, Weights, product, sums
from senna.inference.kernel import calls
from senna.inference.workspace import Block, Ints
from senna.kinds.head import best_path, read_tags, split_tags, temperature_of
from senna.model.folder import ModelFolder
from senna.tasks import PARSER

BEGIN, INSIDE, END, SINGLE = range(4)
STEPS = 8  # farther up counts as seven


def view(
    place: int, constituents: Sequence[Phrase], rows: Mapping[str, int], n: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A tree as a predicate sees it: for each of n words, its constituent next to the path from the
    predicate to the root, and where on the path this hangs.

    Arguments are nearly always such siblings of the path (Xue and Palmer 2004, "Calibrating
    Features for Semantic Role Labeling"): each is as large as it can be without the predicate.

    `constituents` come each before its parts; `rows` are those of labels, from 1. The first
    is 4 row + one of the four places in the constituent (row 0: a word by itself), the second
    `STEPS` row + steps, of the lowest constituent that holds both word and predicate (row 0: none)
    and its distance from the predicate in constituents.
    """
    beside = np.full(n, SINGLE)
    above = np.zeros(n, np.int64)  # of the constituents over the predicate, the lowest with a word
    way, covered = [0], 0
    for start, end, label in constituents:
        if start <= place < end:
            above[start:end] = len(way)
            way.append(rows.get(label.rpartition(LINK)[2], 0))
        elif start >= covered:
            covered, first = end, 4 * rows.get(label.partition(LINK)[0], 0)
            beside[start:end] = first + INSIDE
            beside[start], beside[end - 1] = first + BEGIN, first + END
            if end == start + 1:
                beside[start] = first + SINGLE
    steps = np.minimum(len(way) - 1 - above, STEPS - 1)
    return beside, np.array(way)[above] * STEPS + steps


def sizes(n_labels: int) -> tuple[int, int]:
    """How many numbers there are of each of the two kinds."""
    return 4 * (n_labels + 1), STEPS * (n_labels + 1)


def labels_of(constituents: Sequence[Phrase]) -> set[str]:
    """The single labels of constituents."""
    return {part for _, _, label in constituents for part in label.split(LINK)}


CORE = ("A0", "A1", "A2", "A3", "A4", "A5", "AA")
ENDINGS = (
    *(("s", ""), ("es", ""), ("ies", "y"), ("d", ""), ("ed", ""), ("ied", "y")),
    *(("ing", ""), ("ing", "e"), ("ying", "ie")),
)


class Inventory:
    """Penalties, by predicate, for tags that are no roles of its verb."""

    def __init__(self, lines: Iterable[str], names: Sequence[str]) -> None:
        """lines: some core roles, a tab, and the words that may have these alone; names: tags."""
        self.roles: dict[str, frozenset[str]] = {}
        for line in lines:
            roles, _, words = line.partition("\t")
            self.roles |= dict.fromkeys(words.split(" "), frozenset(roles.split(" ")))
        self.labels = [name[2:].removeprefix("C-").removeprefix("R-") for name in names]
        self.costs: dict[frozenset[str], NDArray[np.float32]] = {}

    def of(self, form: str) -> NDArray[np.float32]:
        """The cost of each tag for a predicate, (n_tags,): none for a word that is not known."""
        known = [self.roles[word] for word in bases(form.lower()) if word in self.roles]
        roles = frozenset(CORE) if not known else frozenset[str]().union(*known)
        if roles not in self.costs:
            barred = [label in CORE and label not in roles for label in self.labels]
            self.costs[roles] = np.array(barred, np.float32) * np.float32(FORBIDDEN)
        return self.costs[roles]


def bases(form: str) -> Iterator[str]:
    """The words of which a form may be a regular inflection, itself among them.

    >>> list(bases("stopping"))
    ['stopping', 'stopp', 'stoppe', 'stop']
    """
    yield form
    for ending, base in ENDINGS:
        if form.endswith(ending):
            yield form.removesuffix(ending) + base
    for ending in ("ed", "ing"):
        stem = form.removesuffix(ending)
        if stem != form and stem[-1:] == stem[-2:-1]:
            yield stem[:-1]


Constituents = Sequence[Sequence[Phrase]]  # of each sentence, each before its parts
# Of predicates: sentence, place in it, its words, first and number of those that it looks at.
Looking = tuple[Ints, ...]
SIGHT = 60  # words before and after it that a predicate looks at; roles farther away are not found
WIDEST, GROUP = 64, 2_048  # predicates, and words of them, decoded together


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
    return paths_of(tags, transitions, initial, folder.table.network.constrained)[0]


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
    """Penalties for arguments that are not constituents of the tree, seen from their predicate.

    An argument is a constituent next to the path from the predicate to the root, or some that hang
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
    side_by_side = numbers == list(range(min(numbers), min(numbers) + len(numbers)))
    return slice(min(numbers), max(numbers) + 1) if side_by_side else numbers


class RoleHead:
    """The output layer of roles, and paths; a network adds `pairs` or, without units, `scores`."""

    def __init__(self, folder: ModelFolder, task: str, units: int) -> None:
        self.tags = read_tags(folder, task)
        n = len(self.tags)
        self.paths: Dense | None = None
        order = np.arange(n)
        if folder.table.network.paths:
            self.paths = _role_paths(folder, task, self.tags)
            order = self.paths.order
        self.names = [self.tags[i] for i in order]
        self.inventory: Inventory | None = None
        if folder.table.network.inventory:
            self.inventory = Inventory(folder.lines(f"{task}.inventory.txt"), self.names)
        if units:
            self.weights = Weights.of(folder.array(f"{task}.output.weight", units, n)[:, order])
            self.bias = folder.array(f"{task}.output.bias", n)[order]
        self.temperature = temperature_of(folder, task)
        tree = folder.table.features.tree
        labels = folder.lines("tree.txt") if tree else []
        self.labels = {label: row for row, label in enumerate(labels, start=1)}
        self.costs = Costs(tree.inside, tree.across, self.names) if tree else None

    def hidden(self, x: Floats, lengths: Ints) -> Floats:
        """The part that is computed once per word for all predicates; x is the network's output."""
        return x

    def pairs(self, x: Floats, hidden: Floats, pairs: Pairs) -> Floats:
        """The layer below the output, for words that predicates look at, (n_words, units)."""
        raise NotImplementedError

    def scores(self, x: Floats, hidden: Floats, pairs: Pairs) -> Floats:
        """The scores of tags of these words, (n_words, n_tags)."""
        return product(self.pairs(x, hidden, pairs), self.weights, self.bias)

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
        """The views of some predicates on their trees, for the words within their reach."""
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
        return [roles[end - n : end] for end, n in zip(np.cumsum(counts), counts, strict=True)]

    def _barred(self, some: Sequence[Ints], forms: Sequence[Sequence[str]]) -> Floats:
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
        scores = self.scores(x, hidden, pairs)
        if barred is not None:
            scores += barred[pairs.owners]
        if self.costs is not None:
            self.costs.take(scores, pairs)
        path = best_path(self.paths, scores, pairs.lengths)
        tags = split_tags([self.names[i] for i in path.tolist()], pairs.lengths)
        return self._scored(scores, pairs.lengths, tags, places, asked) if asked else tags

    def _scored(
        self, scores: Floats, lengths: Ints, tags: Sequence[list[str]], places: Ints, asked: Asked
    ) -> Sequence[list[str]]:
        """The roles for some predicates, made regular, with their probabilities."""
        from senna.decoding.marginals import scored

        numbers = {name: i for i, name in enumerate(self.names)}
        roles = [regular(*pair).tags for pair in zip(places.tolist(), tags, strict=True)]
        # The predicate's own place is given: if the model does not know V, O says as much.
        path = np.array([numbers.get(tag, numbers["O"]) for row in roles for tag in row], np.intp)
        one = asked._replace(n_best=1)
        sentences = scored(self.names, self.paths, scores, lengths, path, one, self.temperature)
        for sentence, row in zip(sentences, roles, strict=True):
            sentence[:] = row
        return sentences


class PairRoles(RoleHead):
    """Roles above an encoder of words: units of a word and a predicate together, ReLU(A h_w +
    B h_p + d[w - p]), and gated convolutions over the words for each predicate."""

    def __init__(self, folder: ModelFolder, task: str, units: int, settings: Any) -> None:
        """units: of a word, as the encoder gives them; settings: of the network."""
        self.of_word = Layer(folder, f"{task}.word", units, None)
        pair = self.of_word.units
        super().__init__(folder, task, pair)
        of_predicate = folder.array(f"{task}.predicate.weight", units, pair)
        self.of_predicate = Weights.of(of_predicate)
        self.distance = folder.array(f"{task}.distance", 2 * settings.distance + 1, pair)
        self.views: tuple[Floats, ...] = ()
        if self.labels:
            both = zip(("beside", "above"), sizes(len(self.labels)), strict=True)
            self.views = tuple(folder.array(f"{task}.{name}", n, pair) for name, n in both)
        dilations = settings.pair_dilations
        self.layers = Convolutions(folder, f"{task}.gated", pair, settings.width, dilations)

    def hidden(self, x: Floats, lengths: Ints) -> Floats:
        return self.of_word(x)

    def pairs(self, x: Floats, hidden: Floats, pairs: Pairs) -> Floats:
        predicates = product(x[pairs.places], self.of_predicate)
        clip = len(self.distance) // 2
        away = np.clip(pairs.away, -clip, clip) + clip
        parts = [(hidden, pairs.words), (predicates, pairs.owners), (self.distance, away)]
        parts += zip(self.views, () if pairs.views is None else pairs.views, strict=True)
        units = sums(parts, rectified=True)
        self.layers(units, pairs.lengths)
        return units


head = PairRoles
