"""The bag of words against plain loops over words."""

import dataclasses
from typing import Any

import numpy as np
import pytest
import torch

from senna.lab.networks.feedforward import inverse_frequencies
from senna.text.vocabulary import normalise
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
    layer = {
        name: value.detach().double().numpy() for name, value in model.hidden.named_parameters()
    }
    sentences = [[normalise(form) for form in example.forms] for example in examples]
    for forms, row, units in zip(sentences, x, found, strict=True):
        total, sum_of_weights = np.zeros(x.shape[2]), 0.0
        for form, vector in zip(forms, row, strict=False):
            weight = oracles.inverse_frequency(form, sentences) if weights == "tf-idf" else 1.0
            total, sum_of_weights = total + weight * vector, sum_of_weights + weight
        expected = np.maximum(layer["weight"] @ (total / sum_of_weights) + layer["bias"], 0)
        np.testing.assert_allclose(units, expected, rtol=1e-4, atol=1e-5)


def test_frequencies_are_of_sentences():
    """Worked by hand: a word in two of three sentences, one in one of them twice, and a new one."""
    examples = toys.corpus("label", 3).train
    words = [["Rain", "fell"], ["rain", "rain"], ["It", "fell"]]
    examples = [
        dataclasses.replace(example, forms=forms)
        for example, forms in zip(examples, words, strict=True)
    ]
    found = inverse_frequencies(examples)
    assert found["rain"] == pytest.approx(np.log(4 / 3) + 1)
    assert found["it"] == pytest.approx(np.log(4 / 2) + 1)
    assert found[""] == pytest.approx(np.log(4) + 1)
