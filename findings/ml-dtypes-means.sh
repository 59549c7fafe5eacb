#!/usr/bin/env bash
# ml_dtypes 0.6.0 and numpy 2.4.6: means and sorting of arrays in bfloat16 and int4.
#
# ml_dtypes gives NumPy the types of small models. A good guess is that mean() and sort() do with bfloat16
# what they do with float16: the mean of ones is 1 and NaN is sorted to the end. Seen: the mean of 1,000
# ones is 0.256 in bfloat16, since their sum stops at 256, and 0 in int4, since it wraps around. A NaN
# stays amid the sorted numbers and those around it are left unsorted. dtype="f4" puts the mean right.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq ml_dtypes==0.6.0 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import numpy as np
from ml_dtypes import bfloat16, int4

means = {np.dtype(dtype).name: float(np.ones(1000, dtype).mean()) for dtype in ("f2", "i1", bfloat16, int4)}
print(means)
assert means["float16"] == means["int8"] == 1
assert means["bfloat16"] == float(bfloat16(0.256)) and means["int4"] == 0
assert np.ones(1000, bfloat16).mean(dtype="f4") == np.ones(1000, int4).mean(dtype="f4") == 1

numbers = [3, -1, 2, np.nan, 1]
usual, other = np.sort(np.array(numbers, "f2")), np.sort(np.array(numbers, bfloat16))
print(usual, other)
assert usual[:4].tolist() == [-1, 1, 2, 3] and np.isnan(usual[4])
assert np.isnan(other[3]) and other[[0, 1, 2, 4]].tolist() == [-1, 2, 3, 1]
END
