"""The parser by levels at tagging time: beside its twin in PyTorch, and alone."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from senna.config import Config, Export, NetworkConfig
from senna.errors import SennaError
from senna.heads.settings import TreeConfig
from senna.lab.levels.nodes import Nodes, S
from senna.lab.levels.tag import LevelHead, LevelPaths
from senna.model.folder import read_model, write_model
from senna.networks.base import Network
from senna.networks.settings import GatedConfig
from senna.text.iobes import FORBIDDEN, moves
from senna.text.schemes import Phrase
from senna.text.trees.constituents import constituents
from senna.training.build import Setup
from senna.training.factors import factorise
from senna.training.loop import Trainer
from tests import oracles, toys
from tests.networks.exact import assert_same, without_rounding
from tests.networks.test_twins import Compare, assert_near, use_stored_words
from tests.networks.texts import Text, load, words

SMALL = dataclasses.replace(
    toys.SMALL,
    tasks=("psg",),
    network=NetworkConfig(
        kind="gated",
        gated=GatedConfig(20, dilations=(1, 2)),
        tree=TreeConfig("levels", node=16, node_dilations=(1, 2), widest=4),
    ),
)


@st.composite
def configs(draw: st.DrawFn) -> Config:
    own = TreeConfig(
        parser="levels",
        node=draw(st.integers(8, 12)),
        node_dilations=tuple(draw(st.lists(st.integers(1, 3), max_size=2))),
        widest=draw(st.integers(1, 5)),
    )
    encoder = GatedConfig(units=draw(st.integers(8, 12)), dilations=(1, 2))
    network = NetworkConfig(kind="gated", gated=encoder, tree=own)
    return dataclasses.replace(SMALL, network=network, export=Export(rank=draw(st.integers(0, 3))))


@settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(config=configs(), seed=st.integers(0, 99))
def test_equal_to_torch(tmp_path: Path, config: Config, seed: int) -> None:
    """Scores and trees are the twin's; with rounding, scores of the first level are near."""
    made = toys.setup(config, seed=seed)
    if config.export.rank:
        factorise(made.model, made.batches, config.export.rank)
    path = toys.exported(made, tmp_path / "model")
    use_stored_words(made, path)
    trainer = Trainer(made.config.train, made.model, made.batches, tmp_path)
    expected = [
        constituents(tree)
        for tree in trainer.predict(made.numbered.tasks[0], made.numbered.tasks[0].dev)
    ]
    assert sum(map(len, expected)) > 5
    compare_first_level(made, load(path), expected, assert_near)
    with without_rounding():
        network = load(path)
        text = Text(network, [s.forms for s in made.corpora["psg"].dev[0][1]])
        assert text.annotate("psg") == expected
        compare_first_level(made, network, expected, assert_same)


def compare_first_level(
    made: Setup, network: Network, expected: list[list[Phrase]], assert_equal: Compare
) -> None:
    """Emissions of the first level, and the trees by the twin's emissions of all levels."""
    head: Any = network.heads["psg"]
    text = Text(network, [s.forms for s in made.corpora["psg"].dev[0][1]])
    twin: Any = made.model.head("psg")
    with torch.no_grad():
        x = made.model("psg", made.batches.batch("psg", made.numbered.tasks[0].dev))

        def of_twin(first: Any, last: Any, nodes: Nodes, is_first: bool) -> np.ndarray:
            firsts = np.full(len(nodes.labels), is_first)
            by_twin: np.ndarray = twin.scores(x, nodes, firsts, nodes.lengths).numpy()
            ours = scores(first, last, nodes, is_first)
            if is_first:
                assert_equal(ours, by_twin[:, head.paths.columns])
            return by_twin[:, head.paths.columns]

        scores, head.scores = head.scores, of_twin
        assert text.annotate("psg") == expected


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toys.exported(toys.setup(SMALL), tmp_path_factory.mktemp("levels") / "model")


def test_any_weights_end_with_trees_that_nest(tmp_path: Path) -> None:
    sentences = words(1, [*range(1, 61), 0, 500])
    for seed in range(5):
        network = load(toys.exported(toys.setup(SMALL, seed=seed), tmp_path / "model"))
        head: Any = network.heads["psg"]
        counts, level = [0], head.scores
        head.scores = lambda *args, n=counts, f=level: n.append(n.pop() + 1) or f(*args)
        for forms, found in zip(sentences, Text(network, sentences).annotate("psg"), strict=True):
            assert all(0 <= own.start < own.end <= len(forms) for own in found)
            open_until: list[int] = []
            for own in found:
                while open_until and open_until[-1] <= own.start:
                    open_until.pop()
                assert not open_until or own.end <= open_until[-1]
                open_until.append(own.end)
            assert len({own[:2] for own in found}) == len(found)
        assert counts[0] <= 500


def test_trees_do_not_depend_on_the_batch(model: Path) -> None:
    network = load(model)
    sentences = words(2, [1, 12, 300, 1, 0, 40, 7, *range(2, 20)])
    together = Text(network, sentences).annotate("psg")
    assert [Text(network, [own]).annotate("psg")[0] for own in sentences] == together
    assert len({own.label for found in together for own in found}) > 3


def test_scores_are_the_same_bytes_for_any_batch(model: Path) -> None:
    def seen(sentences: list[list[str]]) -> list[bytes]:
        network = load(model)
        head: Any = network.heads["psg"]
        rows: list[bytes] = []
        level = head.scores

        def kept(*args: Any) -> np.ndarray:
            found: np.ndarray = level(*args)
            rows.extend(row.tobytes() for row in found)
            return found

        head.scores = kept
        Text(network, sentences).annotate("psg")
        return sorted(rows)

    sentences = words(3, [5, 1, 30, 12, 90])
    alone = [row for own in sentences for row in seen([own])]
    assert seen(sentences) == sorted(alone)


@given(st.integers(0, 999), st.lists(st.integers(1, 4), min_size=1, max_size=4), st.booleans())
def test_the_best_path_of_those_with_a_constituent(
    seed: int, lengths: list[int], is_first: bool
) -> None:
    random, n = np.random.default_rng(seed), 2
    between, within, initial = (
        random.normal(0, 1, shape).astype(np.float32) for shape in ((3, 3), (4, 2), (3,))
    )
    scores = random.normal(0, 1, (sum(lengths), 4 * n + 1)).astype(np.float32)
    scores[:, 0] += random.integers(0, 4)  # O is often the best
    paths = LevelPaths(between, within, initial)
    found = paths.tags(scores[:, paths.columns], np.array(lengths), is_first).tolist()
    dense = np.append(np.append(between, within), np.float32(FORBIDDEN))[moves(n)]
    first = np.array([initial[0], *(initial[(k + 3) // 4] for k in range(1, 4 * n + 1))])
    first[2::4] = first[3::4] = FORBIDDEN
    start = 0
    for m in lengths:
        own = scores[start : start + m].copy()
        own[-1, 1::4] = own[-1, 2::4] = FORBIDDEN
        if not is_first:
            own[:, S::4] = FORBIDDEN
        expected = max(
            (path for path in oracles.all_paths(m, 4 * n + 1) if m == 1 or any(path)),
            key=lambda path: oracles.path_score(own, dense, first, path),
        )
        assert tuple(found[start : start + m]) == expected
        start += m


def test_nothing_to_parse(model: Path) -> None:
    network = load(model)
    assert isinstance(network.heads["psg"], LevelHead)
    for forms in ([], [[]], [[], []]):
        assert Text(network, forms).annotate("psg") == forms


def test_a_model_that_is_not_whole(model: Path, tmp_path: Path) -> None:
    folder = read_model(model)
    arrays = {name: np.array(own) for name, own in folder.arrays()}
    texts = {name: folder.lines(name) for name in folder.meta["files"] if name.endswith(".txt")}
    meta = {k: v for k, v in folder.meta.items() if k not in ("format", "files")}
    network = meta["network"]
    for table, message in (
        ({"node_dilations": [0]}, r"network.tree.node_dilations\[0\] = 0 must be from 1"),
        ({}, "network.tree.node_dilations is missing"),
        ({"node_dilations": [1, 2, 3]}, "no array 'psg.gated-2"),
    ):
        write_model(tmp_path / "m", meta | {"network": network | {"tree": table}}, arrays, texts)
        with pytest.raises(SennaError, match=message):
            load(tmp_path / "m")
    write_model(tmp_path / "m", meta, arrays, texts | {"psg.tags.txt": ["NP", "VP"]})
    with pytest.raises(SennaError, match="no labels of constituents"):
        load(tmp_path / "m")
