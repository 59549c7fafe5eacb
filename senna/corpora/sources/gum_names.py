"""Which mentions of GUM are names, how far a name goes, and of which type it is.

GUM marks every mention of a thing, named or not. A mention counts when its head is a proper noun;
its name is the run of proper nouns around the head. Rules and lists are our own, see
docs/corpora.md for how good the outcome is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from senna.corpora.catalogue import resource_lines, word_list
from senna.corpora.sources.docred import hashed
from senna.corpora.sources.gum_mentions import (
    GumToken,
    Mention,
    below,
    head_of,
    mentions_of,
    read_gum_documents,
)
from senna.corpora.sources.ud import free
from senna.corpora.tagged import SourcePaths, TaggedDocument, apart, from_phrases, read_text

LABELS = {"person": "PER", "place": "LOC", "organization": "ORG"}
LABELS |= dict.fromkeys("abstract event object substance animal plant".split(), "MISC")
# All in lower case but _PEOPLES and _PEOPLE_PREFIXES; only words that decide something in pos/gum.
_TITLES = word_list("gum-titles")
_NOT_NAMES = word_list("gum-not-names")
_OF_HEADS = word_list("gum-of-heads")
_CONNECTORS = word_list("gum-connectors")
_PEOPLES = word_list("gum-peoples")
_PEOPLE_PREFIXES = word_list("gum-people-prefixes")
_UNITED_STATES = "U.S."  # a place also where it acts


class Name(NamedTuple):
    """A name, words start to end (half-open), and the mention it was found in."""

    start: int
    end: int
    label: str
    mention: Mention


@dataclass(frozen=True)
class Lexicon:
    """Facts about single words, without the sentence."""

    common: Collection[str]  # words that stand in lower case somewhere, not as proper nouns
    peoples: Collection[str] = ()  # `hashed` words of peoples, tongues and creeds
    places: Collection[str] = ()  # `hashed` names of places that are often organizations

    def is_people(self, word: str) -> bool:
        """Whether `word` is one of a people, tongue, creed or party."""
        return word in _PEOPLES or hashed(word) in self.peoples


@dataclass(frozen=True)
class _Seed:
    """A word from which a name grows to the right."""

    tokens: Sequence[GumToken]
    mention: Mention
    head: int  # the proper noun that the name starts from
    inside: Collection[int]  # the mention's words below its head
    mentions: Sequence[Mention]  # all of the sentence


def names_of(tokens: Sequence[GumToken], lexicon: Lexicon) -> list[tuple[int, int, str]]:
    """(start, end, PER LOC ORG or MISC) of the names of a sentence, half-open, none overlapping."""
    mentions = mentions_of(tokens)
    named = []
    for mention in mentions:
        span = _span(tokens, mention, mentions) if mention.kind in LABELS else None
        name = _typed(tokens, Name(*span, LABELS[mention.kind], mention), lexicon) if span else None
        if name and not _not_named(tokens, name, lexicon):
            named.append(name)
    named = [name for name in named if not _is_citation(tokens, name, named)]
    # Longest names first, of equal ones those of longer mentions.
    named.sort(
        key=lambda name: (name.start - name.end, name.mention.start - name.mention.end, name.start)
    )
    names = apart(name[:3] for name in named)
    taken = {i for start, end, _ in names for i in range(start, end)}
    names += _peoples(tokens, taken, lexicon)
    names += _modifiers(tokens, mentions, taken, lexicon)
    return sorted(names)


# ------------------------------------------------------------------ how far a name goes


def _is_name(token: GumToken) -> bool:
    return token.xpos in ("NNP", "NNPS")


def _span(
    tokens: Sequence[GumToken], mention: Mention, mentions: Sequence[Mention]
) -> tuple[int, int] | None:
    """Where the name of a mention is, or None when its head is no proper noun."""
    top = head = head_of(tokens, mention)
    if not _is_name(tokens[top]):  # "magician Ada Byron": the name hangs flat on a common noun
        flat = [
            i
            for i in range(mention.start, mention.end)
            if tokens[i].head == top and tokens[i].relation == "flat" and _is_name(tokens[i])
        ]
        if not flat:
            return None
        head = flat[0]
    start, before = head, head + 1
    while start != before:
        before, start = start, _further_left(tokens, mention, start)
    seed = _Seed(tokens, mention, head, below(tokens, top, mention), mentions)
    end, before = head + 1, head
    while end != before:
        before, end = end, _further_right(seed, end)
    return start, end


def _further_left(tokens: Sequence[GumToken], mention: Mention, start: int) -> int:
    """A start of the name further left by one step, or `start` itself."""

    def belongs(i: int) -> bool:
        token = tokens[i]
        if i < mention.start or not _is_name(token):
            return False
        if token.relation == "nmod:desc" and mention.kind == "person":
            return token.form in ("St.", "Saint")  # other words there are titles
        return token.relation not in ("nmod:poss", "conj", "appos")

    if belongs(start - 1):
        return start - 1
    if start - 1 > mention.start:
        owner, link = tokens[start - 2], tokens[start - 1]
        if (link.form, link.xpos) in (("-", "HYPH"), ("–", "HYPH"), ("/", ",")):
            return start - 2 if belongs(start - 2) else start
        if link.xpos == "POS" and _is_name(owner) and owner.form.lower() in mention.article_words:
            return start - 2
    return start


def _further_right(seed: _Seed, end: int) -> int:
    """An end of the name further right by one step, or `end` itself."""
    tokens, mention = seed.tokens, seed.mention
    if end >= mention.end:
        return end
    article = mention.article_words
    token = tokens[end]
    apart = token.relation in ("conj", "appos", "nmod:unmarked")
    if _is_name(token) and end in seed.inside and not apart:
        return end + 1
    second = end + 1
    if second < mention.end and _is_name(tokens[second]):
        if token.xpos == "HYPH":
            return end + 2
        if token.form in ("&", "and"):
            starts_person = any(m.start == second and m.kind == "person" for m in seed.mentions)
            of_several_words = seed.head < end - 1
            in_article = tokens[second].form.lower() in article
            if in_article or (of_several_words and not starts_person):
                return _second_part(seed, end + 2)
    if token.xpos == "CD" and mention.kind != "person":
        counted = mention.kind in ("object", "abstract", "event")
        is_number = token.form.isdecimal() and len(token.form) != 4  # four digits are a year
        if token.form.lower() in article or (counted and is_number):
            return end + 1
    return _over_small_words(seed, end)


def _second_part(seed: _Seed, end: int) -> int:
    """The end of a second part of several words: "Chapel and Music Hall"."""
    tokens = seed.tokens
    last = seed.mention.end
    while end < last and _is_name(tokens[end]) and tokens[end - 1].relation == "compound":
        end += 1
    return end


def _over_small_words(seed: _Seed, end: int) -> int:
    """A further end over up to three small words: "University of the West"; else `end`."""
    tokens, mention = seed.tokens, seed.mention
    last = end
    most = min(mention.end, end + 3)
    while last < most and tokens[last].form.lower() in _CONNECTORS:
        last += 1
    if last == end or last >= mention.end or last not in seed.inside or not _is_name(tokens[last]):
        return end
    first = tokens[end].form
    allowed = tokens[last].form.lower() in mention.article_words
    if first == "of" and mention.kind in ("organization", "place", "event", "object", "abstract"):
        other_name = any(
            other.kind in ("place", "person") and seed.head < other.start <= last < other.end
            for other in seed.mentions
        )
        allowed |= not other_name or tokens[seed.head].form.lower() in _OF_HEADS
    if first == "for" and mention.kind == "organization":
        allowed = True
    return last + 1 if allowed else end


# ------------------------------------------------------------------ whether it is one, and its type


def _typed(tokens: Sequence[GumToken], name: Name, lexicon: Lexicon) -> Name | None:
    """`name` with its final label, persons without titles; None when only a title is left."""
    start, end, label, mention = name
    text = " ".join(token.form for token in tokens[start:end])
    if label == "PER":
        if _is_group(tokens, name, lexicon):
            return name._replace(label="MISC")
        return _without_titles(tokens, name)
    if label == "ORG":
        linked = mention.article.lower() == text.lower() and hashed(text) in lexicon.places
        if linked or text == _UNITED_STATES:
            return name._replace(label="LOC")
    return name


def _is_group(tokens: Sequence[GumToken], name: Name, lexicon: Lexicon) -> bool:
    """Whether a person is a people: "the Olmec", "Leedsers", "North Americans"."""
    start, end, _, mention = name
    plural = tokens[end - 1].xpos == "NNPS"
    if end - start > 1:
        return plural and lexicon.is_people(tokens[end - 1].form)
    article = start == mention.start + 1 and tokens[mention.start].form.lower() == "the"
    return plural or lexicon.is_people(tokens[start].form) or (article and end == mention.end)


def _without_titles(tokens: Sequence[GumToken], name: Name) -> Name | None:
    start, end, _, mention = name

    def is_title(i: int) -> bool:
        return tokens[i].form.lower() in _TITLES

    head = head_of(tokens, mention)
    if head == end - 1 and is_title(head):
        return None
    while start < end and is_title(start):
        start += 1
    while start < end and is_title(end - 1):
        end -= 1
    if start == end:
        return None
    if end < mention.end and tokens[end].form in ("II", "III"):
        end += 1
    return name._replace(start=start, end=end)


def _not_named(tokens: Sequence[GumToken], name: Name, lexicon: Lexicon) -> bool:
    """Whether a thing is only numbered, pointed at or called by its office: "Figure 2"."""
    if name.label == "PER":
        return False
    words = [token.form for token in tokens[name.start : name.end]]
    first, one = words[0].lower(), len(words) == 1
    if first in _NOT_NAMES and (one or (len(words) == 2 and not words[1][0].isalpha())):
        return True
    if one and first in _TITLES:
        return True
    if name.label != "MISC":
        return False
    unlinked = name.mention.kind == "abstract" and not name.mention.article
    text = " ".join(words)
    return text == text.lower() or (one and unlinked and first in lexicon.common)


def _is_citation(tokens: Sequence[GumToken], name: Name, names: Sequence[Name]) -> bool:
    """Whether a thing is a publication called by its author: "Byron 1850"."""
    start, end = name.mention.start, name.mention.end
    return (
        name.mention.kind in ("abstract", "object")
        and any(re.match(r"\d{4}", token.form) for token in tokens[start:end])
        and any(
            other.label == "PER"
            and other.start == name.start
            and start <= other.mention.start
            and other.mention.end <= end
            for other in names
        )
    )


# ------------------------------------------------------------------ names that are no mention


def _peoples(
    tokens: Sequence[GumToken], taken: set[int], lexicon: Lexicon
) -> list[tuple[int, int, str]]:
    """Words of peoples, mostly adjectives: "South African", "Anglo - American"; adds to `taken`."""

    def hyphen(i: int) -> bool:
        return 0 <= i < len(tokens) and tokens[i].xpos == "HYPH"

    peoples, prefixes = [], _PEOPLE_PREFIXES
    for i, token in enumerate(tokens):
        if i in taken or not lexicon.is_people(token.form):
            continue
        start, end = i, i + 1
        while start and start - 1 not in taken and tokens[start - 1].form in prefixes:
            start -= 1
        if start > 1 and hyphen(start - 1) and tokens[start - 2].form in prefixes:
            start -= 2
        while hyphen(end) and end + 1 < len(tokens) and lexicon.is_people(tokens[end + 1].form):
            end += 2
        taken.update(range(start, end))
        peoples.append((start, end, "MISC"))
    return peoples


def _modifiers(
    tokens: Sequence[GumToken],
    mentions: Sequence[Mention],
    taken: Collection[int],
    lexicon: Lexicon,
) -> list[tuple[int, int, str]]:
    """Proper nouns that are no mention of their own: "a Kwa language", "the isle of Foo"."""
    names = []
    i = 0
    while i < len(tokens):
        start = i
        while i < len(tokens) and i not in taken:
            between = i > start and tokens[i].xpos == "HYPH" and i + 1 < len(tokens)
            if not _is_name(tokens[i]) and not (
                between and i + 1 not in taken and _is_name(tokens[i + 1])
            ):
                break
            i += 1
        label = _modifier_label(tokens, start, i, mentions, lexicon) if i > start else None
        if label:
            names.append((start, i, label))
        i = max(i, start + 1)
    return names


def _modifier_label(
    tokens: Sequence[GumToken], start: int, end: int, mentions: Sequence[Mention], lexicon: Lexicon
) -> str | None:
    """The label of a run of proper nouns: by the innermost mention around it, if that speaks."""
    text = " ".join(token.form for token in tokens[start:end])
    words = [token.form.lower() for token in tokens[start:end] if token.form[0].isalnum()]
    if text == _UNITED_STATES:
        return "LOC"
    if not words or len(text) < 2 or words[0] in _NOT_NAMES | _TITLES:
        return None
    if text.lower() in lexicon.common:
        return None
    around = [mention for mention in mentions if mention.start <= start and end <= mention.end]
    if not around:
        return None
    mention = min(around, key=lambda m: m.end - m.start)
    head = head_of(tokens, mention)
    if head < start:
        is_of_place = mention.kind == "place" and tokens[start - 1].form == "of"
        return "LOC" if is_of_place else None
    after = tokens[end] if end < len(tokens) else tokens[start]
    if head < end or after.form in (",", "and", "&", "/") or after.xpos == "POS":
        return None
    if mention.article and mention.article_words.issuperset(words):
        return LABELS.get(mention.kind)
    return "MISC" if tokens[head].form.lower() == "language" else None


# ------------------------------------------------------------------ the corpus


def common_words(texts: Iterable[str]) -> set[str]:
    """Words in lower case that are no proper nouns, in CoNLL-U files of all genres."""
    rows = (line.split("\t") for text in texts for line in text.split("\n") if "\t" in line)
    return {row[1] for row in rows if row[1].islower() and row[4] not in ("NNP", "NNPS")}


def read_lexicon(lines: Iterable[str], common: set[str]) -> Lexicon:
    """The lexicon whose hashed words stand in `lines`: `people HASH` or `place HASH`."""
    kinds: dict[str, set[str]] = {"people": set(), "place": set()}
    for line in lines:
        kind, _, digest = line.partition(" ")
        kinds[kind].add(digest)
    return Lexicon(common, peoples=kinds["people"], places=kinds["place"])


def ner(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """The documents of `pos/gum`, with IOB2 tags of names in place of parts of speech."""
    texts = {split: read_text(path) for split, path in sources.items()}
    lexicon = read_lexicon(resource_lines("corpora/gum-words.txt"), common_words(texts.values()))
    return {
        split: [
            [
                from_phrases([t.form for t in tokens], names_of(tokens, lexicon))
                for tokens in document
            ]
            for document in free(read_gum_documents(text))
        ]
        for split, text in texts.items()
    }
