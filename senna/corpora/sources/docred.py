"""DocRED, whose entities in Wikipedia introductions were marked by people, in part revised."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from senna.corpora.catalogue import resource_lines
from senna.corpora.tagged import (
    SourcePaths,
    Span,
    TaggedDocument,
    apart,
    from_phrases,
    hashed,
    longest_first,
    read_text,
)

NAMES = ("PER", "LOC", "ORG", "MISC")  # TIME and NUM are no names
TEST_IN_TRAIN = 250  # documents of the test file that serve for training,
TEST_IN_DEV = 350  # and, up to here, as dev; the others are not used


def read_document(item: dict[str, Any], nationalities: set[str]) -> TaggedDocument:
    """One document of the JSON file.

    DocRED calls nationalities LOC; a one-word LOC whose hash is in `nationalities` becomes MISC,
    as in CoNLL-2003.
    """
    mentions: dict[int, set[Span]] = defaultdict(set)
    for mention in (mention for entity in item["vertexSet"] for mention in entity):
        mentions[mention["sent_id"]].add((*mention["pos"], mention["type"]))
    document: TaggedDocument = []
    for number, words in enumerate(item["sents"]):
        whole = [m for m in mentions[number] if m[0] < m[1] <= len(words)]
        phrases = []
        for start, end, label in apart(sorted(whole, key=longest_first)):
            if label == "LOC" and end - start == 1 and hashed(words[start]) in nationalities:
                label = "MISC"
            if label in NAMES:
                phrases.append((start, end, label))
        if sentence := from_phrases(words, phrases):
            document.append(sentence)
    return document


def docred(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """Train: the whole dev file and 250 documents of the test file; dev: its next 100."""
    first, second = (_documents(sources, name) for name in ("dev_revised", "test_revised"))
    return {"train": first + second[:TEST_IN_TRAIN], "dev": second[TEST_IN_TRAIN:TEST_IN_DEV]}


def docred2(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """Train: the test part of DocRED, which the revision left as it was."""
    return {"train": _documents(sources, "test")}


def _documents(sources: SourcePaths, name: str) -> list[TaggedDocument]:
    nationalities = set(resource_lines("corpora/nationalities.txt"))
    return [read_document(item, nationalities) for item in json.loads(read_text(sources[name]))]
