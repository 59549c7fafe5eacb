"""Average the best weights of several runs of one network: often better than each of them.

usage: python scripts/average_runs.py RUN RUN... --out RUN

The runs must have begun at the same weights (`train.start`, or one model of `--from`) and differ in
their seeds or data only. The new run has the first one's configuration and nothing left to train:
`senna train --resume` writes its model.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

import torch

from senna.config import read_config


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("run", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    chosen = parser.parse_args()
    first = chosen.run[0]
    if chosen.out.exists():
        sys.exit(f"average_runs: {chosen.out} is there already")
    checkpoints = [torch.load(run / "checkpoint.pt", weights_only=True) for run in chosen.run]
    every = [bits["state"]["best"] for bits in checkpoints]
    if any(weights.keys() != every[0].keys() for weights in every):
        sys.exit("average_runs: these are runs of different networks")
    mean = {name: sum(candidate[name] for candidate in every) / len(every) for name in every[0]}
    bits = checkpoints[0]
    epochs = read_config(first / "config.toml").train.epochs
    bits["state"] |= {"best": mean, "best_epoch": epochs, "epoch": epochs}
    chosen.out.mkdir(parents=True)
    for name in ("config.toml", "metrics.jsonl", "versions.json"):
        if (first / name).exists():  # fine_tune.py writes no versions
            shutil.copy(first / name, chosen.out)
    torch.save(bits, chosen.out / "checkpoint.pt")
    print(f"{chosen.out}: --resume writes its model")


if __name__ == "__main__":
    main()
