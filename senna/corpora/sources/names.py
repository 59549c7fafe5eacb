"""Names that people marked: Universal NER on the English Web Treebank, and DocRED.

The released annotation of Universal NER has PER, LOC and ORG. The first version of its authors also
marked other names (OTH), by one person and never revised; its train file is the one in use, and its
OTH becomes MISC. DocRED has the entities of introductions in Wikipedia, in part revised.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from senna.annotation.schemes import phrases_of
from senna.corpora.catalogue import resource_lines
from senna.corpora.tagged import (
    SourcePaths,
    Span,
    TaggedDocument,
    TaggedWords,
    apart,
    from_phrases,
    hashed,
    longest_first,
    map_labels,
    read_text,
)

_LABELS: dict[str, str | None] = {"PER": "PER", "LOC": "LOC", "ORG": "ORG", "OTH": None}


def read_iob2(text: str, *, misc: bool) -> list[TaggedDocument]:
    """Documents of an `.iob2` file; with `misc` its OTH phrases are kept as MISC."""
    labels = _LABELS | ({"OTH": "MISC"} if misc else {})
    documents: list[TaggedDocument] = [[]]
    words: list[str] = []
    tags: list[str] = []
    for line in [*text.split("\n"), ""]:
        if line.startswith("# newdoc") and documents[-1]:
            documents.append([])
        fields = line.split("\t")
        if len(fields) >= 3:
            words.append(fields[1])
            # The first version has a few B-O and I-O.
            tags.append("O" if fields[2].endswith("-O") else fields[2])
        elif words and not line.startswith("#"):
            documents[-1].append(map_labels(words, tags, labels))
            words, tags = [], []
    return [document for document in documents if document]


def add_misc(released: list[TaggedDocument], first: list[TaggedDocument]) -> list[TaggedDocument]:
    """The released sentences plus those MISC of the first version that touch no other name.

    Sentences are matched by their words; of repeated ones the n-th goes with the n-th.
    """
    twins: dict[tuple[str, ...], list[TaggedWords]] = defaultdict(list)
    for document in first:
        for sentence in document:
            twins[tuple(word for word, _ in sentence)].append(sentence)

    def merged(sentence: TaggedWords) -> TaggedWords:
        words, tags = tuple(word for word, _ in sentence), [tag for _, tag in sentence]
        candidates = twins.get(words)
        if not candidates:
            return sentence
        twin = candidates.pop(0) if len(candidates) > 1 else candidates[0]
        others = [
            phrase
            for phrase in phrases_of([tag for _, tag in twin], "iob2")
            if phrase.label == "MISC" and set(tags[phrase.start : phrase.end]) == {"O"}
        ]
        return from_phrases(words, [*phrases_of(tags, "iob2"), *others])

    return [[merged(sentence) for sentence in document] for document in released]


def ewt(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """PER, LOC and ORG: train of the first version, dev and test as released."""
    return {
        split: read_iob2(read_text(sources[split]), misc=False)
        for split in ("train", "dev", "test")
    }


def ewt_misc(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """PER, LOC, ORG and MISC: as `ewt`, with the MISC of the first version."""
    documents = ewt(sources) | {"train": read_iob2(read_text(sources["train"]), misc=True)}
    for split in ("dev", "test"):
        first = read_iob2(read_text(sources[f"{split}-first"]), misc=True)
        documents[split] = add_misc(documents[split], first)
    return documents


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
