"""Lookup tables: letters against loops, sparse gradients, words that training never saw."""

import numpy as np
import pytest
import torch

from senna.inference.features.forms import FormTable
from senna.inference.features.settings import CharacterFeature, Features
from senna.lab.networks.recurrent import RecurrentLetters
from senna.training.layers.lookup import Characters
from tests import oracles, toys


def characters(width: int) -> Characters:
    """Six filters over nine letters of four numbers."""
    features = Features(characters=CharacterFeature(6, 4, width))
    return Characters(FormTable("letters", 9, 6), features)


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5])
def test_characters(width):
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


def recurrent_characters() -> RecurrentLetters:
    """Six states over nine letters of four numbers."""
    features = Features(characters=CharacterFeature(6, 4, kind="recurrent"))
    return RecurrentLetters(FormTable("letters", 9, 6), features.characters.size)


def test_letters_read_from_both_ends():
    """A vector is that of the word alone; of the word turned round, its halves change places."""
    torch.manual_seed(1)
    layer = recurrent_characters()
    words = torch.tensor([[3, 4, 5, 2, 0], [7, 0, 0, 0, 0], [0, 0, 0, 0, 0], [2, 5, 4, 3, 0]])
    vectors = layer(words)
    for row, n in enumerate((4, 1)):
        torch.testing.assert_close(vectors[row], layer(words[row : row + 1, :n])[0])
    assert not vectors[2].any()
    with torch.no_grad():  # both directions alike
        for weights in (layer.layer.inputs.weight, layer.layer.inputs.bias):
            weights[12:] = weights[:12]
        first, second = layer.layer.recurrent.parameters()
        second.copy_(first)
    vectors = layer(words)
    torch.testing.assert_close(vectors[0], vectors[3].roll(3))
    assert not torch.allclose(vectors[0, :3], vectors[0, 3:], atol=1e-3)


@pytest.mark.parametrize("make", [lambda: characters(3), recurrent_characters])
def test_letters_of_padding_learn_nothing(make):
    layer = make()
    layer(torch.tensor([[3, 4, 0, 0], [0, 0, 0, 0]])).sum().backward()
    gradient = layer.letters.weight.grad
    assert gradient[3].any()
    assert not gradient[0].any()


def test_word_gradients_are_sparse():
    made = toys.setup(toys.SMALL)
    made.model.train()
    made.model("ner", made.batches.batch("ner", made.numbered.tasks[0].train[:1])).sum().backward()
    gradient = made.model.inputs.word.grad
    assert gradient.is_sparse
    assert gradient.coalesce().values().shape[0] <= 2, "one word and padding"
