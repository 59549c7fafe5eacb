#!/usr/bin/env bash
# torch 2.13.0: ReduceLROnPlateau and a development score that is negative, such as a log likelihood.
#
# It lowers the rate after `patience` epochs without a new best. A good guess is that a score which does
# not change at all, or falls, lowers the rate whatever its sign. Seen: with 100 it does, with -100 never.
# The threshold of 0.0001 is relative, and counts in the wrong direction below 0: -100 is "better" than
# -100, and so is -100.005, which becomes the best so far. threshold_mode="abs" puts that right.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import torch
from torch.optim.lr_scheduler import ReduceLROnPlateau


def train(scores: list[float], **options) -> tuple[float, float]:
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    schedule = ReduceLROnPlateau(optimizer, patience=2, **options)
    for score in scores:
        optimizer.step()
        schedule.step(score)
    return optimizer.param_groups[0]["lr"], schedule.best


for mode, worse in (("max", -0.005), ("min", 0.005)):
    falling = [-100 + worse * epoch for epoch in range(40)]
    print(mode, train([100.0] * 40, mode=mode), train([-100.0] * 40, mode=mode))
    print(mode, train(falling, mode=mode), train(falling, mode=mode, threshold_mode="abs"))
    assert train([100.0] * 40, mode=mode)[0] < 1e-6
    assert train([-100.0] * 40, mode=mode) == (1.0, -100.0)
    assert train(falling, mode=mode) == (1.0, falling[-1])
    rate, best = train(falling, mode=mode, threshold_mode="abs")
    assert rate < 1e-6 and best == -100.0
END
