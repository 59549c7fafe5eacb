#!/usr/bin/env bash
# duckdb 2.0.1: the first four characters of a text, with offsets that count from 0.
#
# Names have places such as 0 to 4; texts in DuckDB are counted from 1. A good guess is that
# substring(text, 0, 4) and text[0:4] do the same, right or wrong. Seen: the slice gives Anna, as if
# 0 were 1; substring counts a place before the first and gives Ann, without an error. For later
# places both are off by one, each in its own way.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq duckdb==2.0.1
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import duckdb

query = "SELECT substring(t, 0, 4), t[0:4], substring(t, 5, 4), t[5:9], t[6:9] FROM (SELECT 'Anna flew.' AS t)"
[row] = duckdb.sql(query).fetchall()
print(row)
assert row == ("Ann", "Anna", " fle", " flew", "flew")
END
