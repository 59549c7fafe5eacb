"""Viterbi against looking at every path."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from senna.infer.network import FORBIDDEN, decode
from senna.infer.viterbi import viterbi
from senna.text.iobes import forbidden
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
