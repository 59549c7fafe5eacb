"""Margins of words, word by word, and of paths that IOBES allows, against all of them."""

import pytest
import torch
from torch import Tensor

from senna.registry import CRITERIA
from senna.training.criteria import DensePaths, GoldBatch
from senna.training.iobes_crf import Transitions
from tests import oracles
from tests.training.test_criteria import LENGTHS, allowed_tags, assert_equal_with_gradients, draw


def word_margins(name: str, scores: Tensor, right: Tensor) -> Tensor:
    """The loss of one word, scores (n_tags,), tag by tag."""
    good = [score for score, is_right in zip(scores, right, strict=True) if is_right]
    bad = [score for score, is_right in zip(scores, right, strict=True) if not is_right]
    zero = scores.new_zeros(())
    if name == "word-binary":
        return sum((max(zero, 1 + s) for s in bad), max(zero, 1 - max(good)))
    if not bad:
        return zero
    lead = max(good) - max(bad)
    return max(zero, 1 - lead) if name == "word-hinge" else (1 + (-lead).exp()).log()


@pytest.mark.parametrize("name", ["word-hinge", "word-binary", "word-log"])
@pytest.mark.parametrize(("several", "seed"), [(False, 0), (True, 1)])
def test_margins_of_words(name, several, seed):
    emissions, transitions, initial, tags, lengths = draw(seed)
    allowed = allowed_tags(tags, seed, 0.5 if several else 0.0)
    gold = GoldBatch(tags, lengths, allowed if several else None)
    assert not several or bool(allowed.all(2).any()), "a word of which nothing is known"
    found = CRITERIA[name].loss(emissions, gold, DensePaths(transitions, initial))
    places = [(row, word) for row, n in enumerate(LENGTHS) for word in range(n)]
    losses = [word_margins(name, emissions[at], allowed[at]) for at in places]
    expected = torch.stack(losses).sum()
    assert expected > 0
    assert_equal_with_gradients(found, expected, [emissions])
    assert not CRITERIA[name].paths


def test_a_path_that_wins_by_its_margin_costs_nothing():
    emissions, transitions, initial, tags, lengths = draw(2)
    gold = torch.zeros_like(emissions).scatter_(2, tags[:, :, None], 1.0)
    paths = DensePaths(torch.zeros_like(transitions), torch.zeros_like(initial))
    for name, gain, loss in (("hinge", 1.5, 0), ("hinge", 0.75, 0.25), ("perceptron", 0.75, 0)):
        found = CRITERIA[name].loss(gain * gold, GoldBatch(tags, lengths), paths)
        assert found.item() == pytest.approx(loss * sum(LENGTHS))


@pytest.mark.parametrize("name", ["hinge", "perceptron"])
def test_margins_over_roles(name):
    """Only paths that IOBES allows are weighed."""
    moves = Transitions(9)  # two kinds
    emissions = torch.randn(4, 3, 9, generator=torch.Generator().manual_seed(1)) * 2
    tags = torch.tensor([[0, 1, 3], [4, 0, 8], [5, 6, 7], [0, 0, 0]])
    margin = {"hinge": 1.0, "perceptron": 0.0}[name]
    t, i = (scores.detach() for scores in moves.dense())
    expected = 0.0
    for row in range(4):
        # No phrase is left open after O, E or S.
        paths = [path for path in oracles.all_paths(3, 9) if path[-1] % 4 in (0, 3)]
        scores = oracles.path_scores(emissions[row], t, i, paths)
        wrong = (torch.tensor(paths) != tags[row]).sum(1)
        expected += float((scores + margin * wrong).max() - scores[wrong == 0])
    loss = CRITERIA[name].loss(emissions, GoldBatch(tags, torch.tensor([3] * 4)), moves)
    assert loss.item() == pytest.approx(expected, rel=1e-5)
