"""Layers learn in their turn: from the top, or each alone."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from senna.inference.features.settings import Features, WordFeature
from senna.training.config import Config
from senna.training.loop import Round
from senna.training.optimisers import Descent
from senna.training.trainer import Step, Trainer
from tests import toys

NETWORKS = {
    "window": ("network.window={widths=[3,1], hidden=[6,5], shared=2}",),
    "gated": toys.GATED,
    "sentence": (
        "network.kind=sentence",
        "network.sentence={width=3, units=6, hidden=5, distance=6}",
    ),
}
# From the first to the last; the tables are before them, the heads behind.
HIDDEN = {
    "window": ["shared.0", "shared.1"],
    "gated": ["projection", "layers.0", "layers.1"],
    "sentence": ["convolution", "near", "predicate"],
}


class Watched(Trainer):
    """A trainer that notes which layers each epoch moves, and may get Ctrl-C in one of them."""

    moved: list[set[str]]
    stop = 0  # in this epoch, the first is 1

    def next_round(self) -> Round[Step]:
        following = super().next_round()
        return following._replace(batches=self.watched(following.batches))

    def watched(self, steps: Iterator[Step]) -> Iterator[Step]:
        named = dict(self.model.named_parameters())
        before = {name: weights.detach().clone() for name, weights in named.items()}
        yield from steps
        changed = (name for name in named if not torch.equal(named[name], before[name]))
        self.moved.append(set(map(layer_of, changed)))
        if self.state.epoch + 1 == self.stop:
            self.interruption.number = 2


def layer_of(name: str) -> str:
    """The layer of a parameter."""
    first, second, *_ = name.split(".")
    return f"{first}.{second}" if first in ("shared", "layers") else first


def config_of(network: str, tasks: str = "ner", **settings: object) -> Config:
    """A network, and settings of its training: without the model that thawing begins with."""
    config = toys.small(tasks, *NETWORKS[network], "train.learning_rate=0.01")
    return dataclasses.replace(config, train=dataclasses.replace(config.train, **settings))


def watched(config: Config, out: Path) -> Watched:
    out.mkdir(exist_ok=True)
    made = toys.setup(config, n=6)
    trainer = Watched(made.config.train, made.model, made.batches, out)
    trainer.moved = []
    return trainer


@pytest.mark.parametrize(("network", "tasks"), [("window", "ner,pos"), ("gated", "srl")])
def test_gradual_adds_layers_from_the_top(tmp_path, network, tasks):
    order = ["heads", *reversed(HIDDEN[network]), "inputs"]
    trainer = watched(config_of(network, tasks, thaw=1, epochs=len(order) + 1), tmp_path)
    trainer.run()
    phases = [set(order[: n + 1]) for n in range(len(order))]
    assert trainer.moved == [*phases, set(order)]
    assert all(weights.requires_grad for weights in trainer.model.parameters())


@pytest.mark.parametrize(("network", "optimiser"), [("window", "adagrad"), ("gated", "adam")])
def test_chain_has_each_layer_alone_and_then_all(tmp_path, network, optimiser):
    order = ["heads", "inputs", *HIDDEN[network]]
    settings = {"thaw": 2, "thawing": "chain", "optimiser": optimiser, "l2": 0.01}
    config = config_of(network, epochs=2 * len(order) + 3, **settings)
    trainer = watched(config, tmp_path)
    trainer.run()
    alone = [{layer} for layer in order for _ in range(2)]
    assert trainer.moved == [*alone, *[set(order)] * 3]


def test_a_layer_that_only_one_of_two_tasks_has(tmp_path):
    """Batches of the other task move nothing while that layer is alone."""
    order = ["heads", "inputs", *HIDDEN["sentence"]]
    config = config_of("sentence", "ner,srl", thaw=1, thawing="chain", epochs=len(order) + 1)
    trainer = watched(config, tmp_path)
    trainer.run()
    assert trainer.moved == [*({layer} for layer in order), set(order)]


def test_tables_that_are_fixed_have_no_turn(tmp_path):
    features = Features(word=WordFeature(size=6, scale=0.0, fixed=True))
    config = config_of("window", thaw=1, thawing="chain", epochs=4)
    trainer = watched(dataclasses.replace(config, features=features), tmp_path)
    trainer.model.inputs.requires_grad_(False)  # the tables of capitals, too
    trainer.descent = Descent(trainer.descent.train, trainer.model)
    trainer.run()
    order = ["heads", *HIDDEN["window"]]
    assert trainer.moved == [*({layer} for layer in order), set(order)]
    assert not any(weights.requires_grad for weights in trainer.model.inputs.parameters())


def test_a_run_resumed_within_a_phase_ends_in_the_same_weights(tmp_path):
    config = config_of("window", thaw=3, thawing="chain", epochs=10)
    whole = watched(config, tmp_path / "whole")
    whole.run()
    first = watched(config, tmp_path / "parts")
    first.stop = 6  # of the second phase, epochs 4 to 6
    first.run()
    second = watched(config, tmp_path / "parts")
    second.run(resume=True)
    assert first.moved[:-1] + second.moved == whole.moved
    assert len(second.moved) == 5
    for name, weights in second.model.state_dict().items():
        assert torch.equal(weights, whole.model.state_dict()[name]), name
