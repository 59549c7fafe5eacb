"""GUM's entity layer: the mentions that stand in the MISC column of its CoNLL-U files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from senna.corpora.sources.ud import conllu_rows

_BRACKET = re.compile(r"\(([^()]+)\)|\(([^()]+)|([^()]+)\)")
_IDENTITY = 7  # position in id-type-status-salience-centering-minspan-coreference-identity


class GumToken(NamedTuple):
    """One word of a sentence."""

    form: str
    xpos: str
    head: int  # position in the sentence, counted from 0; -1: the root
    relation: str
    entity: str  # brackets of the mentions that open and close here, or ""


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


def read_gum_documents(text: str) -> Iterator[tuple[str, list[list[GumToken]]]]:
    """(id, sentences) of each document of a CoNLL-U file; the same words as in `pos/gum`."""
    for name, sentences in conllu_rows(text):
        yield name, [[_token(fields) for fields in sentence] for sentence in sentences]


def _token(fields: Sequence[str]) -> GumToken:
    _, form, _, _, xpos, _, head, relation, _, misc = fields
    entity = [item.removeprefix("Entity=") for item in misc.split("|") if item[:7] == "Entity="]
    return GumToken(form, xpos, int(head) - 1, relation, entity[0] if entity else "")


def mentions_of(tokens: Sequence[GumToken]) -> list[Mention]:
    """The mentions of one sentence, in the order in which they end.

    `(4-person-...` opens mention 4, `4)` closes it and `(4-person-...)` is one of a single word.
    A bracket without its counterpart in the sentence is passed over.
    """
    mentions: list[Mention] = []
    still_open: list[tuple[int, list[str]]] = []
    for i, token in enumerate(tokens):
        for single, opening, closing in _BRACKET.findall(token.entity):
            if single:
                mentions.append(_mention(i, i + 1, single.split("-", _IDENTITY)))
            elif opening:
                still_open.append((i, opening.split("-", _IDENTITY)))
            else:
                known = [k for k, (_, fields) in enumerate(still_open) if fields[0] == closing]
                if known:
                    start, fields = still_open.pop(known[-1])
                    mentions.append(_mention(start, i + 1, fields))
    return mentions


def _mention(start: int, end: int, fields: list[str]) -> Mention:
    identity = fields[_IDENTITY] if len(fields) > _IDENTITY else ""
    return Mention(start, end, fields[1], unquote(identity).replace("_", " "))


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
