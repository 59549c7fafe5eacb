"""The convolution network against plain loops over places."""

from typing import Any

import numpy as np
import pytest
import torch

from senna.training.layers.batch import mask_of
from tests import oracles, toys


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
