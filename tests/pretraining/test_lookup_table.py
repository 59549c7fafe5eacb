"""Lookup tables against a dense table, and noise against the shares that it is drawn by."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from senna.pretraining.lookup_table import TINY, LookupTable, Noise, sum_rows
from senna.text.vocabulary import PADDING

CPU = torch.device("cpu")
N, SIZE = 7, 3
rows_lists = st.lists(st.integers(0, N - 1), min_size=1, max_size=9)


def start() -> Tensor:
    return torch.randn(N, SIZE, generator=torch.Generator().manual_seed(1), dtype=torch.double)


def cost(rows: Tensor, vectors: Tensor, step: int) -> Tensor:
    """Some function of the vectors whose gradients differ from place to place and step to step."""
    weights = torch.arange(1.0, vectors.numel() + 1).view(vectors.shape) / 10
    return (weights * (vectors - step).pow(2)).sum() + (rows + 1).sum() * vectors.sum().sin()


@settings(max_examples=40)
@given(steps=st.lists(st.lists(rows_lists, min_size=1, max_size=3), min_size=1, max_size=4))
def test_rowwise_adagrad_as_on_a_dense_table(steps):
    """Repeated rows, within one taking and in several, count with the sum of their gradients."""
    table = LookupTable(start())
    table.squares = table.squares.double()
    dense, squares = start(), [0.0] * N
    for number, takes in enumerate(steps):
        rate = 0.3 / (number + 1)
        loss = torch.zeros(())
        for rows in map(torch.tensor, takes):
            loss = loss + cost(rows, table.take(rows), number)
        loss.backward()
        table.step(rate)
        leaf = dense.requires_grad_()
        sum(cost(rows, leaf[rows], number) for rows in map(torch.tensor, takes)).backward()
        gradient, dense = leaf.grad, leaf.detach().clone()
        for row in {row for rows in takes for row in rows}:
            squares[row] += gradient[row].pow(2).mean().item()
            dense[row] -= rate * gradient[row] / (squares[row] + TINY) ** 0.5
    torch.testing.assert_close(table.weight, dense)
    expected = torch.tensor(squares, dtype=torch.double)
    torch.testing.assert_close(table.squares, expected, rtol=1e-6, atol=0)


def test_no_gradients_are_gathered_in_validation():
    table = LookupTable(start())
    with torch.no_grad():
        vectors = table.take(torch.tensor([[1, 2], [1, 6]]))
    assert vectors.shape == (2, 2, SIZE) and not table._taken
    assert torch.equal(vectors[1, 1], start()[6])


@given(rows=rows_lists)
def test_sum_rows(rows):
    vectors = torch.arange(2.0 * len(rows)).view(-1, 2)
    distinct, sums = sum_rows(torch.tensor(rows), vectors)
    assert distinct.tolist() == sorted(set(rows))
    for row, total in zip(distinct.tolist(), sums, strict=True):
        expected = sum(v for r, v in zip(rows, vectors, strict=True) if r == row)
        assert torch.equal(total, torch.as_tensor(expected))


# --------------------------------------------------------------------------- noise


@pytest.mark.parametrize("power", [0.0, 0.5, 0.75, 1.0])
def test_noise_comes_in_proportion(power):
    counts = np.array([0, 700, 500, 250, 120, 60, 30, 15, 7, 3, 1, 1])
    noise = Noise(counts, power, CPU)
    torch.manual_seed(3)
    n = 200_000
    drawn = np.bincount(noise.draw(n // 100, 100).flatten(), minlength=len(counts))
    expected = counts[1:] ** power / (counts[1:] ** power).sum() * n
    assert drawn[PADDING] == 0
    assert ((drawn[1:] - expected) ** 2 / expected).sum() < 31.3  # chi-square, 11 words, p = 0.001
    share = noise.log_share[1:].double().exp() * n
    assert share.numpy() == pytest.approx(expected, rel=0.01)


def test_uniform_noise_knows_words_that_the_text_lacks():
    counts = np.array([0, 0, 900, 0, 1])
    drawn = Noise(counts, 0.0, CPU).draw(4000)
    assert set(drawn.tolist()) == {1, 2, 3, 4}
    assert set(Noise(counts, 0.75, CPU).draw(4000).tolist()) <= {2, 4}


def test_the_rarest_word_of_a_large_text_can_be_drawn():
    """Else the likelihood would take it for certain, and never learn it."""
    counts = np.array([0, *np.full(1000, 10**9), 1, 1])
    noise = Noise(counts, 1.0, CPU)
    assert set(noise.words.tolist()) == set(range(1, len(counts)))
    assert noise.log_share[1:].min() > np.log(1e-7)
