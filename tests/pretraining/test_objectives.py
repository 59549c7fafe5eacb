"""What word vectors are trained for, against the formulas: window by window and pair by pair."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from senna.lab.pretraining.objectives import Bilinear, Cbow, Positional, Ranking
from senna.lab.pretraining.softmaxes import OUTPUTS as OTHERS
from senna.pretraining.lookup_table import LookupTable, Noise, OutputSettings, SampledSoftmax
from senna.pretraining.objectives import Likelihood, Objective, SkipGram, neighbours
from senna.text.features import PADDING
from senna.training.loop import device_of

N, SIZE, HIDDEN, WINDOW = 9, 4, 6, 5
C = WINDOW // 2
ROWS = torch.tensor([[0, 3, 2, 5, 5, 0, 7, 1, 8, 3], [2, 2, 0, 4, 6, 3, 0, 0, 0, 0]])
COUNTS = np.array([0, 5, 90, 40, 20, 10, 5, 2, 1])

OUTPUTS = {"sampled": SampledSoftmax, **OTHERS}
CLASSES = np.array([0, 0, 1, 2, 1, 2, 3, 1, 0])  # of each row


class Recorded(Noise):
    """Noise that remembers what was drawn last."""

    last: Tensor

    def draw(self, *shape: int) -> Tensor:
        self.last = super().draw(*shape)
        return self.last


def make(
    kind: type[Objective], *more: int, power: float = 0.75, softmax: str = "sampled"
) -> Objective:
    """A network in double precision with random weights everywhere.

    more: hidden units, size of the sample, `ahead` of likelihood and its kin; else what they take.
    """
    torch.manual_seed(5)
    words = LookupTable(torch.randn(N, SIZE, dtype=torch.double))
    noise = Recorded(COUNTS, power, device_of("cpu"))
    if issubclass(kind, Likelihood):
        hidden, sample, ahead = more
        output = OUTPUTS[softmax](OutputSettings(noise, hidden, sample, CLASSES))
        model: Objective = kind(words, output, WINDOW, hidden, bool(ahead))
    else:
        model = kind(words, noise, WINDOW, *more)  # type: ignore[arg-type, call-arg]
    model = model.double()
    for table in model.tables.values():
        table.weight = torch.randn(*table.weight.shape, dtype=torch.double)
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter)
    return model


def noise_of(model: Objective) -> Recorded:
    """The noise of a network."""
    noise = model.softmax.noise if isinstance(model, Likelihood) else model.noise
    assert isinstance(noise, Recorded)
    return noise


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


def log_odds(model: Objective, tables: dict[str, Tensor], window: Tensor) -> Tensor:
    """The score of every word of the dictionary in one window, centre unseen."""
    vectors = tables["words"][window].clone()
    vectors[C:] = 0 if model.seen[-1] == 0 else vectors[C:]
    vectors[C] = 0
    assert isinstance(model, Likelihood)
    sums = first_layer(model, vectors)
    hidden = sums if isinstance(model, Bilinear) else torch.tanh(sums)
    output = tables["output"]
    return output[:, :HIDDEN] @ hidden + output[:, HIDDEN]


def slow_likelihood(model: Likelihood, tables: dict[str, Tensor]) -> Tensor:
    """Minus the log of the chance that the true word is the one not drawn as noise."""
    drawn = noise_of(model).last.long()
    share = noise_of(model).log_share.exp().double()
    terms = []
    for _, _, window in centres(ROWS):
        weights = log_odds(model, tables, window).exp() / share
        true = weights[window[C]]
        terms.append(-torch.log(true / (true + weights[drawn].sum())))
    return torch.stack(terms).mean()


def slow_skipgram(model: SkipGram, tables: dict[str, Tensor], reach: Tensor) -> Tensor:
    """A pair of words at a time; the block's noise stands for `negatives` words a pair."""
    n_centres, total = 0, torch.zeros((), dtype=torch.double)
    for block, place, window in centres(ROWS):
        n_centres += 1
        mine = tables["words"][window[C]]
        noise = tables["output"][noise_of(model).last[block].long()]
        against = -logsigmoid(-(noise @ mine)).mean()
        for at, word in enumerate(window.tolist()):
            if word != PADDING and 0 < abs(at - C) <= int(reach[block, place]):
                total = total - logsigmoid(tables["output"][word] @ mine)
                total = total + model.negatives * against
    return total / n_centres


def agree(model: Objective, slow: Callable[[dict[str, Tensor]], Tensor], loss: Tensor) -> None:
    """Loss and all gradients are those of the slow version over dense tables."""
    tables = tables_of(model)
    expected = slow(tables)
    torch.testing.assert_close(loss, expected)
    parameters = dict(model.named_parameters())
    gradients = torch.autograd.grad(
        expected, [*tables.values(), *parameters.values()], allow_unused=True
    )
    loss.backward()
    for name, table in model.tables.items():
        torch.testing.assert_close(gathered(table), gradients[list(tables).index(name)])
    for parameter, gradient in zip(parameters.values(), gradients[len(tables) :], strict=True):
        torch.testing.assert_close(parameter.grad, gradient)


# --------------------------------------------------------------------------- likelihood


@pytest.mark.parametrize("kind", [Likelihood, Bilinear])
@pytest.mark.parametrize("ahead", [False, True])
def test_likelihood_is_a_softmax_over_the_word_and_the_sample(
    kind: type[Objective], ahead: bool
) -> None:
    model = make(kind, HIDDEN, 12, ahead)
    agree(model, lambda tables: slow_likelihood(model, tables), model.loss(ROWS))


@pytest.mark.parametrize("kind", [Likelihood, Bilinear])
@pytest.mark.parametrize("ahead", [False, True])
def test_scores_of_likelihood_are_those_of_the_loss(kind: type[Objective], ahead: bool) -> None:
    model = make(kind, HIDDEN, 3, ahead)
    windows = torch.stack([window for _, _, window in centres(ROWS)])
    scores = model.scores(windows, torch.arange(N))
    slow = [log_odds(model, tables_of(model), window) for window in windows]
    torch.testing.assert_close(scores, torch.stack(slow).detach(), check_dtype=False)


def test_a_language_model_never_sees_what_it_predicts() -> None:
    for ahead in (False, True):
        model = make(Likelihood, HIDDEN, 3, ahead)
        window = torch.tensor([[2, 3, 4, 5, 6]])
        other = torch.tensor([[2, 3, 7, *([8, 8] if ahead else [5, 6])]])
        words = torch.arange(N)
        assert torch.equal(model.scores(window, words), model.scores(other, words))
        other[0, 1] = 8
        assert not torch.equal(model.scores(window, words), model.scores(other, words))


# --------------------------------------------------------------------------- skip-gram


def test_skipgram_is_a_sum_over_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    model = make(SkipGram, 3)
    drawn, real = [], torch.randint
    # The last thing that chance decides in a step is how far each centre reaches.
    monkeypatch.setattr(torch, "randint", lambda *a, **k: drawn.append(real(*a, **k)) or drawn[-1])
    loss = model.loss(ROWS)
    reach = drawn[-1][..., 0]
    assert set(reach.flatten().tolist()) == {1, 2}
    agree(model, lambda tables: slow_skipgram(model, tables, reach), loss)


def test_near_words_of_skipgram_weigh_more() -> None:
    rows = torch.full((4000, 1 + 2 * C), 3)
    shares = neighbours(rows, C).mean((0, 1))
    assert shares.tolist() == pytest.approx([0.5, 1, 0, 1, 0.5], abs=0.03)


def test_scores_of_skipgram_add_up_the_neighbours() -> None:
    model = make(SkipGram, 2)
    words, output = (model.tables[name].weight for name in ("words", "output"))
    windows = torch.tensor([[0, 3, 2, 5, 5], [7, 1, 8, 0, 0]])
    scores = model.scores(windows, torch.arange(N))
    for row, window in zip(scores, windows.tolist(), strict=True):
        around = [word for at, word in enumerate(window) if at != C and word != PADDING]
        expected = [sum(output[near] @ words[word] for near in around) for word in range(N)]
        torch.testing.assert_close(row, torch.stack(expected))


# --------------------------------------------------------------------------- all


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        (Ranking, (HIDDEN, 2)),
        (Likelihood, (HIDDEN, 5, False)),
        (Bilinear, (SIZE, 5, True)),
        (SkipGram, (2,)),
        (Positional, (2,)),
        (Cbow, (2,)),
    ],
)
def test_boundaries_are_no_centres(kind: type[Objective], more: tuple[int, ...]) -> None:
    """A block of boundaries has no loss; beside others it changes nothing, as their words are."""
    model = make(kind, *more)
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
    if kind not in (
        SkipGram,
        Positional,
        Cbow,
    ):  # how far its windows reach depends on the number of blocks
        torch.testing.assert_close(losses[0], losses[1])
    assert math.isfinite(losses[1].item())
