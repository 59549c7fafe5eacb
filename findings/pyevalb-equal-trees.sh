#!/usr/bin/env bash
# PYEVALB 0.1.3: the F1 of a tree scored against itself.
#
# evalb gives 100 to equal trees; a good guess is that its port does so, too. Seen: a tree with NP
# directly over NP scores 80. The port counts all brackets of both trees, but the brackets that are
# right are a set, in which two equal ones are one.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq PYEVALB==0.1.3 pytablewriter==1.2.1
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from PYEVALB import parser, scorer

text = "(TOP (S (NP (NP (PRP She))) (VP (VBD left))))"
gold, found = (parser.create_from_bracket_string(text) for _ in range(2))
result = scorer.Scorer().score_trees(gold, found)
print(result.gold_brackets, result.matched_brackets, result.prec, result.recall)
assert (result.gold_brackets, result.test_brackets, result.matched_brackets) == (5, 5, 4)
assert result.prec == result.recall == 0.8

simple = "(TOP (S (NP (PRP She)) (VP (VBD left))))"
pair = (parser.create_from_bracket_string(simple) for _ in range(2))
assert scorer.Scorer().score_trees(*pair).recall == 1
END
