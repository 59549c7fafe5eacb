#!/usr/bin/env bash
# bm25s 0.3.16: a query of nothing but unknown words, where one document is empty.
#
# Tokenizer leaves out the words of a query that no document has. A good guess is that a query without any known
# word has the score 0 in all documents, as by bm25s.tokenize. Seen: it finds the empty document, with 0.75,
# which is more than the best document has for "cat". A text without words becomes one empty word, which has a
# number as the others have, for documents and queries alike. With a known word beside, the query is right.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq bm25s==0.3.16
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import bm25s
from bm25s.tokenization import Tokenizer

texts = ["a cat sat", "a dog", "bird bird bird", "cat cat dog", ""]
quiet = {"show_progress": False}
pattern = r"\w+"
tokenizer = Tokenizer(stopwords=None, splitter=pattern)
by_class, by_function = bm25s.BM25(), bm25s.BM25()
by_class.index(tokenizer.tokenize(texts, **quiet), **quiet)
by_function.index(bm25s.tokenize(texts, stopwords=None, token_pattern=pattern, **quiet), **quiet)


def found(query: str) -> list[tuple[int, float]]:
    [places], [scores] = by_class.retrieve(tokenizer.tokenize([query], **quiet), k=5, **quiet)
    return [(int(place), round(float(score), 2)) for place, score in zip(places, scores) if score]


for query in ("cat", "zebra", "zebra cat"):
    print(query, found(query))
assert found("cat") == found("zebra cat") == [(3, 0.46), (0, 0.31)]
assert found("zebra") == [(4, 0.75)]
words = bm25s.tokenize("zebra", stopwords=None, token_pattern=pattern, **quiet)
assert not by_function.retrieve(words, k=5, **quiet).scores.any()
END
