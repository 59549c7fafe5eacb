#!/usr/bin/env bash
# torch 2.13.0: torch.logcumsumexp of scores that begin with minus infinity.
#
# Such scores are states that a path cannot begin in. The sums are right: a state that cannot be
# reached adds nothing. A good guess is that its gradient is 0, as torch.logaddexp and
# torch.logsumexp give it where another term is finite, and that sums which are finite have finite
# gradients. Seen: the gradients of the leading scores are NaN, even if only the finite sums are
# used; the other gradients are right.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import torch

inf = float("inf")
scores = torch.tensor([-inf, -inf, 0.0, 1.0], requires_grad=True)
sums = torch.logcumsumexp(scores, 0)
print(sums.tolist())
assert sums[:2].tolist() == [-inf, -inf] and sums[2].item() == 0.0
sums[2:].sum().backward()
print(scores.grad.tolist())
assert scores.grad.isnan().tolist() == [True, True, False, False]

# The same finite sums by logsumexp: the gradients of minus infinity are 0.
again = torch.tensor([-inf, -inf, 0.0, 1.0], requires_grad=True)
(torch.logsumexp(again[:3], 0) + torch.logsumexp(again, 0)).backward()
print(again.grad.tolist())
assert again.grad[:2].tolist() == [0.0, 0.0]
assert torch.allclose(again.grad[2:], scores.grad[2:])
END
