#!/usr/bin/env bash
# python-crfsuite 0.9.12: feature.minfreq and attributes that have values.
#
# feature.minfreq leaves out features that are rarer than a number, "frequency" in the manual. A good
# guess is that it counts how often an attribute occurs with a label. Seen: it adds up the values of the
# attribute. One of 5.0 that occurs once passes a minimum of 2; one of 0.1, as a similarity may be, is
# left out if it occurs five times, and stays if it occurs forty times.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq python-crfsuite==0.9.12
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import pycrfsuite


def kept(value: float, times: int, minimum: int) -> bool:
    trainer = pycrfsuite.Trainer(verbose=False)
    for _ in range(times):
        trainer.append([{"near": value}], ["PER"])
        trainer.append([{"other": 10.0}], ["O"])
    trainer.set_params({"feature.minfreq": minimum, "max_iterations": 20})
    trainer.train("a.model")
    tagger = pycrfsuite.Tagger()
    tagger.open("a.model")
    return ("near", "PER") in tagger.info().state_features


for value, times in ((1.0, 1), (1.0, 2), (5.0, 1), (0.1, 5), (0.1, 40)):
    print(value, times, kept(value, times, minimum=2))
assert not kept(1.0, 1, minimum=2) and kept(1.0, 2, minimum=2)
assert kept(5.0, 1, minimum=2)
assert not kept(0.1, 5, minimum=2) and kept(0.1, 40, minimum=2)
assert kept(0.1, 5, minimum=0)
END
