#!/usr/bin/env bash
# hmmlearn 0.3.3: the log probability that decode(algorithm="map") gives.
#
# decode is documented to return the log probability of the states that it chooses. A good guess is
# that it is a logarithm with both algorithms, below 0 for tags of words. Seen: "viterbi" gives one;
# "map", which chooses the best state of each place, gives the sum of their probabilities, which is
# positive and grows with the text. A choice of model or of sequence by this number goes wrong: the
# longer sequence always seems the more probable.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq hmmlearn==0.3.3 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import numpy as np
from hmmlearn.hmm import CategoricalHMM

model = CategoricalHMM(n_components=2)
model.startprob_ = np.array([0.5, 0.5])
model.transmat_ = np.array([[0.9, 0.1], [0.1, 0.9]])
model.emissionprob_ = np.array([[0.8, 0.2], [0.3, 0.7]])
words = np.array([[0], [0], [1], [1], [0]])
log_probability, states = model.decode(words, algorithm="viterbi")
number, best = model.decode(words, algorithm="map")
print(log_probability, states, number, best)
assert log_probability < model.score(words) < 0
probabilities = model.predict_proba(words)
assert np.isclose(number, probabilities.max(axis=1).sum()) and number > 3
twice, _ = model.decode(np.concatenate([words, words]), [5, 5], algorithm="map")
assert np.isclose(twice, 2 * number)
END
