#!/usr/bin/env bash
# gensim 4.4.0: a word vector replaced, or added, after a first search.
#
# most_similar divides by the lengths of vectors, which it computes once and keeps. A good guess is that
# add_vectors, which gets the new vectors, renews them. Seen: with replace=True the old length stays, so
# the most similar word has a "cosine" of 10, while similarity() says 1; with a new word most_similar
# raises ValueError. fill_norms(force=True) after each change puts both right.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq gensim==4.4.0 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import numpy as np
from gensim.models import KeyedVectors

vectors = KeyedVectors(2)
vectors.add_vectors(["a", "b", "c"], np.array([[1, 0], [0, 1], [1, 1]], dtype="f"))
assert vectors.most_similar("a")[0][0] == "c"
vectors.add_vectors(["b"], np.array([[10, 0]], dtype="f"), replace=True)
print(vectors.most_similar("a"), vectors.similarity("a", "b"))
assert vectors.most_similar("a")[0] == ("b", 10.0)
assert vectors.similarity("a", "b") == 1
vectors.fill_norms(force=True)
assert vectors.most_similar("a")[0] == ("b", 1.0)

vectors.add_vectors(["d"], np.array([[5, 0]], dtype="f"))
try:
    vectors.most_similar("a")
except ValueError as error:
    print(error)
else:
    raise AssertionError("the new word is found")
vectors.fill_norms(force=True)
assert vectors.most_similar("a")
END
