#!/usr/bin/env bash
# nltk 3.10.4: DependencyEvaluator and the words %, & and $.
#
# Its documentation says that punctuation is left out of attachment scores. A good guess is that
# words as % and & count, since they are read aloud and carry relations as nouns do. Seen: words are
# left out by their category in Unicode, which calls % and & punctuation, but $ and + symbols. A
# wrong head of % costs nothing, that of $ does.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq nltk==3.10.4
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from nltk.parse import DependencyEvaluator, DependencyGraph


def score(word: str, head: int) -> tuple[float, float]:
    """The scores of a sentence whose fourth word has a wrong head."""
    rows = [("She", 2, "nsubj"), ("paid", 0, "root"), ("5", 4, "nummod"), (word, 2, "obj")]
    rows.append(("today", 2, "advmod"))
    gold = "\n".join(f"{form}\tX\t{own}\t{relation}" for form, own, relation in rows)
    rows[3] = (word, head, "obj")
    found = "\n".join(f"{form}\tX\t{own}\t{relation}" for form, own, relation in rows)
    graphs = [DependencyGraph(text, top_relation_label="root") for text in (found, gold)]
    return DependencyEvaluator(graphs[:1], graphs[1:]).eval()


scores = {word: score(word, 5)[0] for word in ("%", "&", "$", "+", "euros")}
print(scores)
assert scores == {"%": 1.0, "&": 1.0, "$": 0.8, "+": 0.8, "euros": 0.8}
END
