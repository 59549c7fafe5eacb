"""LitBank: novels with every mention of a person or place marked by people (brat stand-off)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from senna.corpora.catalogue import word_list
from senna.corpora.tagged import (
    SourcePaths,
    Span,
    TaggedDocument,
    apart,
    from_phrases,
    longest_first,
    read_text,
)

_LABELS = {"PROP_PER": "PER", "PROP_ORG": "ORG"}
_LABELS |= dict.fromkeys(("PROP_GPE", "PROP_LOC", "PROP_FAC"), "LOC")
# Small words that may stand inside a name.
_SMALL = {
    "PER": frozenset("de von van d' la le du der di da the o'".split()),
    "LOC": frozenset("of the and de la le du des 's ’s ' on upon in".split()),
    "ORG": frozenset("of the and for de la 's ’s & '".split()),
}
_DETERMINERS = frozenset("The A An His Her My Our Your This That".split())
_NO_PERSON = word_list("litbank-no-person")
_TITLES = word_list("litbank-titles")


def name_in(words: Sequence[str], start: int, end: int, label: str) -> tuple[int, int] | None:
    """(start, end) of the name in a mention, or None when there is none.

    It is the first run of capitalised words, up to three small words allowed between them, and
    titles cut off persons.
    """
    capital = [word[:1].isupper() for word in words]
    while start < end and (not capital[start] or words[start] in _DETERMINERS):
        start += 1
    stop = start
    while stop < end:
        after = stop
        while (
            after < min(end, stop + 3)
            and words[after].lower() in _SMALL[label]
            and not capital[after]
        ):
            after += 1
        if after < end and capital[after]:
            stop = after + 1
        elif start < stop < end - 1 and words[stop] in ("-", ".") and capital[stop + 1]:
            stop += 2
        else:
            break
    if label == "PER":
        start, stop = _without_titles(words, start, stop)
        if stop - start == 1 and words[start].lower() in _NO_PERSON:
            return None
    return (start, stop) if len("".join(words[start:stop])) > 1 else None


def _without_titles(words: Sequence[str], start: int, end: int) -> tuple[int, int]:
    while start < end and words[start].lower() in _TITLES:
        start += 1
    while end > start and words[end - 1].lower() in _TITLES:
        end -= 1
    if start < end and words[start] in ("The", "the", "Of", "of", "de"):
        start += 1
    return start, end


def read_document(text: str, annotation: str) -> TaggedDocument:
    """The sentences of one book from its `.txt` and `.ann`; of overlapping names the longest."""
    sentences: list[list[str]] = []
    places: dict[int, tuple[int, int]] = {}  # by offset of a word in characters: line and word
    offset = 0
    for line in text.split("\n"):
        words = list(re.finditer("[^ ]+", line))
        places |= {offset + word.start(): (len(sentences), i) for i, word in enumerate(words)}
        sentences.append([word[0] for word in words])
        offset += len(line) + 1
    mentions: dict[int, list[Span]] = defaultdict(list)
    for row in (line.split("\t") for line in annotation.split("\n")):
        if row[0].startswith("T") and len(row) > 2:
            kind, begin = row[1].split()[:2]
            mentioned = row[2].split()
            if kind in _LABELS and (place := places.get(int(begin))) is not None:
                number, start = place
                end = start + len(mentioned)
                if sentences[number][start:end] == mentioned:
                    mentions[number].append((start, end, _LABELS[kind]))
    document: TaggedDocument = []
    for number, sentence in enumerate(sentences):
        names = (
            (*name, label)
            for start, end, label in sorted(mentions[number], key=longest_first)
            if (name := name_in(sentence, start, end, label))
        )
        # Lone underscores mark the source's italics.
        tagged = from_phrases(["" if word == "_" else word for word in sentence], apart(names))
        if tagged:
            document.append(tagged)
    return document


def litbank(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """100 books in the order of their names, every tenth of them dev."""
    names = sorted(name.removesuffix(".txt") for name in sources if name.endswith(".txt"))
    documents = [
        read_document(read_text(sources[f"{name}.txt"]), read_text(sources[f"{name}.ann"]))
        for name in names
    ]
    return {
        "train": [document for i, document in enumerate(documents) if i % 10 != 9],
        "dev": documents[9::10],
    }
