"""Scores tokenizer and sentence splitter on text with gold offsets.

    python scripts/measure_tokenizer.py

Reads the dev parts of EWT and GUM in $SENNA_DATA/tokenization. A span counts when both its ends are
right. The floor is a splitter that ends a sentence after each `.`, `!` or `?` (with closing quotes
and brackets) before white space and at each blank line.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from common import tokenized

from senna.kinds.figures import Figures
from senna.text.sentences import split

Spans = set[tuple[int, int]]
PLAIN_END = re.compile(r"[.!?][\"'\u2019\u201d)\]]*\s+|\n\s*\n\s*")


def main() -> None:
    print(f"{'':32}{'P':>7}{'R':>7}{'F1':>7}")
    for name in ("ewt-dev", "gum-dev"):
        documents = list(tokenized(name))
        for label, key, system in SYSTEMS:
            pairs = [(system(d["text"]), set(map(tuple, d[key]))) for d in documents]
            right = sum(len(ours & gold) for ours, gold in pairs)
            n_ours, n_gold = (sum(map(len, side)) for side in zip(*pairs, strict=True))
            found = Figures.of(n_gold, n_ours, right)
            print(f"{f'{name} {label}':32}{found.precision:7.2f}{found.recall:7.2f}{found.f1:7.2f}")


def our_tokens(text: str) -> Spans:
    return {(token.start, token.end) for sentence in split(text) for token in sentence}


def our_sentences(text: str) -> Spans:
    return {(sentence[0].start, sentence[-1].end) for sentence in split(text)}


def plain_sentences(text: str) -> Spans:
    spans, start = set(), 0
    for end in [*(match.end() for match in PLAIN_END.finditer(text)), len(text)]:
        if sentence := text[start:end].strip():
            spans.add((start, start + len(sentence)))
        start = end
    return spans


SYSTEMS: tuple[tuple[str, str, Callable[[str], Spans]], ...] = (
    ("tokens", "tokens", our_tokens),
    ("sentences", "sentences", our_sentences),
    ("sentences, floor", "sentences", plain_sentences),
)


if __name__ == "__main__":
    main()
