"""Phrases of texts with spans of characters: see `senna.text.standoff`.

A span becomes that of the tokens that it touches, within one sentence. It is left out where it
overlaps one before it, which is the longer one where both start together.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator

from senna.answers.base import Gold
from senna.text.schemes import Phrase, tags_of
from senna.text.sentences import split
from senna.text.standoff import Marked, in_sentence, is_standoff, read_standoff
from senna.text.tokenizer import Tokens

__all__ = ["is_standoff", "read_gold", "tagged"]
SHOWN = 3  # spans that cut tokens, in a report


def tagged(
    texts: Iterable[Marked], tell: Callable[[str], object]
) -> Iterator[tuple[Marked, list[tuple[Tokens, list[str]]]]]:
    """Texts with their sentences and IOBES tags; the counts of changed spans are reported."""
    n, moved, left = 0, list[str](), list[str]()
    for marked in texts:
        sentences, taken = split(marked.text), set[tuple[int, int]]()
        begins = [tokens.places[0][0] for tokens in sentences]
        ends = [tokens.places[-1][1] for tokens in sentences]
        rows: list[list[Phrase]] = [[] for _ in sentences]
        n += len(marked.spans)
        for span in marked.spans:
            own = [
                (i, phrase)
                for i in range(bisect_right(ends, span[0]), bisect_left(begins, span[1]))
                for phrase in in_sentence(sentences[i], [span])
            ]
            text = f"{marked.text[span[0] : span[1]]!r:.40}"
            words = {(i, k) for i, phrase in own for k in range(phrase.start, phrase.end)}
            if len(own) != 1 or words & taken:
                left.append(text)
                continue
            taken |= words
            [(i, phrase)] = own
            rows[i].append(phrase)
            start = sentences[i].places[phrase.start][0]
            end = sentences[i].places[phrase.end - 1][1]
            if (start, end) != span[:2]:
                moved.append(f"{text} to {marked.text[start:end]!r:.40}")
        pairs = zip(sentences, rows, strict=True)
        yield marked, [(tokens, tags_of(row, len(tokens), "iobes")) for tokens, row in pairs]
    for what, spans in (("moved to whole tokens", moved), ("left out", left)):
        if spans:
            more = ", ..." * (len(spans) > SHOWN)
            tell(f"{len(spans)} of {n} spans {what}: {', '.join(spans[:SHOWN])}{more}")


def read_gold(lines: Iterable[str], name: str, tell: Callable[[str], object]) -> Iterator[Gold]:
    """The gold sentences of a file of texts with spans; each text is a document."""
    for marked, sentences in tagged(read_standoff(lines, name), tell):
        for i, (tokens, tags) in enumerate(sentences):
            yield Gold(tokens.words, tags, {}, name, marked.line, opens=i == 0)
