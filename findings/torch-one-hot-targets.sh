#!/usr/bin/env bash
# torch 2.13.0: cross_entropy of scores with a forbidden class (minus infinity), whose target is
# given by number or as probabilities.
#
# A target of 1 for the right class and 0 for the others says the same as the number of the class. A
# good guess is that both give the same loss. Seen: by number the loss is log 2; by probabilities it
# is NaN, since 0 is multiplied by minus infinity. The gradients by probabilities are right all the
# same, so training goes on while the loss that is printed is NaN.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import math

import torch
from torch.nn.functional import cross_entropy


def loss_of(target: torch.Tensor) -> tuple[float, list[float]]:
    scores = torch.tensor([[0.0, -math.inf, 0.0]], requires_grad=True)
    loss = cross_entropy(scores, target)
    loss.backward()
    return loss.item(), scores.grad[0].tolist()


by_number, gradient = loss_of(torch.tensor([0]))
by_probability, other = loss_of(torch.tensor([[1.0, 0.0, 0.0]]))
print(by_number, gradient, by_probability, other)
assert abs(by_number - math.log(2)) < 1e-6
assert math.isnan(by_probability)
assert gradient == other == [-0.5, 0.0, 0.5]
END
