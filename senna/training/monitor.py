"""Monitoring of hidden units that no longer learn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from senna.training.layers.batch import Batch
from senna.training.layers.units import FLAT, Probe
from senna.training.networks.base import Network


def flat_units(model: Network, batches: Iterable[tuple[str, Batch]]) -> float | None:
    """The share of hidden units, 0 to 1, that pass no gradient on at any word of some batches.

    They are saturated or dead (Goldberg 2016, section 6.3.3): see `FLAT`. None for a network
    without hidden units: a linear one, or a sentence network whose maxima are scored. Units within
    heads of trees and dependencies, and those over letters, do not count. Batches stand next to
    their tasks; units count once per task.
    """
    within = set(model.inputs.modules())
    probes = [m for m in model.modules() if isinstance(m, Probe) and m not in within]
    shares: list[Tensor] = []

    def look(probe: Probe, inputs: tuple[Any, ...], _: Any) -> None:
        units, inside, *_ = (*inputs, None)
        rows = FLAT[probe.kind](units)
        if inside is not None:
            rows = rows[inside[..., 0].bool()]
        if len(rows):  # else no predicate
            shares.append(rows.all(0))

    model.eval()
    hooks = [probe.register_forward_hook(look) for probe in probes]
    with torch.no_grad():
        for task, batch in batches if probes else ():
            model(task, batch)
    for hook in hooks:
        hook.remove()
    return float(torch.cat(shares).float().mean()) if shares else None
