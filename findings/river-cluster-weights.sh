#!/usr/bin/env bash
# river 0.26.1: scores of clusters, Rand, AdjustedRand and VBeta, of words that have weights.
#
# update takes a weight, w. A good guess is that the weight 2 does what a word seen twice does, or that a
# weight which all words share changes nothing. Seen: with 2 for each of five words Rand is -1.4, AdjustedRand
# 1.38 and VBeta 33.7, all outside of their range: weights are added up in the table of clusters, and words in
# the number of words. With 1 they are right, and 0.467, -0.07 and 0.02 for words seen twice.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq river==0.26.1
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from river.metrics import AdjustedRand, Rand, VBeta


def score(metric: Rand | AdjustedRand | VBeta, weight: float, times: int) -> float:
    for _ in range(times):
        for truth, cluster in zip("aabbb", "xyyyx"):
            metric.update(truth, cluster, w=weight)
    return round(float(metric.get()), 3)


for kind, once, twice, weighted in (
    (Rand, 0.4, 0.467, -1.4),
    (AdjustedRand, -0.25, -0.071, 1.378),
    (VBeta, 0.021, 0.021, 33.737),
):
    seen = score(kind(), 1, 1), score(kind(), 1, 2), score(kind(), 2, 1)
    print(kind.__name__, seen)
    assert seen == (once, twice, weighted)
END
