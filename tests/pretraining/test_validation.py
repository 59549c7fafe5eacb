"""Ranks and perplexities against the obvious ways to compute them."""

import math

import numpy as np
import pytest
import torch
from torch import Tensor

from senna.pretraining.config import Pretraining
from senna.pretraining.lookup_table import LookupTable, Noise
from senna.pretraining.ngrams import NGrams, ngram_perplexity
from senna.pretraining.objectives import Likelihood, Objective, Ranking, SkipGram
from senna.pretraining.validation import HeldOut, perplexity, ranks
from senna.text.vocabulary import PADDING, RARE

CPU = torch.device("cpu")
SIZE, WIDTH = 30, 5  # rows of the dictionary, words of a window


def some_rows(seed: int = 1, n: int = 60) -> np.ndarray:
    """Sentences of random words, rare ones among them."""
    random = np.random.default_rng(seed)
    rows = random.integers(PADDING, SIZE, n).astype(np.int32)
    rows[random.random(n) < 0.2] = RARE
    rows[:: 1 + n // 20] = PADDING
    return rows


def model(kind: str) -> Objective:
    torch.manual_seed(3)
    words = LookupTable(torch.randn(SIZE, 6))
    noise = Noise(np.arange(SIZE), 0.0, CPU)
    config = Pretraining(window=WIDTH, hidden=8, sample=5, negatives=2, ahead=kind == "ahead")
    if kind == "ranking":
        return Ranking(config, words, noise)
    network = (SkipGram if kind == "skipgram" else Likelihood)(config, words, noise)
    network.tables["output"].weight = torch.randn_like(network.tables["output"].weight)
    return network


def window(rows: np.ndarray, place: int) -> list[int]:
    half = WIDTH // 2
    around = range(place - half, place + half + 1)
    return [int(rows[i]) if 0 <= i < len(rows) else PADDING for i in around]


def score(network: Objective, seen: list[int], word: int) -> float:
    with torch.no_grad():
        return float(network.scores(torch.tensor([seen]), torch.tensor([word])).item())


# --------------------------------------------------------------------------- places


def test_what_is_looked_at():
    rows = some_rows()
    held = HeldOut.choose(rows, SIZE)
    assert sorted(held.places.tolist()) == [i for i, row in enumerate(rows) if row > RARE]
    assert held.likely.tolist() == [i for i, row in enumerate(rows) if row != PADDING]
    assert sorted(held.words.tolist()) == list(range(RARE + 1, SIZE))
    again = HeldOut.choose(rows, SIZE)
    assert held.places.tolist() == again.places.tolist() != sorted(held.places.tolist())


# --------------------------------------------------------------------------- ranks


@pytest.mark.parametrize("kind", ["ranking", "likelihood", "ahead", "skipgram"])
def test_ranks_by_counting(kind):
    held, net = HeldOut.choose(some_rows(), SIZE), model(kind)
    places = []
    for place in held.places:
        seen = window(held.rows, place)
        true_score = score(net, seen, seen[WIDTH // 2])
        others = set(held.words.tolist()) - {seen[WIDTH // 2]}
        places.append(1 + sum(score(net, seen, word) > true_score for word in others))
    mean, log_mean = ranks(net, held, WIDTH, CPU)
    assert mean == pytest.approx(np.mean(places))
    assert log_mean == pytest.approx(np.mean(np.log(places)))


def test_a_network_that_knows_nothing_has_the_rank_of_chance():
    """Not the first: where all words are as good, none may win, or a dead network would."""
    held = HeldOut.choose(some_rows(), SIZE)
    net = model("skipgram")
    net.tables["output"].weight.zero_()
    assert ranks(net, held, WIDTH, CPU)[0] == pytest.approx((SIZE - RARE) / 2)


# --------------------------------------------------------------------------- perplexity


@pytest.mark.parametrize("kind", ["likelihood", "ahead"])
def test_perplexity_by_the_formula(kind):
    held, net = HeldOut.choose(some_rows(), SIZE), model(kind)
    assert isinstance(net, Likelihood)
    logs = []
    for place in held.likely:
        seen = window(held.rows, place)
        scores = [score(net, seen, word) for word in range(RARE, SIZE)]
        true = scores[seen[WIDTH // 2] - RARE]
        logs.append(true - math.log(sum(map(math.exp, scores))))
    whole = perplexity(net, held, len(held.likely), WIDTH, CPU)
    assert whole == pytest.approx(math.exp(-np.mean(logs)), rel=1e-5)
    some = perplexity(net, held, 11, WIDTH, CPU)
    step = len(held.likely) // 11
    assert some == pytest.approx(math.exp(-np.mean(logs[::step][:11])), rel=1e-5)


def test_the_baseline_looks_at_the_same_words(monkeypatch):
    train = some_rows(seed=2, n=2000)
    whole = HeldOut.choose(some_rows(), SIZE)
    assert ngram_perplexity(train, whole, SIZE, 3) == pytest.approx(
        np.exp(-NGrams.count(train, SIZE, 3).log_probabilities(whole.rows).mean())
    )
    monkeypatch.setattr("senna.pretraining.validation.N_LIKELY", 40)
    held = HeldOut.choose(some_rows(), SIZE)
    logs = iter(NGrams.count(train, SIZE, 3).log_probabilities(held.rows))
    by_place = {i: next(logs) for i, row in enumerate(held.rows) if row != PADDING}
    expected = math.exp(-np.mean([by_place[i] for i in held.likely.tolist()]))
    assert len(held.likely) == 40
    assert ngram_perplexity(train, held, SIZE, 3) == pytest.approx(expected)


def test_slices_change_nothing(monkeypatch):
    held, net = HeldOut.choose(some_rows(), SIZE), model("likelihood")
    assert isinstance(net, Likelihood)

    def both() -> Tensor:
        return torch.tensor([*ranks(net, held, WIDTH, CPU), perplexity(net, held, 99, WIDTH, CPU)])

    before = both()
    monkeypatch.setattr("senna.pretraining.validation.SLICE", 7)
    torch.testing.assert_close(both(), before)
