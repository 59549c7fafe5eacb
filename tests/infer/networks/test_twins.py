"""Each network at tagging time beside its twin in PyTorch, on random weights."""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from senna.config import (
    AffixFeature,
    CapsFeature,
    CaseFeature,
    CharacterFeature,
    Config,
    Export,
    Features,
    GatedConfig,
    GazetteerFeature,
    NetworkConfig,
    SentenceConfig,
    TagFeature,
    Training,
    TreeConfig,
    TreeFeature,
    WordFeature,
)
from senna.infer import heads
from senna.infer.decode.charts import best_spans
from senna.infer.decode.trees import span_scores
from senna.infer.lookup import load_words
from senna.infer.network import Network
from senna.infer.networks import KINDS
from senna.model.folder import read_model
from senna.tasks import TASKS
from senna.text.constituents import constituents
from senna.training import networks as training_networks
from senna.training.build import Setup
from senna.training.data import Example
from senna.training.factors import factorise
from senna.training.loop import TaskSets, Trainer
from tests import toys
from tests.infer.networks.texts import Text, load

SIZES = st.integers(0, 4)
SHARES = st.sampled_from([0.0, 0.5])
TAGS = st.sampled_from([("ner",), ("pos",), ("chunk", "ner"), ("pos", "chunk")])
ANY = st.sampled_from([("srl",), ("pos",), ("ner", "srl"), ("predicates", "pt0")])


def test_every_network_has_its_twin() -> None:
    assert set(KINDS) == set(training_networks.KINDS)
    assert set(KINDS) <= {field.name for field in dataclasses.fields(NetworkConfig)}


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Phrase lists of two types, over the toy corpus' words."""
    folder = tmp_path_factory.mktemp("lists")
    (folder / "per.txt").write_text("Anna Weber\nMcKay\nthe walks quickly\n", encoding="utf-8")
    (folder / "loc.txt").write_text("Anna\nİzmir\n日本\nwalks the\nx\n", encoding="utf-8")
    return str(folder)


AFFIXES = st.builds(
    AffixFeature, size=SIZES, lengths=st.sampled_from([(1,), (2, 3)]), min_count=st.just(1)
)
FEATURES = st.builds(
    Features,
    word=st.builds(WordFeature, size=st.integers(1, 8), fixed=st.booleans()),
    caps=st.builds(CapsFeature, size=SIZES, caseless=SHARES, titled=SHARES),
    case=st.builds(CaseFeature, size=SIZES),
    prefix=AFFIXES,
    suffix=AFFIXES,
    characters=st.builds(
        CharacterFeature,
        filters=SIZES,
        size=st.integers(1, 4),
        width=st.sampled_from([1, 3, 5]),
        longest=st.integers(2, 12),
    ),
    tags=st.fixed_dictionaries(
        {name: st.builds(TagFeature, size=SIZES, source=st.just("column")) for name in ("pos",)}
    ),
    gazetteer=st.builds(
        GazetteerFeature, size=SIZES, coding=st.sampled_from(["position", "on_off"])
    ),
)


@st.composite
def windows(draw: st.DrawFn) -> Config:
    n = draw(st.integers(1, 3))
    network = toys.window(
        tuple(draw(st.sampled_from([1, 3, 5, 7])) for _ in range(n)),
        tuple(draw(st.integers(1, 9)) for _ in range(n)),
        draw(st.integers(1, n)),
    )
    return Config(tasks=draw(TAGS), features=draw(FEATURES), network=network)


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
        hidden=draw(st.integers(1, 9)),
        distance=draw(st.integers(1, 6)),
        distance_size=draw(st.integers(1, 3)),
    )
    network = NetworkConfig(kind="sentence", sentence=own)
    return Config(tasks=draw(ANY), features=draw(FEATURES), network=network)


def use_stored_words(made: Setup, path: Path) -> None:
    """Give the torch network the word table as the folder stores it."""
    words = load_words(read_model(path), {})
    used = made.features.ids(list(made.encoder.rows)).words
    fixed = np.setdiff1d(used, made.trained).astype(np.int32)
    with torch.no_grad():
        made.model.inputs.word.copy_(torch.from_numpy(words.vectors(made.trained)))
    made.model.inputs.fixed = torch.from_numpy(words.vectors(fixed))


def assert_near(found: np.ndarray, expected: np.ndarray) -> None:
    """As near as whole numbers up to 255 allow."""
    scale = np.abs(expected).max(initial=1)
    error = np.abs(found - expected)
    assert error.max(initial=0) < 0.4 * scale
    assert error.size == 0 or error.mean() < 0.08 * scale


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@pytest.mark.parametrize("kind", sorted(KINDS))
@given(data=st.data(), seed=st.integers(0, 99))
def test_equal_to_torch(
    lists: str, tmp_path: Path, kind: str, data: st.DataObject, seed: int
) -> None:
    """The emissions are near the twin's, and from the twin's own the same paths are found."""
    drawn = data.draw({"window": windows(), "gated": gated(), "sentence": sentences()}[kind])
    gazetteer = dataclasses.replace(drawn.features.gazetteer, files=(lists,))
    config = dataclasses.replace(
        drawn,
        features=dataclasses.replace(drawn.features, gazetteer=gazetteer),
        network=dataclasses.replace(drawn.network, constrained=data.draw(st.booleans())),
        train=Training(criterion=data.draw(st.sampled_from(["word", "sentence"]))),
    )
    made = toys.setup(config, seed=seed)
    if config.export.rank:
        factorise(made.model, made.encoder, made.tasks, config.export.rank)
    path = toys.exported(made, tmp_path / "model")
    use_stored_words(made, path)
    trainer = Trainer(made.config, made.model, made.encoder, made.tasks, tmp_path)
    for task in made.tasks:
        own = compare_trees if TASKS[task.name].head == "trees" else compare
        own(made, trainer, task, path)


def compare_trees(made: Setup, trainer: Trainer, task: TaskSets, path: Path) -> None:
    """Trees: the scores of spans and labels are near, and the twin's own lead to the same tree."""
    network = load(path)
    head: Any = network.heads[task.name]
    dev = made.corpora[task.name].dev[0][1]
    text = Text(network, [s.forms for s in dev], _tags(dev, network))
    own: Any = made.model.head(task.name)
    with torch.no_grad():
        batch = made.encoder.batch(task.name, task.dev)
        x = made.model(task.name, batch)
        spans, n = own.layers.spans(x).numpy(), batch.lengths.numpy()
        s, first, last = best_spans(spans, n)
        labels = own.output(own.layers.labels(x, *map(torch.from_numpy, (s, first, last))))
    said, starts = head.hear(text.x), np.cumsum(n) - n
    scores = span_scores(said, starts, n)
    inside = np.arange(n.max()) < n[:, None]
    both = inside[:, :, None] & inside[:, None, :]
    assert_near(scores[both], spans[both])
    assert_near(head.label_scores(said, starts[s] + first, starts[s] + last), labels.numpy())
    kept = labels.numpy().argmax(1) > 0
    expected = Counter(zip(s[kept], first[kept], last[kept] + 1, strict=True))
    found = trainer.predict(task, task.dev)
    rows = ((i, a, b) for i, tree in enumerate(found) for a, b, _ in constituents(tree))
    assert Counter(rows) == expected
    assert list(map(len, text.annotate(task.name))) and len(said.first) == n.sum()


def _tags(dev: list[Example], network: Network) -> dict[str, list[list[str]]]:
    return {name: [s.tags.get(name, []) for s in dev] for name in network.first.vocabularies}


def compare(made: Setup, trainer: Trainer, task: TaskSets, path: Path) -> None:
    """One task of both twins, on the dev sentences."""
    network = load(path)
    dev = made.corpora[task.name].dev[0][1]
    head: Any = network.heads[task.name]
    text = Text(network, [s.forms for s in dev], _tags(dev, network))
    is_roles = TASKS[task.name].head == "roles"
    places = [[p.position for p in s.gold] for s in dev] if is_roles else None
    with torch.no_grad():
        batch = made.encoder.batch(task.name, task.dev)
        emissions = made.model(task.name, batch).numpy()
    lengths = batch.gold_lengths.numpy()
    columns = [task.names.index(name) for name in head.names]
    expected = [row[:n, columns] for row, n in zip(emissions, lengths, strict=True)]
    seen: list[np.ndarray] = []
    with pytest.MonkeyPatch.context() as patched:
        best = heads._best_path
        patched.setattr(
            heads, "_best_path", lambda *args: seen.append(args[1].copy()) or best(*args)
        )
        found = text.annotate(task.name, places, [s.tree for s in dev])
    assert [len(tags) for tags in found] == [len(s.gold if is_roles else s.forms) for s in dev]
    flat = np.concatenate([row for own in found for row in own]) if is_roles else []
    assert len(flat) == (sum(lengths) if is_roles else 0)
    order = np.argsort(-lengths, kind="stable") if is_roles else np.arange(len(lengths))
    parts = np.split(np.concatenate(seen), np.cumsum(lengths[order])[:-1]) if seen else []
    for own, i in zip(parts, order, strict=True):
        kept = expected[i] > -5_000  # what IOBES rules out at the end, in torch
        assert_near(own[kept], expected[i][kept])
    # The paths of the twin's emissions, by this head's own decoding.
    flat_rows = np.concatenate(expected) if expected else np.zeros((0, len(columns)), np.float32)
    path = heads._best_path(head.paths, flat_rows, lengths).tolist() if expected else []
    tags = [head.names[i] for i in path]
    predicted = trainer.predict(task, task.dev)
    rows = [p.tags for own in predicted for p in own] if is_roles else predicted
    assert tags == [tag for row in rows for tag in row]


def test_the_random_networks_do_tell_words_apart(tmp_path: Path) -> None:
    """So that the tests above can fail."""
    made = toys.setup(toys.SMALL)
    network = load(toys.exported(made, tmp_path / "model"))
    text = Text(network, [s.forms for s in made.corpora["ner"].dev[0][1]])
    assert len({tag for tags in text.annotate("ner") for tag in tags}) > 3
    assert np.abs(np.diff(text.scores("ner"), axis=0)).mean() > 0.1
