#!/usr/bin/env bash
# torch 2.13.0: which of several equal scores gets the gradient of the best one.
#
# max(dim) gives it to one of them; a good guess is that all functions which choose one choose the
# same one, the first. Seen: max(dim), topk and max_pool1d give it to the first, cummax, sort and
# quantile to the last. Two ways to write the same recursion over best paths learn from different
# paths.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import torch
from torch.nn.functional import max_pool1d

ways = {
    "max": lambda scores: scores.max(0).values,
    "topk": lambda scores: scores.topk(1).values,
    "max_pool1d": lambda scores: max_pool1d(scores[None, None], 3),
    "cummax": lambda scores: scores.cummax(0).values[-1],
    "sort": lambda scores: scores.sort().values[-1],
    "quantile": lambda scores: scores.quantile(1.0),
}
chosen = {}
for name, best in ways.items():
    scores = torch.zeros(3, requires_grad=True)
    best(scores).sum().backward()
    chosen[name] = scores.grad.tolist()
print(chosen)
first, last = [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]
assert chosen == {
    "max": first, "topk": first, "max_pool1d": first, "cummax": last, "sort": last, "quantile": last
}
END
