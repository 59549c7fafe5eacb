"""Print the most frequent names of each type in open text, to be read by eye.

    python scripts/experiments/frequent_names.py --words 5e6 TEXT... > names.tsv

One line per name: its type, the name, how often it was found so, as another type, and how often its
words stand in the text without being a name (at most 4 words are looked for). Silver data that
calls "Member States" a person shows here.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from itertools import islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from self_train import sentences_of

import senna
from senna.text.schemes import phrases_of

LONGEST = 4


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", nargs="+", type=Path)
    parser.add_argument("--model", default="ner")
    parser.add_argument("--words", type=float, default=5e6)
    parser.add_argument("--top", type=int, default=100)
    chosen = parser.parse_args()
    nlp = senna.load(["ner"], model=chosen.model)
    found = sentences_of(chosen.texts, chosen.words)
    names: dict[str, Counter[str]] = defaultdict(Counter)
    phrases: Counter[str] = Counter()
    while sentences := list(islice(found, 5000)):
        for words, tags in zip(sentences, nlp.pipeline.annotate(sentences)["ner"], strict=True):
            for start, end, kind in phrases_of(tags, "iobes"):
                names[kind][" ".join(words[start:end])] += 1
            for n in range(1, LONGEST + 1):
                groups = zip(*(words[k:] for k in range(n)), strict=False)
                phrases.update(" ".join(g) for g in groups if all(w[:1].isupper() for w in g))
    for kind, counts in names.items():
        for name, n in counts.most_common(chosen.top):
            others = sum(counts[name] for other, counts in names.items() if other != kind)
            print(kind, name, n, others, max(phrases[name] - n - others, 0), sep="\t")


if __name__ == "__main__":
    main()
