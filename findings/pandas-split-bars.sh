#!/usr/bin/env bash
# pandas 3.1.1: sentence pairs in one column, separated by ` ||| ` as word aligners read them.
#
# str.replace takes its pattern as plain text unless regex=True is given. A good guess is that str.split does so,
# as with a separator of one `|`. Seen: a separator of two or more characters is a regular expression,
# here a choice between blanks and nothing, so that the line falls into letters, without a message.
# rsplit and partition cut at the bars, and so does split with regex=False.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq pandas==3.1.1 numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import pandas as pd

pairs = pd.Series(["a dog ||| un chien"])
split = pairs.str.split(" ||| ")[0]
print(split)
assert split == ["", "a", "", *"dog", "", *"|||", "", *"un", "", *"chien", ""]
right = ["a dog", "un chien"]
assert pairs.str.split(" ||| ", regex=False)[0] == pairs.str.rsplit(" ||| ")[0] == right
assert pairs.str.partition(" ||| ").iloc[0, [0, 2]].tolist() == right
assert pairs.str.replace(" ||| ", "\t")[0] == "\t".join(right)
assert pd.Series(["a dog|un chien"]).str.split("|")[0] == right
END
