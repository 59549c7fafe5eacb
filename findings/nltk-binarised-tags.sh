#!/usr/bin/env bash
# nltk 3.10.4: chomsky_normal_form and back, of a tree with a tag such as JJ|VBG.
#
# Treebanks have such tags where annotators could not decide. un_chomsky_normal_form is documented
# as the way back; a good guess is that it gives the same tree. Seen: it takes every node with | in
# its label for one that binarisation has made, and removes it: the word stays without its part of
# speech. It does so even in a tree that was never binarised.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq nltk==3.10.4
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from nltk import Tree

text = "(S (NP (DT the) (JJ|VBG growing) (NN firm)) (VP (VBD fell)))"
tree = Tree.fromstring(text)
tree.chomsky_normal_form()
tree.un_chomsky_normal_form()
print(tree)
assert str(tree) == "(S (NP (DT the) growing (NN firm)) (VP (VBD fell)))"

plain = Tree.fromstring(text.replace("JJ|VBG", "JJ"))
again = plain.copy(deep=True)
again.chomsky_normal_form()
again.un_chomsky_normal_form()
assert again == plain

never = Tree.fromstring(text)
never.un_chomsky_normal_form()
assert never == tree
END
