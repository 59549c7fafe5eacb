"""Options of a network and its heads, beyond the settings of its kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True)
class NetworkOptions:
    """Options that networks and heads of all kinds share, named as in a configuration."""

    criterion: str = "sentence"  # train.criterion
    constrained: bool = True  # network.constrained
    transitions: str = "tied"  # network.transitions
    history: int = 1  # network.history
    beam: int = 1  # network.beam
    dropout_input: float = 0.0  # train.dropout_input
    dropout_hidden: float = 0.0  # train.dropout_hidden
    n_labels: int = 0  # labels of the trees that are a feature; 0: there is no such feature
    # Settings of kinds of output, by the name of their table in `network`.
    tables: Mapping[str, Any] = field(default_factory=dict)

    def by_words(self) -> NetworkOptions:
        """The same for a head whose tags do not depend on one another."""
        return replace(self, criterion="word", constrained=False, transitions="tied")
