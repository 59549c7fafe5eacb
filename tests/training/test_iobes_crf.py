"""The criterion over IOBES tags against sums over all valid paths: values and gradients."""

import pytest
import torch
from torch import Tensor

from senna.training import criteria
from senna.training.iobes_crf import Transitions, log_partition
from tests import oracles
from tests.training.test_criteria import assert_equal_with_gradients

LENGTHS = [4, 1, 3, 2]
KINDS = ("X", "Y")
TAGS = ["O", *(f"{place}-{kind}" for kind in KINDS for place in "BIES")]


def draw(seed: int) -> tuple[Tensor, Transitions, Tensor]:
    """Emissions, which want gradients, random transitions, lengths; in double precision."""
    generator = torch.Generator().manual_seed(seed)
    transitions = Transitions(len(TAGS)).double()
    with torch.no_grad():
        for weights in transitions.parameters():
            weights.copy_(torch.randn(weights.shape, generator=generator))
    shape = (len(LENGTHS), max(LENGTHS), len(TAGS))
    emissions = torch.randn(shape, generator=generator, dtype=torch.float64) * 2
    return emissions.requires_grad_(), transitions, torch.tensor(LENGTHS)


VALID = {  # all taggings of n words that IOBES allows
    n: [path for path in oracles.all_paths(n, len(TAGS)) if oracles.is_valid(path, TAGS)]
    for n in set(LENGTHS)
}


@pytest.mark.parametrize("seed", range(3))
def test_loss_against_all_valid_paths(seed):
    emissions, transitions, lengths = draw(seed)
    matrix, initial = transitions.dense()
    gold = [VALID[n][(seed * 7 + n) % len(VALID[n])] for n in LENGTHS]
    tags = torch.zeros(len(LENGTHS), max(LENGTHS), dtype=torch.long)
    expected = emissions.new_zeros(())
    for i, (n, path) in enumerate(zip(LENGTHS, gold, strict=True)):
        tags[i, :n] = torch.tensor(path)
        own = oracles.path_scores(emissions[i], matrix, initial, VALID[n])
        expected = expected + own.logsumexp(0) - own[VALID[n].index(path)]
    gold_batch = criteria.GoldBatch(tags, lengths)
    found = criteria.CRITERIA["sentence"].loss(emissions, gold_batch, transitions)
    inputs = [emissions, *transitions.parameters()]
    assert_equal_with_gradients(found, expected, inputs, 2.5)


@pytest.mark.parametrize("scale", [4.0, 100.0])
def test_long_sentences_in_single_precision(scale):
    generator = torch.Generator().manual_seed(0)
    transitions = Transitions(41)
    emissions = (torch.randn(2, 300, 41, generator=generator) * scale).requires_grad_()
    lengths = torch.tensor([300, 17])
    loss = log_partition(emissions, lengths, *transitions.parameters())
    loss.backward()
    sums = emissions.grad.sum(2)
    near = 5e-4 * scale  # float32 holds totals near 300 * scale
    torch.testing.assert_close(sums[0], torch.ones(300), atol=near, rtol=0)
    torch.testing.assert_close(sums[1, :17], torch.ones(17), atol=near, rtol=0)
    assert not sums[1, 17:].any()


def test_without_kinds_there_is_only_o():
    transitions = Transitions(1)
    emissions = torch.randn(2, 3, 1)
    gold = criteria.GoldBatch(torch.zeros(2, 3, dtype=torch.long), torch.tensor([3, 1]))
    loss = criteria.CRITERIA["sentence"].loss(emissions, gold, transitions)
    assert abs(loss.item()) < 1e-5
