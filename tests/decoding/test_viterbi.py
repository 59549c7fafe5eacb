"""Viterbi against looking at every path."""

import numpy as np
import pytest

from senna.decoding.viterbi import FORBIDDEN, Dense, Roles, forbidden
from tests import oracles

PART = ["O", "B-X", "E-X", "S-Y"]
ROLES = ["O", *(f"{place}-{kind}" for kind in "XY" for place in "BIES")]


def draw(random: np.random.Generator, lengths: list[int], n_tags: int):
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


@pytest.mark.parametrize("kind", ["dense", "roles"])
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("filling", [0.0, 1e6])
def test_a_batch_against_all_paths(kind, seed, filling):
    random = np.random.default_rng(seed)
    lengths = [4, 3, 3, 2, 1, 1]
    sentences, transitions, initial = draw(random, lengths, 9 if kind == "roles" else 3)
    paths = draw_roles(random, 2) if kind == "roles" else Dense(transitions, initial)
    names = [ROLES[i] for i in paths.order] if kind == "roles" else []
    found = paths.best(padded(sentences, filling), np.array(lengths, np.int32))
    assert found.shape == (4, 6)
    for i, (sentence, n) in enumerate(zip(sentences, lengths, strict=True)):
        every = oracles.all_paths(*sentence.shape)
        valid = [path for path in every if not names or oracles.is_valid(path, names)]
        best = oracles.path_scores(sentence, paths.transitions, paths.initial, valid).argmax()
        assert tuple(found[:n, i]) == valid[best]
        assert not found[n:, i].any(), "0 past the end"


@pytest.mark.parametrize("seed", range(4))
def test_decode_any_order_of_lengths(seed):
    """The flat entrance: unsorted lengths, empty sentences, more than one group of 64."""
    random = np.random.default_rng(seed)
    lengths = random.integers(0, 5, 150)
    sentences, transitions, initial = draw(random, lengths.tolist(), 3)
    flat = np.concatenate(sentences)
    path = Dense(transitions, initial).decode(flat, lengths.astype(np.int64))
    ends = np.cumsum(lengths)
    for sentence, end in zip(sentences, ends, strict=True):
        if len(sentence):
            own = tuple(path[end - len(sentence) : end])
            assert own == oracles.best_path(sentence, transitions, initial)


def test_equal_paths_do_not_depend_on_the_company():
    """All paths score alike: whatever is chosen, it must be the same for every batch."""
    zero = np.zeros((4, 3), np.float32)
    transitions, initial = np.zeros((3, 3), np.float32), np.zeros(3, np.float32)
    paths = Dense(transitions, initial)
    alone = paths.best(padded([zero], 0), np.array([4], np.int32))
    company = [zero + 1, zero, zero[:2]]
    together = paths.best(padded(company, 0), np.array([4, 4, 2], np.int32))
    assert np.array_equal(alone[:, 0], together[:, 1])


def draw_roles(random: np.random.Generator, n_kinds: int) -> Roles:
    between = random.normal(0, 2, (n_kinds + 1, n_kinds + 1)).astype(np.float32)
    within = random.normal(0, 2, (4, n_kinds)).astype(np.float32)
    return Roles(between, within, random.normal(0, 2, n_kinds + 1).astype(np.float32))


@pytest.mark.parametrize("scale", [0.3, 2.0, 30.0])
@pytest.mark.parametrize("seed", range(3))
def test_roles_against_dense_viterbi(seed, scale):
    """Also where emissions decide almost alone, so that few labels are worth a look."""
    random = np.random.default_rng(seed)
    lengths = np.array([40, 40, 33, 8, 2, 1], np.int32)
    made = draw_roles(random, 7)
    rules = forbidden(["O", *(f"{place}-{kind}" for kind in range(7) for place in "BIES")])
    rules = np.concatenate([rules[:1], rules[1:-1][made.order], rules[-1:]])[:, made.order]
    sentences = [random.normal(0, scale, (n, 29)).astype(np.float32) for n in lengths]
    closed = [sentence.copy() for sentence in sentences]
    for sentence in closed:
        sentence[-1, rules[-1]] = FORBIDDEN
    expected = Dense(made.transitions, made.initial).best(padded(closed, 0), lengths)
    assert np.array_equal(made.best(padded(sentences, 0), lengths), expected)


def test_roles_without_kinds():
    made = Roles(
        np.zeros((1, 1), np.float32), np.zeros((4, 0), np.float32), np.zeros(1, np.float32)
    )
    assert not made.best(np.ones((3, 1, 2), np.float32), np.array([3, 1], np.int32)).any()


MANY = ["O", *(f"{p}-{kind}" for kind in ("PER", "A-B", "ER") for p in "BIES")]


@pytest.mark.parametrize("tags", [MANY, MANY[::-1], ["O"], ["S-X", "I-X", "B-Y", "E-X"]])
def test_against_the_rule(tags):
    rules = forbidden(tags)
    assert rules.shape == (len(tags) + 2, len(tags))
    for j, right in enumerate(tags):
        assert rules[0, j] == (not oracles.follows("", right)), f"begin {right}"
        assert rules[-1, j] == (not oracles.follows(right, "")), f"{right} end"
        for i, left in enumerate(tags):
            assert rules[1 + i, j] == (not oracles.follows(left, right)), f"{left} {right}"
