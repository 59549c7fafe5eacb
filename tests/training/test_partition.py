"""Sentences and their mirror images; the sums themselves are tested in test_criteria.py."""

import torch

from senna.training.criteria import both_ways, log_partition, mirrored
from senna.training.layers.batch import mask_of

LENGTHS = torch.tensor([5, 1, 3])


def test_a_mirror_image_begins_at_the_end_of_its_sentence():
    words = torch.randn(3, 5, 2)
    words[1, 1:] = float("nan")  # whatever is in the padding
    both = both_ways(words, LENGTHS)
    for i, n in enumerate(LENGTHS.tolist()):
        torch.testing.assert_close(both[:n, 0, i], words[i, :n])
        torch.testing.assert_close(both[:n, 1, i], words[i, :n].flip(0))
        assert not both[n:, :, i].any()
    again = mirrored(both[:, 1], LENGTHS)
    inside = mask_of(LENGTHS, 5).T
    torch.testing.assert_close(again[inside], words.transpose(0, 1)[inside])


def test_what_is_read_backwards_has_the_same_sum_and_marginals():
    """With the moves turned round, and no scores of the first tag, which has no twin at the end."""
    words = torch.randn(3, 5, 4, requires_grad=True)
    moves = torch.randn(4, 4, requires_grad=True)
    none = torch.zeros(4)
    one = log_partition(words, LENGTHS, moves, none)
    turned = both_ways(words, LENGTHS)[:, 1].transpose(0, 1)
    other = log_partition(turned, LENGTHS, moves.T, none)
    torch.testing.assert_close(one, other)
    for a, b in zip(*(torch.autograd.grad(x, (words, moves)) for x in (one, other)), strict=True):
        torch.testing.assert_close(a, b)
