"""Few-NERD: Wikipedia sentences with 66 fine types, in the parts of its "inter" split.

Its test part (`big_test`) has only sentences whose names are all of 17 fine types, so that nothing
is left out of them. In random tenths of its train part (`test` and `dev`, as the source calls them)
names of 30 other fine types were made O.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from senna.annotation.schemes import phrases_of
from senna.corpora.catalogue import resource_lines, word_list
from senna.corpora.tagged import (
    SourcePaths,
    TaggedDocument,
    TaggedWords,
    from_phrases,
    hashed,
    read_text,
)

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
