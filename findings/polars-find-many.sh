#!/usr/bin/env bash
# polars 2.1.0: a list of names looked up in text with find_many, extract_many and replace_many.
#
# Where names of the list overlap, a good guess is that the longest wins, or the first in the list, as
# in regular expressions. Seen: the name that ends first wins, which is the shortest, wherever it
# stands in the list: "New York City" is never found if "New" is a name, too, and its rest is taken for
# a second name. leftmost=True prefers the first in the list, so long names must come first.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq polars==2.1.0
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import polars as pl

text = pl.Series(["Ann left New York City today"])
names = ["New York City", "New", "York City"]
found = [text.str.extract_many(list_)[0].to_list() for list_ in (names, names[::-1])]
print(found)
assert found == [["New", "York City"]] * 2
assert text.str.find_many(names)[0].to_list() == [9, 13]
assert text.str.replace_many(names, ["<C>", "<N>", "<Y>"])[0] == "Ann left <N> <Y> today"

assert text.str.extract_many(names, leftmost=True)[0].to_list() == ["New York City"]
assert text.str.extract_many(names[::-1], leftmost=True)[0].to_list() == ["New", "York City"]
END
