#!/usr/bin/env bash
# pyconll 3.3.1: the word _ in CoNLL-U.
#
# The format says that FORM is never empty, so _ there is the character itself; pyconll knows that
# where the lemma is _, too. A good guess is that a lemma changes nothing. Seen: with a lemma, such
# as *underscore*, the form is None, and code that joins forms fails; conllu 6.0.0 gives _ in both
# cases. pyconll also keeps only the last of two entries of MISC with one name.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq pyconll==3.3.1 conllu==6.0.0
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import conllu
import pyconll

SENTENCE = "1\tType\ttype\tVERB\tVB\t_\t0\troot\t_\t_\n2\t_\t{}\tSYM\tSYM\t_\t1\tobj\t_\tA=1|A=2\n\n"
forms = {}
for lemma in ("_", "underscore"):
    text = SENTENCE.format(lemma)
    [sentence] = pyconll.load_from_string(text)
    forms[lemma] = [token.form for token in sentence]
    assert [token["form"] for token in conllu.parse(text)[0]] == ["Type", "_"]
    assert sentence[1].misc == {"A": {"1", "2"}} or sentence.conll().endswith("\tA=2")
print(forms)
assert forms == {"_": ["Type", "_"], "underscore": ["Type", None]}
END
