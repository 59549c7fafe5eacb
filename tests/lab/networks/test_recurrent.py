"""The torch recurrent network: cells against their equations, first weights, dropout, padding."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from senna.lab.networks.recurrent import RecurrentLayer, RecurrentNetwork
from senna.lab.networks.settings import RecurrentConfig
from senna.training.layers.weights import initialise
from tests import oracles, toys
from tests.training.test_loop import rates_of

CELLS = ("elman", "irnn", "gru", "scrn", "lstm", "lstm-peephole", "lstm-tied")
each_cell = pytest.mark.parametrize("cell", CELLS)


def random_layer(cell: str, units: int) -> RecurrentLayer:
    torch.manual_seed(1)
    layer = RecurrentLayer(3, RecurrentConfig(cell, units))
    with torch.no_grad():
        for weights in layer.parameters():
            weights.normal_(0, 0.7)
    return layer


def read_by_cells(layer: Any, words: np.ndarray) -> list[np.ndarray]:
    """The states of each direction of a layer over one sequence, by the oracle."""
    arrays, cell = layer.arrays("layer"), layer.settings.cell
    states = []
    for i, name in enumerate(("forward", "backward")):
        inputs, bias = (
            np.split(arrays[f"layer.{part}"], 2, axis=-1)[i] for part in ("weight", "bias")
        )
        order = slice(None, None, -1 if i else None)
        weights = arrays[f"layer.{name}.weight"]
        peephole = arrays["layer.peephole"][i] if "layer.peephole" in arrays else None
        one = oracles.recurrent_cell(cell, words[order], inputs, bias, weights, peephole)
        states.append(one[order])
    return states


@each_cell
def test_cells_against_their_equations(cell):
    """Sentences of one batch, of several lengths, with numbers that mean nothing after them."""
    layer = random_layer(cell, 4)
    lengths = [7, 1, 4]
    x = torch.randn(3, 7, 3)
    states = layer(x, torch.tensor(lengths)).detach().numpy()
    assert states.shape == (3, 7, 8)
    for sentence, rows, n in zip(x.numpy(), states, lengths, strict=True):
        expected = np.concatenate(read_by_cells(layer, sentence[:n]), axis=1)
        np.testing.assert_allclose(rows[:n], expected, atol=2e-6)
    assert np.abs(states).max() > 0.2


@each_cell
def test_gradients_by_finite_differences(cell):
    layer = random_layer(cell, 2).double()
    x = torch.randn(2, 4, 3, dtype=torch.float64, requires_grad=True)
    lengths = torch.tensor([4, 2])

    def states(x: Tensor, *weights: Tensor) -> Tensor:
        named = dict(zip(dict(layer.named_parameters()), weights, strict=True))
        output = torch.func.functional_call(layer, named, (x, lengths))
        return torch.cat([row[:n] for row, n in zip(output, lengths.tolist(), strict=True)])

    assert torch.autograd.gradcheck(states, (x, *layer.parameters()), fast_mode=True)


def model_of(settings: str, *more: str) -> RecurrentNetwork:
    table = f"network.recurrent={{{settings}}}"
    model = toys.setup(toys.small("ner", "network.kind=recurrent", table, *more)).model
    assert isinstance(model, RecurrentNetwork)
    return model


def test_first_weights():
    """The state is copied (irnn) or not forgotten (lstm); words and state are one layer."""
    for cell, gates in (("irnn", 1), ("lstm", 4), ("lstm-tied", 3), ("gru", 3)):
        model = model_of(f"cell='{cell}', units=200, layers=2")
        initialise(model)
        first, second = model.layers
        assert isinstance(first, RecurrentLayer) and isinstance(second, RecurrentLayer)
        bias = second.inputs.bias.detach().reshape(2, gates, 200)
        if cell.startswith("lstm"):
            assert bias[:, -3].eq(1).all(), "the forget gate"
            bias[:, -3] = 0
        assert not bias.any()
        weights: Any = first.recurrent[1]
        if cell == "irnn":
            assert torch.equal(weights.weight, torch.eye(200))
            continue
        fan_in = model.inputs.size + 200
        for part in (weights, first.inputs):
            assert part.weight.std().item() == pytest.approx(fan_in**-0.5, rel=0.05)
            assert rates_of(model)[id(part.weight)] == pytest.approx(0.6 / fan_in)


def test_dropout_is_between_layers_only():
    """A step never loses a part of its state, whatever the share of units that is dropped."""
    model = model_of("cell='gru', units=6, layers=2", "train.dropout_hidden=0.9")
    model.train()
    calls: list[tuple[Any, Tensor]] = []
    for layer in model.layers:
        layer.register_forward_hook(lambda _, seen, states: calls.append((seen, states)))
    made = toys.setup(toys.SMALL)
    model("ner", made.batches.batch("ner", made.numbered.tasks[0].train))
    (_, lower), ((upper, _), _) = calls
    kept = upper != 0
    assert 0 < kept.float().mean() < 0.2
    torch.testing.assert_close(upper[kept], 10 * lower[kept])
    for layer, (seen, states) in zip(model.layers, calls[:], strict=True):
        assert torch.equal(layer(*seen), states), "nothing is dropped within a layer"


def test_skip_connections_layer_by_layer():
    """Each layer but the first reads the words, too; heads read all layers, forwards first."""
    model = model_of("cell='gru', units=3, layers=3, skip=true")
    made = toys.setup(toys.SMALL)
    batch = made.batches.batch("ner", made.numbered.tasks[0].train)
    with torch.no_grad():
        inputs, found = model.inputs(batch).numpy(), model.encode(batch).numpy()
    for words, states, n in zip(inputs, found, batch.lengths.tolist(), strict=True):
        words, below, read = words[:n], words[:n], []
        for number, layer in enumerate(model.layers):
            both = read_by_cells(layer, np.concatenate([words, below], 1) if number else words)
            below = np.concatenate(both, 1)
            read.append(both)
        expected = [both[i] for i in range(2) for both in read]
        np.testing.assert_allclose(states[:n], np.concatenate(expected, 1), atol=1e-5)


def test_spans_are_read_by_themselves_and_then_their_last_states():
    settings = ("network.kind=recurrent", "network.recurrent={cell='elman', units=4, spans=true}")
    made = toys.setup(toys.small("label", *settings, "network.label.pooling=['ends']"))
    model: Any = made.model
    batch = made.batches.batch("label", made.numbered.tasks[0].train)
    with torch.no_grad():
        inputs, found = model.inputs(batch).numpy(), model("label", batch).numpy()
    output, several = model.head("label").output, 0
    for example, words, scores in zip(made.corpora["label"].train, inputs, found, strict=True):
        spans = oracles.spans_of(example.forms, ".")
        several += len(spans) > 1
        states = []
        for span in spans:
            forward, backward = read_by_cells(model.layers[0], words[span])
            states.append(np.concatenate([forward[-1], backward[0]]))
        forward, backward = read_by_cells(model.above, np.array(states))
        expected = output.weight.detach().numpy() @ np.concatenate([forward[-1], backward[0]])
        np.testing.assert_allclose(scores, expected + output.bias.detach().numpy(), atol=1e-5)
    assert several > 2
