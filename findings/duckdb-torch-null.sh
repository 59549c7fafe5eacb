#!/usr/bin/env bash
# duckdb 2.0.1 and torch 2.13.0: tags with NULL, fetched as a tensor.
#
# A tensor has no missing values. A good guess is that torch() refuses a column with NULL, or gives NaN, as
# Polars' to_torch() does. Seen: NULL is 0, and False in a column of truth values, without a message,
# so that an unlabelled word has the first label. fetchnumpy() gives a masked array, whose mask torch()
# leaves out.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq duckdb==2.0.1 torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import duckdb

rows = "(3, 0.5, true), (NULL, NULL, NULL), (1, 1.5, true)"
tags = duckdb.sql(f"SELECT * FROM (VALUES {rows}) AS t(tag, score, kept)")
found = {name: values.tolist() for name, values in tags.torch().items()}
print(found)
assert found == {"tag": [3, 0, 1], "score": [0.5, 0.0, 1.5], "kept": [True, False, True]}
assert tags.fetchnumpy()["tag"].mask.tolist() == [False, True, False]
END
