"""Names that people marked: Universal NER on the English Web Treebank, and DocRED.

The released annotation of Universal NER has PER, LOC and ORG. The first version of its authors also
marked other names (OTH), by one person and never revised; its train file is the one in use, and its
OTH becomes MISC. DocRED has the entities of introductions in Wikipedia, in part revised; LitBank
those of novels; Few-NERD fine types.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from senna.annotation.schemes import phrases_of
from senna.corpora.catalogue import resource_lines, word_list
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


_OF_LITBANK = {"PROP_PER": "PER", "PROP_ORG": "ORG"}
_OF_LITBANK |= dict.fromkeys(("PROP_GPE", "PROP_LOC", "PROP_FAC"), "LOC")
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


def read_novel(text: str, annotation: str) -> TaggedDocument:
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
            if kind in _OF_LITBANK and (place := places.get(int(begin))) is not None:
                number, start = place
                end = start + len(mentioned)
                if sentences[number][start:end] == mentioned:
                    mentions[number].append((start, end, _OF_LITBANK[kind]))
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
        read_novel(read_text(sources[f"{name}.txt"]), read_text(sources[f"{name}.ann"]))
        for name in names
    ]
    return {
        "train": [document for i, document in enumerate(documents) if i % 10 != 9],
        "dev": documents[9::10],
    }


# A fine type counts before the coarse one that it begins with; others (sicknesses, species,
# currencies, degrees) are no names.
_TYPES = {
    kind: label
    for label, kinds in {
        "PER": "person other_god",
        "LOC": "location building other_astronomything",
        "ORG": "organization building_hospital building_restaurant",
        "MISC": "art event product other_award other_language other_law",
    }.items()
    for kind in kinds.split()
}
_PARTY_PEOPLE = word_list("fewnerd-party-people")
_BEFORE_NATIONALITY = word_list("fewnerd-before-nationality")
_QUOTES = ("``", "''", '"', "“", "”")
_OPENING = (*_QUOTES, ":", "(")
_NO_NAMES = word_list("fewnerd-titles") | word_list("fewnerd-no-names")
_FREQUENT = 15  # times a word is the whole name of a place in `test` and `dev`
_ORDINARY = 5  # times a word stands in lower case


def read_sentences(text: str) -> list[TaggedWords]:
    """(word, tag of a fine type) of each sentence; "& amp ;" becomes "&"."""
    sentences = []
    for block in text.split("\n\n"):
        sentence: TaggedWords = []
        for line in filter(str.strip, block.split("\n")):
            word, tag = line.split("\t")
            if word == ";" and [previous for previous, _ in sentence[-2:]] == ["&", "amp"]:
                sentence.pop()
            else:
                sentence.append((word, tag.strip()))
        if sentence:
            sentences.append(sentence)
    return sentences


def type_of(kind: str, words: Sequence[str], nationalities: Collection[str]) -> str | None:
    """The type of a name of a fine type ("location_GPE"), or None where it is no name of ours.

    Few-NERD calls nationalities GPE: those whose hash is in `nationalities` become MISC, alone or
    after "South" and the like, and so do people of a party.
    """
    label = _TYPES.get(kind, _TYPES.get(kind.partition("_")[0]))
    if label == "LOC" and hashed(words[-1]) in nationalities:
        alone = len(words) == 1 or (len(words) == 2 and words[0] in _BEFORE_NATIONALITY)
        return "MISC" if alone else label
    if kind == "organization_politicalparty" and len(words) == 1 and words[0] in _PARTY_PEOPLE:
        return "MISC"
    if label == "MISC" and not any(c.isupper() or c.isdigit() for word in words for c in word):
        return None
    return label


def with_types(sentence: TaggedWords, nationalities: Collection[str]) -> TaggedWords:
    """A sentence with our types; names begin and end without quotation marks."""
    words, tags = map(list, zip(*sentence, strict=True))
    phrases = []
    for start, end, kind in phrases_of(tags, "iob2"):
        while end - start > 1 and words[start] in _QUOTES:
            start += 1
        while end - start > 1 and words[end - 1] in _QUOTES:
            end -= 1
        label = type_of(kind, words[start:end], nationalities)
        if label:
            phrases.append((start, end, label))
    return from_phrases(words, phrases)


def is_covered(sentence: TaggedWords, in_lower_case: Mapping[str, int]) -> bool:
    """Whether every word with a capital has a label, but for words that are hardly names.

    `in_lower_case`: how often words stand so; a frequent one may open a sentence or quotation.
    """
    opens = True
    for word, tag in sentence:
        ordinary = opens and in_lower_case[word.lower()] >= _ORDINARY
        if tag == "O" and any(map(str.isupper, word)) and not (ordinary or word in _NO_NAMES):
            return False
        opens = tag == "O" and word in _OPENING
    return True


def fewnerd(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """Train: sentences in which, but for slips, all names are labelled; partial: the others.

    In the train sentences of `big_test` no name of a frequent place and no nationality is O, in
    those of the other files no word with a capital that may be a name is. Of sentences that are
    alike but for their marks the first stays.
    """
    nationalities = set(resource_lines("corpora/nationalities.txt"))
    parts = {name: read_sentences(read_text(sources[name])) for name in ("big_test", "test", "dev")}
    in_lower_case = Counter(
        word
        for sentences in parts.values()
        for sentence in sentences
        for word, tag in sentence
        if tag == "O" and word.islower()
    )
    # Words with a capital that are often the whole name of a country, a town or the like.
    places = Counter(
        sentence[start][0]
        for sentence in parts["test"] + parts["dev"]
        for start, end, kind in phrases_of([tag for _, tag in sentence], "iob2")
        if kind == "location_GPE" and end - start == 1
    )
    frequent = {word for word, n in places.items() if n >= _FREQUENT and word[0].isupper()}
    splits: dict[str, TaggedDocument] = {"train": [], "partial": []}
    seen = set()
    for name, sentences in parts.items():
        for sentence in sentences:
            letters = re.sub(r"[\W_]+", "", "".join(word for word, _ in sentence).lower())
            if letters in seen:
                continue
            seen.add(letters)
            if name == "big_test":
                outside = {word for word, tag in sentence if tag == "O"}
                whole = frequent.isdisjoint(outside) and nationalities.isdisjoint(
                    map(hashed, outside)
                )
            else:
                whole = is_covered(sentence, in_lower_case)
            splits["train" if whole else "partial"].append(with_types(sentence, nationalities))
    return {split: [document] for split, document in splits.items()}
