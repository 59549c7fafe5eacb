#!/usr/bin/env bash
# spacy 3.8.18: the sentencizer and a straight quotation mark that opens a sentence.
#
# It is documented to split at full stops, question and exclamation marks, and keeps closing marks
# that follow with the sentence. A good guess is that a mark after a blank, which opens the next
# quotation, begins the next sentence. Seen: all marks up to the next word go with the sentence
# before, so the opening mark ends one sentence and its closing mark stands in another; with curved
# marks, too.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq spacy==3.8.18
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import spacy

nlp = spacy.blank("en")
nlp.add_pipe("sentencizer")
found = {}
for text in ('He left. "No," she said.', "He left. \u201cNo,\u201d she said.", "He left. (She stayed.)"):
    found[text] = [sentence.text for sentence in nlp(text).sents]
print(list(found.values()))
assert list(found.values()) == [
    ['He left. "', 'No," she said.'],
    ["He left. \u201c", "No,\u201d she said."],
    ["He left. (", "She stayed.)"],
]
END
