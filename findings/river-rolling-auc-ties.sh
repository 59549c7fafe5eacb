#!/usr/bin/env bash
# river 0.26.1: the area under the ROC curve of a window, where words have equal scores.
#
# Scores that are all equal have no information, and an area of 0.5. RollingROCAUC is exact by its help, in
# contrast to ROCAUC. A good guess is that it gives 0.5 then. Seen: 0.5 for two names of four words, as ROCAUC,
# but 0, the worst area there is, for one name of four, and 0.33 for three of four. One name that ties with a
# word and is above another has 0.5 in place of 0.75.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq river==0.26.1
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from river.metrics import ROCAUC, RollingROCAUC


def areas(names: list[bool], scores: list[float]) -> tuple[float, float]:
    whole, rolling = ROCAUC(n_thresholds=1001), RollingROCAUC(window_size=1000)
    for name, score in zip(names, scores):
        whole.update(name, score)
        rolling.update(name, score)
    return round(float(whole.get()), 3), round(rolling.get(), 3)


for number, area in ((1, 0), (2, 0.5), (3, 0.333)):
    names = [word < number for word in range(4)]
    print(number, areas(names, [0.5] * 4))
    assert areas(names, [0.5] * 4) == (0.5, area)
assert areas([True, False, False], [0.9, 0.9, 0.1]) == (0.75, 0.5)
assert areas([True, False, False], [0.9, 0.8, 0.1]) == (1, 1)
END
