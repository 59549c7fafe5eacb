#!/usr/bin/env bash
# dkpro-cassis 0.12.0: an annotation whose place is changed after it was added.
#
# A CAS holds annotations, and select_covered gives those that lie within another one. A good guess is that
# it goes by the places that annotations have. Seen: they are sorted once, when they are added. A token
# that is moved into the first sentence is not found there, though select gives it with its new place,
# and remove raises ValueError. In the file that is written, and read again, it is in the first sentence.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq dkpro-cassis==0.12.0
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from cassis import Cas, TypeSystem, load_cas_from_xmi

types = TypeSystem()
Sentence, Token = types.create_type("Sentence"), types.create_type("Token")
cas = Cas(types)
cas.sofa_string = "Ann left Bob. Jo too."
cas.add(Sentence(begin=0, end=13))
tokens = [Token(begin=0, end=3), Token(begin=4, end=8), Token(begin=14, end=16)]
for token in tokens:
    cas.add(token)


def covered(document: Cas) -> list[str]:
    [sentence] = document.select("Sentence")
    return [token.get_covered_text() for token in document.select_covered("Token", sentence)]


assert covered(cas) == ["Ann", "left"]
tokens[2].begin, tokens[2].end = 9, 12
print([token.get_covered_text() for token in cas.select("Token")], covered(cas))
assert [token.get_covered_text() for token in cas.select("Token")] == ["Ann", "left", "Bob"]
assert covered(cas) == ["Ann", "left"]
assert covered(load_cas_from_xmi(cas.to_xmi(), types)) == ["Ann", "left", "Bob"]
try:
    cas.remove(tokens[2])
except ValueError as error:
    print(error)
    assert "not in list" in str(error)
else:
    raise AssertionError("the token is removed")
END
