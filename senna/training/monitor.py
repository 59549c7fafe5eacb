"""What the loss does not show: hidden units that no longer learn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor

from senna.layers.batch import Batch, mask_of
from senna.layers.hidden import HiddenLayer
from senna.networks.train import Network


def flat_units(model: Network, batches: Iterable[tuple[str, Batch]]) -> float | None:
    """The share of hidden units, 0 to 1, that pass no gradient on at any word of some batches.

    They are saturated or dead (Goldberg 2016, section 6.3.3). None for a network that has no
    hidden layers of its `unit`. Batches stand beside their tasks; units count once per task.
    """
    layers = [module for module in model.modules() if isinstance(module, HiddenLayer)]
    if not layers:
        return None
    shares: list[Tensor] = []
    model.eval()
    for task, batch in batches:

        def look(layer: HiddenLayer, _: Any, values: Tensor, batch: Batch = batch) -> None:
            if not len(values):  # no predicate
                return
            outside = ~mask_of(batch.gold_lengths, values.shape[1])[:, :, None]
            shares.append((layer.unit.is_flat(values) | outside).flatten(0, 1).all(0))

        hooks = [layer.register_forward_hook(look) for layer in layers]
        with torch.no_grad():
            model(task, batch)
        for hook in hooks:
            hook.remove()
    return float(torch.cat(shares).float().mean()) if shares else None
