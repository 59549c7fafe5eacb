#!/usr/bin/env bash
# river 0.26.1: cross entropy of a word whose tag the model has not seen, so that it gives it no probability.
#
# Models of river learn tag by tag and give a dictionary of the tags they know. A good guess is that the loss of
# another tag is that of the probability 0: infinite, or 34.5, where river cuts it off (as LogLoss does), or an
# error. Seen: it is 0, as of a tag that is certain, and the word counts in the mean. A tag that is named with
# the probability 0 has 34.5.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq river==0.26.1
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from river.metrics import CrossEntropy, LogLoss


def loss(*words: tuple[str, dict[str, float]]) -> float:
    metric = CrossEntropy()
    for tag, probabilities in words:
        metric.update(tag, probabilities)
    return metric.get()


missing, zero, certain = {"NN": 1.0}, {"NN": 1.0, "VB": 0.0}, {"NN": 0.0, "VB": 1.0}
print(loss(("VB", missing)), loss(("VB", zero)), loss(("VB", certain)))
assert loss(("VB", missing)) == 0 and abs(loss(("VB", certain))) < 1e-9
assert 34 < loss(("VB", zero)) < 35

half = ("NN", {"NN": 0.5, "JJ": 0.5})
assert abs(loss(half, ("VB", missing)) - loss(half) / 2) < 1e-9

binary = LogLoss()
binary.update(True, 0.0)
assert 34 < binary.get() < 35
END
