"""The torch window network: layers against loops, padding, what tasks share."""

import numpy as np
import pytest
import torch

from senna.training.networks.window import HiddenLayer, WindowNetwork
from tests import oracles, toys


@pytest.mark.parametrize("window", [1, 3, 5, 7])
@pytest.mark.parametrize("padded", [True, False])
def test_window_layer(window, padded):
    torch.manual_seed(window)
    layer = HiddenLayer(3, window, 4, 0.0)
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


def test_tasks_share_the_first_layers_and_nothing_else():
    network = "network.window={widths=[3,3], hidden=[6,6,6], shared=2}"
    made = toys.setup(toys.small("chunk,ner", network))
    model = made.model
    assert isinstance(model, WindowNetwork)
    assert len(model.shared) == 2
    assert [len(model.head(task).layers) for task in ("chunk", "ner")] == [1, 1]
    model("chunk", made.batches.batch("chunk", made.numbered.tasks[0].train)).sum().backward()
    touched = {name for name, p in model.named_parameters() if p.grad is not None}
    assert any(name.startswith("shared.1") for name in touched)
    assert any(name.startswith("heads.chunk.layers") for name in touched)
    assert not any(name.startswith("heads.ner") for name in touched)
