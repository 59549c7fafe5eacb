"""One thread everywhere, and hypothesis without its clock: no test depends on the machine."""

from __future__ import annotations

import os

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy and PyTorch read it

import pytest
import torch
from hypothesis import settings

from senna.config import resource

torch.set_num_threads(1)
settings.register_profile("senna", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("senna")


@pytest.fixture
def demo_folder() -> str:
    """The demonstration corpus."""
    return str(resource("data/demo"))
