"""Viterbi against looking at every path."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from senna.infer.network import decode
from senna.infer.viterbi import Moves, viterbi
from senna.text.iobes import FORBIDDEN, forbidden
from tests import oracles

TAGS = ["O", "B-X", "I-X", "E-X", "S-X"]


def draw(random: np.random.Generator, lengths: list[int], n_tags: int):  # type: ignore[no-untyped-def]
    sentences = [random.normal(0, 2, (n, n_tags)).astype(np.float32) for n in lengths]
    transitions = random.normal(0, 2, (n_tags, n_tags)).astype(np.float32)
    return sentences, transitions, random.normal(0, 2, n_tags).astype(np.float32)


def padded(sentences: list[np.ndarray], filling: float) -> np.ndarray:
    """(n_steps, n_tags, n_sentences)."""
    shape = (len(sentences[0]), sentences[0].shape[1], len(sentences))
    made = np.full(shape, filling, np.float32)
    for i, sentence in enumerate(sentences):
        made[: len(sentence), :, i] = sentence
    return made


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("filling", [0.0, 1e6])
def test_a_batch_against_all_paths(seed: int, filling: float) -> None:
    random = np.random.default_rng(seed)
    lengths = [6, 5, 5, 3, 2, 1, 1]
    sentences, transitions, initial = draw(random, lengths, 3)
    found = viterbi(padded(sentences, filling), np.array(lengths, np.int32), transitions, initial)
    assert found.shape == (6, 7)
    for i, (sentence, n) in enumerate(zip(sentences, lengths, strict=True)):
        assert tuple(found[:n, i]) == oracles.best_path(sentence, transitions, initial)
        assert not found[n:, i].any(), "0 past the end"


@pytest.mark.parametrize("n_tags", [1, 2])
def test_few_tags(n_tags: int) -> None:
    random = np.random.default_rng(n_tags)
    sentences, transitions, initial = draw(random, [4], n_tags)
    found = viterbi(padded(sentences, 0), np.array([4], np.int32), transitions, initial)
    assert tuple(found[:, 0]) == oracles.best_path(sentences[0], transitions, initial)


@pytest.mark.parametrize("seed", range(10))
def test_decode_any_order_of_lengths(seed: int) -> None:
    """The flat entrance: unsorted lengths, empty sentences, more than one group of 64."""
    random = np.random.default_rng(seed)
    lengths = random.integers(0, 5, 150)
    sentences, transitions, initial = draw(random, lengths.tolist(), 3)
    flat = np.concatenate(sentences)
    path = decode(flat, lengths.astype(np.int64), transitions, initial)
    ends = np.cumsum(lengths)
    for sentence, end in zip(sentences, ends, strict=True):
        if len(sentence):
            own = tuple(path[end - len(sentence) : end])
            assert own == oracles.best_path(sentence, transitions, initial)


@pytest.mark.parametrize("seed", range(10))
def test_constrained_paths_are_the_best_valid_ones(seed: int) -> None:
    random = np.random.default_rng(seed)
    sentences, transitions, initial = draw(random, [5, 4, 2, 1], len(TAGS))
    rules = forbidden(TAGS)
    transitions[rules[1:-1]] = FORBIDDEN
    initial[rules[0]] = FORBIDDEN
    for sentence in sentences:
        closed = sentence.copy()
        closed[-1, rules[-1]] = FORBIDDEN
        found = decode(closed, np.array([len(sentence)], np.int64), transitions, initial)
        valid = [path for path in oracles.all_paths(*sentence.shape) if is_valid(path)]
        best = max(valid, key=lambda path: oracles.path_score(sentence, transitions, initial, path))
        assert tuple(found) == best


def is_valid(path: tuple[int, ...]) -> bool:
    names = ["", *(TAGS[i] for i in path), ""]
    return all(oracles.follows(left, right) for left, right in itertools.pairwise(names))


def test_equal_paths_do_not_depend_on_the_company() -> None:
    """All paths score alike: whatever is chosen, it must be the same for every batch."""
    zero = np.zeros((4, 3), np.float32)
    transitions, initial = np.zeros((3, 3), np.float32), np.zeros(3, np.float32)
    alone = viterbi(padded([zero], 0), np.array([4], np.int32), transitions, initial)
    company = [zero + 1, zero, zero[:2]]
    together = viterbi(padded(company, 0), np.array([4, 4, 2], np.int32), transitions, initial)
    assert np.array_equal(alone[:, 0], together[:, 1])


# --------------------------------------------------------------------------- by structure

ROLES = ["O", *(f"{place}-{kind}" for kind in "XY" for place in "BIES")]


def draw_moves(random: np.random.Generator, n_kinds: int) -> Moves:
    between = random.normal(0, 2, (n_kinds + 1, n_kinds + 1)).astype(np.float32)
    within = random.normal(0, 2, (4, n_kinds)).astype(np.float32)
    return Moves(between, within, random.normal(0, 2, n_kinds + 1).astype(np.float32))


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("filling", [0.0, 1e6])
def test_moves_against_all_valid_paths(seed: int, filling: float) -> None:
    random = np.random.default_rng(seed)
    lengths = [4, 3, 3, 2, 1]
    sentences = [random.normal(0, 2, (n, len(ROLES))).astype(np.float32) for n in lengths]
    made = draw_moves(random, 2)
    ordered = [sentence[:, made.order] for sentence in sentences]
    found = made.viterbi(padded(ordered, filling), np.array(lengths, np.int32))
    names = [ROLES[i] for i in made.order]
    initial = np.array(
        [made.initial[1 + "XY".index(n[2])] if n[1:] else made.initial[0] for n in names]
    )
    for i, (sentence, n) in enumerate(zip(ordered, lengths, strict=True)):
        valid = [
            path
            for path in oracles.all_paths(n, len(names))
            if all(
                oracles.follows(a, b)
                for a, b in itertools.pairwise(["", *(names[k] for k in path), ""])
            )
        ]
        best = max(valid, key=lambda p: oracles.path_score(sentence, made.dense, initial, p))
        assert tuple(found[:n, i]) == best
        assert not found[n:, i].any()


@pytest.mark.parametrize("scale", [0.3, 2.0, 30.0])
@pytest.mark.parametrize("seed", range(3))
def test_moves_against_dense_viterbi(seed: int, scale: float) -> None:
    """Also where emissions decide almost alone, so that few labels are worth a look."""
    random = np.random.default_rng(seed)
    lengths = np.array([40, 40, 33, 8, 2, 1], np.int32)
    made = draw_moves(random, 7)
    rules = forbidden(["O", *(f"{place}-{kind}" for kind in range(7) for place in "BIES")])
    rules = np.concatenate([rules[:1], rules[1:-1][made.order], rules[-1:]])[:, made.order]
    sentences = [random.normal(0, scale, (n, 29)).astype(np.float32) for n in lengths]
    closed = [sentence.copy() for sentence in sentences]
    for sentence in closed:
        sentence[-1, rules[-1]] = FORBIDDEN
    initial = np.repeat(made.initial, [1, *[4] * 7])[made.order]
    initial[rules[0]] = FORBIDDEN
    expected = viterbi(padded(closed, 0), lengths, made.dense, initial)
    assert np.array_equal(made.viterbi(padded(sentences, 0), lengths), expected)


def test_moves_without_kinds() -> None:
    made = Moves(
        np.zeros((1, 1), np.float32), np.zeros((4, 0), np.float32), np.zeros(1, np.float32)
    )
    assert not made.viterbi(np.ones((3, 1, 2), np.float32), np.array([3, 1], np.int32)).any()
