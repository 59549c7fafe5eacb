#!/usr/bin/env bash
# datafusion 55.0.0: a part of a table of tokens, drawn by TABLESAMPLE.
#
# A good guess is that TABLESAMPLE BERNOULLI (1) gives one row of a hundred, or that a program without it refuses
# the query, as it refuses other forms that it does not know. Seen: the query is read, and every row comes
# back: of 10,000 rows all 10,000, for one per cent, for ten rows, and with a seed. So a "sample" for quick
# scores is the whole table.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq datafusion==55.0.0 pyarrow==26.0.1
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from datafusion import SessionContext

context = SessionContext()
context.from_pydict({"token": list(range(10_000))}, name="tokens")
for sample in ("(1)", "BERNOULLI (1)", "SYSTEM (10 PERCENT)", "(10 ROWS)", "BERNOULLI (1) REPEATABLE (3)"):
    [rows] = context.sql(f"SELECT count(*) AS n FROM tokens TABLESAMPLE {sample}").to_pydict()["n"]
    print(sample, rows)
    assert rows == 10_000
try:
    context.sql("SELECT token FROM tokens PIVOT (count(token) FOR token IN (1, 2))")
except Exception as error:
    print(str(error)[:48])
else:
    raise AssertionError("PIVOT is read too")
END
