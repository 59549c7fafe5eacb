#!/usr/bin/env bash
# stanza 1.15.0: reading and writing CoNLL-U with an empty node.
#
# Enhanced dependencies have empty nodes, such as 4.1 for a verb that is left out; a sentence of stanza
# has a list empty_words for them. A good guess is that conll2doc fills it. Seen: the line of the node
# is skipped, without a message, but the relations that name it stay: what is written refers to a node
# that is not there. ignore_gapping=False keeps it.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq stanza==1.15.0 torch==2.13.0 --extra-index-url https://download.pytorch.org/whl/cpu numpy==2.4.6
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from stanza.utils.conll import CoNLL

ROWS = """\
1 Ann Ann PROPN NNP _ 2 nsubj 2:nsubj _
2 left leave VERB VBD _ 0 root 0:root _
3 and and CCONJ CC _ 4 cc 4.1:cc _
4 Bob Bob PROPN NNP _ 2 conj 4.1:nsubj _
4.1 left leave VERB VBD _ _ _ 2:conj _
5 too too ADV RB _ 4 orphan 4.1:advmod _
"""
text = ROWS.replace(" ", "\t") + "\n"
document = CoNLL.conll2doc(input_str=text)
written = "{:C}".format(document)
print(written)
assert document.sentences[0].empty_words == []
assert "\n4.1\t" not in written and "4.1:nsubj" in written
whole = CoNLL.conll2doc(input_str=text, ignore_gapping=False)
assert [word.text for word in whole.sentences[0].empty_words] == ["left"]
assert "\n4.1\t" in "{:C}".format(whole)
END
