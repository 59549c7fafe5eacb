#!/usr/bin/env bash
# numpy 2.4.6: the sum of small integers by sum() and by einsum("i->").
#
# einsum is documented with "i->" as a way to write np.sum. A good guess is that both give the same
# number. Seen: sum(), cumsum() and trace() of int8 are computed in int64, but einsum keeps int8 and
# wraps around: 100 + 100 + 100 is 44. Column counts that are stored in bytes overflow in silence.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import numpy as np

counts = np.full(3, 100, np.int8)
print(counts.sum(), np.einsum("i->", counts), np.trace(np.diag(counts)))
assert counts.sum() == counts.cumsum()[-1] == 300
assert np.trace(np.diag(counts)) == 300
assert np.einsum("i->", counts) == 44 and np.einsum("i->", counts).dtype == np.int8
assert np.einsum("ii->", np.diag(counts)) == 44
END
