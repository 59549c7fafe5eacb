"""What word vectors are trained for, against the formulas: window by window and pair by pair."""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional

from senna.pretraining.config import Pretraining
from senna.pretraining.lookup_table import LookupTable, Noise
from senna.pretraining.objectives import (
    Bilinear,
    Cbow,
    Likelihood,
    Objective,
    Positional,
    Ranking,
    SkipGram,
    neighbours,
)
from senna.text.vocabulary import PADDING
from senna.training.loop import device_of

N, SIZE, HIDDEN, WINDOW = 9, 4, 6, 5
C = WINDOW // 2
ROWS = torch.tensor([[0, 3, 2, 5, 5, 0, 7, 1, 8, 3], [2, 2, 0, 4, 6, 3, 0, 0, 0, 0]])
COUNTS = np.array([0, 5, 90, 40, 20, 10, 5, 2, 1])


class Recorded(Noise):
    """Noise that remembers what was drawn last."""

    last: Tensor

    def draw(self, *shape: int) -> Tensor:
        self.last = super().draw(*shape)
        return self.last


def make(kind: type[Objective], power: float = 0.75, **settings: Any) -> Objective:
    """A network in double precision with random weights everywhere."""
    torch.manual_seed(5)
    words = LookupTable(torch.randn(N, SIZE, dtype=torch.double))
    noise = Recorded(COUNTS, power, device_of("cpu"))
    config = Pretraining(dimension=HIDDEN, hidden=HIDDEN, window=WINDOW, **settings)
    model = kind(config, words, noise)
    model = model.double()
    for table in model.tables.values():
        table.weight = torch.randn(*table.weight.shape, dtype=torch.double)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)
    return model


def noise_of(model: Objective) -> Recorded:
    """The noise of a network."""
    assert isinstance(model.noise, Recorded)
    return model.noise


def tables_of(model: Objective) -> dict[str, Tensor]:
    """Dense copies of a model's tables that gather gradients."""
    return {name: table.weight.clone().requires_grad_() for name, table in model.tables.items()}


def gathered(table: LookupTable) -> Tensor:
    """The gradient of a whole table, from the rows that were taken."""
    total = torch.zeros_like(table.weight)
    for rows, taken in table._taken:
        if taken.grad is not None:
            total.index_add_(0, rows, taken.grad.reshape(len(rows), table.weight.shape[1]))
    return total


def centres(rows: Tensor) -> Iterator[tuple[int, int, Tensor]]:
    """Block, place within the block's centres, and window of every centre that is a word."""
    for block, row in enumerate(rows):
        for place in range(len(row) - 2 * C):
            window = row[place : place + WINDOW]
            if window[C] != PADDING:
                yield block, place, window


def first_layer(model: Ranking | Likelihood, vectors: Tensor) -> Tensor:
    """The linear layer over one window's vectors (WINDOW, SIZE), laid end to end (eq. 3)."""
    weight = model.first.weight.permute(0, 2, 1).reshape(HIDDEN, WINDOW * SIZE)
    return weight @ vectors.reshape(-1) + model.first.bias


def log_odds(model: Objective, tables: dict[str, Tensor], window: Tensor, ahead: bool) -> Tensor:
    """The score of every word of the dictionary in one window, centre (and what follows) unseen."""
    vectors = tables["words"][window].clone()
    vectors[C : WINDOW if ahead else C + 1] = 0
    assert isinstance(model, Likelihood)
    sums = first_layer(model, vectors)
    hidden = sums if isinstance(model, Bilinear) else torch.tanh(sums)
    output = tables["output"]
    return output[:, :HIDDEN] @ hidden + output[:, HIDDEN]


def slow_likelihood(model: Likelihood, tables: dict[str, Tensor], ahead: bool) -> Tensor:
    """Minus the log of the chance that the true word is the one not drawn as noise."""
    drawn = noise_of(model).last.long()
    share = noise_of(model).log_share.exp().double()
    terms = []
    for _, _, window in centres(ROWS):
        weights = log_odds(model, tables, window, ahead).exp() / share
        true = weights[window[C]]
        terms.append(-torch.log(true / (true + weights[drawn].sum())))
    return torch.stack(terms).mean()


def row_of(model: Objective, word: int, place: int) -> int:
    """The row of the output table for a word at a place of the window, which some kinds share."""
    number = place if place < C else place - 1  # the centre has none
    return word * 2 * C + number if isinstance(model, Positional) else word


def slow_pairs(model: SkipGram | Positional, tables: dict[str, Tensor], reach: Tensor) -> Tensor:
    """A pair of words at a time; the block's noise stands for `negatives` words a pair."""
    n_centres, total = 0, torch.zeros((), dtype=torch.double)
    for block, place, window in centres(ROWS):
        n_centres += 1
        mine = tables["words"][window[C]]
        drawn = noise_of(model).last[block].tolist()
        for at, word in enumerate(window.tolist()):
            if word != PADDING and 0 < abs(at - C) <= int(reach[block, place]):
                near = tables["output"][row_of(model, word, at)]
                noise = tables["output"][[row_of(model, other, at) for other in drawn]]
                total = total - functional.logsigmoid(near @ mine)
                total = total + model.negatives * -functional.logsigmoid(-(noise @ mine)).mean()
    return total / n_centres


def slow_cbow(model: Cbow, tables: dict[str, Tensor], reach: Tensor) -> Tensor:
    """The mean of the neighbours against the word and against the block's noise."""
    terms = []
    for block, place, window in centres(ROWS):
        near = [
            int(window[at])
            for at in range(WINDOW)
            if 0 < abs(at - C) <= int(reach[block, place]) and window[at] != PADDING
        ]
        if near:
            mean = sum(tables["words"][word] for word in near) / len(near)
            noise = tables["output"][noise_of(model).last[block].long()]
            against = model.negatives * -functional.logsigmoid(-(noise @ mean)).mean()
            terms.append(against - functional.logsigmoid(tables["output"][window[C]] @ mean))
    return torch.stack(terms).mean()


def agree(model: Objective, slow: Callable[[dict[str, Tensor]], Tensor], loss: Tensor) -> None:
    """Loss and all gradients are those of the slow version over dense tables."""
    tables = tables_of(model)
    expected = slow(tables)
    torch.testing.assert_close(loss, expected)
    every = [*tables.values(), *model.parameters()]
    gradients = torch.autograd.grad(expected, every, allow_unused=True)
    loss.backward()
    found = [*map(gathered, model.tables.values()), *(own.grad for own in model.parameters())]
    for own, gradient in zip(found, gradients, strict=True):
        torch.testing.assert_close(own, gradient)


# --------------------------------------------------------------------------- ranking


def f(model: Ranking, table: Tensor, window: Tensor) -> Tensor:
    """The score of one window."""
    return functional.hardtanh(first_layer(model, table[window])) @ model.last


def slow_ranking(model: Ranking, tables: dict[str, Tensor], loss: str) -> Tensor:
    """eq. 17 on whole windows, one at a time; or its logarithmic form."""
    terms = []
    for block, place, window in centres(ROWS):
        for word in noise_of(model).last[block, place]:
            corrupted = window.clone()
            corrupted[C] = word
            true, false = (f(model, tables["words"], x) for x in (window, corrupted))
            log, hinge = torch.log(1 + (false - true).exp()), torch.clamp(1 - true + false, min=0)
            terms.append(log if loss == "log" else hinge)
    return torch.stack(terms).mean()


@pytest.mark.parametrize("negatives", [1, 3])
@pytest.mark.parametrize("power", [0.0, 0.75])
@pytest.mark.parametrize("loss", ["hinge", "log"])
def test_ranking_is_equation_17_on_every_window(negatives, power, loss):
    model = make(Ranking, power, negatives=negatives, loss=loss)
    agree(model, lambda tables: slow_ranking(model, tables, loss), model.loss(ROWS))


def test_scores_of_ranking_are_f_with_another_centre():
    model = make(Ranking)
    windows = torch.stack([window for _, _, window in centres(ROWS)])
    scores = model.scores(windows, torch.arange(N))
    for row, window in zip(scores, windows, strict=True):
        for word in range(N):
            changed = window.clone()
            changed[C] = word
            torch.testing.assert_close(row[word], f(model, model.words.weight, changed))


# --------------------------------------------------------------------------- likelihood


@pytest.mark.parametrize("kind", [Likelihood, Bilinear])
@pytest.mark.parametrize("ahead", [False, True])
def test_likelihood_is_a_softmax_over_the_word_and_the_sample(kind, ahead):
    model = make(kind, sample=12, ahead=ahead)
    agree(model, lambda tables: slow_likelihood(model, tables, ahead), model.loss(ROWS))


@pytest.mark.parametrize("kind", [Likelihood, Bilinear])
@pytest.mark.parametrize("ahead", [False, True])
def test_scores_of_likelihood_are_those_of_the_loss(kind, ahead):
    model = make(kind, sample=3, ahead=ahead)
    windows = torch.stack([window for _, _, window in centres(ROWS)])
    scores = model.scores(windows, torch.arange(N))
    slow = [log_odds(model, tables_of(model), window, ahead) for window in windows]
    torch.testing.assert_close(scores, torch.stack(slow).detach(), check_dtype=False)


# --------------------------------------------------------------------------- pairs of words


@pytest.mark.parametrize("kind", [SkipGram, Positional, Cbow])
def test_objectives_of_pairs_are_sums_over_pairs(kind, monkeypatch):
    model = make(kind, negatives=3)
    drawn, real = [], torch.randint
    monkeypatch.setattr(torch, "randint", lambda *a, **k: drawn.append(real(*a, **k)) or drawn[-1])
    loss = model.loss(ROWS)
    [reach] = [draw[..., 0] for draw in drawn if draw.dim() == 3]  # how far each centre reaches
    assert set(reach.flatten().tolist()) == {1, 2}
    slow = slow_cbow if kind is Cbow else slow_pairs
    agree(model, lambda tables: slow(model, tables, reach), loss)


def test_near_words_of_skipgram_weigh_more():
    rows = torch.full((4000, 1 + 2 * C), 3)
    shares = neighbours(rows, C).mean((0, 1))
    assert shares.tolist() == pytest.approx([0.5, 1, 0, 1, 0.5], abs=0.03)


WINDOWS = torch.tensor([[0, 3, 2, 5, 5], [7, 1, 8, 0, 0], [0, 0, 4, 0, 0]])


@pytest.mark.parametrize("kind", [SkipGram, Positional])
def test_scores_of_pairs_add_up_the_neighbours(kind):
    model = make(kind, negatives=2)
    words, output = (model.tables[name].weight for name in ("words", "output"))
    for row, window in zip(model.scores(WINDOWS, torch.arange(N)), WINDOWS.tolist(), strict=True):
        around = [(word, at) for at, word in enumerate(window) if at != C and word != PADDING]
        near = sum((output[row_of(model, *one)] for one in around), torch.zeros(SIZE).double())
        torch.testing.assert_close(row, words @ near)


def test_scores_of_cbow_are_products_with_the_mean():
    model = make(Cbow, negatives=2)
    words, output = (model.tables[name].weight for name in ("words", "output"))
    for row, window in zip(model.scores(WINDOWS, torch.arange(N)), WINDOWS.tolist(), strict=True):
        around = [word for at, word in enumerate(window) if at != C and word != PADDING]
        mean = words[around].sum(0) / max(len(around), 1)
        torch.testing.assert_close(row, output @ mean)


# --------------------------------------------------------------------------- all


@pytest.mark.parametrize("kind", [Ranking, Likelihood, Bilinear, SkipGram, Positional, Cbow])
def test_boundaries_are_no_centres(kind):
    """A block of boundaries has no loss; beside others it changes nothing, as their words are."""
    model = make(kind, negatives=2, sample=5)
    empty = torch.full((1, 10), PADDING)
    loss = model.loss(empty)
    assert loss.item() == 0
    loss.backward()
    assert all(not gathered(table).any() for table in model.tables.values())
    text = torch.tensor([[4, 3, 2, 5, 6, 6, 7, 1, 8, 3]])
    losses = []
    for rows in (text, torch.cat([text, empty])):
        noise_of(model).words = torch.tensor([4])  # always the same noise
        torch.manual_seed(2)
        losses.append(model.loss(rows))
    if kind not in (SkipGram, Positional, Cbow):  # of which blocks decide how far windows reach
        torch.testing.assert_close(losses[0], losses[1])
    assert math.isfinite(losses[1].item())
