"""Scores tokenizer and sentence splitter on text with gold offsets.

    python scripts/measure_tokenizer.py

Reads the dev parts of EWT and GUM in $SENNA_DATA/tokenization. A span counts when both its ends are
right. The floor is a splitter that ends a sentence after each `.`, `!` or `?` (with closing quotes
and brackets) before white space and at each blank line. The last rows are the shares of sentences
that stay one when they are wrapped to two or three lines, of which one begins with a capital or a
figure.
"""

import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from common import command, parser_of, tokenized

from senna.kinds.scores import Figures, percent
from senna.text.sentences import split

Spans = set[tuple[int, int]]
PLAIN_END = re.compile(r"[.!?][\"'\u2019\u201d)\]]*\s+|\n\s*\n\s*")


@command
def main() -> None:
    parser_of(__doc__).parse_args()
    print(f"{'':32}{'P':>7}{'R':>7}{'F1':>7}")
    for name in ("ewt-dev", "gum-dev"):
        documents = list(tokenized(name))
        for label, key, system in SYSTEMS:
            pairs = [(system(d["text"]), set(map(tuple, d[key]))) for d in documents]
            right = sum(len(ours & gold) for ours, gold in pairs)
            n_ours, n_gold = (sum(map(len, side)) for side in zip(*pairs, strict=True))
            found = Figures.of(n_gold, n_ours, right)
            print(f"{f'{name} {label}':32}{found.precision:7.2f}{found.recall:7.2f}{found.f1:7.2f}")
        for width in (60, 72, 80):
            whole = [len(split(text)) == 1 for text in wrapped(documents, width)]
            print(f"{f'{name} wrapped to {width}':46}{percent(sum(whole), len(whole)):7.2f}")


def wrapped(documents: Iterable[dict[str, Any]], width: int) -> Iterator[str]:
    """Gold sentences that the splitter leaves whole on one line, broken at a width."""
    for document in documents:
        for start, end in document["sentences"]:
            text = " ".join(document["text"][start:end].split())
            lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
            named = any(not line[0].islower() for line in lines[1:])
            if 2 <= len(lines) <= 3 and named and len(split(text)) == 1:
                yield "\n".join(lines)


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
    sys.exit(main())
