#!/usr/bin/env bash
# pyahocorasick 2.3.1: the longest names of a list, found in a text by iter_long.
#
# iter gives all places of all names, iter_long the longest names that do not overlap. A good guess is
# that a name which stands in the text is found, or lies in a longer one that is found. Seen: with the
# names York and New York City nothing is found in "New York", though iter finds York. A longer name that
# has begun when the text ends hides the shorter ones within it. If anything follows, York is found.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq pyahocorasick==2.3.1
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import ahocorasick

names = ahocorasick.Automaton()
for name in ("York", "New York City"):
    names.add_word(name, name)
names.make_automaton()


def longest(text: str) -> list[str]:
    return [name for _, name in names.iter_long(text)]


for text in ("York", "old York", "New York", "New York.", "New York City"):
    print(text, longest(text), [name for _, name in names.iter(text)])
assert [name for _, name in names.iter("New York")] == ["York"]
assert longest("New York") == []
assert longest("York") == longest("old York") == longest("New York.") == ["York"]
assert longest("New York City") == ["New York City"]
END
