#!/usr/bin/env bash
# torch 2.13.0: the gradient of scatter_reduce "amax" with include_self=False.
#
# With include_self=False the values that the output starts with are left out of the maximum. A good
# guess is that they are left out of the gradient, too. Seen: where the start value happens to equal
# the maximum, it takes its share of the gradient, which goes nowhere. So with three scores of 0 and
# zeros to start with, the scores get a quarter each instead of a third; with another start value, a
# third.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import torch

index = torch.zeros(3, dtype=torch.long)


def gradient(start: float) -> list[float]:
    scores = torch.zeros(3, requires_grad=True)
    output = torch.full((1,), start)
    best = output.scatter_reduce(0, index, scores, "amax", include_self=False)
    assert best.item() == 0.0
    best.sum().backward()
    return scores.grad.tolist()


shares = {start: gradient(start) for start in (0.0, -1.0, 1.0)}
print(shares)
assert shares[0.0] == [0.25, 0.25, 0.25]
for start in (-1.0, 1.0):
    assert all(abs(share - 1 / 3) < 1e-6 for share in shares[start])
END
