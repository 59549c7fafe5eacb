"""Hidden units that are saturated or dead."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor

from senna.training.layers.batch import Batch
from senna.training.layers.weights import Probe
from senna.training.networks.base import Network


def _is_still(state: Tensor) -> Tensor:
    """Where the state of a cell is at its bounds, or is 0 since a gate is shut."""
    return (state.abs() < 0.005) | (state.abs() > 0.99)


def _is_at_bounds(y: Tensor) -> Tensor:
    """Where tanh is."""
    return y.abs() > 0.99


# Where units let (almost) no gradient through: their values; sums of gated linear units, whose
# second half are the gates; states of the cells of recurrent and recursive networks.
FLAT: dict[str, Callable[[Tensor], Tensor]] = {
    "hardtanh": lambda y: y.abs() >= 1,
    "relu": lambda y: y <= 0,
    "gated": lambda sums: torch.sigmoid(sums.chunk(2, -1)[1]) < 0.005,
    "cube": lambda y: y.abs() < 1e-6,
    "step": lambda y: torch.zeros_like(y, dtype=torch.bool),  # it has the gradient of tanh
    **dict.fromkeys(("elman", "standard", "matrix-vector", "tensor"), _is_at_bounds),
    **dict.fromkeys(("gru", "lstm", "lstm-sum"), _is_still),
    "irnn": lambda y: y <= 0,
    "scrn": lambda y: (y - 0.5).abs() > 0.495,  # of the fast units; slow ones are linear
}


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
