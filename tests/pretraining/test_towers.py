"""Towers see one direction each, and become the gated layers of a network."""

from collections import Counter

import numpy as np
import pytest
import torch
from torch.nn import functional

from senna.inference.features.forms import FormFeatures
from senna.inference.features.settings import AffixFeature, Features, WordFeature
from senna.inference.networks.settings import GatedConfig
from senna.pretraining.towers import SentenceBatch, Towers
from senna.training.layers.gated import GatedLayer
from senna.training.layers.lookup import Inputs

N = 12  # words
SHAPES = [(3, (1, 2, 4)), (5, (1, 2)), (1, (1,)), (3, (3,))]


def towers(width: int, dilations: tuple[int, ...]) -> Towers:
    torch.manual_seed(1)
    chosen = Features(WordFeature(4), prefix=AffixFeature(3, (1,), min_count=1))
    features = FormFeatures.learn(chosen, Counter("abcdefgh"))
    made = Towers(Inputs(chosen, features, {}, 0), GatedConfig(8, width, dilations))
    made.inputs.set_words(torch.randn(len(features.words), 4), torch.zeros(0, 4), False)
    return made


def batch(words: list[int]) -> SentenceBatch:
    """One sentence; a form for each word of the table."""
    n = 10
    rows = torch.arange(n)
    forms = {"words": rows, "caps": rows % 5, "prefix-1": rows}
    tokens, lengths = torch.tensor([words]), torch.tensor([len(words)])
    return SentenceBatch(forms, tokens, lengths, tokens, tokens)


@pytest.mark.parametrize(("width", "dilations"), SHAPES)
def test_no_state_sees_the_word_that_it_must_predict(width, dilations):
    model, words = towers(width, dilations), [2 + i % 8 for i in range(N)]
    forward, backward = model(batch(words))
    for place in range(N):
        other = [*words]
        other[place] = 2 + (words[place] + 1) % 8
        ahead, back = model(batch(other))
        assert torch.equal(ahead[0, :place], forward[0, :place])
        assert torch.equal(back[0, place + 1 :], backward[0, place + 1 :])
        assert not torch.equal(ahead[0, place], forward[0, place])
        assert not torch.equal(back[0, place], backward[0, place])


@pytest.mark.parametrize(("width", "dilations"), SHAPES)
def test_a_gated_layer_adds_what_both_towers_add(width, dilations):
    model = towers(width, dilations)
    arrays, inside = model.arrays(), torch.ones(1, N, 1)
    halves = [functional.layer_norm(torch.randn(1, N, 4), (4,)) for _ in range(2)]
    for i, dilation in enumerate(dilations):
        steps = [
            tower.step(half, tower.up[i], dilation)
            for tower, half in zip(model.towers, halves, strict=True)
        ]
        layer = GatedLayer(8, width, dilation, 0.0)
        for name, place in layer.arrays(f"gated-{i}").items():
            place[...] = arrays[name]
        x = torch.cat(halves, 2)  # halves of one mean and deviation are normalised already
        expected = x + torch.cat(steps, 2)
        # Normalising what is normalised already changes it by its small constant.
        np.testing.assert_allclose(layer(x, inside).detach(), expected.detach(), atol=1e-4)


def test_sentences_of_a_batch_do_not_see_one_another():
    model, words = towers(3, (1, 2)), [2 + i % 8 for i in range(N)]
    alone = model(batch(words[:5]))
    both = batch(words)
    tokens = torch.stack([both.tokens[0], functional.pad(both.tokens[0, :5], (0, N - 5))])
    both = SentenceBatch(both.forms, tokens, torch.tensor([N, 5]), tokens, tokens)
    for one, of_both in zip(alone, model(both), strict=True):
        torch.testing.assert_close(of_both[1, :5], one[0])
