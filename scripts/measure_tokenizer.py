"""Scores tokenizer and sentence splitter on text with gold offsets, and prints their speed.

    python scripts/measure_tokenizer.py [FOLDER or FILE.jsonl.xz ...]

Reads the *-dev files of FOLDER (default: $SENNA_DATA/tokenization): JSON lines with "text",
"sentences" and "tokens", both lists of [start, end]. A span counts when both its ends are right.
The floors are a splitter that ends a sentence after each `.`, `!` or `?` (with closing quotes and
brackets) before white space and at each blank line, and tokens that are runs of word characters or
one other sign.
"""

from __future__ import annotations

import json
import lzma
import os
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from senna.text.sentences import split
from senna.text.tokenizer import IDLE

Spans = set[tuple[int, int]]
_PLAIN_END = re.compile(r"[.!?][\"'\u2019\u201d)\]]*\s+|\n\s*\n\s*")
_PLAIN_TOKEN = re.compile(r"\w+|[^\w\s]")


def main(arguments: list[str]) -> int:
    if not arguments and "SENNA_DATA" not in os.environ:
        print("Give a folder or files, or set SENNA_DATA.", file=sys.stderr)
        return 2
    paths = [Path(argument) for argument in arguments]
    paths = paths or [Path(os.environ["SENNA_DATA"]) / "tokenization"]
    files = [f for p in paths for f in (sorted(p.glob("*-dev.jsonl.xz")) if p.is_dir() else [p])]
    if not files:
        print(f"No *-dev.jsonl.xz in {paths[0]}.", file=sys.stderr)
        return 2
    print(f"{'':32}{'P':>7}{'R':>7}{'F1':>7}")
    for file in files:
        with lzma.open(file, "rt", encoding="utf-8") as lines:
            documents = [json.loads(line) for line in lines]
        report(file.name.removesuffix(".jsonl.xz"), documents)
    return 0


def report(name: str, documents: list[dict]) -> None:
    systems: list[tuple[str, str, Callable[[str], Spans]]] = [
        ("tokens", "tokens", our_tokens),
        ("tokens, floor", "tokens", lambda text: spans_of(_PLAIN_TOKEN.finditer(text))),
        ("sentences", "sentences", our_sentences),
        ("sentences, floor", "sentences", plain_sentences),
    ]
    for label, key, system in systems:
        pairs = [(system(d["text"]), {(start, end) for start, end in d[key]}) for d in documents]
        right = sum(len(ours & gold) for ours, gold in pairs)
        precision = 100 * right / max(1, sum(len(ours) for ours, _ in pairs))
        recall = 100 * right / max(1, sum(len(gold) for _, gold in pairs))
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        print(f"{name + ' ' + label:32}{precision:7.2f}{recall:7.2f}{f1:7.2f}")
    words, first, again = speed([d["text"] for d in documents])
    print(f"{name + ' words/s':32}{words / first:10,.0f} at first, {words / again:,.0f} again")


def our_tokens(text: str) -> Spans:
    return {(token.start, token.end) for sentence in split(text) for token in sentence}


def our_sentences(text: str) -> Spans:
    return {(sentence[0].start, sentence[-1].end) for sentence in split(text)}


def plain_sentences(text: str) -> Spans:
    ends = [match.end() for match in _PLAIN_END.finditer(text)] + [len(text)]
    spans = set()
    start = 0
    for end in ends:
        if sentence := text[start:end].strip():
            spans.add((start, start + len(sentence)))
        start = end
    return spans


def spans_of(matches: Iterable[re.Match[str]]) -> Spans:
    return {match.span() for match in matches}


def speed(texts: list[str]) -> tuple[int, float, float]:
    """White-space words of the texts, and processor seconds to split them all.

    At first nothing is remembered; again: median of 5 with all their chunks known. Long input lies
    between the two.
    """
    seconds = []
    IDLE.clear()
    for _ in range(6):
        start = time.process_time()
        for text in texts:
            split(text)
        seconds.append(time.process_time() - start)
    return sum(len(text.split()) for text in texts), seconds[0], statistics.median(seconds[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
