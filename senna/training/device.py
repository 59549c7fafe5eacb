"""The device that a run computes on, and the versions that its results may depend on."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch

from senna.errors import SennaError
from senna.version import __version__


def versions() -> dict[str, str]:
    """The versions that a run's results may depend on."""
    return {
        "senna": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__,
    }


def device_of(name: str) -> torch.device:
    """The device of a name, for example cpu or cuda:1; SennaError if it is missing."""
    try:
        device = torch.device(name)
        torch.zeros(1, device=device).item()
    except Exception as error:  # each kind of device fails in its own way
        reason = str(error).partition("\n")[0]
        raise SennaError(f"cannot be used here: {reason}", where="--device") from None
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")  # TF32, of 19 bits, where the GPU has it
    return device


@contextmanager
def one_thread() -> Iterator[None]:
    """Have PyTorch use one thread: results do not depend on the number, and forks do not wait."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
