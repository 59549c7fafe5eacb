"""Tags from left to right: against a loop, and with a wide beam against all taggings."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from senna.errors import SennaError
from senna.lab.criteria.greedy import CRITERIA, Greedy, GreedyPaths
from senna.lab.ensemble_join import write_join
from senna.model.folder import read_model
from senna.paths.confidence import Asked
from senna.paths.marginals import chances
from senna.paths.nbest import best_paths
from senna.paths.viterbi import Dense
from senna.pipeline.pipeline import Pipeline
from senna.training.build import Setup
from senna.training.criteria import GoldBatch
from tests import oracles, toys
from tests.lab.criteria.test_state_transitions import NETWORKS, assert_same_without_kernel
from tests.networks.exact import without_rounding
from tests.networks.test_twins import Twin, use_stored_words
from tests.networks.texts import load
from tests.paths.test_states import TAGS, drawn_dense, normal
from tests.training.test_criteria import LENGTHS, N_TAGS, assert_equal_with_gradients, draw

N_WORDS = np.array([4, 0, 3, 1, 2, 4, 4])
ENDS = np.cumsum(N_WORDS)
Tagging = tuple[int, ...]


def drawn(
    seed: int, history: int, beam: int, constrained: bool = False
) -> tuple[Greedy, np.ndarray, list[str]]:
    random = np.random.default_rng(seed)
    plain, scores, names = drawn_dense(random, N_WORDS, constrained)
    return Greedy(plain, normal(random, history - 1, len(TAGS), len(TAGS)), beam), scores, names


def sentences(scores: np.ndarray) -> list[tuple[slice, np.ndarray]]:
    """Where each sentence with words is, and its scores."""
    both = zip(ENDS.tolist(), N_WORDS.tolist(), strict=True)
    places = [slice(end - n, end) for end, n in both if n]
    return [(here, scores[here]) for here in places]


def of_next(paths: Greedy, rows: np.ndarray, before: Tagging) -> np.ndarray:
    """The scores of the next word's tags after some tags."""
    return np.array(
        [
            oracles.next_score(
                rows[len(before)], paths.transitions, paths.initial, paths.earlier, before, tag
            )
            for tag in range(len(TAGS))
        ]
    )


def every(paths: Greedy, rows: np.ndarray, temperature: float = 1.0) -> dict[Tagging, float]:
    """The probability of each tagging: the product of those of its tags, each after the others."""
    chance = {}
    for path in oracles.all_paths(*rows.shape):
        chance[path] = 1.0
        for word, tag in enumerate(path):
            weights = np.exp(of_next(paths, rows, path[:word]) / temperature)
            chance[path] *= float(weights[tag] / weights.sum())
    return chance


@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("history", [1, 2, 3])
def test_greedy(history: int, constrained: bool) -> None:
    """A beam of one takes the best tag, word by word."""
    other_than_viterbi = 0
    for seed in range(5):
        paths, scores, names = drawn(seed, history, 1, constrained)
        found = paths.decode(scores, N_WORDS)
        for here, rows in sentences(scores):
            path: Tagging = ()
            for _ in rows:
                path = (*path, int(of_next(paths, rows, path).argmax()))
            assert tuple(found[here].tolist()) == path
            assert not constrained or oracles.is_valid(path, names)
        exact = Dense(paths.transitions, paths.initial).decode(scores, N_WORDS)
        other_than_viterbi += exact.tolist() != found.tolist()
    assert other_than_viterbi > 2


@pytest.mark.parametrize("constrained", [False, True])
@pytest.mark.parametrize("history", [1, 2, 3])
def test_a_beam_that_keeps_all(history: int, constrained: bool) -> None:
    """It finds the best of all taggings, and the next ones in order."""
    paths, scores, names = drawn(history, history, len(TAGS) ** 4, constrained)
    three = best_paths(paths, scores, N_WORDS, 3)
    assert three[0].tolist() == paths.decode(scores, N_WORDS).tolist()
    for here, rows in sentences(scores):
        chance = every(paths, rows)
        valid = [path for path in chance if not constrained or oracles.is_valid(path, names)]
        falling = sorted(valid, key=lambda path: -chance[path])
        expected = falling[:3] + [(-1,) * len(rows)] * (3 - len(falling))
        assert list(map(tuple, three[:, here].tolist())) == expected


@pytest.mark.parametrize("width", [2, 4])
def test_a_narrow_beam(width: int) -> None:
    """Against one that is written with lists; wider beams find better taggings."""
    better = 0
    for seed in range(9):
        paths, scores, _ = drawn(seed, 2, width)
        found = paths.decode(scores, N_WORDS)
        greedy = Greedy(paths, paths.earlier, 1).decode(scores, N_WORDS)
        for here, rows in sentences(scores):
            beam: list[tuple[float, Tagging]] = [(0.0, ())]
            for _ in rows:
                longer = []
                for total, path in beam:
                    next_scores = of_next(paths, rows, path)
                    norm = math.log(np.exp(next_scores).sum())
                    longer += [
                        (total + float(s) - norm, (*path, tag)) for tag, s in enumerate(next_scores)
                    ]
                beam = sorted(longer, reverse=True)[:width]
            assert tuple(found[here].tolist()) == beam[0][1]
            chance = every(paths, rows)
            better += chance[beam[0][1]] > chance[tuple(greedy[here].tolist())]
    assert better > 3


@pytest.mark.parametrize("temperature", [1.0, 2.5])
def test_probabilities(temperature: float) -> None:
    """Of a tag after those before it, and of several tags together."""
    paths, scores, _ = drawn(3, 3, 2)
    path = paths.decode(scores, N_WORDS)
    [told] = chances(paths, scores, N_WORDS, [path], temperature)
    for here, rows in sentences(scores):
        chance = every(paths, rows, temperature)
        chosen = tuple(path[here].tolist())

        def begins(
            n: int, chance: dict[Tagging, float] = chance, chosen: Tagging = chosen
        ) -> float:
            return sum(p for other, p in chance.items() if other[:n] == chosen[:n])

        for i in range(len(rows)):
            word = begins(i + 1) / begins(i)
            assert told.words[here.start + i] == pytest.approx(word)
            for k in range(i, len(rows)):
                both = math.exp(told.opens[here.start + i] + told.closes[here.start + k])
                assert both == pytest.approx(begins(k + 1) / begins(i))


def test_more_taggings_than_the_beam_keeps() -> None:
    paths, scores, _ = drawn(0, 1, 2)
    with pytest.raises(SennaError, match="n_best 3: a beam of 2 keeps no more taggings"):
        best_paths(paths, scores, N_WORDS, 3)


def test_many_sentences() -> None:
    """Several batches: each is tagged as it is alone."""
    random = np.random.default_rng(0)
    lengths = np.array([300, 1, 0, *[7] * 200, 40])
    n, words = len(TAGS), int(lengths.sum())
    plain, _, _ = drawn(1, 3, 4)
    scores = random.normal(0, 2, (words, n)).astype(np.float32)
    together = plain.decode(scores, lengths)
    ends = np.cumsum(lengths)
    for end, m in zip(ends.tolist(), lengths.tolist(), strict=True):
        alone = plain.decode(scores[end - m : end], np.array([m])) if m else np.zeros(0)
        assert together[end - m : end].tolist() == alone.tolist()


def greedy_loss(scores: tuple[Tensor, ...], gold: GoldBatch) -> Tensor:
    return CRITERIA["greedy"].loss(scores[0], gold, GreedyPaths(*scores[1:], beam=1))


@pytest.mark.parametrize("history", [1, 2, 4])
def test_each_word_after_gold_tags(history: int) -> None:
    scores, tags, lengths = drawn_scores(history, history)
    expected = scores[0].new_zeros(())
    for row, n in enumerate(LENGTHS):
        gold = tags[row, :n].tolist()
        for word in range(n):
            every = next_scores(scores, row, tuple(gold[:word]))
            expected = expected + every.logsumexp(0) - every[gold[word]]
    value = greedy_loss(scores, GoldBatch(tags, lengths))
    assert_equal_with_gradients(value, expected, [x for x in scores if x.numel()])


def drawn_scores(seed: int, history: int) -> tuple[tuple[Tensor, ...], Tensor, Tensor]:
    """Emissions, transitions, initial and earlier moves, which want gradients; tags, lengths."""
    *scores, tags, lengths = draw(seed)
    generator = torch.Generator().manual_seed(100 + seed)
    shape = (history - 1, N_TAGS, N_TAGS)
    earlier = torch.randn(shape, generator=generator, dtype=torch.float64).requires_grad_()
    return (*scores, earlier), tags, lengths


def next_scores(scores: tuple[Tensor, ...], row: int, before: tuple[int, ...]) -> Tensor:
    emissions, transitions, initial, earlier = scores
    word = emissions[row, len(before)]
    moves = (transitions, initial, earlier, before)
    return torch.stack([oracles.next_score(word, *moves, tag) for tag in range(len(word))])


def setup_of(kind: str, history: int, beam: int, *, seed: int = 0) -> Setup:
    network = dataclasses.replace(NETWORKS[kind], history=history, beam=beam)
    train = dataclasses.replace(toys.SMALL.train, criterion="greedy")
    config = dataclasses.replace(toys.SMALL, tasks=("ner", "pos"), network=network, train=train)
    return toys.setup(config, seed=seed)


@pytest.mark.parametrize("kind", NETWORKS)
@pytest.mark.parametrize(("history", "beam"), [(1, 1), (3, 1), (2, 4)])
def test_equal_to_torch(kind: str, history: int, beam: int, tmp_path: Path) -> None:
    setup = setup_of(kind, history, beam, seed=1)
    path = toys.exported(setup, tmp_path / "model")
    use_stored_words(setup, path)
    trainer = setup.trainer(tmp_path)
    with without_rounding():
        network = load(path)
        for task in setup.numbered.tasks:
            head = network.heads[task.name]
            assert isinstance(getattr(head, "paths"), Greedy)  # noqa: B009
            twin = Twin(setup, trainer, task)
            assert list(map(list, twin.text(network).annotate(task.name))) == twin.predicted
    parameters = dict(setup.model.head("ner").named_parameters())
    before = trainer.predict(setup.numbered.tasks[0], setup.numbered.tasks[0].dev)
    with torch.no_grad():
        parameters["earlier" if history > 1 else "transitions"].zero_()
    after = trainer.predict(setup.numbered.tasks[0], setup.numbered.tasks[0].dev)
    assert after != before, "or the test could not fail"


@pytest.mark.parametrize("beam", [1, 4])
def test_tags_without_the_kernel(tmp_path: Path, beam: int) -> None:
    path = toys.exported(setup_of("window", 2, beam), tmp_path / "model")
    asked = [Asked(), Asked(True), *([Asked(n_best=3)] if beam > 1 else [])]
    assert_same_without_kernel(path, ["ner"], asked)


@pytest.mark.parametrize("beam", [1, 3])
def test_names_that_a_user_fixes(tmp_path: Path, beam: int) -> None:
    """They are whole, and so is what stands before them: it looks ahead."""
    for seed in range(5):
        path = toys.exported(setup_of("gated", 2, beam, seed=seed), tmp_path / f"model-{seed}")
        names = {"PER": ["Anna Weber"], "NEW": ["walks"]}
        pipeline = Pipeline.load(["ner"], path, lists=names, force=True)
        for start in range(4):
            sentence = [*["the"] * start, "Anna", "Weber", "walks", "the"]
            [tags] = pipeline.annotate([sentence])["ner"]
            assert tags[start : start + 3] == ["B-PER", "E-PER", "S-NEW"]
            assert start == 0 or tags[start - 1][0] in "OES"


def test_they_are_not_joined(tmp_path: Path) -> None:
    """Their emissions alone give no tags."""
    paths = [
        toys.exported(setup_of("window", 1, 1, seed=seed), tmp_path / f"model-{seed}")
        for seed in (1, 2)
    ]
    with pytest.raises(SennaError, match="it tags from left to right"):
        write_join([read_model(path) for path in paths], tmp_path / "out", "test")
