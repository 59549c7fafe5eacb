#!/usr/bin/env bash
# polars 2.1.0 and numpy 2.4.6: three million numbers of 0.1 in float32, in one group.
#
# sum() adds them exactly enough: 314572.8. A good guess is that the sum of a group which has all rows is the
# same, as its mean is. Seen: group_by().agg(sum()) gives 304436.8, three per cent less, since it adds
# one number after the other in float32; ones stand still at 2**24. sum().over() gives the right number.
# With more threads each adds a part, so that the error is smaller and the sum depends on the machine.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq polars==2.1.0 numpy==2.4.6
cd "$folder"
POLARS_MAX_THREADS=1 "$folder/venv/bin/python" - <<'END'
import numpy as np
import polars as pl

count = 3 * 2**20
frame = pl.DataFrame({"group": np.zeros(count, np.int8), "x": np.full(count, 0.1, np.float32)})
x = pl.col("x")
total, mean = frame["x"].sum(), frame["x"].mean()
[(_, group_total, group_mean)] = frame.group_by("group").agg(x.sum(), x.mean().alias("mean")).rows()
over = frame.select(x.sum().over("group"))["x"][0]
print(total, group_total, over, mean, group_mean)
assert abs(total - 314572.8) < 1 and abs(over - 314572.8) < 1
assert abs(mean - 0.1) < 1e-6 and abs(group_mean - 0.1) < 1e-6
assert 300_000 < group_total < 306_000
END
