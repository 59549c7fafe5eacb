"""Everything that a run of `senna pretrain` depends on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from senna.config import Setting, build, read_table, to_table, with_settings
from senna.errors import SennaError
from senna.files import resource

OBJECTIVES = ("ranking", "likelihood", "skipgram")


@dataclass(frozen=True)
class Pretraining:
    """One run: text to word vectors (section 4)."""

    objective: str = "ranking"
    sizes: tuple[int, ...] = (5000, 10000, 30000, 50000, 100000)  # successive dictionaries
    dictionary: str = ""  # file of words, in order; empty: the most frequent of the text
    initial: str = ""  # vectors to start from
    warm_up: float = 0.05  # passes over the text with each dictionary but the last
    epochs: float = 1.0  # passes with the last
    dimension: int = 50  # numbers a word
    window: int = 11  # words; the centre is one of them
    hidden: int = 100  # units of the hidden layer (not skipgram)
    ahead: bool = False  # likelihood: predict a word from those before it alone
    negatives: int = 1  # random words for each window (ranking) or neighbour (skipgram)
    sample: int = 256  # random words that a step's softmax is over (likelihood)
    noise: float = 0.0  # random words are drawn by count ** noise
    threshold: float = 0.0  # words of a larger share are dropped at random (Mikolov 2013); 0: none
    deviation: float = 0.1  # of the first values of the vectors
    learning_rate: float = 0.3  # of the lookup tables (Adagrad)
    network_rate: float = 0.001  # of the layers (Adam)
    batch: int = 4096  # windows a step
    words: int = 0  # running words to train on, the first of the text; 0: all
    held_out: float = 0.01  # of the text, to validate on: a share, or (above 1) a number of words
    breed: int = 0  # settings that compete with each dictionary but the last; 0: one, no choice
    baseline: int = 3  # order of the n-grams that perplexity is reported beside; 0: none
    seed: int = 1


@dataclass(frozen=True)
class Job:
    """What a run reads, where it keeps its things, and on what it computes."""

    out: Path  # words.txt, vectors.npy, config.toml, metrics.jsonl, checkpoint.pt
    sources: tuple[Path, ...] = ()
    text: Path | None = None  # folder of the tokenised text; default: <out>/text
    kind: str = "text"  # or "tokens"
    case: str = "lower"  # or "keep"
    device: str = "cpu"
    jobs: int = 0
    command: str = ""


def read_pretraining(path: Path | None, objective: str, settings: Sequence[Setting]) -> Pretraining:
    """The configuration in a file, or the package's for an objective, with settings put in."""
    if path is None:
        if objective and objective not in OBJECTIVES:
            mend = f"One of {', '.join(OBJECTIVES)}."
            raise SennaError(f"unknown objective {objective!r}", where="--objective", mend=mend)
        path = resource(f"configs/pretrain/{objective or 'ranking'}.toml")
    elif objective:
        settings = [("objective", objective), *settings]
    return override(from_table(read_table(path), where=str(path)), settings)


def override(config: Pretraining, settings: Sequence[Setting]) -> Pretraining:
    """A configuration with settings put in."""
    return from_table(with_settings(to_table(config), settings), where="--set")


def from_table(table: dict[str, Any], *, where: str) -> Pretraining:
    """Check a parsed TOML table and make it a `Pretraining`."""
    config: Pretraining = build(Pretraining, table, where=where)
    if config.objective not in OBJECTIVES:
        what = f"objective = {config.objective!r} is none of {', '.join(OBJECTIVES)}"
        raise SennaError(what, where=where)
    if not config.sizes or min(config.sizes) < 1 or list(config.sizes) != sorted(config.sizes):
        raise SennaError("sizes must be 1 or more, and grow, as [5000, 100000]", where=where)
    if config.window < 3 or config.window % 2 == 0:
        raise SennaError("window must be odd, and 3 or more", where=where)
    for name in ("dimension", "hidden", "negatives", "sample", "batch"):
        if getattr(config, name) < 1:
            raise SennaError(f"{name} must be 1 or more", where=where)
    for name in ("epochs", "learning_rate", "network_rate", "held_out", "deviation"):
        if not 0 < getattr(config, name) < math.inf:
            raise SennaError(f"{name} must be positive", where=where)
    for name in ("words", "warm_up", "noise", "threshold", "breed", "baseline", "seed"):
        if not 0 <= getattr(config, name) < math.inf:
            raise SennaError(f"{name} must not be negative", where=where)
    return config
