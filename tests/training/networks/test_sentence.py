"""The torch sentence network: one convolution, computed in parts."""

import pytest

from senna.training.layers.weights import initialise
from senna.training.networks.sentence import SentenceNetwork
from tests import toys
from tests.training.test_loop import rates_of


@pytest.mark.parametrize(("task", "distances"), [("srl", 2), ("pos", 1)])
def test_the_parts_of_the_convolution_have_the_fan_in_of_the_whole(task, distances):
    table = "network.sentence={width=5, units=300, hidden=20, distance=9, distance_size=5}"
    model = toys.setup(toys.small(task, "network.kind=sentence", table)).model
    assert isinstance(model, SentenceNetwork)
    fan_in = 5 * (model.inputs.size + 5 * distances)
    parts = [model.convolution, model.near.convolution]
    parts += [] if model.predicate is None else [model.predicate.convolution]
    assert len(parts) == 1 + distances
    assert sum(part.in_features for part in parts) == fan_in

    initialise(model)
    for part in parts:
        assert part.weight.std().item() == pytest.approx(fan_in**-0.5, rel=0.05)

    rate = rates_of(model)
    for part in parts:
        assert rate[id(part.weight)] == pytest.approx(0.6 / fan_in)
    assert rate[id(model.near.table.weight)] == pytest.approx(0.6)  # a lookup table's
