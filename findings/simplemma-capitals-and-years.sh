#!/usr/bin/env bash
# simplemma 2.0.0: lemmas of names and of numbers.
#
# Names in capitals that are plurals of nouns are known to be hard. A good guess is that a
# lemmatiser treats them alike, and that it keeps what has digits. Seen: Gates, Banks and Rivers
# become gate, bank and river, Jobs becomes Job with its capital, Rogers and Hastings stay; and
# 1990s becomes nineteen-nineties, while 1970s and 1980s stay.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq simplemma==2.0.0
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from simplemma import lemmatize

words = "Gates Banks Rivers Jobs Rogers Hastings 1970s 1980s 1990s".split()
lemmas = [lemmatize(word, lang="en") for word in words]
print(lemmas)
assert lemmas == [
    "gate", "bank", "river", "Job", "Rogers", "Hastings", "1970s", "1980s", "nineteen-nineties"
]
END
