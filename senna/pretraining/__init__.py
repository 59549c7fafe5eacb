"""Learn word vectors, language models, encoders and clusters of words from unlabelled text; apart
from preparing the text and clustering, with PyTorch.
"""

from __future__ import annotations

from senna.registry import COMMANDS, SENTENCE_FEATURES, STARTS

COMMANDS.add(pretrain="senna.pretraining.cli", lm="senna.pretraining.cli")
SENTENCE_FEATURES.add(states="senna.pretraining.recurrent")
STARTS.add(encoder="senna.pretraining.encoder_start")
