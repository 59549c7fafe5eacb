"""The gated network: its layers against plain loops, and roles of long sentences."""

import dataclasses

import numpy as np
import pytest

from senna.inference.convolutions import Convolution, convolve
from senna.inference.exact import Floats
from senna.inference.networks.base import Network
from senna.kinds.roles import head as heads
from senna.kinds.roles.head import SIGHT
from tests import oracles, toys
from tests.inference.kernel.twins import folder_of
from tests.inference.networks.exact import without_rounding
from tests.inference.networks.texts import Text, load, words

SMALL = dataclasses.replace(
    toys.SMALL,
    tasks=("srl",),
    network=toys.gated(40, 1, 2, 4, pair=20, distance=6),
)


@pytest.fixture(scope="module")
def network(tmp_path_factory) -> Network:
    return load(toys.exported(toys.setup(SMALL), tmp_path_factory.mktemp("gated") / "model"))


@pytest.mark.parametrize("rank", [0, 5])
@pytest.mark.parametrize("lengths", [[1], [5], [3, 1, 7, 2, 30]])
def test_layers_against_plain_loops(tmp_path, rank, lengths):
    random, units, width, dilations = np.random.default_rng(rank), 30, 3, (1, 2)
    arrays, layers = {}, []
    for i, dilation in enumerate(dilations):
        first = random.normal(0, 0.3, (width * units, rank or 2 * units))
        bias = random.normal(0, 0.3, 2 * units)
        weights = first
        if rank:
            second = random.normal(0, 0.3, (rank, 2 * units))
            weights = first @ second
            arrays[f"gated-{i}.down.weight"] = first.astype(np.float32)
            arrays[f"gated-{i}.up.weight"] = second.astype(np.float32)
        else:
            arrays[f"gated-{i}.weight"] = first.astype(np.float32)
        arrays[f"gated-{i}.bias"] = bias.astype(np.float32)
        layers.append((weights, bias, dilation))
    folder = folder_of(arrays, tmp_path / "model")
    x = random.normal(0, 1, (sum(lengths), units)).astype(np.float32)
    single = x.copy()
    single[:, 0] = 100  # normalised as large as a unit gets: sqrt(units - 1), 5.4

    def convolved(x: Floats) -> tuple[Floats, Floats]:
        parts = np.split(x, np.cumsum(lengths)[:-1])
        expected = np.concatenate([oracles.gated_layers(part, layers) for part in parts])
        made = [Convolution(folder, f"gated-{i}", units, width, d) for i, d in enumerate(dilations)]
        result = x.copy()
        convolve(made, result, np.array(lengths, np.int64))
        return result, expected

    for values in (x, single):
        result, expected = convolved(values)
        error = np.abs(result - expected)
        assert error.max() < 0.08
        assert error.mean() < 0.02
        with without_rounding():
            np.testing.assert_allclose(*convolved(values), atol=1e-5)
    assert np.abs(convolved(x)[0] - oracles.gated_layers(x, [])).mean() > 0.3


def test_roles_are_found_near_the_predicate_only(network):
    """And nothing is lost of what is near."""
    places = [0, 1, SIGHT, 250, 498, 499]
    (found,) = Text(network, words(4, [500])).annotate("srl", [places])
    for place, tags in zip(places, found, strict=True):
        first, last = max(0, place - SIGHT), min(500, place + SIGHT + 1)
        assert len(tags) == 500
        assert set(tags[:first] + tags[last:]) <= {"O"}
        assert len(set(tags[first:last])) > 3
        assert tags[first] != "O" or tags[first + 1] != "O" or tags[last - 1] != "O", place


def test_short_sentences_are_seen_whole(network, monkeypatch):
    """As far as the first predicate and the last one see."""
    forms, places = words(5, [SIGHT + 1, 30, 1]), [[0, 30, SIGHT], [0, 29], [0]]
    found = Text(network, forms).annotate("srl", places)
    monkeypatch.setattr(heads, "SIGHT", 10_000)
    assert Text(network, forms).annotate("srl", places) == found
    monkeypatch.setattr(heads, "SIGHT", 5)
    assert Text(network, forms).annotate("srl", places) != found
