"""What the commands that train have in common."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import typer

from senna.errors import SennaError


def refuse_beside_resume(options: Mapping[str, Any]) -> None:
    """Refuse options that a resumed run would ignore; by name, false where not given."""
    given = ", ".join(option for option, value in options.items() if value)
    if given:
        mend = "Leave them out, or begin a new run."
        raise SennaError(f"goes on as the run began, without {given}", where="--resume", mend=mend)


def start_torch() -> None:
    """Load PyTorch, with a thread a core unless OMP_NUM_THREADS says otherwise."""
    try:
        import torch
    except ImportError:
        raise SennaError("training needs PyTorch", mend="pip install torch") from None
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", 0)) or os.cpu_count() or 1)


def say(line: str) -> None:
    """Tell the user something, beside what is written."""
    typer.echo(line, err=True)
