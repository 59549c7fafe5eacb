"""Where training may look at hidden units."""

from __future__ import annotations

from torch import Tensor, nn


class Probe(nn.Module):
    """Gives hidden units back as they are; `senna.lab.flat_units` looks at them here."""

    def __init__(self, kind: str) -> None:
        """kind: of the units, see `senna.lab.flat_units`."""
        super().__init__()
        self.kind = kind

    def forward(self, units: Tensor, inside: Tensor | None = None) -> Tensor:
        """units (..., n_units); inside (..., 1), where words are; None: there is no padding."""
        return units
