#!/usr/bin/env bash
# torch 2.13.0: the second moment of Adam for weights in bfloat16.
#
# Adam keeps a mean of squared gradients that loses a thousandth in each step (beta2 = 0.999). A good
# guess is that rounding makes it rough, as with float16. Seen: in bfloat16 it never falls, because
# a thousandth is less than half of the smallest step of that type. After one large gradient the steps
# stay small for ever; in float32 a twentieth of the moment is left after 3,000 steps. The ways foreach
# and fused do the same; with beta2 = 0.99 it falls.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import torch


def share_left(dtype: torch.dtype, **options) -> float:
    weight = torch.nn.Parameter(torch.zeros(1, dtype=dtype))
    optimizer = torch.optim.Adam([weight], **options)
    weight.grad = torch.full_like(weight, 10.0)
    optimizer.step()
    moment = optimizer.state[weight]["exp_avg_sq"]
    first = moment.item()
    weight.grad = torch.zeros_like(weight)
    for _ in range(3000):
        optimizer.step()
    return moment.item() / first


shares = {dtype: share_left(dtype) for dtype in (torch.float32, torch.float16, torch.bfloat16)}
print(shares)
assert abs(shares[torch.float32] - 0.999**3000) < 1e-4
assert 0.03 < shares[torch.float16] < 0.1
assert shares[torch.bfloat16] == 1.0
for way in ("foreach", "fused"):
    assert share_left(torch.bfloat16, **{way: True}) == 1.0
assert share_left(torch.bfloat16, betas=(0.9, 0.99)) < 1e-4
END
