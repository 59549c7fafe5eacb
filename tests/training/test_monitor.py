"""Hidden units that are saturated or dead: counted, logged and told."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
import torch

from senna.config import NetworkConfig
from senna.layers.hidden import HiddenLayer
from senna.layers.units import UNITS
from senna.networks.sentence.settings import SentenceConfig
from senna.training.monitor import flat_units
from tests import oracles, toys
from tests.training.test_loop import by_heart, small, trainer_of


@pytest.mark.parametrize("unit", sorted(UNITS))
def test_flat_is_where_the_slope_is_small(unit: str) -> None:
    x = torch.linspace(-12, 12, 2401, dtype=torch.float64)
    y = UNITS[unit].function(x)
    function, step = oracles.UNITS[unit], 1e-6
    slopes = torch.tensor(
        [(function(v + step) - function(v - step)) / (2 * step) for v in x.tolist()]
    )
    is_flat = UNITS[unit].is_flat(y)
    assert 0 < is_flat.sum() < len(x)
    assert slopes[is_flat].max() < 0.51  # at the corner of HardTanh and of ReLU
    assert slopes[is_flat].median() < 1e-3
    assert slopes[~is_flat].min() > 1e-4


NETWORKS = {
    "window": toys.window((3, 1), (6, 5), shared=1),
    "sentence": NetworkConfig(kind="sentence", sentence=SentenceConfig(3, 6, 11, distance=6)),
}


@pytest.mark.parametrize(
    ("kind", "task"), [("window", "ner"), ("sentence", "ner"), ("sentence", "srl")]
)
def test_units_that_are_flat_at_every_word(kind: str, task: str) -> None:
    setup = toys.setup(dataclasses.replace(toys.SMALL, tasks=(task,), network=NETWORKS[kind]))
    chosen = setup.numbered.tasks[0].dev
    assert len({len(sentence.forms) for sentence in chosen}) > 3, "padding does not count"
    batch = setup.batches.batch(task, chosen)
    before = flat_units(setup.model, [(task, batch)])
    layers: list[Any] = [m for m in setup.model.modules() if isinstance(m, HiddenLayer)]
    with torch.no_grad():
        for layer in layers:
            layer.linear.weight *= 0.01
            layer.linear.bias.zero_()
        layers[-1].linear.bias[:2] = 3.0
        layers[-1].linear.bias[2] = -3.0
    assert before is not None
    assert flat_units(setup.model, [(task, batch)]) == pytest.approx(3 / 11)
    assert not any(layer._forward_hooks for layer in layers)


def test_a_network_without_such_units() -> None:
    for network in (NetworkConfig(kind="gated"), toys.window((3,), ())):
        setup = toys.setup(dataclasses.replace(toys.SMALL, network=network), n=3)
        batch = setup.batches.batch("ner", setup.numbered.tasks[0].dev)
        assert flat_units(setup.model, [("ner", batch)]) is None


@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_metrics_have_the_share_and_one_line_warns(tmp_path: Path, scale: float) -> None:
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
