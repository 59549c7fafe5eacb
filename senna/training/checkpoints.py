"""The files that a run writes as it goes: its checkpoint, and its measurements."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch

from senna.errors import SennaError
from senna.files import replacing, unwritable

GO_ON = "Free some space, then --resume."


def save_checkpoint(out: Path, state: dict[str, Any], mend: str = GO_ON) -> None:
    """Write a run's checkpoint.pt in one step: an earlier one is there until the new one is."""
    path = out / "checkpoint.pt"
    try:
        with replacing(path, mend) as place, place.open("wb") as file:
            torch.save(state, file)
    except RuntimeError as error:  # what torch makes of a full disk
        what = f"cannot write: {str(error).splitlines()[0]}"
        raise SennaError(what, where=str(path), mend=mend) from None


def log_metrics(out: Path, line: dict[str, Any], mend: str = GO_ON) -> None:
    """Add a line to a run's metrics.jsonl."""
    path = out / "metrics.jsonl"
    try:
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(line) + "\n")
    except OSError as error:
        raise unwritable(path, error, mend) from None


@contextmanager
def load_checkpoint(path: Path, mend: str) -> Iterator[dict[str, Any]]:
    """Read a checkpoint; one line says that it is damaged, or that the block finds no fit."""
    try:
        yield torch.load(path, weights_only=True, map_location="cpu")
    except Exception as error:  # a damaged file makes the unpickler raise almost anything
        reason = (str(error).splitlines() or [""])[0]
        if not reason or "zip archive" in reason:  # how PyTorch says that it is cut
            reason = "it is damaged"
        raise SennaError(f"does not fit this run: {reason}", where=str(path), mend=mend) from None


def load_state(out: Path, names: Iterable[str]) -> dict[str, Any] | None:
    """The state of a run's checkpoint.pt, which has these names; None where there is none yet."""
    path = out / "checkpoint.pt"
    if not path.exists():
        return None
    with load_checkpoint(path, "Start a new run in another folder.") as state:
        if state.keys() != set(names):
            raise ValueError("it has other entries than a checkpoint")
    return dict(state)
