"""The objectives of the lab against their formulas: window by window and pair by pair."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.nn.functional import hardtanh, logsigmoid

from senna.lab.pretraining.objectives import Bilinear, Cbow, Positional, Ranking
from senna.pretraining.objectives import Objective
from senna.text.features import PADDING
from tests.pretraining.test_objectives import (
    HIDDEN,
    ROWS,
    SIZE,
    WINDOW,
    C,
    N,
    agree,
    centres,
    first_layer,
    make,
    noise_of,
)


def f(model: Ranking, table: Tensor, window: Tensor) -> Tensor:
    """The score of one window."""
    return hardtanh(first_layer(model, table[window])) @ model.last


def slow_ranking(model: Ranking, tables: dict[str, Tensor], loss: str) -> Tensor:
    """eq. 17 on whole windows, one at a time; or its logarithmic form."""
    terms = []
    for block, place, window in centres(ROWS):
        for word in noise_of(model).last[block, place]:
            corrupted = window.clone()
            corrupted[C] = word
            true, false = (f(model, tables["words"], x) for x in (window, corrupted))
            hinge, log = (
                torch.clamp(1 - true + false, min=0),
                torch.log(1 + torch.exp(false - true)),
            )
            terms.append(log if loss == "log" else hinge)
    return torch.stack(terms).mean()


@pytest.mark.parametrize("negatives", [1, 3])
@pytest.mark.parametrize("power", [0.0, 0.75])
@pytest.mark.parametrize("loss", ["hinge", "log"])
def test_ranking_is_equation_17_on_every_window(negatives: int, power: float, loss: str) -> None:
    model = make(Ranking, HIDDEN, negatives, loss, power=power)
    agree(model, lambda tables: slow_ranking(model, tables, loss), model.loss(ROWS))


def test_scores_of_ranking_are_f_with_another_centre() -> None:
    model = make(Ranking, HIDDEN, 1)
    windows = torch.stack([window for _, _, window in centres(ROWS)])
    scores = model.scores(windows, torch.arange(N))
    for row, window in zip(scores, windows, strict=True):
        for word in range(N):
            changed = window.clone()
            changed[C] = word
            torch.testing.assert_close(row[word], f(model, model.words.weight, changed))


def test_bilinear_predicts_a_sum_of_matrices_times_vectors() -> None:
    """sum_i C_i r(w_i) + b, with the word's row of the output table and its bias."""
    model = make(Bilinear, SIZE, 3, False)
    assert isinstance(model, Bilinear)
    window = torch.tensor([3, 2, 7, 5, 5])
    predicted = model.first.bias.clone()
    for place in (0, 1, 3, 4):
        matrix = model.first.weight[:, :, place]
        predicted = predicted + matrix @ model.words.weight[window[place]]
    output = model.tables["output"].weight
    expected = [row[:-1] @ predicted + row[-1] for row in output]
    scores = model.scores(window[None], torch.arange(N))[0]
    torch.testing.assert_close(scores, torch.stack(expected))


def reached(monkeypatch: pytest.MonkeyPatch, model: Objective) -> tuple[Tensor, Tensor]:
    """The loss, and how far each centre reached."""
    drawn, real = [], torch.randint
    monkeypatch.setattr(torch, "randint", lambda *a, **k: drawn.append(real(*a, **k)) or drawn[-1])
    loss = model.loss(ROWS)
    [reach] = [draw[..., 0] for draw in drawn if draw.dim() == 3]
    assert set(reach.flatten().tolist()) == {1, 2}
    return loss, reach


def slow_positional(model: Positional, tables: dict[str, Tensor], reach: Tensor) -> Tensor:
    """As `slow_skipgram`, but a word at another place has another row: word * 2C + place."""
    n_centres, total = 0, torch.zeros((), dtype=torch.double)
    for block, place, window in centres(ROWS):
        n_centres += 1
        mine = tables["words"][window[C]]
        for number, at in enumerate(at for at in range(WINDOW) if at != C):
            word = int(window[at])
            if word != PADDING and abs(at - C) <= int(reach[block, place]):
                noise = tables["output"][noise_of(model).last[block].long() * 2 * C + number]
                total = total - logsigmoid(tables["output"][word * 2 * C + number] @ mine)
                total = total + model.negatives * -logsigmoid(-(noise @ mine)).mean()
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
            against = model.negatives * -logsigmoid(-(noise @ mean)).mean()
            terms.append(against - logsigmoid(tables["output"][window[C]] @ mean))
    return torch.stack(terms).mean()


@pytest.mark.parametrize("kind", [Positional, Cbow])
def test_objectives_of_pairs_are_sums_over_pairs(
    kind: type[Objective], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = make(kind, 3)
    loss, reach = reached(monkeypatch, model)
    slow = slow_positional if kind is Positional else slow_cbow
    agree(model, lambda tables: slow(model, tables, reach), loss)  # type: ignore[operator]


def test_scores_of_positional_know_the_place() -> None:
    model = make(Positional, 2)
    words, output = (model.tables[name].weight for name in ("words", "output"))
    windows = torch.tensor([[0, 3, 2, 5, 5], [7, 1, 8, 0, 0]])
    scores = model.scores(windows, torch.arange(N))
    for row, window in zip(scores, windows.tolist(), strict=True):
        around = [window[at] for at in range(WINDOW) if at != C]
        vectors = [output[word * 2 * C + i] for i, word in enumerate(around) if word != PADDING]
        expected = [sum(vector @ words[word] for vector in vectors) for word in range(N)]
        torch.testing.assert_close(row, torch.stack(expected))
    turned = model.scores(windows.flip(1), torch.arange(N))
    assert not torch.allclose(scores, turned)


def test_scores_of_cbow_are_products_with_the_mean() -> None:
    model = make(Cbow, 2)
    words, output = (model.tables[name].weight for name in ("words", "output"))
    windows = torch.tensor([[0, 3, 2, 5, 5], [7, 1, 8, 0, 0], [0, 0, 4, 0, 0]])
    scores = model.scores(windows, torch.arange(N))
    for row, window in zip(scores, windows.tolist(), strict=True):
        around = [word for at, word in enumerate(window) if at != C and word != PADDING]
        mean = words[around].sum(0) / max(len(around), 1)
        torch.testing.assert_close(row, output @ mean)
