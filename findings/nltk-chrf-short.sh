#!/usr/bin/env bash
# nltk 3.10.4 and sacrebleu 2.6.0: chrF of a name that is exactly right.
#
# chrF compares sequences of one to six characters. A good guess is that equal texts have the highest
# score, as in sacrebleu. Seen: nltk counts the lengths that a short text does not have as 0, so that
# "Rome" for "Rome" scores 0.67, "a" for "a" 0.17; from six characters on it is 1. With max_len=4 Rome
# has 1, too. A mean over names therefore depends on how long they are.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq nltk==3.10.4 sacrebleu==2.6.0
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from nltk.translate.chrf_score import corpus_chrf, sentence_chrf
from sacrebleu import sentence_chrf as other_chrf

for text in ("a", "Rome", "London"):
    score, other = sentence_chrf(text, text), other_chrf(text, [text]).score
    print(text, score, other)
    assert abs(score - len(text) / 6) < 1e-9 and other == 100
    assert abs(corpus_chrf([text], [text]) - score) < 1e-9
assert sentence_chrf("Rome", "Rome", max_len=4) == 1
END
