#!/usr/bin/env bash
# torch 2.13.0: cross_entropy with weights of classes and label smoothing.
#
# Weights make a rare class count more, and smoothing of 0.1 mixes a tenth of the uniform distribution
# into the target. A good guess is that both keep their meaning together: the best probability of the
# right class is 0.925 of four classes, and equal scores have the loss log 4. Seen: the tenth that is
# spread has the weights of the classes it falls on, and the mean is divided by the weights of the right
# classes alone. If O has the weight 0.05 and the others 1, the best probability of O where it is
# certainly right is 0.38, and equal scores have the loss 1.98 if nine of ten tokens are O.
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

weight = torch.tensor([0.05, 1.0, 1.0, 1.0])
targets = torch.tensor([0] * 9 + [1])


def equal_scores(**options) -> float:
    return cross_entropy(torch.zeros(10, 4), targets, **options).item()


def best(**options) -> float:
    scores = torch.zeros(1, 4, requires_grad=True)
    optimizer = torch.optim.SGD([scores], lr=0.1)
    for _ in range(5000):
        optimizer.zero_grad()
        cross_entropy(scores, targets[:1], **options).backward()
        optimizer.step()
    return scores.softmax(1)[0, 0].item()


losses = [equal_scores(**o) for o in ({}, {"weight": weight}, {"label_smoothing": 0.1})]
both = equal_scores(weight=weight, label_smoothing=0.1)
print(losses, both)
assert all(abs(loss - math.log(4)) < 1e-5 for loss in losses) and abs(both - 1.9767) < 1e-3
smooth, weighted = best(label_smoothing=0.1), best(weight=weight, label_smoothing=0.1)
print(smooth, weighted)
assert abs(smooth - 0.925) < 1e-3 and abs(weighted - 0.3814) < 1e-3
END
