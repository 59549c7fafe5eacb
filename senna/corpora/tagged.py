"""Tagged sentences, the output of converters, and their text format."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from senna.annotation.schemes import phrases_of
from senna.corpora.catalogue import resource_lines

TaggedWords = list[tuple[str, str]]  # (word, tag) pairs
TaggedDocument = list[TaggedWords]
Span = tuple[int, int, str]  # words start to end (half-open), label
SourcePaths = Mapping[str, Path]  # name in the catalogue -> downloaded file

# Shorter sentences (signatures, "Thanks .") repeat everywhere; they are no sign of copied text.
SHORTEST_DUPLICATE = 6

_INVISIBLE = re.compile("[\\s\u200b-\u200f\ufeff\ufe0f]+")


def read_text(path: Path) -> str:
    """The text of a source file, a byte order mark dropped, line ends as they are."""
    return path.read_bytes().decode("utf-8-sig")


def hashed(text: str) -> str:
    """The entry of a word or sentence in the lists of data/corpora: 12 hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def clean(word: str) -> str:
    """`word` without white space and invisible characters (zero-width marks); may be empty."""
    return _INVISIBLE.sub("", word)


def from_phrases(words: Sequence[str], phrases: Collection[Span]) -> TaggedWords:
    """A sentence of cleaned words; words that vanish in cleaning do not break a phrase."""
    owner: list[tuple[int, str] | None] = [None] * len(words)
    for number, (start, end, label) in enumerate(phrases):
        owner[start:end] = [(number, label)] * (end - start)
    sentence: TaggedWords = []
    before = None
    for word, phrase in zip(map(clean, words), owner, strict=True):
        if not word:
            continue
        prefix = "I-" if phrase == before else "B-"
        sentence.append((word, prefix + phrase[1] if phrase else "O"))
        before = phrase
    return sentence


def apart(spans: Iterable[Span]) -> list[Span]:
    """The (start, end, label) that do not overlap an earlier one."""
    taken: set[int] = set()
    kept = []
    for start, end, label in spans:
        if taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            kept.append((start, end, label))
    return kept


def longest_first(span: Span) -> tuple[int, Span]:
    """A sort key for spans."""
    return span[0] - span[1], span


def map_labels(
    words: Sequence[str], tags: Sequence[str], labels: Mapping[str, str | None]
) -> TaggedWords:
    """A sentence with labels mapped; phrases mapped to None and Twitter handles are dropped.

    A handle is a phrase that starts with a single "@": a user name, not a name in running text.
    """
    phrases = [(start, end, labels[label]) for start, end, label in phrases_of(tags, "iob2")]
    kept = [(s, e, label) for s, e, label in phrases if label is not None and words[s] != "@"]
    return from_phrases(words, kept)


def fingerprint(words: Sequence[str]) -> str:
    """The entry of a sentence in the list of duplicates: 16 hexadecimal digits."""
    return hashlib.sha256(" ".join(words).lower().encode()).hexdigest()[:16]


def excluded_sentences(name: str) -> dict[str, set[str]]:
    """{split: fingerprints} of a corpus's sentences that are excluded.

    These are sentences of train that are also in a dev or test set, and of dev in a test set.
    """
    excluded: dict[str, set[str]] = defaultdict(set)
    for line in resource_lines("corpora/excluded.txt"):
        corpus, split, fingerprint = line.split(" ")
        if corpus == name:
            excluded[split].add(fingerprint)
    return excluded


def is_excluded(words: Sequence[str], excluded: Collection[str]) -> bool:
    """Whether a sentence of six or more words has one of these fingerprints."""
    return len(words) >= SHORTEST_DUPLICATE and fingerprint(words) in excluded


def without(documents: list[TaggedDocument], excluded: Collection[str]) -> list[TaggedDocument]:
    """`documents` less the sentences that are excluded, and less empty documents."""
    kept = [
        [
            sentence
            for sentence in document
            if not is_excluded([word for word, _ in sentence], excluded)
        ]
        for document in documents
    ]
    return [document for document in kept if document]


def render(documents: list[TaggedDocument], *, marks: bool, last_blank: bool = True) -> str:
    """`word TAB tag` lines, a blank line after each sentence; `marks`: -DOCSTART- lines too.

    Without `last_blank` no blank line follows the last sentence.
    """
    lines = []
    for document in documents:
        if marks:
            lines += ["-DOCSTART-\tO", ""]
        for sentence in document:
            lines += [f"{word}\t{tag}" for word, tag in sentence] + [""]
    if lines and not last_blank:
        lines.pop()
    return "\n".join(lines) + "\n" if lines else ""
