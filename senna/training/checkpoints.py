"""The files that a run writes as it goes: its checkpoint, and its measurements."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from senna.errors import SennaError
from senna.files import replacing, unwritable


def go_on(out: Path) -> str:
    """How a run goes on when there is room for its files again."""
    kept = (out / "checkpoint.pt").exists()
    return f"Free some space, then {'--resume' if kept else 'begin again: nothing is kept'}."


def save_checkpoint(out: Path, state: dict[str, Any]) -> None:
    """Write a run's checkpoint.pt in one step: an earlier one is there until the new one is."""
    path = out / "checkpoint.pt"
    try:
        with replacing(path, go_on(out)) as place:
            torch.save(state, place)
    except RuntimeError as error:  # what torch makes of a full disk
        what = f"cannot write: {str(error).splitlines()[0]}"
        raise SennaError(what, where=str(path), mend=go_on(out)) from None


def log_metrics(out: Path, line: dict[str, Any]) -> None:
    """Add a line to a run's metrics.jsonl."""
    path = out / "metrics.jsonl"
    try:
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(line) + "\n")
    except OSError as error:
        raise unwritable(path, error, go_on(out)) from None
