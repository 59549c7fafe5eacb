"""Trees as levels of tags: nothing is lost, any tags end; the parser, and its training."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.schemes import NO_LABEL, Phrase, all_tags
from senna.annotation.trees import TOP, Tree, constituents, tree_of
from senna.decoding.viterbi import FORBIDDEN, moves
from senna.errors import SennaError
from senna.files import resource
from senna.lab import levels as heads
from senna.lab.levels import LevelPaths, Nodes, S, levels, outermost_first
from senna.model.folder import read_model
from senna.model.writing import write_model
from senna.training.build import Setup, build
from senna.training.config import DataConfig, Source, Training
from senna.training.examples.corpora import TaskCorpus, read_source
from senna.training.run import factorise
from tests import oracles, strategies, toys
from tests.annotation.test_trees import tree
from tests.inference.networks.exact import without_rounding
from tests.inference.networks.test_twins import use_stored_words
from tests.inference.networks.texts import Text, load

leaves = st.builds(Tree, st.just("NN"), word=st.just("w"))
trees = strategies.parents(strategies.trees(leaves, "S", "NP", "VP", max_leaves=12), TOP)


def in_levels(made: Sequence[Tree]) -> tuple[list[str], list[tuple[Nodes, np.ndarray]]]:
    """The labels of some trees, by number, and the levels of the trees."""
    names = [NO_LABEL]
    rows = []
    for number, own in enumerate(made):
        for start, end, label in constituents(own):
            names += [label] if label not in names else []
            rows.append((number, start, end - 1, names.index(label)))
    lengths = np.array([len(own.leaves()) for own in made], np.int64)
    found = Nodes(*np.array(rows, np.int64).reshape(-1, 4).T)
    return names, list(levels(found, lengths))


def from_levels(
    names: Sequence[str], told: Sequence[tuple[Nodes, np.ndarray]], made: Sequence[Tree]
) -> list[Tree]:
    """The trees of levels, over the words of others."""
    found: list[list[Phrase]] = [[] for _ in made]
    for nodes, tags in told:
        for s, a, b, k in zip(*(own.tolist() for own in nodes.constituents(tags)), strict=True):
            found[s].append(Phrase(a, b + 1, names[k]))
    words = [[Tree(w.label, word=w.word) for w in own.leaves()] for own in made]
    return list(map(tree_of, map(outermost_first, found), words))


@given(made=st.lists(trees, min_size=1, max_size=4))
def test_nothing_is_lost(made):
    names, told = in_levels(made)
    assert from_levels(names, told, made) == made


def test_levels_of_a_tree():
    text = "(TOP (S (NP (PRP She)) (VP (VBZ sees) (NP (DT the) (NN dog)) (ADVP (RB now))) (. .)))"
    names, told = in_levels([tree(text)])
    tags = all_tags(names[1:])
    assert [[tags[i] for i in own.tolist()] for _, own in told] == [
        ["S-NP", "O", "B-NP", "E-NP", "S-ADVP", "O"],
        ["O", "B-VP", "I-VP", "E-VP", "O"],
        ["B-S", "I-S", "E-S"],
    ]
    labels = [[names[i] for i in nodes.labels.tolist()] for nodes, _ in told]
    assert labels[1:] == [["NP", "O", "NP", "ADVP", "O"], ["NP", "VP", "O"]]


def random_tags(random: np.random.Generator, n: int, is_first: bool) -> list[int]:
    """Tags of n nodes that IOBES allows, S at the first level alone."""
    found: list[int] = []
    while len(found) < n:
        size = min(int(random.integers(0, 4)), n - len(found))
        base = 4 * int(random.integers(0, 3))
        if size > 1:
            found += [base + 1, *[base + 2] * (size - 2), base + 3]
        else:
            found.append(base + S if size and is_first else 0)
    return found


@given(st.lists(st.integers(1, 60), min_size=1, max_size=5), st.integers(0, 99))
def test_tags_that_break_all_rules_end_too(sizes, seed):
    random, nodes = np.random.default_rng(seed), Nodes.words(np.array(sizes, np.int64))
    n_levels = 0
    while len(nodes.labels):
        tags = random.integers(0, 13, len(nodes.labels))
        merged = nodes.merged(tags)
        assert (merged.last - merged.first + 1).sum() == (nodes.last - nodes.first + 1).sum()
        assert (merged.last >= merged.first).all()
        nodes, n_levels = nodes.next(tags), n_levels + 1
    assert n_levels <= 2 * max(sizes)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=5), st.integers(0, 99))
def test_any_tags_end_and_nest(sizes, seed):
    random, lengths = np.random.default_rng(seed), np.array(sizes, np.int64)
    nodes, told = Nodes.words(lengths), list[tuple[Nodes, np.ndarray]]()
    while len(nodes.labels):
        rows = [random_tags(random, n, not told) for n in nodes.lengths.tolist()]
        told.append((nodes, np.concatenate(rows)))
        nodes = nodes.next(told[-1][1])
    assert len(told) <= max(sizes)
    names = [NO_LABEL, "NP", "VP", "S"]
    words = [Tree(TOP, [Tree("NN", word="w") for _ in range(n)]) for n in sizes]
    made = from_levels(names, told, words)
    again, same = in_levels(made)
    assert from_levels(again, same, made) == made
    found = sum(int(np.isin(tags % 4, (0, 1))[tags > 0].sum()) for _, tags in told)
    assert sum(len(constituents(own)) for own in made) == found


SMALL = toys.by_levels(16)


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    return toys.exported(toys.setup(SMALL), tmp_path_factory.mktemp("levels") / "model")


@pytest.mark.parametrize("rank", [0, 3])
def test_a_folder_finds_the_trees_that_its_network_predicts(tmp_path, rank):
    setup = toys.setup(SMALL, n=24)
    if rank:
        factorise(setup.model, setup.batches, rank)
    path = toys.exported(setup, tmp_path / "model")
    use_stored_words(setup, path)
    (sets,) = setup.numbered.tasks
    predicted = setup.trainer(tmp_path).predict(sets, sets.dev)
    dev = setup.corpora["psg"].dev[0][1]
    with without_rounding():
        found = Text(load(path), [s.forms for s in dev]).annotate("psg")
    assert found == [constituents(tree) for tree in predicted]
    assert len({own.label for tree in found for own in tree}) > 2


@given(st.integers(0, 999), st.lists(st.integers(1, 4), min_size=1, max_size=4), st.booleans())
def test_the_best_path_of_those_with_a_constituent(seed, lengths, is_first):
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
        every = [path for path in oracles.all_paths(m, 4 * n + 1) if m == 1 or any(path)]
        best = oracles.path_scores(own, dense, first, every).argmax()
        assert tuple(found[start : start + m]) == every[int(best)]
        start += m


def test_a_model_that_is_not_whole(model, tmp_path):
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


@pytest.fixture(scope="module")
def setup() -> Setup:
    return toys.setup(SMALL)


def levels_of(batch: Any) -> list[tuple[Nodes, np.ndarray]]:
    """The levels of a batch's trees."""
    own = batch.brackets[batch.brackets[:, 3] > 0].T.numpy()
    return list(levels(Nodes(*own), batch.lengths.numpy()))


def test_likelihood_by_all_paths_of_all_levels(setup, monkeypatch):
    head: Any = setup.model.head("psg")
    short = [own for own in setup.numbered.tasks[0].train if len(own.forms) <= 2]
    with torch.no_grad():
        batch = setup.batches.batch("psg", short)
        x = setup.model("psg", batch)
        expected, n_levels = 0.0, 0
        transitions, initial = head.transitions.dense()
        for number, (nodes, tags) in enumerate(levels_of(batch)):
            scores = head.scores(x, nodes, np.full(len(tags), number == 0), nodes.lengths)
            assert (scores[:, S::4] < FORBIDDEN / 2).all() == (number > 0)
            ends = np.cumsum(nodes.lengths)
            for end, n in zip(ends.tolist(), nodes.lengths.tolist(), strict=True):
                own, gold = scores[end - n : end].clone(), tags[end - n : end]
                # B and I cannot be last: the oracle knows no such rule.
                own[-1, 1::4] = own[-1, 2::4] = FORBIDDEN
                total = oracles.log_partition(own, transitions, initial)
                [score] = oracles.path_scores(own, transitions, initial, [gold.tolist()])
                expected, n_levels = expected + float(total - score), n_levels + 1
        for together in (1, 2, 64):
            monkeypatch.setattr(heads, "TOGETHER", together)
            assert float(head.loss(x, batch)) == pytest.approx(expected, rel=1e-4)
    assert n_levels > len(short)


def test_trees_are_learnt_by_heart(tmp_path):
    path = resource("data/demo") / "trees" / "train.mrg"
    sentences = read_source(Source(str(path)), "train", "psg", DataConfig(), None)[:4]
    config = dataclasses.replace(SMALL, train=Training(epochs=15, batch=2, learning_rate=0.01))
    corpus = TaskCorpus(sentences, [("same", sentences)])
    again = build(config, {"psg": corpus}, torch.device("cpu"))
    state = again.trainer(tmp_path).run()
    assert state.best_score > 90
