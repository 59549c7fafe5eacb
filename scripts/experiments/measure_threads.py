"""Measures what threads cost a training, alone and beside busy processes.

    python scripts/experiments/measure_threads.py [--busy N] [--epochs N] [SETTING ...]

Trains chunks on the demonstration corpus, once for each number of threads and each policy of OpenMP
for waiting threads, by turns and `--rounds` times. Prints a table of medians: seconds of wall time
and of CPU time. `--busy` processes compute meanwhile (default: one per core; 0: a quiet machine).
Further arguments are `--set` options of `senna train`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import product
from statistics import median

SMALL = ("features.word.embeddings=", "features.word.size=50", "features.tags.pos.size=0")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("settings", nargs="*", metavar="SETTING")
    parser.add_argument("--busy", type=int, default=os.cpu_count())
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    chosen = parser.parse_args()
    settings = (*SMALL, f"train.epochs={chosen.epochs}", *chosen.settings)
    cores = os.cpu_count() or 1
    kinds = list(product(sorted({1, 2, cores // 2 or 1, cores}), ("active", "passive")))
    kinds = [kind for kind in kinds if kind[0] > 1 or kind[1] == "active"]
    busy = [subprocess.Popen([sys.executable, "-c", "while 1: pass"]) for _ in range(chosen.busy)]
    try:
        runs = [(kind, seconds(*kind, settings)) for _ in range(chosen.rounds) for kind in kinds]
    finally:
        for process in busy:
            process.kill()
    print("| threads | waiting | wall, s | CPU, s |\n|---:|---|---:|---:|")
    for threads, policy in kinds:
        walls, cpus = zip(*(s for kind, s in runs if kind == (threads, policy)), strict=True)
        print(f"| {threads} | {policy} | {median(walls):.1f} | {median(cpus):.1f} |")
    return 0


def seconds(threads: int, policy: str, settings: Sequence[str]) -> tuple[float, float]:
    """Wall and CPU seconds of one training."""
    env = os.environ | {"OMP_NUM_THREADS": str(threads), "OMP_WAIT_POLICY": policy}
    sets = [part for setting in settings for part in ("--set", setting)]
    command = [sys.executable, "-m", "senna", "train", "--task", "chunk", "--corpus", "demo", *sets]
    env["PYTHONPATH"] = os.pathsep.join([os.getcwd(), env.get("PYTHONPATH", "")])
    with tempfile.TemporaryDirectory() as folder:
        before, started = os.times(), time.monotonic()
        subprocess.run(command, cwd=folder, env=env, check=True, stderr=subprocess.DEVNULL)
        wall, after = time.monotonic() - started, os.times()
    cpu = after.children_user + after.children_system
    return wall, cpu - before.children_user - before.children_system


if __name__ == "__main__":
    sys.exit(main())
