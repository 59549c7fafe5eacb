"""Windows per second of `senna pretrain`, beside what the machine's arithmetic allows.

usage: python scripts/experiments/measure_pretraining.py IDS [--threads 2] [--seconds 20] [--gensim]
           [--only OBJECTIVE ...]

IDS is a folder of tokenised text (`senna pretrain --ids`). Each objective runs with the settings
of its configuration. The bound is the rate at which this machine multiplies large matrices,
divided by the multiplications of a window, forward and backward. With --gensim its skip-gram
runs on the same text, with the same settings and threads.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch

from senna.pretraining.config import OBJECTIVES, Pretraining, read_pretraining
from senna.pretraining.corpus import Text, read_text, remap
from senna.pretraining.leg import Leg, TrainingText
from senna.pretraining.objectives import SkipGram
from senna.text.features import RARE


def machine_rate(n: int = 2048) -> float:
    """Multiply-and-adds per second in a product of large float32 matrices, the best of ten."""
    a, b = torch.randn(n, n), torch.randn(n, n)
    best = float("inf")
    for _ in range(10):
        started = time.perf_counter()
        torch.mm(a, b)
        best = min(best, time.perf_counter() - started)
    return n**3 / best


def operations(config: Pretraining) -> int:
    """Multiply-and-adds of one window's matrix products, forward; backward costs twice as many."""
    size, units, around = config.dimension, config.hidden, config.window - 1
    width = config.projection or units
    length = SkipGram.length
    return {
        "ranking": (config.window + config.negatives) * size * units,
        "likelihood": config.window * size * units + config.sample * (units + 1),
        "bilinear": config.window * size * size + config.sample * (size + 1),
        "recurrent": 2
        * (4 * units * (size + width) + units * config.projection + config.sample * (width + 1)),
        "skipgram": (2 * length + around) * size,  # a whole block and its noise
        "positional": (length + 1) * around * size,
        "cbow": (2 * length + around + 1) * size,
    }[config.objective]


def rate(text: Text, config: Pretraining, seconds: float) -> tuple[float, float]:
    """Windows per second, and words of the text per second (skip-gram drops frequent ones)."""
    table, _ = remap(text, text.words[: config.sizes[-1]])
    counts = np.bincount(table[1:], text.counts, max(table) + 1).astype(np.int64)
    assert len(counts) > RARE
    leg = Leg(config, TrainingText(text.ids, table, counts), [], torch.device("cpu"))
    if config.objective == "recurrent":  # which is slow
        leg.blocks = replace(leg.blocks, part=1 << 16)
    leg.train(0, leg.rounds, False, lambda n: None)
    windows = parts = 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds and parts + 1 < leg.rounds:
        parts += 1
        windows += leg.train(parts, leg.rounds, False, lambda n: None)[1]
    if not parts:
        sys.exit(f"{text.folder}: too short a text to measure on")
    elapsed = time.perf_counter() - started
    return windows / elapsed, parts * text.n_words / leg.rounds / elapsed


def gensim_rate(text: Text, config: Pretraining, threads: int, n_words: int) -> float:
    """Words per second of gensim's skip-gram on the text's first words."""
    from gensim.models import Word2Vec

    sentences = list(sentences_of(text, n_words))
    model = Word2Vec(
        vector_size=config.dimension,
        window=config.window // 2,
        negative=config.negatives,
        sample=config.threshold,
        sg=1,
        workers=threads,
        max_final_vocab=config.sizes[-1],
        min_count=1,
    )
    model.build_vocab(sentences)
    started = time.perf_counter()
    model.train(sentences, total_examples=len(sentences), epochs=1)
    return sum(map(len, sentences)) / (time.perf_counter() - started)


def sentences_of(text: Text, n_words: int) -> Iterator[list[str]]:
    ids = text.ids[:n_words]
    for sentence in np.split(ids, np.flatnonzero(ids == 0)):
        if len(sentence) > 1:
            yield [text.words[i - 1] for i in sentence[1:]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ids", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--only", nargs="+", default=OBJECTIVES, choices=OBJECTIVES)
    parser.add_argument("--gensim", action="store_true")
    parser.add_argument("--gensim-words", type=int, default=10_000_000)
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    text = read_text(chosen.ids)
    machine = machine_rate()
    print(f"{chosen.threads} threads, {machine / 1e9:.0f} billion multiply-and-adds per second")
    print("| objective | windows/s | bound | share | words of text/s | minutes per pass |")
    print("|---|---|---|---|---|---|")
    for objective in chosen.only:
        config = read_pretraining(None, objective, [])
        windows, words = rate(text, config, chosen.seconds)
        bound = machine / (3 * operations(config))
        cells = [f"{windows:,.0f}", f"{bound:,.0f}", f"{windows / bound:.0%}", f"{words:,.0f}"]
        print(
            f"| {objective} | {' | '.join(cells)} | {text.n_words / words / 60:.1f} |", flush=True
        )
    if chosen.gensim:
        config = read_pretraining(None, "skipgram", [])
        words = gensim_rate(text, config, chosen.threads, chosen.gensim_words)
        cells = ["", "", "", f"{words:,.0f}"]
        print(f"| gensim skipgram | {' | '.join(cells)} | {text.n_words / words / 60:.1f} |")


if __name__ == "__main__":
    main()
