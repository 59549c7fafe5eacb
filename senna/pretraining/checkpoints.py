"""The state from which an interrupted run continues."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch

from senna.errors import SennaError


def load_checkpoint(out: Path, names: Iterable[str]) -> dict[str, Any] | None:
    """The state of a run's checkpoint.pt, which has these names; None where there is none yet."""
    path = out / "checkpoint.pt"
    if not path.exists():
        return None
    try:
        state = dict(torch.load(path, weights_only=True, map_location="cpu"))
        if state.keys() != set(names):
            raise ValueError("other entries than a checkpoint has")
    except Exception as error:  # a damaged file makes the unpickler raise almost anything
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        mend = "Start a new run in another folder."
        raise SennaError(f"damaged: {reason}", where=str(path), mend=mend) from None
    return state
