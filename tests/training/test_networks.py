"""The torch network: layers against loops, padding, first weights, sparse gradients."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
import torch

from senna.config import Network
from senna.training.batches import Encoded
from senna.training.networks import FORBIDDEN, Characters, Head, Hidden, WindowTagger, initialise
from tests import oracles, toys


@pytest.mark.parametrize("window", [1, 3, 5, 7])
@pytest.mark.parametrize("padded", [True, False])
def test_window_layer(window: int, padded: bool) -> None:
    torch.manual_seed(window)
    layer = Hidden(3, window, 4, 0.0)
    half = window // 2
    x = torch.randn(2, 5 + 2 * half if padded else 5, 3)
    x[:, : half if padded else 0] = x[:, len(x[0]) - half if padded else 5 :] = 0.25
    found = layer(x, padded=padded).detach().numpy()
    weights, bias = layer.linear.weight.detach().numpy().T, layer.linear.bias.detach().numpy()
    for i in range(2):
        inner = x[i, half : half + 5] if padded else x[i]
        beyond = np.full(3, 0.25 if padded else 0.0, np.float32)
        expected = oracles.window_layer(inner.numpy(), weights, bias, beyond)
        np.testing.assert_allclose(found[i], expected, atol=1e-5)


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5])
def test_characters(width: int) -> None:
    torch.manual_seed(width)
    layer = Characters(9, 4, width, 6)
    lengths = [7, 3, 1, 0]
    letters = torch.zeros(4, 7, dtype=torch.long)
    for i, n in enumerate(lengths):
        letters[i, :n] = torch.randint(1, 9, (n,))
    found = layer(letters, torch.tensor(lengths)).detach().numpy()
    table = layer.letters.weight.detach().numpy()
    weights = layer.convolution.weight.detach().numpy().T
    bias = layer.convolution.bias.detach().numpy()
    for i, n in enumerate(lengths[:3]):
        expected = oracles.characters(table[letters[i, :n].numpy()], weights, bias)
        np.testing.assert_allclose(found[i], expected, atol=1e-5)
    assert not found[3].any(), "the padding word has no letters"


def test_letters_of_padding_learn_nothing() -> None:
    layer = Characters(9, 4, 3, 6)
    layer(torch.tensor([[3, 4, 0, 0], [0, 0, 0, 0]]), torch.tensor([2, 0])).sum().backward()
    gradient = layer.letters.weight.grad
    assert gradient is not None
    assert gradient[3].any()
    assert not gradient[0].any()


@pytest.mark.parametrize("windows", [(1,), (5,), (3, 5), (3, 1, 5)])
def test_a_padded_batch_equals_its_sentences_one_at_a_time(windows: tuple[int, ...]) -> None:
    network = Network(windows, (8, 7, 6)[: len(windows)])
    made = toys.setup(dataclasses.replace(toys.SMALL, network=network))
    encoded: list[Encoded] = made.tasks[0].train
    together = made.model("ner", made.encoder.batch("ner", encoded))
    for i, sentence in enumerate(encoded):
        alone = made.model("ner", made.encoder.batch("ner", [sentence]))
        torch.testing.assert_close(together[i, : len(sentence.forms)], alone[0])


def test_close_rules_out_open_phrases_at_the_last_word_only() -> None:
    rules = np.zeros((5, 3), np.bool_)
    rules[-1, 1] = True
    head = Head(2, [], 3, rules)
    found = head.close(torch.zeros(2, 3, 3), torch.tensor([3, 1]))
    where = (found == FORBIDDEN).nonzero().tolist()
    assert where == [[0, 2, 1], [1, 0, 1]]


def test_path_scores_rule_out_what_iobes_does() -> None:
    made = toys.setup(toys.SMALL)
    transitions, initial = made.model.head("ner").path_scores()
    names = made.tags["ner"]
    assert initial[names.index("E-PER")] == FORBIDDEN
    assert initial[names.index("B-PER")] > -10
    for i, left in enumerate(names):
        for j, right in enumerate(names):
            assert (transitions[i, j] != FORBIDDEN) == oracles.follows(left, right)


def test_tasks_share_the_first_layers_and_nothing_else() -> None:
    network = Network((3, 3, 1), (6, 6, 6), shared=2)
    made = toys.setup(dataclasses.replace(toys.SMALL, tasks=("chunk", "ner"), network=network))
    model: WindowTagger = made.model
    assert len(model.shared) == 2
    assert [len(model.head(task).layers) for task in ("chunk", "ner")] == [1, 1]
    model("chunk", made.encoder.batch("chunk", made.tasks[0].train)).sum().backward()
    touched = {name for name, p in model.named_parameters() if p.grad is not None}
    assert any(name.startswith("shared.1") for name in touched)
    assert any(name.startswith("heads.chunk.layers") for name in touched)
    assert not any(name.startswith("heads.ner") for name in touched)


def test_word_gradients_are_sparse() -> None:
    made = toys.setup(toys.SMALL)
    made.model.train()
    made.model("ner", made.encoder.batch("ner", made.tasks[0].train[:1])).sum().backward()
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


@pytest.mark.parametrize(
    ("initial", "deviation", "table"),
    [
        ("small", 400**-0.5, 0.2 / math.sqrt(3)),
        ("deviation", 400**-0.5, 1.0),
        ("variance", 400**-0.25, 1.0),
    ],
)
def test_first_weights_by_fan_in(initial: str, deviation: float, table: float) -> None:
    torch.manual_seed(3)
    linear, embedding = torch.nn.Linear(400, 300), torch.nn.Embedding(1000, 50, padding_idx=0)
    initialise(torch.nn.ModuleList([linear, embedding]), Network(initial=initial))
    assert linear.weight.std().item() == pytest.approx(deviation, rel=0.02)
    assert linear.weight.mean().item() == pytest.approx(0, abs=deviation / 50)
    assert linear.weight.abs().max().item() <= math.sqrt(3) * deviation * 1.001
    assert not linear.bias.any()
    assert embedding.weight[1:].std().item() == pytest.approx(table, rel=0.02)
    assert not embedding.weight[0].any()
