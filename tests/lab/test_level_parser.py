"""The parser by levels at tagging time: trees of any weights, and those of its training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.lab.levels import HeadOfFolder, LevelPaths, S
from senna.model.folder import read_model, write_model
from senna.text.iobes import FORBIDDEN, moves
from senna.text.trees.constituents import constituents
from senna.training.factors import factorise
from senna.training.trainer import Trainer
from tests import oracles, toys
from tests.networks.exact import without_rounding
from tests.networks.test_twins import use_stored_words
from tests.networks.texts import Text, load, words

SMALL = toys.by_levels(16)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toys.exported(toys.setup(SMALL), tmp_path_factory.mktemp("levels") / "model")


@pytest.mark.parametrize("rank", [0, 3])
def test_a_folder_finds_the_trees_that_its_network_predicts(tmp_path: Path, rank: int) -> None:
    setup = toys.setup(SMALL, n=24)
    if rank:
        factorise(setup.model, setup.batches, rank)
    path = toys.exported(setup, tmp_path / "model")
    use_stored_words(setup, path)
    (sets,) = setup.numbered.tasks
    predicted = Trainer(setup.learning(), tmp_path).predict(sets, sets.dev)
    dev = setup.corpora["psg"].dev[0][1]
    with without_rounding():
        found = Text(load(path), [s.forms for s in dev]).annotate("psg")
    assert found == [constituents(tree) for tree in predicted]
    assert len({own.label for tree in found for own in tree}) > 2


def test_any_weights_end_with_trees_that_nest(tmp_path: Path) -> None:
    sentences = words(1, [*range(1, 61), 0, 500])
    for seed in range(5):
        network = load(toys.exported(toys.setup(SMALL, seed=seed), tmp_path / "model"))
        head: Any = network.heads["psg"].head  # type: ignore[attr-defined]
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
    assert isinstance(network.heads["psg"], HeadOfFolder)
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
