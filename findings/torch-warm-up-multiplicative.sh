#!/usr/bin/env bash
# torch 2.13.0: SequentialLR of a warm-up and then another schedule.
#
# LinearLR raises the learning rate from a tenth to the full rate in four steps. A good guess is that
# any schedule after it begins at the full rate. Seen: StepLR, LambdaLR and others do; MultiplicativeLR
# begins at what the last step of the warm-up had, 0.775, and never reaches the full rate, although its
# factor is 1, as LambdaLR's. Two ways to write one schedule train at different rates.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import torch
from torch.optim.lr_scheduler import LambdaLR, LinearLR, MultiplicativeLR, SequentialLR, StepLR


def rates(second) -> list[float]:
    optimizer = torch.optim.SGD([torch.nn.Parameter(torch.zeros(1))], lr=1.0)
    warm_up = LinearLR(optimizer, 0.1, 1.0, total_iters=4)
    schedule = SequentialLR(optimizer, [warm_up, second(optimizer)], milestones=[4])
    found = []
    for _ in range(7):
        found.append(round(optimizer.param_groups[0]["lr"], 3))
        optimizer.step()
        schedule.step()
    return found


multiplied = rates(lambda optimizer: MultiplicativeLR(optimizer, lambda epoch: 1.0))
print(multiplied)
assert multiplied == [0.1, 0.325, 0.55, 0.775, 0.775, 0.775, 0.775]
for other in (lambda o: LambdaLR(o, lambda epoch: 1.0), lambda o: StepLR(o, 100)):
    assert rates(other) == [0.1, 0.325, 0.55, 0.775, 1.0, 1.0, 1.0]
END
