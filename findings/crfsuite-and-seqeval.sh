#!/usr/bin/env bash
# sklearn-crfsuite 0.5.0 and seqeval 1.2.2: scoring what a CRF predicts.
#
# seqeval is the usual scorer of such tags, and takes a list of lists. A good guess is that it takes
# what CRF.predict gives, which was a list of lists in earlier releases. Seen: predict gives a NumPy
# array of objects, two-dimensional if all sentences have one length, and seqeval raises TypeError:
# Found input variables without list of list. The scorers in sklearn-crfsuite take it.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq sklearn-crfsuite==0.5.0 seqeval==1.2.2
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import numpy as np
import sklearn_crfsuite
from seqeval.metrics import f1_score
from sklearn_crfsuite.metrics import flat_accuracy_score

words = [["Ann", "met", "Bob"], ["Bob", "met", "Ann"]]
features = [[{"word": word} for word in sentence] for sentence in words]
tags = [["B-PER", "O", "B-PER"]] * 2
crf = sklearn_crfsuite.CRF(max_iterations=20)
crf.fit(features, tags)
found = crf.predict(features)
print(type(found), found.shape)
assert isinstance(found, np.ndarray) and found.shape == (2, 3)
assert flat_accuracy_score(tags, found) == 1
try:
    f1_score(tags, found)
except TypeError as error:
    print(error)
    assert str(error) == "Found input variables without list of list."
else:
    raise AssertionError("seqeval takes the array")
assert f1_score(tags, [list(row) for row in found]) == 1
END
