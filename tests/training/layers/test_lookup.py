"""Lookup tables: letters against loops, sparse gradients, words that training never saw."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from senna.features.forms import FormTable
from senna.features.letters import CharacterFeature
from senna.features.settings import Features
from senna.training.layers.lookup import Characters
from tests import oracles, toys


def characters(width: int) -> Characters:
    """Six filters over nine letters of four numbers."""
    features = Features(characters=CharacterFeature(6, 4, width))
    return Characters(FormTable("letters", 9, 6), features)


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5])
def test_characters(width: int) -> None:
    torch.manual_seed(width)
    layer = characters(width)
    lengths = [7, 3, 1, 0]
    letters = torch.zeros(4, 7, dtype=torch.long)
    for i, n in enumerate(lengths):
        letters[i, :n] = torch.randint(1, 9, (n,))
    found = layer(letters).detach().numpy()
    table = layer.letters.weight.detach().numpy()
    weights = layer.convolution.weight.detach().numpy().T
    bias = layer.convolution.bias.detach().numpy()
    for i, n in enumerate(lengths[:3]):
        expected = oracles.characters(table[letters[i, :n].numpy()], weights, bias)
        np.testing.assert_allclose(found[i], expected, atol=1e-5)
    assert not found[3].any(), "the padding word has no letters"


def test_letters_of_padding_learn_nothing() -> None:
    layer = characters(3)
    layer(torch.tensor([[3, 4, 0, 0], [0, 0, 0, 0]])).sum().backward()
    gradient = layer.letters.weight.grad
    assert gradient is not None
    assert gradient[3].any()
    assert not gradient[0].any()


def test_word_gradients_are_sparse() -> None:
    made = toys.setup(toys.SMALL)
    made.model.train()
    made.model("ner", made.batches.batch("ner", made.numbered.tasks[0].train[:1])).sum().backward()
    gradient = made.model.inputs.word.grad
    assert gradient is not None
    assert gradient.is_sparse
    assert gradient.coalesce().values().shape[0] <= 2, "one word and padding"


def test_words_that_training_never_saw_keep_their_vectors() -> None:
    """A dev word with a vector: its own row, not that of some trained word."""
    made = toys.setup(toys.SMALL)
    inputs = made.model.inputs
    inputs.set_words(torch.zeros(5, 6), torch.arange(12.0).reshape(2, 6), True)
    found = inputs._words(torch.tensor([0, 4, 5, 6]))
    assert found.tolist() == [[0.0] * 6, [0.0] * 6, [0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]
