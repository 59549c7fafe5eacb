"""The criteria against sums over all paths: values and gradients."""

import math
from collections.abc import Callable

import pytest
import torch
from torch import Tensor

from senna.registry import CRITERIA
from senna.training.criteria import DensePaths, GoldBatch, both_ways, log_partition
from tests import oracles

LENGTHS = [5, 1, 3, 2]
N_TAGS = 3


def draw(seed: int, n_tags: int = N_TAGS) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Emissions, transitions, initial (which want gradients), tags, lengths."""
    generator = torch.Generator().manual_seed(seed)
    shapes = ((len(LENGTHS), max(LENGTHS), n_tags), (n_tags, n_tags), (n_tags,))
    scores = [
        (torch.randn(shape, generator=generator, dtype=torch.float64) * 2).requires_grad_()
        for shape in shapes
    ]
    tags = torch.randint(n_tags, shapes[0][:2], generator=generator)
    return scores[0], scores[1], scores[2], tags, torch.tensor(LENGTHS)


def allowed_tags(tags: Tensor, seed: int, share: float = 0.4) -> Tensor:
    """The gold tag of each word, and a share of the others."""
    generator = torch.Generator().manual_seed(seed)
    allowed = torch.rand((*tags.shape, N_TAGS), generator=generator) < share
    return allowed.scatter_(2, tags[:, :, None], True)


def assert_equal_with_gradients(
    found: Tensor, expected: Tensor, inputs: list[Tensor], factor: float = 1.0
) -> None:
    torch.testing.assert_close(found, expected)
    one, other = (
        torch.autograd.grad(loss * factor, inputs, retain_graph=True, materialize_grads=True)
        for loss in (found, expected)
    )
    for i, (a, b) in enumerate(zip(one, other, strict=True)):
        torch.testing.assert_close(a, b, msg=lambda text, i=i: f"gradient of input {i}: {text}")


def sentence_level(
    emissions: Tensor,
    tags: Tensor,
    lengths: Tensor,
    transitions: Tensor,
    initial: Tensor,
    allowed: Tensor | None = None,
) -> Tensor:
    paths = DensePaths(transitions, initial)
    return CRITERIA["sentence"].loss(emissions, GoldBatch(tags, lengths, allowed), paths)


def word_level(
    emissions: Tensor, tags: Tensor, lengths: Tensor, allowed: Tensor | None = None
) -> Tensor:
    none = DensePaths(emissions.new_zeros(0, 0), emissions.new_zeros(0))
    return CRITERIA["word"].loss(emissions, GoldBatch(tags, lengths, allowed), none)


def enumerated(
    emissions: Tensor, transitions: Tensor, initial: Tensor, allowed: Tensor | None = None
) -> Tensor:
    """The partition function of the batch, sentence by sentence."""
    total = emissions.new_zeros(())
    for i, n in enumerate(LENGTHS):
        own = allowed[i, :n] if allowed is not None else None
        total = total + oracles.log_partition(emissions[i, :n], transitions, initial, own)
    return total


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("factor", [1.0, -2.5])
@pytest.mark.parametrize("several", [False, True])
def test_sentence_level(seed, factor, several):
    emissions, transitions, initial, tags, lengths = draw(seed)
    allowed = allowed_tags(tags, seed, 0.4 if several else 0.0)
    given = allowed if several else None
    found = sentence_level(emissions, tags, lengths, transitions, initial, given)
    assert found > 0
    inputs = [emissions, transitions, initial]
    expected = enumerated(*inputs) - enumerated(*inputs, allowed)
    assert_equal_with_gradients(found, expected, inputs, factor)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("several", [False, True])
def test_word_level(seed, several):
    emissions, _, _, tags, lengths = draw(seed)
    allowed = allowed_tags(tags, seed, 0.4 if several else 0.0)
    found = word_level(emissions, tags, lengths, allowed if several else None)
    assert found > 0
    expected = emissions.new_zeros(())
    for i, n in enumerate(LENGTHS):
        for word in range(n):
            scores = emissions[i, word]
            gold = scores[allowed[i, word]]
            expected = expected + scores.logsumexp(0) - gold.logsumexp(0)
    assert_equal_with_gradients(found, expected, [emissions])


LOSSES: dict[str, Callable[..., Tensor]] = {
    "sentence": sentence_level,
    "word": lambda e, tags, lengths, t, i: word_level(e, tags, lengths),
}


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("filling", [0.0, 1e4])
def test_a_padded_batch_is_the_sum_of_its_sentences(name, filling):
    emissions, transitions, initial, tags, lengths = draw(4)
    criterion = LOSSES[name]
    inside = torch.arange(max(LENGTHS)) < lengths[:, None]
    padded = torch.where(inside[:, :, None], emissions, filling)
    found = criterion(padded, tags, lengths, transitions, initial)
    expected = emissions.new_zeros(())
    for i, n in enumerate(LENGTHS):
        own = (emissions[i : i + 1, :n], tags[i : i + 1, :n], torch.tensor([n]))
        expected = expected + criterion(*own, transitions, initial)
    torch.testing.assert_close(found, expected)
    inputs = [emissions, transitions, initial] if name == "sentence" else [emissions]
    assert_equal_with_gradients(found, expected, inputs)
    criterion(padded, tags, lengths, transitions, initial).backward()
    assert not emissions.grad[~inside].any(), "padding gets no gradient"


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_single_precision_and_large_scores_stay_finite(scale):
    generator = torch.Generator().manual_seed(1)
    emissions = (torch.randn(4, 200, 9, generator=generator) * scale).requires_grad_()
    transitions = torch.randn(9, 9, generator=generator, requires_grad=True)
    initial = torch.zeros(9, requires_grad=True)
    lengths = torch.tensor([200, 150, 2, 1])
    tags = emissions.detach().argmax(2)
    loss = sentence_level(emissions, tags, lengths, transitions, initial)
    assert math.isfinite(loss.item())
    moves = (transitions.double(), initial.double())
    exact = sentence_level(emissions.double(), tags, lengths, *moves)
    assert loss.item() == pytest.approx(exact.item(), rel=1e-3, abs=1e-2 * scale)
    for gradient in torch.autograd.grad(loss, [emissions, transitions, initial]):
        assert gradient.isfinite().all()


# --------------------------------------------------------------------------- mirror images

SOME = torch.tensor([5, 1, 3])


def test_what_is_read_backwards_has_the_same_sum_and_marginals():
    """With the moves turned round, and no scores of the first tag, which has no twin at the end."""
    words = torch.randn(3, 5, 4, requires_grad=True)
    moves = torch.randn(4, 4, requires_grad=True)
    none = torch.zeros(4)
    one = log_partition(words, SOME, moves, none)
    turned = both_ways(words, SOME)[:, 1].transpose(0, 1)
    other = log_partition(turned, SOME, moves.T, none)
    torch.testing.assert_close(one, other)
    for a, b in zip(*(torch.autograd.grad(x, (words, moves)) for x in (one, other)), strict=True):
        torch.testing.assert_close(a, b)
