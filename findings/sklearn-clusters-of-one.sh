#!/usr/bin/env bash
# scikit-learn 1.9.1: two clusterings that are the same, each mention in a cluster of its own.
#
# Every score of clusterings is at its best if both are equal; a good guess is that this holds here, too.
# Seen: the Rand score, the adjusted ones and the V-measure are 1, fowlkes_mallows_score is 0, the worst, since
# no two mentions are in one cluster. With one pair more it is 1.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq scikit-learn==1.9.1 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from sklearn.metrics import (
    adjusted_mutual_info_score,
    adjusted_rand_score,
    fowlkes_mallows_score,
    rand_score,
    v_measure_score,
)

alone, pair = [0, 1, 2, 3], [0, 1, 2, 2]
print(fowlkes_mallows_score(alone, alone), fowlkes_mallows_score(pair, pair))
assert fowlkes_mallows_score(alone, alone) == 0
assert abs(fowlkes_mallows_score(pair, pair) - 1) < 1e-9
for score in (rand_score, adjusted_rand_score, adjusted_mutual_info_score, v_measure_score):
    assert abs(score(alone, alone) - 1) < 1e-9 and abs(score(pair, pair) - 1) < 1e-9
END
