#!/usr/bin/env bash
# torch 2.13.0: three ways to add 4,096 ones to one place, in float16 on the CPU.
#
# scatter_add, index_add and index_put(accumulate=True) are documented as sums into places that an
# index names. A good guess is that they give the same sum, 4096, as sum() and cumsum() do, or that
# all stop at 2048, where float16 has no odd numbers any more. Seen: scatter_add gives 4096, the
# other two 2048. So counts or gradients that are added by index_add stand still at 2048.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import torch

ones = torch.ones(4096, dtype=torch.float16)
index = torch.zeros(4096, dtype=torch.long)
place = torch.zeros(1, dtype=torch.float16)
sums = {
    "sum": ones.sum().item(),
    "cumsum": ones.cumsum(0)[-1].item(),
    "scatter_add": place.scatter_add(0, index, ones).item(),
    "index_add": place.index_add(0, index, ones).item(),
    "index_put": place.index_put((index,), ones, accumulate=True).item(),
}
print(sums)
assert sums == {
    "sum": 4096, "cumsum": 4096, "scatter_add": 4096, "index_add": 2048, "index_put": 2048
}
END
