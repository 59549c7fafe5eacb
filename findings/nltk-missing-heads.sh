#!/usr/bin/env bash
# nltk 3.10.4: DependencyGraph of CoNLL-U in which heads are `_`, as in a file that has tags alone.
#
# CoNLL-U allows `_` where something is not annotated. A good guess is that such words stay, without a
# relation, or that the file is refused. Seen: the words are left out; at most a warning says that no word
# depends on the root. A file without trees gives a graph without words. Where one word has no head, the
# others keep their numbers, and its dependents hang on a node that has no word.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq nltk==3.10.4
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from nltk.parse import DependencyGraph


def words(heads: list[str]) -> dict[int, str | None]:
    rows = [
        f"{number}\t{word}\t{word}\tX\tX\t_\t{head}\tdep\t_\t_"
        for number, (word, head) in enumerate(zip(["Ann", "met", "Bob"], heads), 1)
    ]
    graph = DependencyGraph("\n".join(rows), top_relation_label="dep")
    return {number: node["word"] for number, node in graph.nodes.items() if number}


for heads in (["2", "0", "2"], ["_", "_", "_"], ["2", "0", "_"], ["2", "_", "2"]):
    print(heads, words(heads))
assert words(["2", "0", "2"]) == {1: "Ann", 2: "met", 3: "Bob"}
assert words(["_", "_", "_"]) == {}
assert words(["2", "0", "_"]) == {1: "Ann", 2: "met"}
assert words(["2", "_", "2"]) == {1: "Ann", 2: None, 3: "Bob"}
END
