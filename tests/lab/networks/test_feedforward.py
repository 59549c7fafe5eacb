"""Bags of words, convolutions and any hidden units against plain loops."""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
import torch

from senna.lab.networks import settings
from senna.lab.networks.feedforward import UNITS, inverse_frequencies, step
from senna.text.vocabulary import normalise
from senna.training.layers.batch import mask_of
from tests import oracles, toys


@pytest.mark.parametrize("weights", ["alike", "tf-idf"])
def test_a_sentence_is_the_weighted_mean_of_its_words(weights):
    bag = ("network.kind=bag", f"network.bag.weights={weights}", "network.bag.units=5")
    made = toys.setup(toys.small("label", *bag))
    model: Any = made.model
    examples = made.corpora["label"].train
    batch = made.batches.batch("label", made.numbered.tasks[0].train)
    with torch.no_grad():
        x, found = model.inputs(batch).double().numpy(), model.encode(batch).numpy()
    weight_of, bias = (own.detach().double().numpy() for own in model.hidden.parameters())
    sentences = [[normalise(form) for form in example.forms] for example in examples]
    for forms, row, units in zip(sentences, x, found, strict=True):
        total, sum_of_weights = np.zeros(x.shape[2]), 0.0
        for form, vector in zip(forms, row, strict=False):
            weight = oracles.inverse_frequency(form, sentences) if weights == "tf-idf" else 1.0
            total, sum_of_weights = total + weight * vector, sum_of_weights + weight
        expected = np.maximum(weight_of @ (total / sum_of_weights) + bias, 0)
        np.testing.assert_allclose(units, expected, rtol=1e-4, atol=1e-5)


def test_frequencies_are_of_sentences():
    """Worked by hand: a word in two of three sentences, one in one of them twice, and a new one."""
    examples = toys.corpus("label", 3).train
    words = [["Rain", "fell"], ["rain", "rain"], ["It", "fell"]]
    pairs = zip(examples, words, strict=True)
    examples = [dataclasses.replace(example, forms=forms) for example, forms in pairs]
    found = inverse_frequencies(examples)
    assert found["rain"] == pytest.approx(np.log(4 / 3) + 1)
    assert found["it"] == pytest.approx(np.log(4 / 2) + 1)
    assert found[""] == pytest.approx(np.log(4) + 1)


# --------------------------------------------------------------------------- convolutions


@pytest.mark.parametrize("pools", [(), (2,), (3, 2)])
@pytest.mark.parametrize("pooling", ["max", "mean"])
@pytest.mark.parametrize("wide", [False, True])
def test_filters_and_pools_against_loops(pools, pooling, wide):
    """In one batch are sentences shorter than filters, and longer ones; padding counts nowhere."""
    filters = f"widths=[1,2,5], units=4, wide={str(wide).lower()}, pools={[*pools]}"
    settings = (f"network.convolution={{{filters}}}", f"network.label.pooling=['{pooling}']")
    made = toys.setup(toys.small("label", "network.kind=convolution", *settings))
    model: Any = made.model
    batch = made.batches.batch("label", made.numbered.tasks[0].train)
    with torch.no_grad():
        x = model.inputs(batch)
        x[~mask_of(batch.lengths, x.shape[1])] = 9.0  # what no sentence may see
        model.inputs.forward = lambda batch, margin=0: x
        scores = model("label", batch)
    output = model.head("label").output
    assert min(batch.lengths) < 5 < max(batch.lengths)
    for row, n, found in zip(x.double().numpy(), batch.lengths.tolist(), scores, strict=True):
        pooled = []
        for width, filters, stages in zip((1, 2, 5), model.filters, model.stages, strict=True):
            layers = [
                (
                    layer.weight.detach().double().numpy().reshape(width, 4, -1).swapaxes(1, 2),
                    layer.bias.detach().double().numpy().reshape(width, 4),
                )
                for layer in (filters, *stages)
            ]
            places = oracles.convolved(row[:n], layers, pools, wide)
            pooled.append(places.max(axis=0) if pooling == "max" else places.mean(axis=0))
        expected = output.weight.detach().numpy() @ np.concatenate(pooled)
        expected = expected + output.bias.detach().numpy()
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-4, atol=1e-4)


# --------------------------------------------------------------------------- hidden units

FUNCTIONS = {  # written anew, of one number
    "hardtanh": lambda x: max(-1.0, min(1.0, x)),
    "tanh": math.tanh,
    "sigmoid": lambda x: 1 / (1 + math.exp(-x)),
    "relu": lambda x: max(0.0, x),
    "step": lambda x: 1.0 if x > 0 else -1.0,
    "cube": lambda x: x * x * x,
    "tanh-cube": lambda x: math.tanh(x**3 + x),
    "tanh-normalised": math.tanh,  # and then divided by the length
}


def test_every_unit_is_here():
    assert set(UNITS) == set(settings.UNITS) == set(FUNCTIONS)


@pytest.mark.parametrize("unit", UNITS)
def test_layers_word_by_word(unit):
    table = f"network.mlp={{unit='{unit}', widths=[3,3], hidden=[5,4]}}"
    made = toys.setup(toys.small("ner", "network.kind=mlp", table))
    model: Any = made.model
    batch = made.batches.batch("ner", made.numbered.tasks[0].train)
    with torch.no_grad():
        x, found = model.inputs(batch, 1).double().numpy(), model.encode(batch).numpy()
    for row, units, n in zip(x, found, batch.lengths.tolist(), strict=True):
        below = row[: n + 2]  # with its padding
        for layer in model.layers:
            weight, bias = (p.detach().double().numpy() for p in layer.linear.parameters())
            sums = [weight @ below[i : i + 3].ravel() + bias for i in range(n)]
            values = [[FUNCTIONS[unit](value) for value in of_word] for of_word in sums]
            if unit == "tanh-normalised":
                values = [np.array(row) / math.dist(row, [0] * len(row)) for row in values]
            below = np.pad(np.array(values), ((1, 1), (0, 0)))  # zeros beyond the ends
        np.testing.assert_allclose(units[:n], below[1:-1], rtol=1e-4, atol=1e-5)


def test_a_step_has_the_gradient_of_tanh():
    x = torch.tensor([-2.0, -0.1, 0.3], requires_grad=True)
    y = step(x)
    assert y.tolist() == [-1, -1, 1]
    y.sum().backward()
    torch.testing.assert_close(x.grad, 1 - torch.tanh(x.detach()) ** 2)
