#!/usr/bin/env bash
# awkward 2.14.0 and numpy 2.4.6: the maximum of scores with NaN, in all and by sentence.
#
# help(ak.max) calls it the same as NumPy's amax where all lists have the same length. A good guess is that
# NaN is the maximum of a sentence that has it, as it is of all scores. Seen: ak.max(x) is NaN, ak.max(x,
# axis=1) passes over NaN, and a sentence of nothing but NaN has minus infinity, where ak.nanmax has
# no answer, None. ak.argmax passes over NaN too if another number is before it, as NumPy does not.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq awkward==2.14.0 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from math import inf, isnan, nan

import awkward as ak
import numpy as np

scores = ak.Array([[1.0, nan], [nan, nan]])
print(ak.max(scores), ak.max(scores, axis=1), ak.min(scores, axis=1), ak.nanmax(scores, axis=1))
assert isnan(ak.max(scores)) and np.isnan(np.max(scores.to_numpy(), axis=1)).all()
assert ak.max(scores, axis=1).to_list() == [1, -inf]
assert ak.min(scores, axis=1).to_list() == [1, inf]
assert ak.nanmax(scores, axis=1).to_list() == [1, None]
assert ak.argmax(ak.Array([[1.0, nan, 2.0]]), axis=1).to_list() == [2]
assert np.argmax([1.0, nan, 2.0]) == 1
END
