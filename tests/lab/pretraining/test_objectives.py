"""The ranking of windows against its formula, a window at a time."""

import pytest
import torch
from torch import Tensor
from torch.nn.functional import hardtanh

from senna.lab.pretraining.objectives import Ranking
from tests.pretraining.test_objectives import (
    HIDDEN,
    ROWS,
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
def test_ranking_is_equation_17_on_every_window(negatives, power, loss):
    model = make(Ranking, HIDDEN, negatives, loss, power=power)
    agree(model, lambda tables: slow_ranking(model, tables, loss), model.loss(ROWS))


def test_scores_of_ranking_are_f_with_another_centre():
    model = make(Ranking, HIDDEN, 1)
    windows = torch.stack([window for _, _, window in centres(ROWS)])
    scores = model.scores(windows, torch.arange(N))
    for row, window in zip(scores, windows, strict=True):
        for word in range(N):
            changed = window.clone()
            changed[C] = word
            torch.testing.assert_close(row[word], f(model, model.words.weight, changed))
