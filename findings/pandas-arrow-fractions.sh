#!/usr/bin/env bash
# pandas 3.1.1 and pyarrow 26.0.1: fractions put into a column of whole numbers that Arrow holds.
#
# A column int64 becomes one of fractions, and Int64 raises TypeError. A good guess is that int64[pyarrow] does
# one of the two. Seen: it cuts the fraction off, without a message: a gap filled with the mean of 1 and 2 gets
# 1, and clip(lower=1.5) leaves 1, which is below. where, replace, shift and assignment do the same. With a
# Series in place of a number, clip raises ArrowInvalid.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq pandas==3.1.1 pyarrow==26.0.1 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import pandas as pd
import pyarrow as pa

gap = pd.Series([1, None, 2], dtype="int64[pyarrow]")
print(gap.mean(), gap.fillna(gap.mean()).tolist())
assert gap.mean() == 1.5 and gap.fillna(gap.mean()).tolist() == [1, 1, 2]

numbers = pd.Series([1, 2, 3], dtype="int64[pyarrow]")
assert numbers.clip(lower=1.5).tolist() == [1, 2, 3]
assert numbers.clip(upper=1.5).tolist() == [1, 1, 1]
assert numbers.where(numbers > 1, 0.5).tolist() == [0, 2, 3]
assert numbers.replace(1, 0.5).tolist() == [0, 2, 3]
assert numbers.shift(1, fill_value=0.5).tolist() == [0, 1, 2]
try:
    numbers.clip(lower=pd.Series([1.5, 1.5, 1.5]))
except pa.ArrowInvalid as error:
    print(error)
else:
    raise AssertionError("no error for a Series")
numbers[0] = 0.5
assert numbers.tolist() == [0, 2, 3]

assert pd.Series([1, 2, 3]).clip(lower=1.5).tolist() == [1.5, 2, 3]
for change in (lambda s: s.clip(lower=1.5), lambda s: s.fillna(1.5)):
    try:
        change(pd.Series([1, None, 2], dtype="Int64"))
    except TypeError as error:
        print(error)
    else:
        raise AssertionError("no error for Int64")
END
