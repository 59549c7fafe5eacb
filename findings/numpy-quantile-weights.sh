#!/usr/bin/env bash
# numpy 2.4.6: percentiles of the numbers 1 to 100, with and without weights.
#
# With the method inverted_cdf the percentile q is the first number that at least q per cent of all reach
# up to, here q itself; it is the one method that takes weights. A good guess is that weights of 1
# change nothing. Seen: without weights the percentiles 7, 14, 28, 55 and 56 are one number too high, since
# 0.07 * 100 is above 7 in floating point; with weights of 1 all of them are right.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import numpy as np

numbers = np.arange(1, 101)
percent = np.arange(1, 101)
plain = np.percentile(numbers, percent, method="inverted_cdf")
weighted = np.percentile(numbers, percent, method="inverted_cdf", weights=np.ones(100))
print({int(q): int(value) for q, value in zip(percent, plain) if value != q})
assert np.array_equal(weighted, percent)
assert percent[plain != percent].tolist() == [7, 14, 28, 55, 56]
assert np.array_equal(plain - percent, plain != percent)
END
