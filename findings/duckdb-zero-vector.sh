#!/usr/bin/env bash
# duckdb 2.0.1: the most similar words, where one vector is all zeros, as those of padding are.
#
# Its cosine with anything is undefined. A good guess is that the similarity is 0 or NULL, and that such a
# word does not come first when words are sorted by similarity. Seen: it is NaN, and in DuckDB NaN is
# greater than any number: the word of zeros is the most similar one to every word, by ORDER BY, by
# arg_max and by max.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq duckdb==2.0.1
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import math

import duckdb

duckdb.sql("CREATE TABLE vectors (word TEXT, vector FLOAT[2])")
duckdb.sql("INSERT INTO vectors VALUES ('PADDING', [0, 0]), ('cat', [1, 0]), ('dog', [1, 1])")
query = "SELECT word, array_cosine_similarity(vector, [1, 0]::FLOAT[2]) AS score FROM vectors"
ranked = duckdb.sql(f"{query} ORDER BY score DESC").fetchall()
print(ranked)
assert [word for word, _ in ranked] == ["PADDING", "cat", "dog"]
assert math.isnan(ranked[0][1]) and ranked[1][1] == 1
[best] = duckdb.sql(f"SELECT arg_max(word, score), max(score) FROM ({query})").fetchall()
print(best)
assert best[0] == "PADDING" and math.isnan(best[1])
END
