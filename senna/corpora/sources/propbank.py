"""PropBank's skeleton files: tags, trees and roles of a treebank whose words are hidden.

One word per line in columns: document, sentence, word number, `[WORD]`, part of speech, brackets of
the tree, lemma, roleset, and one column of roles per predicate, `(ARG0*`, `*`, `*)`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from senna.errors import SennaError
from senna.text.schemes import Phrase

_OPENED = re.compile(r"\(([^()*]+)")
# These are auxiliaries and no predicates of their own; none of them has a role.
_AUXILIARIES = frozenset("do.01 have.01 have.02 go.04 use.03".split())


class SkeletonRow(NamedTuple):
    """One line of a skeleton file."""

    tag: str
    brackets: str
    roleset: str  # "-" where there is none
    roles: tuple[str, ...]  # a cell for each predicate of the sentence


class PropBankPredicate(NamedTuple):
    """A predicate and its arguments, named as in CoNLL-2005."""

    position: int
    roleset: str
    kind: str  # v, be, aux, lv (light verb), n, a; "-" for other parts of speech
    roles: list[Phrase]  # in order, without overlap; V is the predicate's own word


def read_skeleton(text: str, name: str) -> list[list[SkeletonRow]]:
    """The sentences of a skeleton file; `name` is the file's, for messages."""
    sentences: list[list[SkeletonRow]] = [[]]
    for number, line in enumerate(text.split("\n"), start=1):
        cells = line.split()
        if not cells:
            sentences.append([])
        elif len(cells) < 8:
            raise SennaError(f"{len(cells)} columns, expected 8 or more", where=f"{name}:{number}")
        else:
            sentences[-1].append(SkeletonRow(cells[4], cells[5], cells[7], tuple(cells[8:])))
    return [sentence for sentence in sentences if sentence]


def predicates_of(words: Sequence[SkeletonRow], kept: Sequence[int]) -> list[PropBankPredicate]:
    """The predicates of a sentence from left to right, with positions among the words `kept`.

    A predicate that is not kept is left out, and so is a second one on the same word. Raises
    SennaError when the words differ in their number of columns.
    """
    if len({len(word.roles) for word in words}) > 1:
        raise SennaError("the words of a sentence have different numbers of columns")
    places = {old: new for new, old in enumerate(kept)}
    predicates: dict[int, PropBankPredicate] = {}
    for column in zip(*(word.roles for word in words), strict=True):
        predicate = _predicate(words, _outer_spans(column))
        if predicate and (position := places.get(predicate.position)) is not None:
            roles = _moved(predicate.roles, places)
            predicates.setdefault(position, predicate._replace(position=position, roles=roles))
    return [predicates[position] for position in sorted(predicates)]


def _outer_spans(cells: Sequence[str]) -> list[Phrase]:
    """The spans of a column of roles; those within another one are left out."""
    spans = []
    opened: list[tuple[int, str]] = []
    for position, cell in enumerate(cells):
        before, _, after = cell.partition("*")
        opened += [(position, role) for role in _OPENED.findall(before)]
        for _ in after:
            start, role = opened.pop()
            if not opened:
                spans.append(Phrase(start, position + 1, role_name(role)))
    return spans


def role_name(role: str) -> str:
    """A role as CoNLL-2005 wrote it: ARGM-TMP is AM-TMP, R-ARG0 is R-A0, ARG1-DSP is A1."""
    prefix = role[:2] if role.startswith(("C-", "R-")) else ""
    name = role[len(prefix) :]
    if name.startswith("ARGM"):
        return f"{prefix}AM{name[4:]}"
    if name.startswith("ARGA"):
        return f"{prefix}AA"
    return f"{prefix}A{name[3]}" if name.startswith("ARG") else role


def _predicate(words: Sequence[SkeletonRow], spans: Sequence[Phrase]) -> PropBankPredicate | None:
    """The predicate of a column's spans; its V is made one word, the others become C-V.

    The roleset may stand on another word: of a V of several words (a verb and its particle) on any
    of them, of a light verb on its noun, a C-V: "[V made] a [C-V remark]". None where no word can
    be recognised as the predicate.
    """
    verbs = [span for span in spans if span.label == "V"]
    if len(verbs) != 1:
        return None
    start, end, _ = verbs[0]
    bearers = [i for i in range(start, end) if words[i].roleset != "-"]
    elsewhere = not bearers
    if elsewhere:
        parts = [span for span in spans if span.label == "C-V"]
        bearers = [i for s, e, _ in parts for i in range(s, e) if words[i].roleset != "-"]
        if end - start > 1 or len(bearers) != 1:
            return None
    bearer = bearers[-1]
    verb = start if elsewhere or words[start].tag.startswith("VB") else bearer
    roles = [span for span in spans if span.label != "V"] + [Phrase(verb, verb + 1, "V")]
    if verb + 1 < end:
        roles.append(Phrase(verb + 1, end, "C-V"))
    kind = kind_of(words[bearer].roleset, words[verb].tag)
    if kind == "v" and bearer != verb and words[bearer].tag.startswith("NN"):
        kind = "lv"
    return PropBankPredicate(verb, words[bearer].roleset, kind, roles)


def kind_of(roleset: str, tag: str) -> str:
    if not tag.startswith("VB"):
        return {"N": "n", "J": "a"}.get(tag[0], "-")
    if roleset.startswith("be.0"):
        return "be"
    if roleset in _AUXILIARIES:
        return "aux"
    return "lv" if roleset.endswith(".LV") else "v"


def _moved(roles: Sequence[Phrase], places: dict[int, int]) -> list[Phrase]:
    """Roles with new positions; those without words go, and C-X is X where no X stands before."""
    moved = []
    for start, end, role in roles:
        inside = [places[position] for position in range(start, end) if position in places]
        if inside:
            moved.append(Phrase(inside[0], inside[-1] + 1, role))
    moved.sort()
    seen: set[str] = set()
    for i, span in enumerate(moved):
        if span.label.startswith("C-") and span.label[2:] not in seen:
            moved[i] = span._replace(label=span.label[2:])
        seen.add(moved[i].label)
    return moved
