"""Names derived from GUM's entity layer, which marks every mention of a thing, named or not.

A mention counts when its head is a proper noun; its name is the run of proper nouns around the
head. The rules and lists are our own; docs/corpora.md says how good the outcome is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

from senna.corpora.catalogue import resource_lines, word_list
from senna.corpora.sources.ud import documents_of, free
from senna.corpora.tagged import (
    SourcePaths,
    Span,
    TaggedDocument,
    apart,
    from_phrases,
    hashed,
    read_text,
)
from senna.formats.conllu_lines import DEPREL, FORM, HEAD, MISC, XPOS

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
_BRACKET = re.compile(r"\(([^()]+)\)|\(([^()]+)|([^()]+)\)")
_IDENTITY = 7  # position in id-type-status-salience-centering-minspan-coreference-identity


class GumToken(NamedTuple):
    """One word of a sentence."""

    form: str
    xpos: str
    head: int  # position in the sentence, counted from 0; -1: the root
    relation: str
    entity: str  # brackets of the mentions that open and close here, or ""

    @property
    def is_name(self) -> bool:
        """Whether it is a proper noun."""
        return self.xpos in ("NNP", "NNPS")

    @property
    def lower(self) -> str:
        """The form in lower case."""
        return self.form.lower()


class Mention(NamedTuple):
    """A mention of a thing, named or not: words start to end (half-open) of one sentence."""

    start: int
    end: int
    kind: str  # person, place, organization, abstract ...
    article: str  # title of the thing's Wikipedia article, or ""

    @property
    def article_words(self) -> set[str]:
        """The words of the article's title, in lower case."""
        return set(re.findall(r"\w+", self.article.lower()))


class Name(NamedTuple):
    """A name, words start to end (half-open), and the mention it was found in."""

    start: int
    end: int
    label: str
    mention: Mention


@dataclass(frozen=True)
class Lexicon:
    """Facts about single words, without the sentence."""

    common: Collection[str]  # in lower case somewhere, in texts of all genres, and no proper nouns
    peoples: Collection[str] = ()  # `hashed` words of peoples, tongues and creeds
    places: Collection[str] = ()  # `hashed` names of places that are often organizations

    def is_people(self, word: str) -> bool:
        """Whether `word` is one of a people, tongue, creed or party."""
        return word in _PEOPLES or hashed(word) in self.peoples


def ner(sources: SourcePaths) -> dict[str, list[TaggedDocument]]:
    """The documents of `pos/gum`, with IOB2 tags of names in place of parts of speech."""
    texts = {split: read_text(path) for split, path in sources.items()}
    words = (line.split("\t") for t in texts.values() for line in t.split("\n") if "\t" in line)
    common = {w[1] for w in words if w[1].islower() and w[4] not in ("NNP", "NNPS")}
    rows = [line.split(" ") for line in resource_lines("corpora/gum-words.txt")]
    peoples, places = ({d for kind, d in rows if kind == named} for named in ("people", "place"))
    lexicon = Lexicon(common, peoples, places)
    return {
        split: [
            [
                from_phrases([token.form for token in tokens], names_of(tokens, lexicon))
                for tokens in document
            ]
            for document in free(read_gum_documents(text))
        ]
        for split, text in texts.items()
    }


def read_gum_documents(text: str) -> dict[str, list[list[GumToken]]]:
    """{id: sentences} of the documents of a CoNLL-U file; the same words as in `pos/gum`."""

    def token(row: Sequence[str]) -> GumToken:
        entity = next((item[7:] for item in row[MISC].split("|") if item[:7] == "Entity="), "")
        return GumToken(row[FORM], row[XPOS], int(row[HEAD]) - 1, row[DEPREL], entity)

    return {
        name: [list(map(token, sentence.words)) for sentence in sentences]
        for name, sentences in documents_of(text).items()
    }


def mentions_of(tokens: Sequence[GumToken]) -> list[Mention]:
    """The mentions of one sentence, in the order in which they end.

    `(4-person-...` opens mention 4, `4)` closes it and `(4-person-...)` is one of a single word.
    A bracket without its counterpart in the sentence is passed over.
    """
    mentions: list[Mention] = []
    still_open: list[tuple[int, list[str]]] = []
    for i, token in enumerate(tokens):
        for single, opening, closing in _BRACKET.findall(token.entity):
            if not closing:
                still_open.append((i, (single or opening).split("-", _IDENTITY)))
            known = [k for k, (_, fields) in enumerate(still_open) if closing == fields[0] != ""]
            if single or known:
                start, fields = still_open.pop(known[-1] if known else -1)
                article = unquote(fields[_IDENTITY] if len(fields) > _IDENTITY else "")
                mentions.append(Mention(start, i + 1, fields[1], article.replace("_", " ")))
    return mentions


def head_of(tokens: Sequence[GumToken], mention: Mention) -> int:
    """Position of the mention's first word whose head is outside of it."""
    span = range(mention.start, mention.end)
    return next((i for i in span if tokens[i].head not in span), mention.start)


def below(tokens: Sequence[GumToken], top: int, mention: Mention) -> set[int]:
    """`top` and the words of the mention that depend on it, directly or not."""
    inside, size = {top}, 0
    while len(inside) > size:
        size = len(inside)
        inside.update(i for i in range(mention.start, mention.end) if tokens[i].head in inside)
    return inside


def names_of(tokens: Sequence[GumToken], lexicon: Lexicon) -> list[Span]:
    """(start, end, PER LOC ORG or MISC) of the names of a sentence, half-open, none overlapping."""
    sentence = _Sentence(tokens, lexicon)
    named = [name for mention in sentence.mentions if (name := sentence.name_of(mention))]
    named = [name for name in named if not sentence.is_citation(name, named)]
    # Longest names first, of equal ones those of longer mentions.
    named.sort(
        key=lambda name: (name.start - name.end, name.mention.start - name.mention.end, name.start)
    )
    names = apart(name[:3] for name in named)
    taken = {i for start, end, _ in names for i in range(start, end)}
    names += sentence.peoples(taken)
    names += sentence.modifiers(taken)
    return sorted(names)


class _Sentence:
    def __init__(self, tokens: Sequence[GumToken], lexicon: Lexicon) -> None:
        self.tokens = tokens
        self.lexicon = lexicon
        self.mentions = mentions_of(tokens)

    def name_of(self, mention: Mention) -> Name | None:
        """The name in a mention, or None when its head is no proper noun or it is only a title."""
        tokens = self.tokens
        if mention.kind not in LABELS:
            return None
        top = head = head_of(tokens, mention)
        if not tokens[top].is_name:  # "magician Ada Byron": the name hangs flat on a common noun
            flat = [
                i
                for i in range(mention.start, mention.end)
                if tokens[i].head == top and tokens[i].relation == "flat" and tokens[i].is_name
            ]
            if not flat:
                return None
            head = flat[0]
        start, end = head, head + 1
        while (further := self._further_left(mention, start)) != start:
            start = further
        inside = below(tokens, top, mention)
        while (further := self._further_right(mention, head, inside, end)) != end:
            end = further
        name = self._typed(Name(start, end, LABELS[mention.kind], mention))
        return name if name and not self._is_description(name) else None

    def _further_left(self, mention: Mention, start: int) -> int:
        tokens = self.tokens

        def belongs(i: int) -> bool:
            token = tokens[i]
            if i < mention.start or not token.is_name:
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
            if link.xpos == "POS" and owner.is_name and owner.lower in mention.article_words:
                return start - 2
        return start

    def _further_right(self, mention: Mention, head: int, inside: Collection[int], end: int) -> int:
        """An end of the name further right by one step, or `end` itself.

        head: the proper noun that the name starts from; inside: the words below the mention's head.
        """
        tokens, last = self.tokens, mention.end
        if end >= last:
            return end
        token, second = tokens[end], end + 1
        other_thing = token.relation in ("conj", "appos", "nmod:unmarked")
        if token.is_name and end in inside and not other_thing:
            return end + 1
        if second < last and tokens[second].is_name:
            if token.xpos == "HYPH":
                return end + 2
            if token.form in ("&", "and"):
                starts_person = any(
                    other.start == second and other.kind == "person" for other in self.mentions
                )
                in_article = tokens[second].lower in mention.article_words
                if in_article or (head < end - 1 and not starts_person):
                    end += 2  # a second part of several words: "Chapel and Music Hall"
                    while (
                        end < last
                        and tokens[end].is_name
                        and tokens[end - 1].relation == "compound"
                    ):
                        end += 1
                    return end
        if token.xpos == "CD" and mention.kind != "person":
            counted = mention.kind in ("object", "abstract", "event")
            is_number = token.form.isdecimal() and len(token.form) != 4  # four digits are a year
            if token.lower in mention.article_words or (counted and is_number):
                return end + 1
        return self._over_small_words(mention, head, inside, end)

    def _over_small_words(
        self, mention: Mention, head: int, inside: Collection[int], end: int
    ) -> int:
        """A further end over up to three small words: "University of the West"; else `end`."""
        tokens, kind, last = self.tokens, mention.kind, end
        while last < min(mention.end, end + 3) and tokens[last].lower in _CONNECTORS:
            last += 1
        if last in (end, mention.end) or last not in inside or not tokens[last].is_name:
            return end
        first = tokens[end].form
        allowed = tokens[last].lower in mention.article_words
        if first == "of" and kind in ("organization", "place", "event", "object", "abstract"):
            other_name = any(
                other.kind in ("place", "person") and head < other.start <= last < other.end
                for other in self.mentions
            )
            allowed |= not other_name or tokens[head].lower in _OF_HEADS
        allowed |= first == "for" and kind == "organization"
        return last + 1 if allowed else end

    def _typed(self, name: Name) -> Name | None:
        """`name` with its final label, persons without titles; None when only a title is left."""
        start, end, label, mention = name
        text = " ".join(token.form for token in self.tokens[start:end])
        if label == "PER":
            return name._replace(label="MISC") if self._is_group(name) else self._untitled(name)
        linked = mention.article.lower() == text.lower() and hashed(text) in self.lexicon.places
        if label == "ORG" and (linked or text == _UNITED_STATES):
            return name._replace(label="LOC")
        return name

    def _is_group(self, name: Name) -> bool:
        """Whether a person is a people: "the Olmec", "Leedsers", "North Americans"."""
        start, end, _, mention = name
        plural = self.tokens[end - 1].xpos == "NNPS"
        is_people = self.lexicon.is_people(self.tokens[end - 1].form)
        if end - start > 1:
            return plural and is_people
        article = start == mention.start + 1 and self.tokens[mention.start].lower == "the"
        return plural or is_people or (article and end == mention.end)

    def _untitled(self, name: Name) -> Name | None:
        start, end, _, mention = name
        is_title = [token.lower in _TITLES for token in self.tokens]
        head = head_of(self.tokens, mention)
        if head == end - 1 and is_title[head]:
            return None
        while start < end and is_title[start]:
            start += 1
        while start < end and is_title[end - 1]:
            end -= 1
        if start == end:
            return None
        if end < mention.end and self.tokens[end].form in ("II", "III"):
            end += 1
        return name._replace(start=start, end=end)

    def _is_description(self, name: Name) -> bool:
        """Whether a thing is only numbered, pointed at or called by its office: "Figure 2"."""
        if name.label == "PER":
            return False
        words = [token.form for token in self.tokens[name.start : name.end]]
        first, one = words[0].lower(), len(words) == 1
        if first in _NOT_NAMES and (one or (len(words) == 2 and not words[1][0].isalpha())):
            return True
        if one and first in _TITLES:
            return True
        if name.label != "MISC":
            return False
        unlinked = name.mention.kind == "abstract" and not name.mention.article
        text = " ".join(words)
        return text == text.lower() or (one and unlinked and first in self.lexicon.common)

    def is_citation(self, name: Name, names: Sequence[Name]) -> bool:
        """Whether a thing is a publication called by its author: "Byron 1850"."""
        start, end, kind, _ = name.mention
        return (
            kind in ("abstract", "object")
            and any(re.match(r"\d{4}", token.form) for token in self.tokens[start:end])
            and any(
                other.label == "PER"
                and other.start == name.start
                and start <= other.mention.start
                and other.mention.end <= end
                for other in names
            )
        )

    def peoples(self, taken: set[int]) -> list[Span]:
        """Words of peoples: "South African", "Anglo - American"; they are added to `taken`."""
        tokens = self.tokens
        hyphens = [token.xpos == "HYPH" for token in tokens] + [False]
        is_people = self.lexicon.is_people
        peoples: list[Span] = []
        for i, token in enumerate(tokens):
            if i in taken or not is_people(token.form):
                continue
            start, end = i, i + 1
            while start and start - 1 not in taken and tokens[start - 1].form in _PEOPLE_PREFIXES:
                start -= 1
            if start > 1 and hyphens[start - 1] and tokens[start - 2].form in _PEOPLE_PREFIXES:
                start -= 2
            while hyphens[end] and end + 1 < len(tokens) and is_people(tokens[end + 1].form):
                end += 2
            taken.update(range(start, end))
            peoples.append((start, end, "MISC"))
        return peoples

    def modifiers(self, taken: Collection[int]) -> list[Span]:
        """Proper nouns that are no mention of their own: "a Kwa language", "the isle of Foo"."""
        tokens = self.tokens
        free_names = [token.is_name and i not in taken for i, token in enumerate(tokens)]
        names: list[Span] = []
        i = 0
        while i < len(tokens):
            start = i
            while i < len(tokens) and i not in taken:
                joins = i > start and tokens[i].xpos == "HYPH" and any(free_names[i + 1 : i + 2])
                if not tokens[i].is_name and not joins:
                    break
                i += 1
            label = self._modifier_label(start, i) if i > start else None
            if label:
                names.append((start, i, label))
            i = max(i, start + 1)
        return names

    def _modifier_label(self, start: int, end: int) -> str | None:
        """The label of a run of proper nouns by the innermost mention around it, if it has one."""
        tokens = self.tokens
        text = " ".join(token.form for token in tokens[start:end])
        words = [token.lower for token in tokens[start:end] if token.form[0].isalnum()]
        if text == _UNITED_STATES:
            return "LOC"
        if not words or len(text) < 2 or words[0] in _NOT_NAMES | _TITLES:
            return None
        around = [m for m in self.mentions if m.start <= start and end <= m.end]
        if text.lower() in self.lexicon.common or not around:
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
        return "MISC" if tokens[head].lower == "language" else None
