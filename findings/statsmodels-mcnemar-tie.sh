#!/usr/bin/env bash
# statsmodels 0.15.0: McNemar's test of two taggers that are equally good.
#
# The test compares how many words only the first tagger has right with how many only the second has. A
# good guess is that a tie has p = 1, as it has with exact=True. Seen: exact=False, which is for larger
# numbers, subtracts 1 from a difference of 0 and squares: a tie of 5 and 5 has the p of 6 and 4. Where
# the taggers agree on every word p is 0, so that two equal ones differ with the highest significance.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq statsmodels==0.15.0 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" -W ignore - <<'END'
from statsmodels.stats.contingency_tables import mcnemar


def p(first: int, second: int, exact: bool) -> float:
    return mcnemar([[50, first], [second, 50]], exact=exact).pvalue


for first, second in ((5, 5), (6, 4), (100, 100), (0, 0)):
    print(first, second, p(first, second, exact=True), p(first, second, exact=False))
for same in (0, 5, 100):
    assert abs(p(same, same, exact=True) - 1) < 1e-9
assert p(5, 5, exact=False) == p(6, 4, exact=False) < 0.76
assert p(0, 0, exact=False) == 0
END
