#!/usr/bin/env bash
# awkward 2.14.0: correlation and straight line of two lists of scores, one of which misses a score.
#
# A good guess is that corr and linear_fit leave out a pair that has no first score, or give None. Seen: the
# second score of this pair counts where it stands alone, in means and sums of y. Of the pairs (1, 1), (2, 2),
# (None, 30), (4, 4) the correlation is 0.09, and the line falls, y = 45 - 14 x; without the third pair it is
# 1, and the line y = x.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq awkward==2.14.0 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import awkward as ak

first, second = ak.Array([1.0, 2.0, None, 4.0]), ak.Array([1.0, 2.0, 30.0, 4.0])
there = ~ak.is_none(first)


def line(x: ak.Array, y: ak.Array) -> tuple[float, float]:
    fit = ak.linear_fit(x, y)
    return float(fit["intercept"]), float(fit["slope"])


print(ak.corr(first, second), line(first, second))
print(ak.corr(first[there], second[there]), line(first[there], second[there]))
assert abs(ak.corr(first, second) - 0.0898) < 0.0001 and line(first, second) == (45, -14)
assert ak.corr(first, second) == ak.corr(second, first)
assert ak.corr(first[there], second[there]) == 1 and line(first[there], second[there]) == (0, 1)
END
