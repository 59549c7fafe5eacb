"""Factors of a trained gated network's weights."""

import numpy as np
import pytest
import torch

from senna.model.folder import read_model
from senna.training.networks.gated import GatedNetwork
from senna.training.run import factorise, factors, sample, second_moments
from senna.training.trainer import Trainer
from tests import toys

PAIR = ("network.gated.pair=4", "network.gated.pair_dilations=[1]")
CONFIG = toys.small("srl,pos", *toys.GATED, "network.gated.units=10", *PAIR)


def data(seed: int, n: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Inputs that lie near a few directions, and weights."""
    random = np.random.default_rng(seed)
    x = random.normal(size=(n, 3)) @ random.normal(size=(3, 12))
    x += 0.05 * random.normal(size=(n, 12))
    return x, random.normal(size=(12, 8)).astype(np.float32)


def error(x: np.ndarray, weights: np.ndarray, product: np.ndarray) -> float:
    return float(((x @ (weights - product)) ** 2).sum())


@pytest.mark.parametrize("rank", [1, 2, 4])
def test_no_product_of_that_rank_is_nearer_on_what_is_seen(rank):
    x, weights = data(rank)
    down, up = factors(weights, x.T @ x, rank)
    assert down.shape == (12, rank)
    assert up.shape == (rank, 8)
    own = error(x, weights, down @ up)
    # The best approximation of X W itself, which no product of the rank can beat.
    left, values, right = np.linalg.svd(x @ weights, full_matrices=False)
    bound = float((values[rank:] ** 2).sum())
    assert bound <= own <= 1.02 * bound
    # Blind to the inputs, the singular values of W alone do worse.
    left, values, right = np.linalg.svd(weights, full_matrices=False)
    assert own < error(x, weights, (left[:, :rank] * values[:rank]) @ right[:rank])


def test_inputs_that_were_never_seen():
    down, up = factors(np.ones((4, 3), np.float32), np.zeros((4, 4)), 1)
    assert down @ up == pytest.approx(np.ones((4, 3)), abs=1e-5)


def test_moments_are_those_of_what_layers_multiply():
    made = toys.setup(CONFIG)
    model = made.model
    assert isinstance(model, GatedNetwork)
    layers = [*model.layers, *model.head("srl").layers.layers]
    assert {m for m in model.modules() if hasattr(m, "factorise")} == set(layers)
    found = second_moments(model, layers, sample(made.batches))
    assert [moment.shape for moment in found] == [(30, 30), (30, 30), (12, 12)]
    rows: list[np.ndarray] = []
    tasks: set[str] = set()
    hook = layers[0].up.register_forward_pre_hook(lambda _, args: rows.append(args[0].numpy()))
    with torch.no_grad():
        for task, batch in sample(made.batches):
            tasks.add(task)
            model.encode(batch)
    hook.remove()
    x = np.concatenate([own.reshape(-1, 30) for own in rows])
    np.testing.assert_allclose(found[0], x.T @ x, rtol=1e-4, atol=1e-4)
    assert tasks == {"srl", "pos"}


def test_a_sample_of_many_sentences(monkeypatch):
    monkeypatch.setattr("senna.training.run.SENTENCES", 5)
    made = toys.setup(CONFIG)
    counts = {task.name: len(task.train) for task in made.numbered.tasks}
    assert min(counts.values()) > 5
    drawn = {task: len(batch.lengths) for task, batch in sample(made.batches)}
    assert drawn == {task: -(-n // -(-n // 5)) for task, n in counts.items()}


def test_factors_are_tuned(tmp_path):
    made = toys.setup(CONFIG)
    trainer = made.trainer(tmp_path)
    factorise(made.model, made.batches, 2)
    trainer.tune(0)
    first = loss_of(trainer)
    trainer.tune(3)
    assert loss_of(trainer) < first
    assert trainer.state.epoch == 0


def loss_of(trainer: Trainer) -> float:
    """The mean loss of training batches as the network is."""
    trainer.model.eval()
    batches = sample(trainer.examples.batches)
    with torch.no_grad():
        return float(sum(trainer.model.head(t).loss(trainer.model(t, b), b) for t, b in batches))


def test_a_rank_that_saves_nothing_is_left_out(tmp_path):
    made = toys.setup(CONFIG)
    assert isinstance(made.model, GatedNetwork)
    factorise(made.model, made.batches, 12)  # 12 x (30 + 20) = 30 x 20
    assert read_model(toys.exported(made, tmp_path / "whole")).has("gated-0.weight.npy")
    factorise(made.model, made.batches, 11)
    folder = read_model(toys.exported(made, tmp_path / "parts"))
    assert not folder.has("gated-0.weight.npy")
    arrays = dict(folder.arrays())
    assert arrays["gated-0.down.weight"].shape == (30, 11)
    assert arrays["gated-1.up.weight"].shape == (11, 20)
    assert folder.has("srl.gated-0.weight.npy")  # 12 x 8: 11 x (12 + 8) is more
