"""A small text with structure: which word stands where can be learnt in a second."""

from pathlib import Path

import numpy as np

from senna.pretraining.config import Pretraining, read_pretraining
from senna.pretraining.corpus import Text, prepare

PLACES, TOPICS, CHOICES = "abcde", "xy", "klm"
SHARES = (0.5, 0.3, 0.2)
N_WORDS = len(PLACES) * len(TOPICS) * len(CHOICES) + 1
# Perplexity of a word for whoever knows its place and topic: the full stop is certain.
KNOWN = float(np.exp(-sum(p * np.log(p) for p in SHARES) * len(PLACES) / (len(PLACES) + 1)))


def write_text(path: Path, n_sentences: int = 1200, seed: int = 0) -> Path:
    """Sentences of a word for each place, all of one topic, as tokens: `axk bxl cxk dxm exk .`"""
    random = np.random.default_rng(seed)
    lines = []
    for topic in random.choice(list(TOPICS), n_sentences):
        choices = random.choice(list(CHOICES), len(PLACES), p=SHARES)
        words = [place + topic + choice for place, choice in zip(PLACES, choices, strict=True)]
        lines.append(" ".join(words) + " .\n")
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
    return path


def prepared(folder: Path, n_sentences: int = 1200, seed: int = 0) -> Text:
    """The text as ids in `folder`/ids."""
    folder.mkdir(parents=True, exist_ok=True)
    source = write_text(folder / "toy.txt", n_sentences, seed)
    return prepare([source], folder / "ids", kind="tokens", jobs=1, say=str)


# What makes a configuration small; also `--set` options of `senna pretrain`.
SMALL = """
sizes=[40] epochs=1.0 dimension=8 window=5 hidden=16 batch=256 held_out=0.1 threshold=0.0
learning_rate=0.3 network_rate=0.01
""".split()


# What a recurrent network has instead.
RECURRENT = ("window=3", "projection=8", "steps=8", "sample=40")


def small_config(objective: str = "ranking", *settings: str) -> Pretraining:
    """The objective's default configuration, small."""
    more = RECURRENT if objective == "recurrent" else ()
    return read_pretraining(None, objective, [*SMALL, *more, *settings])
