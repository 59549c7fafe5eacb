#!/usr/bin/env bash
# nltk 3.10.4: KneserNeyProbDist of the trigrams of a short text.
#
# prob() gives the probability of the last word after the first two. A good guess is that the probabilities
# of all words after two sum to 1, as those of nltk.lm.KneserNeyInterpolated do. Seen: they sum to 0.25
# after "dog saw", where only "the" follows: this word has 0.25, all others 0. What is taken off the
# words that were seen is given to those that follow the second word elsewhere, so that it is lost where
# there are none. Perplexities by it are not comparable.
set -euo pipefail

folder="$(mktemp -d)"
trap 'rm -rf -- "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -qq nltk==3.10.4
cd "$folder"
"$folder/venv/bin/python" - <<'END'
from nltk import FreqDist, KneserNeyProbDist, ngrams
from nltk.lm import KneserNeyInterpolated

text = "the cat saw the dog and the dog saw the cat and the bird saw the cat".split()
words = sorted(set(text))
model = KneserNeyProbDist(FreqDist(ngrams(text, 3)))
newer = KneserNeyInterpolated(3)
newer.fit([[gram for size in (1, 2, 3) for gram in ngrams(text, size)]], vocabulary_text=words)


def sums(first: str, second: str) -> tuple[float, float]:
    return (
        sum(model.prob((first, second, word)) for word in words),
        sum(newer.score(word, (first, second)) for word in newer.vocab),
    )


for context in sorted(set(ngrams(text[:-1], 2))):
    older_sum, newer_sum = sums(*context)
    print(context, older_sum, newer_sum)
    assert older_sum < 0.8 and abs(newer_sum - 1) < 1e-9
assert sums("dog", "saw")[0] == 0.25 == model.prob(("dog", "saw", "the"))
END
