"""Each network at tagging time and its twin in PyTorch, on random weights.

They are compared twice: without the rounding of `senna.inference.exact`, where scores are equal to
1e-5, and with it, where scores are near.
"""

import dataclasses
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from senna.annotation.trees import constituents
from senna.decoding.best_trees import best_spans
from senna.inference.features.settings import (
    AffixFeature,
    CapsFeature,
    CharacterFeature,
    ClusterFeature,
    Features,
    GazetteerFeature,
    LevelFeature,
    NgramFeature,
    StemFeature,
    TagFeature,
    TreeFeature,
    WordFeature,
)
from senna.inference.lookup import load_words
from senna.inference.networks.base import Network
from senna.inference.networks.settings import GatedConfig, SentenceConfig, WindowConfig
from senna.kinds.head import best_path
from senna.kinds.roles import head as roles_tag
from senna.kinds.settings import LabelConfig, TreeConfig
from senna.kinds.tags import head as tags_tag
from senna.kinds.trees.head import span_scores
from senna.lab.networks.recurrent import span_lengths
from senna.model.folder import read_model
from senna.registry import NETWORKS
from senna.tasks import TASKS
from senna.training.build import Setup
from senna.training.config import Config, Export, NetworkConfig, Training
from senna.training.examples.encode import TaskSets
from senna.training.run import factorise
from senna.training.trainer import Trainer
from tests import toys
from tests.inference.networks.exact import assert_same, without_rounding
from tests.inference.networks.texts import Text, load

Compare = Callable[[np.ndarray, np.ndarray], None]

SIZES = st.integers(0, 4)
SHARES = st.sampled_from([0.0, 0.5])
TAGS = st.sampled_from([("ner",), ("pos",), ("chunk", "ner"), ("pos", "chunk")])
ANY = st.sampled_from([("srl",), ("pos",), ("ner", "srl"), ("predicates", "pt0")])

# The kinds of networks that NumPy computes.
TWINS = sorted(k for k in NETWORKS if NETWORKS.places[k].startswith("senna.inference."))


@pytest.fixture(scope="module")
def lists(tmp_path_factory) -> str:
    """Phrase lists of two types and clusters, over the toy corpus' words."""
    folder = tmp_path_factory.mktemp("lists")
    (folder / "per.txt").write_text("Anna Weber\nMcKay\nthe walks quickly\n", encoding="utf-8")
    (folder / "loc.txt").write_text("Anna\nİzmir\n日本\nwalks the\nx\n", encoding="utf-8")
    lines = ("00\tthe\t9", "0101\tAnna\t3", "0101\t0\t2", "0110\tweber\t2", "11\t日本\t1")
    (folder / "paths").write_text("\n".join(lines), encoding="utf-8")
    return str(folder)


AFFIXES = st.builds(
    AffixFeature, size=SIZES, lengths=st.sampled_from([(1,), (2, 3)]), min_count=st.just(1)
)
CONCATENATED = st.builds(
    Features,
    word=st.builds(WordFeature, size=st.integers(1, 8), fixed=st.booleans()),
    caps=st.builds(CapsFeature, size=SIZES, caseless=SHARES, titled=SHARES),
    prefix=AFFIXES,
    suffix=AFFIXES,
    stem=st.builds(StemFeature, size=SIZES, min_count=st.just(1)),
    characters=st.builds(
        CharacterFeature,
        filters=st.sampled_from([0, 2, 4]),
        size=st.integers(1, 4),
        width=st.sampled_from([1, 3, 5]),
    ),
    clusters=st.builds(ClusterFeature, file=st.sampled_from(["", "paths"]), size=st.integers(1, 3)),
    tags=st.fixed_dictionaries(
        {name: st.builds(TagFeature, size=SIZES, source=st.just("column")) for name in ("pos",)}
    ),
    ngrams=st.builds(
        NgramFeature, buckets=st.integers(0, 30), least=st.integers(1, 3), most=st.integers(3, 5)
    ),
    levels=st.builds(
        LevelFeature, size=st.integers(0, 2), last=st.integers(0, 2), source=st.just("column")
    ),
    gazetteer=st.builds(
        GazetteerFeature, size=SIZES, coding=st.sampled_from(["position", "on_off"])
    ),
)


@st.composite
def features(draw: st.DrawFn) -> Features:
    """Tables side by side, one-hot, or added up, where all have one size."""
    drawn = draw(CONCATENATED)
    tables: dict[str, Any]
    how = draw(st.sampled_from(["concatenate", "one-hot", "sum", "without words"]))
    if how == "without words":
        one_hot = draw(st.booleans())
        tables = {"word": WordFeature(size=0), "caps": CapsFeature(2), "ngrams": NgramFeature()}
        letters = CharacterFeature() if one_hot else drawn.characters
        return dataclasses.replace(drawn, one_hot=one_hot, characters=letters, **tables)
    if how == "one-hot":
        none = CharacterFeature(), NgramFeature()
        return dataclasses.replace(drawn, one_hot=True, characters=none[0], ngrams=none[1])
    if how == "concatenate":
        return drawn
    n = draw(st.sampled_from([2, 4]))
    tables = {"word": dataclasses.replace(drawn.word, size=n)}
    for name in ("caps", "prefix", "suffix", "stem", "levels", "gazetteer"):
        table = getattr(drawn, name)
        tables[name] = dataclasses.replace(table, size=n * (table.size > 0))
    filters = n * (drawn.characters.filters > 0)
    tables["characters"] = dataclasses.replace(drawn.characters, filters=filters)
    tables["clusters"] = dataclasses.replace(drawn.clusters, size=n)
    tables["tags"] = {
        name: dataclasses.replace(tag, size=n * (tag.size > 0)) for name, tag in drawn.tags.items()
    }
    summed = dataclasses.replace(drawn, joined="sum", **tables)
    assert not summed.wrong
    return summed


FEATURES = features()


@st.composite
def windows(draw: st.DrawFn) -> Config:
    n = draw(st.integers(0, 3))
    network = toys.window(
        tuple(draw(st.sampled_from([1, 3, 5, 7])) for _ in range(max(n, 1))),
        tuple(draw(st.integers(1, 9)) for _ in range(n)),
        draw(st.integers(1, max(n, 1))),
    )
    tasks = draw(TAGS if n else ANY)  # only a linear one finds roles
    return Config(tasks=tasks, features=draw(FEATURES), network=network)


@st.composite
def gated(draw: st.DrawFn) -> Config:
    own = GatedConfig(
        units=draw(st.integers(8, 12)),
        width=draw(st.sampled_from([1, 3, 5])),
        dilations=tuple(draw(st.lists(st.integers(1, 4), max_size=3))) or (1,),
        pair=draw(st.integers(8, 12)),
        pair_dilations=tuple(draw(st.lists(st.integers(1, 3), max_size=2))),
        distance=draw(st.integers(1, 5)),
    )
    tree = TreeConfig(units=draw(st.integers(8, 12)), labels=draw(st.integers(8, 12)))
    network = NetworkConfig(kind="gated", gated=own, tree=tree)
    export = Export(rank=draw(st.integers(0, 3)))
    tasks = draw(ANY | st.sampled_from([("psg",), ("pos", "psg")]))
    reads = TreeFeature("srl" in tasks and draw(st.booleans()), 0.0, 0.0, "unread")
    features = dataclasses.replace(draw(FEATURES), tree=reads)
    return Config(tasks=tasks, features=features, network=network, export=export)


@st.composite
def sentences(draw: st.DrawFn) -> Config:
    own = SentenceConfig(
        width=draw(st.sampled_from([1, 3, 5])),
        units=draw(st.integers(1, 9)),
        hidden=draw(st.integers(0, 9)),
        distance=draw(st.integers(1, 6)),
        distance_size=draw(st.integers(1, 3)),
    )
    network = NetworkConfig(kind="sentence", sentence=own)
    return Config(tasks=draw(ANY), features=draw(FEATURES), network=network)


KIND_STRATEGIES: dict[str, Callable[[], st.SearchStrategy[Config]]] = {
    "window": windows,
    "gated": gated,
    "sentence": sentences,
}


def use_stored_words(made: Setup, path: Path) -> None:
    """Give the torch network the word table as the folder stores it."""
    words = load_words(read_model(path), {})
    with torch.no_grad():
        made.model.inputs.word.copy_(torch.from_numpy(words.vectors(made.numbered.trained)))
    made.model.inputs.fixed = torch.from_numpy(words.vectors(made.numbered.fixed))


def assert_near(scores: np.ndarray, expected: np.ndarray) -> None:
    """As near as whole numbers up to 255 allow."""
    scale = np.abs(expected).max(initial=1)
    error = np.abs(scores - expected)
    # Where all units of a word are nearly the same, normalising them makes much of little.
    assert error.max(initial=0) < scale
    assert error.size == 0 or error.mean() < 0.08 * scale


@settings(
    max_examples=settings().max_examples // 5,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@pytest.mark.parametrize("kind", TWINS)
@given(data=st.data(), seed=st.integers(0, 99))
def test_equal_to_torch(lists, tmp_path, kind, data, seed):
    """Scores and paths are the twin's; with rounding, scores are near."""
    drawn = data.draw(KIND_STRATEGIES[kind]())
    gazetteer = dataclasses.replace(drawn.features.gazetteer, files=(lists,))
    clusters = drawn.features.clusters
    clusters = dataclasses.replace(clusters, file=clusters.file and f"{lists}/{clusters.file}")
    criterion = data.draw(st.sampled_from(["word", "sentence"]))
    full = criterion == "sentence" and drawn.tasks != ("psg",) and data.draw(st.booleans())
    constrained = not full and criterion == "sentence" and "srl" in drawn.tasks
    config = dataclasses.replace(
        drawn,
        features=dataclasses.replace(drawn.features, gazetteer=gazetteer, clusters=clusters),
        network=dataclasses.replace(
            drawn.network,
            transitions="full" if full else "tied",
            constrained=constrained or data.draw(st.booleans()),
        ),
        train=Training(criterion=criterion),
    )
    made = toys.setup(config, seed=seed)
    if config.export.rank:
        factorise(made.model, made.batches, config.export.rank)
    path = toys.exported(made, tmp_path / "model")
    use_stored_words(made, path)
    trainer = made.trainer(tmp_path)
    for task in made.numbered.tasks:
        is_tree = TASKS[task.name].head == "trees"
        twin = Twin(made, trainer, task)
        with without_rounding():
            (compare_trees if is_tree else compare)(twin, load(path), assert_same, exact=True)
        (compare_trees if is_tree else compare)(twin, load(path), assert_near, exact=False)


class Twin:
    """What the network in PyTorch says of one task's dev sentences."""

    def __init__(self, setup: Setup, trainer: Trainer, task: TaskSets) -> None:
        self.task, self.dev = task, setup.corpora[task.name].dev[0][1]
        self.head: Any = setup.model.head(task.name)
        self.batch = setup.batches.batch(task.name, task.dev)
        with torch.no_grad():
            self.scores = setup.model(task.name, self.batch)
        self.predicted = trainer.predict(task, task.dev)

    def text(self, network: Network) -> Text:
        """The dev sentences as the network at tagging time takes them."""
        vocabularies = network.first.vocabularies
        tags = {name: [s.tags.get(name, []) for s in self.dev] for name in vocabularies}
        return Text(network, [s.forms for s in self.dev], tags, trees=[s.tree for s in self.dev])


def compare_trees(twin: Twin, network: Network, assert_equal: Compare, exact: bool) -> None:
    """Trees: the scores of spans and of labels, and the trees."""
    name = twin.task.name
    head: Any = network.heads[name]
    text, x = twin.text(network), twin.scores
    n = twin.batch.lengths.numpy()
    with torch.no_grad():
        spans = twin.head.layers.spans(x).numpy()
        s, first, last = best_spans(spans, n)
        units = twin.head.layers.labels(x, *map(torch.from_numpy, (s, first, last)))
        labels = twin.head.output(units).numpy()
    said, starts = head.project(text.x), np.cumsum(n) - n
    scores = span_scores(said, starts, n)
    inside = np.arange(n.max()) < n[:, None]
    both = inside[:, :, None] & inside[:, None, :]
    assert_equal(scores[both], spans[both])
    assert_equal(head.label_scores(said, starts[s] + first, starts[s] + last), labels)
    kept = labels.argmax(1) > 0
    by_scores = Counter(zip(s[kept], first[kept], last[kept] + 1, strict=True))
    trees = [constituents(tree) for tree in twin.predicted]
    expected = Counter((i, a, b) for i, tree in enumerate(trees) for a, b, _ in tree)
    assert expected == by_scores
    answers = text.annotate(name)
    if exact:
        ours = best_spans(scores, n)  # another tree than the twin's where two are as good
        assert spans[ours].sum() == pytest.approx(spans[s, first, last].sum(), abs=1e-3)
        s, first, last = ours
        labels = head.label_scores(said, starts[s] + first, starts[s] + last).argmax(1)
        rows = zip(s, first, last + 1, labels, strict=True)
        named = Counter((i, a, b, head.names[k]) for i, a, b, k in rows if k)
        assert named == Counter((i, *span) for i, tree in enumerate(answers) for span in tree)
    assert len(answers) == len(n) and len(said.first) == n.sum()


def compare(twin: Twin, network: Network, assert_equal: Compare, exact: bool) -> None:
    """Tags and roles: the scores of all tags, and the paths."""
    task, dev = twin.task, twin.dev
    head: Any = network.heads[task.name]
    is_roles = TASKS[task.name].head == "roles"
    places = [[p.position for p in s.gold] for s in dev] if is_roles else None
    lengths = twin.batch.gold_lengths.numpy()
    columns = [task.names.index(name) for name in head.names]
    rows = zip(twin.scores.numpy(), lengths, strict=True)
    expected = [row[:n, columns] for row, n in rows]
    seen: list[np.ndarray] = []
    text = twin.text(network)
    with pytest.MonkeyPatch.context() as patched:
        for module in (roles_tag, tags_tag):
            patched.setattr(
                module, "best_path", lambda *args: seen.append(args[1].copy()) or best_path(*args)
            )
        answers = text.annotate(task.name, places, [s.tree for s in dev])
    assert [len(answer) for answer in answers] == [
        len(s.gold if is_roles else s.forms) for s in dev
    ]
    order = np.argsort(-lengths, kind="stable") if is_roles else np.arange(len(lengths))
    parts = np.split(np.concatenate(seen), np.cumsum(lengths[order])[:-1]) if seen else []
    assert len(parts) == (len(expected) if sum(lengths) else 0)
    emissions = [np.empty(0)] * len(parts)
    for scores, i in zip(parts, order, strict=True):
        kept = expected[i] > -5_000  # what IOBES rules out at the end, in torch
        assert_equal(scores[kept], expected[i][kept])
        emissions[i] = scores
    # The paths of the twin's emissions, by this head's own decoding.
    paths = best_paths(head, expected, lengths)
    predicted = twin.predicted
    twin_rows = [p.tags for sentence in predicted for p in sentence] if is_roles else predicted
    assert [head.names[i] for path in paths for i in path] == [t for row in twin_rows for t in row]
    if exact:
        ours = best_paths(head, emissions, lengths)
        for rows, path, other in zip(expected, paths, ours, strict=True):
            if path.tolist() != other.tolist():  # of two paths that are equal but for rounding
                assert worth(head, rows, path) == pytest.approx(worth(head, rows, other), abs=1e-3)
        answer_rows = [row for answer in answers for row in answer] if is_roles else answers
        assert [[head.names[i] for i in path] for path in ours] == list(map(list, answer_rows))


def best_paths(head: Any, emissions: list[np.ndarray], lengths: np.ndarray) -> list[np.ndarray]:
    """The best path of each row by the head's own decoding, as numbers of its tags."""
    if not emissions:
        return []
    path = best_path(head.paths, np.concatenate(emissions), lengths)
    return np.split(path, np.cumsum(lengths)[:-1])


def worth(head: Any, rows: np.ndarray, path: np.ndarray) -> float:
    """The score of a path through emissions."""
    score = float(rows[np.arange(len(path)), path].sum())
    if head.paths is None or not len(path):
        return score
    places = np.argsort(head.paths.order)[path]
    moves = head.paths.transitions[places[:-1], places[1:]]
    return score + float(head.paths.initial[places[0]]) + float(moves.sum())


SIGNS = (",", ".", ";", ":", "!", "?", "...", "--", "-", ")", "]", "\u2013", "\u2014", "\u2026")


GATED = toys.gated(10, 1, 3)
WINDOW = NetworkConfig(window=WindowConfig((3, 3), (12, 9), 1))  # one layer is shared
SENTENCE = NetworkConfig("sentence", sentence=SentenceConfig(3, 12, 9, 2))


@pytest.mark.parametrize(
    ("network", "pooling", "tasks", "rank"),
    [
        (GATED, ("mean", "max"), ("label",), 2),
        (GATED, ("max", "mean"), ("pos", "label"), 0),
        (GATED, ("2-max",), ("pos", "label"), 0),
        (GATED, ("4-regions", "mean"), ("pos", "label"), 0),
        (WINDOW, ("mean", "max", "2-regions"), ("pos", "label"), 0),
        (SENTENCE, ("mean", "max", "2-regions"), ("label",), 0),
    ],
)
def test_labels_are_those_of_torch(tmp_path, network, pooling, tasks, rank):
    network = dataclasses.replace(network, label=LabelConfig(pooling))
    config = dataclasses.replace(toys.SMALL, tasks=tasks, network=network, export=Export(rank=rank))
    setup = toys.setup(config, seed=rank, n=30)
    if rank:
        factorise(setup.model, setup.batches, rank)
    path = toys.exported(setup, tmp_path / "model")
    use_stored_words(setup, path)
    trainer = setup.trainer(tmp_path)
    twin = Twin(setup, trainer, setup.numbered.tasks[-1])
    with without_rounding():
        labels = compare_labels(twin, load(path), assert_same)
    assert labels == twin.predicted
    assert len(set(labels)) > 1
    compare_labels(twin, load(path), assert_near)


def slow_spans(forms: list[str]) -> list[int]:
    """Words of each span, counted one by one."""
    lengths, before = [], "."
    for form in forms:
        if (before in SIGNS and form not in SIGNS and lengths) or not lengths:
            lengths.append(0)
        lengths[-1] += 1
        before = form
    return lengths


@given(st.lists(st.sampled_from([*SIGNS, "a", "b"]), max_size=9))
def test_spans_between_punctuation(forms):
    assert span_lengths(forms) == slow_spans(forms)


def compare_labels(twin: Twin, network: Network, assert_equal: Compare) -> list[str]:
    """The scores of the twins are equal, and the labels those of the scores."""
    text, names = twin.text(network), twin.task.names
    scores, expected = text.scores("label"), twin.scores.numpy()
    assert_equal(scores, expected)
    assert np.ptp(expected, axis=0).min() > 0.1  # sentences differ
    assert [names[i] for i in expected.argmax(axis=1)] == twin.predicted
    labels = text.annotate("label")
    assert [names[i] for i in scores.argmax(axis=1)] == labels
    return labels
