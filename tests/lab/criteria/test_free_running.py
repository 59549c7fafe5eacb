"""Learning after own tags against a loop over the words of one sentence after the other."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
from torch import Tensor

from senna.lab.criteria.free_running import share_in, with_free_running
from senna.lab.criteria.greedy import CRITERIA, GreedyPaths
from senna.text.iobes import FORBIDDEN, forbidden
from senna.training.layers.batch import Batch
from senna.training.losses.criteria import GoldBatch
from tests.lab.criteria.test_greedy_criterion import drawn, next_scores
from tests.training.losses.test_criteria import LENGTHS, assert_equal_with_gradients, draw

NAMES = ["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "E-Y"]
RULES = forbidden(NAMES)


def slow_history(
    scores: tuple[Tensor, ...], tags: list[int], own: list[bool], row: int
) -> list[int]:
    """The tags of one sentence: where `own` the best one after those before it."""
    history: list[int] = []
    for tag, is_own in zip(tags, own, strict=True):
        following = next_scores(scores, row, tuple(history))
        history.append(int(following.argmax()) if is_own else tag)
    return history


def greedy_loss(scores: tuple[Tensor, ...], gold: GoldBatch) -> Tensor:
    return CRITERIA["greedy"].loss(scores[0], gold, GreedyPaths(*scores[1:], beam=1))


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("history", [1, 2, 4])
def test_each_word_after_gold_and_own_tags(history: int, share: float) -> None:
    """The target is the gold tag after any history; at share 1 that is the network's tagging."""
    scores, tags, lengths = drawn(history, history)
    own = torch.from_numpy(np.random.default_rng(history).random(tags.shape) < share)
    paths = GreedyPaths(*(x.detach() for x in scores[1:]), beam=1)
    found = paths.best(scores[0].detach(), lengths)
    expected = scores[0].new_zeros(())
    n_other = 0
    for row, n in enumerate(LENGTHS):
        gold = tags[row, :n].tolist()
        before = slow_history(scores, gold, own[row, :n].tolist(), row)
        n_other += before != gold
        if share == 0:
            assert before == gold
        if share == 1:
            assert before == found[row, :n].tolist(), "what decoding finds"
        for word in range(n):
            every = next_scores(scores, row, tuple(before[:word]))
            expected = expected + every.logsumexp(0) - every[gold[word]]
    assert bool(n_other) == bool(share), "mistakes, without which nothing is tested"
    value = greedy_loss(scores, GoldBatch(tags, lengths, free_running=own))
    assert_equal_with_gradients(value, expected, [x for x in scores if x.numel()])


def by_rules(seed: int) -> tuple[tuple[Tensor, ...], Tensor, Tensor]:
    """Scores that keep to IOBES, gold tags that do, and lengths."""
    emissions, transitions, initial, _, lengths = (x.detach() for x in draw(seed, len(NAMES)))
    rules = torch.from_numpy(RULES)
    emissions = emissions.clone()
    tags = torch.zeros(emissions.shape[:2], dtype=torch.long)
    generator = np.random.default_rng(seed)
    for row, n in enumerate(LENGTHS):
        emissions[row, n - 1] += FORBIDDEN * rules[-1]
        legal = [path for path in itertools.product(range(len(NAMES)), repeat=n) if fits(path)]
        tags[row, :n] = torch.tensor(legal[generator.integers(len(legal))])
    moves = (
        transitions.masked_fill(rules[1:-1], FORBIDDEN),
        initial.masked_fill(rules[0], FORBIDDEN),
    )
    none = torch.zeros(0, len(NAMES), len(NAMES), dtype=emissions.dtype)
    return (emissions, *moves, none), tags, lengths


def fits(path: tuple[int, ...], before: int | None = None) -> bool:
    """Whether tags may end a sentence, and follow a tag or begin it."""
    steps = itertools.pairwise(path if before is None else (before, *path))
    begins = before is not None or not RULES[0][path[0]]
    return begins and not RULES[-1][path[-1]] and not any(RULES[1 + i][j] for i, j in steps)


@pytest.mark.parametrize("seed", range(8))
def test_where_rules_exclude_the_gold_tag_the_way_of_fewest_mistakes_is_right(seed: int) -> None:
    scores, tags, lengths = by_rules(seed)
    own = torch.ones_like(tags, dtype=torch.bool)
    expected, n_excluded = scores[0].new_zeros(()), 0
    for row, n in enumerate(LENGTHS):
        gold = tags[row, :n].tolist()
        before: list[int | None] = [None, *slow_history(scores, gold, [True] * n, row)]
        for word in range(n):
            mistakes = {
                rest: sum(a != b for a, b in zip(rest, gold[word:], strict=True))
                for rest in itertools.product(range(len(NAMES)), repeat=n - word)
                if fits(rest, before[word])
            }
            least = min(mistakes.values())
            right = sorted({rest[0] for rest, n_wrong in mistakes.items() if n_wrong == least})
            n_excluded += right != [gold[word]]
            history = tuple(tag for tag in before[1 : word + 1] if tag is not None)
            every = next_scores(scores, row, history)
            expected = expected + every.logsumexp(0) - every[right].logsumexp(0)
    value = greedy_loss(scores, GoldBatch(tags, lengths, free_running=own))
    torch.testing.assert_close(value, expected)
    assert value < -FORBIDDEN / 2, "nothing impossible is asked for"
    if seed == 0:
        assert n_excluded, "otherwise nothing is tested"


def test_soft_labels_after_own_tags() -> None:
    scores, tags, lengths = by_rules(1)
    own = torch.ones_like(tags, dtype=torch.bool)
    generator = torch.Generator().manual_seed(1)
    soft = torch.rand(scores[0].shape, generator=generator, dtype=scores[0].dtype).softmax(2)
    expected = scores[0].new_zeros(())
    for row, n in enumerate(LENGTHS):
        before = slow_history(scores, tags[row, :n].tolist(), [True] * n, row)
        for word in range(n):
            every = next_scores(scores, row, tuple(before[:word])).log_softmax(0)
            possible = every > FORBIDDEN / 2
            expected = expected - (soft[row, word] * every)[possible].sum()
    torch.testing.assert_close(
        greedy_loss(scores, GoldBatch(tags, lengths, soft=soft, free_running=own)), expected
    )


def test_the_share_rises_from_epoch_to_epoch() -> None:
    assert [share_in(epoch, 5, 0.8) for epoch in range(5)] == pytest.approx([0, 0.2, 0.4, 0.6, 0.8])
    assert share_in(7, 5, 0.8) == 0.8, "epochs after the last, of the factors of export.rank"
    assert share_in(0, 1, 0.8) == 0.8, "the only epoch is the last"


def batch_of(n: int) -> Batch:
    gold = torch.zeros(n, n, dtype=torch.long)
    return Batch({}, gold, {}, None, torch.full((n,), n), gold)


def test_no_share_draws_nothing() -> None:
    random, other = np.random.default_rng(1), np.random.default_rng(1)
    batch = batch_of(3)
    assert with_free_running(batch, 0.0, random) is batch
    assert random.random() == other.random()


def test_so_many_words_are_drawn() -> None:
    for share in (0.25, 1.0):
        own = with_free_running(batch_of(100), share, np.random.default_rng(1)).free_running
        assert own is not None
        assert own.float().mean().item() == pytest.approx(share, abs=0.02)
