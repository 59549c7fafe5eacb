"""Learn word vectors from unlabelled text; apart from preparing the text, with PyTorch."""

from __future__ import annotations

from senna.registry import COMMANDS

COMMANDS.add(pretrain="senna.pretraining.cli")
