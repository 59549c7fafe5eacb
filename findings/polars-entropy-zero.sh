#!/usr/bin/env bash
# polars 2.1.0 and scipy 1.17.1: the entropy of the probabilities of three tags, one of which is impossible.
#
# An impossible tag adds nothing to the entropy, since p log p goes to 0 with p; scipy's entropy says so. A
# good guess is that entropy() of polars does the same. Seen: NaN, also from counts of which one is 0, and
# only for the rows that have a zero, so that the most certain words are the ones without a number.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq polars==2.1.0 scipy==1.17.1 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import math

import polars as pl
from scipy.stats import entropy

for shares in ([0.5, 0.5], [0.5, 0.5, 0.0], [3.0, 3.0, 0.0], [1.0, 0.0, 0.0]):
    ours, theirs = pl.Series(shares).entropy(), float(entropy(shares))
    print(shares, ours, theirs)
    assert abs(theirs - (0 if 1.0 in shares else math.log(2))) < 1e-9
    assert math.isnan(ours) if 0.0 in shares else abs(ours - theirs) < 1e-9
words = pl.DataFrame({"word": [0, 0, 1, 1], "p": [0.5, 0.5, 1.0, 0.0]})
table = words.group_by("word").agg(pl.col("p").entropy()).sort("word")["p"].to_list()
assert abs(table[0] - math.log(2)) < 1e-9 and math.isnan(table[1])
END
