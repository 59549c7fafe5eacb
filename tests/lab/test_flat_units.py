"""Hidden units that are saturated or dead: counted, logged and told."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from senna.lab.training import FLAT, flat_units
from senna.training.build import Setup
from senna.training.layers.weights import Probe
from senna.training.networks.window import HiddenLayer
from tests import toys
from tests.training.test_loop import by_heart, small, trainer_of


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


@pytest.mark.parametrize("name", ["gate", "pair", "irnn", "spans", "filter"])
def test_padding_does_not_count(name):
    """In a batch those units are flat that are so in each of its sentences alone."""
    task, network, *_ = BY_HAND[name]
    model, setup = made(task, network)
    with torch.no_grad():
        for weights in model.parameters():
            weights *= 20  # so that some are flat
    sentences = [s for s in setup.numbered.tasks[0].dev if s.positions is None or len(s.positions)]
    short = min(sentences, key=lambda s: len(s.forms))
    long = next(s for s in sentences if len(s.forms) > len(short.forms) + 1)
    alone: list[Tensor] = []

    def look(probe: Probe, inputs: Any, _: Any) -> None:
        units, inside = inputs
        alone.append(FLAT[probe.kind](units)[inside[:, :, 0] > 0].all(0))

    hooks = [m.register_forward_hook(look) for m in model.modules() if isinstance(m, Probe)]
    for sentence in (short, long):
        model(task, setup.batches.batch(task, [sentence]))
    for hook in hooks:
        hook.remove()
    flat = torch.cat(alone).view(2, -1).all(0).float().mean()
    share = flat_units(model, [(task, setup.batches.batch(task, [short, long]))])
    assert 0 < flat < 1
    assert share == pytest.approx(float(flat))


@pytest.mark.parametrize(
    ("network", "task"),
    [(WINDOW, "ner"), (SENTENCE, "ner"), (SENTENCE, "srl")],
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
