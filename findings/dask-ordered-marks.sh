#!/usr/bin/env bash
# dask 2026.8.0 and pandas 3.1.1: greatest value and order of an ordered category.
#
# Marks of annotators, low < middle < high, are an ordered category. A good guess is that max() and sort_values()
# go by this order, as in pandas. Seen: they do so within a part of a table, and compare parts by letters. Of
# three parts the greatest mark is "middle", of six the least is "high", and each is sorted as high, low, middle.
# A table of one part is right.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq "dask[dataframe]==2026.8.0" pandas==3.1.1 pyarrow==26.0.1 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import dask.dataframe as dd
import pandas as pd

order = ["low", "middle", "high"]
marks = pd.Series(["low", "middle", "high", "low", "high", "middle"], name="mark")
table = marks.astype(pd.CategoricalDtype(order, ordered=True)).to_frame()


def ends_and_order(parts: int) -> tuple[str, str, list[str]]:
    divided = dd.from_pandas(table, npartitions=parts)
    assert divided.npartitions == parts and divided.dtypes["mark"] == table.dtypes["mark"]
    ordered = divided.sort_values("mark").mark.compute()
    return divided.mark.min().compute(), divided.mark.max().compute(), list(ordered.unique())


for parts in (1, 3, 6):
    print(parts, ends_and_order(parts))
assert table.mark.min() == "low" and table.mark.max() == "high"
assert list(table.sort_values("mark").mark.unique()) == order
assert ends_and_order(1) == ("low", "high", order)
assert ends_and_order(3) == ("low", "middle", ["high", "low", "middle"])
assert ends_and_order(6) == ("high", "middle", ["high", "low", "middle"])
END
