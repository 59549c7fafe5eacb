#!/usr/bin/env bash
# pyarrow 26.0.1: rows of a Parquet file whose score is NaN.
#
# A good guess is that read_table(file, filters=X) gives the rows of read_table(file).filter(X). Seen: a row
# with NaN is lost where the other scores alone decide: of 1, NaN, 1 no row is_nan and none differs from 1,
# and of 2, NaN no row is found by "not below 3". The file keeps the least and the greatest number of each
# part, which NaN is not in, and a part is not read if the two rule it out. If the other scores differ (1, NaN,
# 2), is_nan finds the row.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq pyarrow==26.0.1
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from math import nan

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

score = pc.field("score")


def found(scores: list[float], rows: pc.Expression) -> tuple[int, int]:
    pq.write_table(pa.table({"score": scores}), "scores.parquet")
    read = pq.read_table("scores.parquet", filters=rows)
    return read.num_rows, pq.read_table("scores.parquet").filter(rows).num_rows


for scores, rows in (
    ([1.0, nan, 1.0], pc.is_nan(score)),
    ([1.0, nan, 1.0], score != 1),
    ([2.0, nan], ~(score < 3)),
):
    print(scores, rows, found(scores, rows))
    assert found(scores, rows) == (0, 1)
assert found([1.0, nan, 2.0], pc.is_nan(score)) == (1, 1)
assert found([nan, nan], pc.is_nan(score)) == (2, 2)
END
