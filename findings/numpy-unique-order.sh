#!/usr/bin/env bash
# numpy 2.4.6: the order of unique_values and of its relatives.
#
# unique_values(a) is the first of the results of unique_counts(a) and unique_inverse(a), and unique(a)
# is sorted. A good guess is that all give one order. Seen: unique_values gives the order of a hash
# table, for texts and for integers; the others sort. So numbers of labels that come from unique_values
# do not fit the counts or the inverse of the same labels. unique(a, sorted=False) does as it does.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import numpy as np

for labels in (np.array(["O", "B-PER", "I-PER", "B-LOC", "O", "B-PER"]), np.arange(100, 0, -7)):
    values = np.unique_values(labels)
    print(values, np.unique_counts(labels).values)
    assert (np.unique_counts(labels).values == np.unique(labels)).all()
    assert (np.unique_inverse(labels).values == np.unique(labels)).all()
    assert (np.unique(labels, sorted=False) == values).all()
    assert (values != np.unique(labels)).any() and set(values) == set(labels)
END
