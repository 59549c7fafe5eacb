"""Universal NER on the English Web Treebank.

The released annotation has PER, LOC and ORG. The authors' first version also marked other names
(OTH), by one person and never revised; its train file is the one in use, and its OTH becomes MISC.
"""

from __future__ import annotations

from collections import defaultdict

from senna.corpora.tagged import (
    SourcePaths,
    TaggedDocument,
    TaggedWords,
    from_phrases,
    map_labels,
    read_text,
)
from senna.text.schemes import phrases_of

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
