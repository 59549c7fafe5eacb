"""Optimisers against their equations, schedules, layers in their turn, and flat hidden units."""

import dataclasses
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from senna.inference.features.settings import Features, WordFeature
from senna.lab.training import OPTIMISERS, SCHEDULES, flat_units
from senna.training.build import Setup
from senna.training.config import Config, Training
from senna.training.layers.weights import Probe
from senna.training.loop import Round
from senna.training.networks.window import HiddenLayer
from senna.training.optimisers import Descent
from senna.training.trainer import Step, Trainer
from tests import toys
from tests.training.test_loop import by_heart, small, trainer_of


def expected(name: str, gradients: list[float], rate: float) -> float:
    """Where a weight that begins at 0 is after some gradients, by the sources' equations."""
    w = v = squares = changes = 0.0
    for g in gradients:
        if name in ("momentum", "nesterov"):
            v = 0.9 * v - rate * g
            w += v if name == "momentum" else 0.9 * v - rate * g
        elif name == "adagrad":
            squares += g * g
            w -= rate * g / (squares**0.5 + 1e-10)
        elif name == "rmsprop":
            squares = 0.9 * squares + 0.1 * g * g
            w -= rate * g / (squares**0.5 + 1e-8)
        else:
            squares = 0.95 * squares + 0.05 * g * g
            change = -(((changes + 1e-6) / (squares + 1e-6)) ** 0.5) * g
            changes = 0.95 * changes + 0.05 * change * change
            w += rate * change
    return w


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("name", OPTIMISERS)
def test_steps_against_the_equations(name, sparse):
    """Of a sparse gradient, whose rows may come twice, the rows of a step alone change."""
    table = torch.nn.Embedding(4, 1, sparse=sparse)
    torch.nn.init.zeros_(table.weight)
    optimiser = OPTIMISERS[name].words([table.weight], lr=0.3)
    seen: dict[int, list[float]] = {0: [], 1: [], 2: [], 3: []}
    for rows in ([1, 3, 3], [3, 0], [1], [3]):
        optimiser.zero_grad()
        gradients = dict.fromkeys(seen, 0.0)
        for place, row in enumerate(rows):
            gradients[row] += 0.5 * place - 0.7
        factors = torch.tensor([[0.5 * place - 0.7] for place in range(len(rows))])
        (table(torch.tensor(rows)) * factors).sum().backward()
        optimiser.step()
        for row, gradient in gradients.items():
            if row in rows or not sparse:
                seen[row].append(gradient)
    for row, gradients_of_row in seen.items():
        found = table.weight[row].item()
        assert found == pytest.approx(expected(name, gradients_of_row, 0.3), rel=1e-4, abs=1e-7)


def test_schedules_by_their_formulas():
    train = Training(epochs=4, learning_rate=0.5, l2=0.1)
    shares = [SCHEDULES["epoch"](train, step / 12, step) for step in range(12)]
    assert shares == [1, 1, 1, 1 / 2, 1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3, 1 / 4, 1 / 4, 1 / 4]
    assert SCHEDULES["bottou"](train, 0.5, 10) == pytest.approx(1 / (1 + 0.5 * 0.1 * 10))
    assert SCHEDULES["bottou"](train, 0.0, 0) == 1


# --------------------------------------------------------------------------- layers in their turn

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


# --------------------------------------------------------------------------- flat units


def of(kind: str, table: str, *more: str) -> tuple[str, ...]:
    return (f"network.kind={kind}", f"network.{kind}={{{table}}}", *more)


def recurrent(cell: str, more: str = "") -> tuple[str, ...]:
    return of("recurrent", f"units=6, cell='{cell}'{more}")


def recursive(cell: str) -> tuple[str, ...]:
    return of("recursive", f"units=6, cell='{cell}'", *toys.UNREAD)


GATED = of("gated", "units=8, dilations=[1,2], pair=7, pair_dilations=[1]")
WINDOW = of("window", "widths=[3,1], hidden=[6,5]")
SENTENCE = of("sentence", "width=3, units=6, hidden=11, distance=6")
BAG = of("bag", "units=6")
TWO_LAYERS, SPANS = recurrent("lstm", ", layers=2"), recurrent("lstm", ", spans=true")
# Filters over two and over three words, and as many above them.
FILTERS = of("convolution", "widths=[2,3], units=6, pools=[2]", "network.label.pooling=['mean']")
Network = tuple[str, ...]  # its settings


def made(task: str, network: Network) -> tuple[Any, Setup]:
    """A network with random weights."""
    setup = toys.setup(toys.small(task, *network), seed=8)
    return setup.model, setup


def flat_of(task: str, setup: Setup) -> float:
    """The share in all sentences."""
    sentences = setup.numbered.tasks[0].dev
    assert len({len(sentence.forms) for sentence in sentences}) > 3, "padding does not count"
    share = flat_units(setup.model, [(task, setup.batches.batch(task, sentences))])
    assert share is not None
    return share


# A task, a network, a bias of one of its units, a value that makes the unit flat, and how many
# units there are.
BY_HAND: dict[str, tuple[str, Network, Callable[[Any], Any], float, int]] = {
    "gate": ("ner", GATED, lambda m: m.layers[1].up.bias[8:9], -50, 16),
    "gate, roles": ("srl", GATED, lambda m: m.layers[0].up.bias[8:9], -50, 30),
    "pair": ("srl", GATED, lambda m: m.head("srl").layers.word.bias[:1], -50, 30),
    "pair's gate": ("srl", GATED, lambda m: m.head("srl").layers.layers[0].up.bias[7:8], -50, 30),
    "elman": ("ner", recurrent("elman"), lambda m: m.layers[0].inputs.bias[:1], 50, 12),
    "backward": ("ner", recurrent("elman"), lambda m: m.layers[0].inputs.bias[6:7], -50, 12),
    "irnn": ("ner", recurrent("irnn"), lambda m: m.layers[0].inputs.bias[:1], -1000, 12),
    "gru, z": ("ner", recurrent("gru"), lambda m: m.layers[0].inputs.bias[:1], -50, 12),
    "scrn": ("ner", recurrent("scrn"), lambda m: m.layers[0].inputs.bias[3:4], 50, 6),
    "scrn, slow": ("ner", recurrent("scrn"), lambda m: m.layers[0].inputs.bias[:0], 0, 6),
    "lstm, o": ("ner", recurrent("lstm"), lambda m: m.layers[0].inputs.bias[12:13], -50, 12),
    "two layers": ("ner", TWO_LAYERS, lambda m: m.layers[1].inputs.bias[12:13], -50, 24),
    "spans": ("label", SPANS, lambda m: m.above.inputs.bias[12:13], -50, 24),
    "filter": ("label", FILTERS, lambda m: m.filters[1].bias[::6], -50, 24),
    "filter above": ("label", FILTERS, lambda m: m.stages[0][0].bias[::6], -50, 24),
    "bag": ("label", BAG, lambda m: m.hidden.bias[:1], -50, 6),
    **{
        cell: ("label", recursive(cell), lambda m: m.cell.word.bias[:1], 50, 6)
        for cell in ("standard", "matrix-vector", "tensor", "gru")
    },
    **{
        cell: ("label", recursive(cell), lambda m: m.cell.word.bias[6:7], -50, 6)
        for cell in ("lstm", "lstm-sum")
    },
}


@pytest.mark.parametrize("name", BY_HAND)
def test_one_unit_is_made_flat(name):
    task, network, bias, value, n = BY_HAND[name]
    model, setup = made(task, network)
    before = flat_of(task, setup)
    with torch.no_grad():
        bias(model).fill_(value)
        if name == "tensor":  # its nodes have no bias: as their parts are
            model.cell.tensor.weight.zero_()
            model.cell.parts.weight[0] = torch.eye(12)[0] * value
    assert before < 0.5
    assert flat_of(task, setup) == pytest.approx(before + len(bias(model)[:1]) / n)
    assert not any(module._forward_hooks for module in model.modules())


@pytest.mark.parametrize(
    ("network", "task"), [(WINDOW, "ner"), (SENTENCE, "ner"), (SENTENCE, "srl")]
)
def test_units_that_are_flat_at_every_word(network, task):
    model, setup = made(task, network)
    layers: list[Any] = [m for m in model.modules() if isinstance(m, HiddenLayer)]
    assert flat_of(task, setup) < 1
    with torch.no_grad():
        for layer in layers:
            layer.linear.weight *= 0.01
            layer.linear.bias.zero_()
        layers[-1].linear.bias[:2] = 3.0
        layers[-1].linear.bias[2] = -3.0
    assert flat_of(task, setup) == pytest.approx(3 / 11)


def test_linear_networks_have_no_such_units():
    for network in (of("window", "hidden=[]"), of("sentence", "units=6, hidden=0")):
        model, setup = made("ner", network)
        batch = setup.batches.batch("ner", setup.numbered.tasks[0].dev)
        assert flat_units(model, [("ner", batch)]) is None


def test_units_within_letters_do_not_count():
    setup = toys.setup(toys.small("ner", "features.characters={filters=6, kind='recurrent'}"))
    letters: Any = setup.model.inputs.forms["letters"]
    assert any(isinstance(module, Probe) for module in letters.modules())
    (layer,) = (m for m in setup.model.modules() if isinstance(m, HiddenLayer))
    with torch.no_grad():
        letters.layer.inputs.bias.fill_(50)
        layer.linear.weight.zero_()
        layer.linear.bias.copy_(torch.tensor([3.0, -3.0, 0, 0, 0, 0, 0, 0]))
    assert flat_of("ner", setup) == 2 / 8


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_metrics_have_the_share_and_one_line_warns(tmp_path, scale):
    trainer = trainer_of(small("ner", learning_rate=1e-4), by_heart("ner"), tmp_path)
    lines: list[str] = []
    trainer.say = lines.append
    with torch.no_grad():
        for layer in trainer.model.modules():
            if isinstance(layer, HiddenLayer):
                layer.linear.bias += scale - 1
    trainer.run()
    text = (tmp_path / "metrics.jsonl").read_text(encoding="utf-8")
    shares = [json.loads(line)["flat_units"] for line in text.splitlines()]
    assert len(shares) == 3
    warnings = [line for line in lines if line.startswith("warning")]
    if scale == 1:
        assert max(shares) < 0.5 and not warnings
    else:
        assert min(shares) > 0.5
        assert len(warnings) == 1
        assert "% of the hidden units are saturated or dead" in warnings[0]
