"""The sentence network: its maxima against loops, in both its twins."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch

from senna.config import NetworkConfig, SentenceConfig
from senna.errors import SennaError
from senna.infer.heads import SIGHT
from senna.infer.networks.sentence import Hidden, distances, maxima
from senna.model.folder import ModelFolder, read_model, write_model
from senna.text.iobes import FORBIDDEN
from senna.training.networks.sentence import maxima as torch_maxima
from tests import oracles, toys
from tests.infer.networks.texts import Text, load, words


@pytest.mark.parametrize("reach", [1, 2, 5])
@pytest.mark.parametrize("n", [1, 2, 3, 6, 14])
def test_maxima_against_loops(reach: int, n: int) -> None:
    random = np.random.default_rng(n)
    near = random.normal(size=(2 * reach + 1, 3)).astype(np.float32)
    lengths = [n, max(1, n - 2), 1]
    rows = [random.normal(size=(length, 3)).astype(np.float32) for length in lengths]
    padded = np.full((n, len(rows), 3), FORBIDDEN, np.float32)
    for i, row in enumerate(rows):
        padded[: len(row), i] = row
    found = maxima(padded.copy(), near)
    turned = torch.from_numpy(padded.transpose(1, 0, 2).copy())
    by_torch = torch_maxima(turned, torch.from_numpy(near)).numpy()
    for i, row in enumerate(rows):
        expected = oracles.sentence_maxima(row, near)
        np.testing.assert_allclose(found[: len(row), i], expected, atol=1e-6)
        np.testing.assert_allclose(by_torch[i, : len(row)], expected, atol=1e-6)


@pytest.mark.parametrize("reach", [1, 3, 9])
def test_gradients_of_maxima(reach: int) -> None:
    generator = torch.Generator().manual_seed(reach)
    x = torch.randn(2, 7, 2, generator=generator, dtype=torch.float64, requires_grad=True)
    shape = (2 * reach + 1, 2)
    near = torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(torch_maxima, (x, near))


def folder_of(path: Path, **arrays: np.ndarray) -> ModelFolder:
    """A sentence network's folder with nothing but some arrays."""
    meta = {
        "tasks": ["ner"],
        "features": {"prefixes": [], "suffixes": [], "longest": 9, "tags": []},
        "network": {
            "kind": "sentence",
            "constrained": True,
            "criterion": "sentence",
            "sentence": {"width": 1, "units": 3, "hidden": 4},
        },
    }
    named = {name.replace("_", "."): own.astype(np.float32) for name, own in arrays.items()}
    write_model(path, meta, {n.replace("layer.1", "layer-1"): a for n, a in named.items()}, {})
    return read_model(path)


@pytest.mark.parametrize("lengths", [[1], [9], [3, 1, 0, 2, 9], [2, 600, 1, 30], []])
def test_the_hidden_layer_against_loops(tmp_path: Path, lengths: list[int]) -> None:
    random = np.random.default_rng(len(lengths))
    near, weights, bias = (random.normal(0, 0.5, size) for size in ((7, 3), (3, 4), 4))
    folder = folder_of(
        tmp_path / "model", near=near, ner_layer_1_weight=weights, ner_layer_1_bias=bias
    )
    x = random.normal(size=(sum(lengths), 3)).astype(np.float32)
    found = Hidden(folder, "ner")(x.copy(), np.array(lengths, np.int64))
    parts = np.split(x, np.cumsum(lengths)[:-1]) if lengths else []
    highest = [oracles.sentence_maxima(own, near) for own in parts if len(own)]
    rows = np.concatenate(highest) if highest else np.zeros((0, 3))
    expected = np.clip(rows @ weights + bias, -1, 1)
    np.testing.assert_allclose(found, expected, atol=0.02)


def test_an_even_number_of_distances_or_too_few(tmp_path: Path) -> None:
    for n in (0, 1, 2, 4):
        folder = folder_of(tmp_path / "model", near=np.zeros((n, 3)))
        with pytest.raises(SennaError, match=rf"near\.npy: {n} distances, expected an odd"):
            distances(folder, "near")


def test_roles_are_found_near_the_predicate_only(tmp_path: Path) -> None:
    own = SentenceConfig(3, 30, 20, distance=7)
    config = dataclasses.replace(
        toys.SMALL, tasks=("srl",), network=NetworkConfig(kind="sentence", sentence=own)
    )
    network = load(toys.exported(toys.setup(config, seed=3), tmp_path / "model"))
    places = [0, 250, 499]
    (found,) = Text(network, words(4, [500])).annotate("srl", [places])
    for place, tags in zip(places, found, strict=True):
        first, last = max(0, place - SIGHT), min(500, place + SIGHT + 1)
        assert len(tags) == 500
        assert set(tags[:first] + tags[last:]) <= {"O"}
        assert len(set(tags[first:last])) > 2
