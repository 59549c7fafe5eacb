"""Predicates and their roles, as answers and as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from senna.annotation import schemes
from senna.annotation.schemes import Phrase

VERB = "V"
NO_PREDICATE = "-"  # where a word is no predicate


class Predicate(NamedTuple):
    """A predicate: its token, from 0, and the roles of all tokens, IOBES; S-V at its own."""

    position: int
    tags: list[str]

    @property
    def arguments(self) -> list[Phrase]:
        """Its arguments in order, V left out; C-X is a piece of the X before it."""
        phrases = schemes.phrases_of(self.tags, "iobes")
        return [phrase for phrase in phrases if phrase.label != VERB]


# --------------------------------------------------------------------------- columns


def regular(position: int, tags: list[str]) -> Predicate:
    """The predicate of a network's tags, which may break the rules: V stands at its place alone."""
    verb = "S-" + VERB
    if tags[position] == verb and tags.count(verb) == 1 and _is_valid(tags):
        return Predicate(position, tags)
    others = [tag if i != position and tag[2:] != VERB else "O" for i, tag in enumerate(tags)]
    phrases = schemes.phrases_of(others, "iobes")
    verbs = [Phrase(position, position + 1, VERB)]
    return Predicate(position, schemes.tags_of([*phrases, *verbs], len(tags), "iobes"))


def _is_valid(tags: Sequence[str]) -> bool:
    """Whether every phrase begins with B or S and ends with E or S."""
    open_label = ""
    for tag in tags:
        prefix, label = tag[0], tag[2:]
        if (prefix in "IE") != bool(open_label) or (open_label and label != open_label):
            return False
        open_label = label if prefix in "BI" else ""
    return not open_label


def predicate_column(forms: Sequence[str], predicates: Sequence[Predicate]) -> list[str]:
    """The word where it is a predicate, else a hyphen."""
    cells = [NO_PREDICATE] * len(forms)
    for predicate in predicates:
        # A hyphen that is a predicate must not look like none.
        form = forms[predicate.position]
        cells[predicate.position] = form if form != NO_PREDICATE else "--"
    return cells


# --------------------------------------------------------------------------- predicates by tags

_BE = frozenset("be am is are was were been being 's 're 'm ’s ’re ’m s re m r ai".split())
_HAVE = frozenset("have has had having 've 'd ’ve ’d ve d".split())
_DO = frozenset("do does did".split())
_TO_FOLLOWS = frozenset("have has had having 've ’ve going gon used".split())
_BETWEEN = ("RB", "RBR", "RBS", "PRP", "EX")  # what may stand between an auxiliary and its verb


def verbal(forms: Sequence[str], pos: Sequence[str]) -> list[int]:
    """The predicates by parts of speech alone: tags VB*, without *be* and auxiliaries.

    Left out are all forms of *be*; *have* before a participle (VBN) and *do* before a base form
    (VB), where only adverbs and pronouns stand between; and *have*, *going*, *used* before *to* and
    a base form.
    """
    places = []
    for i, (form, tag) in enumerate(zip(forms, pos, strict=True)):
        word = form.lower()
        if tag.startswith("VB") and word not in _BE and not _is_auxiliary(word, pos, i):
            places.append(i)
    return places


def _is_auxiliary(word: str, pos: Sequence[str], i: int) -> bool:
    n = len(pos)
    k = i + 1
    while k < n and pos[k] in _BETWEEN:
        k += 1
    if word in _HAVE and k < n and pos[k] == "VBN":
        return True
    if word in _DO and k < n and pos[k] == "VB":
        return True
    return word in _TO_FOLLOWS and k + 1 < n and pos[k] == "TO" and pos[k + 1] == "VB"
