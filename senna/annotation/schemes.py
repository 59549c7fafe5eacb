"""Tag schemes: phrases written as one tag per token, and read back.

Seven schemes, named as in `SCHEMES`. ``O`` (``*`` in brackets) is a token outside all phrases.

======== ==================================================================================
iob1     I inside; B only on the first token of a phrase right after one of the same type
iob2     B on the first token of every phrase, I on the others
ioe1     I inside; E only on the last token of a phrase right before one of the same type
ioe2     E on the last token of every phrase, I on the others
iobes    S for a phrase of one token, else B on the first token, E on the last, I between
bilou    iobes with U for S, and L for E
bracket  ``(NP*`` opens, ``*)`` closes, ``(NP*)`` is a phrase of one token, ``*`` any other
======== ==================================================================================

A tag is a prefix and a type, split at the first hyphen: the type may hold hyphens (``B-NP-SBJ``).

Taggings that break the rules of their scheme, as a network's unconstrained output does, are read
by one rule for all schemes but brackets. A token opens a phrase when its prefix is B or S, or when
no phrase of its type is open before it; E and S close the phrase they stand in; O and another type
close what is open. So ``O I-X`` opens, ``E-X`` alone is a phrase of one token, ``B-X B-X`` are two
and ``B-X O`` is one. This is conlleval's reading except where that has no rule of its own for S
and for B after E. Prefixes that a scheme does not have are refused, as are unbalanced brackets.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from senna.errors import SennaError, counted

SCHEMES = ("iob1", "iob2", "ioe1", "ioe2", "iobes", "bilou", "bracket")
# Of the brackets of trees: the label of one that is no constituent; what joins several labels.
NO_LABEL, LINK = "O", "+"

_PREFIXES = {
    "iob1": ("B-", "I-"),
    "iob2": ("B-", "I-"),
    "ioe1": ("I-", "E-"),
    "ioe2": ("I-", "E-"),
    "iobes": ("B-", "I-", "E-", "S-"),
    "bilou": ("B-", "I-", "L-", "U-"),
}

# Prefixes that begin and end phrases wherever they stand.
BEGINS, ENDS = frozenset(("B-", "S-", "U-")), frozenset(("E-", "S-", "L-", "U-"))

BRACKET_LABEL = re.compile(r"[^()*]+")
_CELL = re.compile(rf"(?:\(({BRACKET_LABEL.pattern}))?\*(\)?)")  # what it opens and closes


class Phrase(NamedTuple):
    """Tokens `start` to `end` (not included) form a phrase of type `label`."""

    start: int
    end: int
    label: str


class TagError(SennaError):
    """A tag that does not fit its column; `position` is its token, from 0."""

    def __init__(self, what: str, position: int, remedy: str) -> None:
        super().__init__(what, remedy=remedy)
        self.position = position


def phrases_of(tags: Sequence[str], scheme: str) -> list[Phrase]:
    """The phrases of one sentence's tags, from left to right; see the module for the rules.

    Raises SennaError for an unknown scheme, and TagError for a tag that the scheme does not have
    and brackets that are nested or unbalanced.
    """
    _check_scheme(scheme)
    if scheme == "bracket":
        return _bracket_phrases(tags)
    prefixes = _PREFIXES[scheme]
    phrases: list[Phrase] = []
    start = -1  # of the open phrase; -1: none is open
    label = ""
    for position, tag in enumerate(tags):
        if tag == "O":
            if start >= 0:
                phrases.append(Phrase(start, position, label))
                start = -1
            continue
        prefix = tag[:2]
        kind = tag[2:]
        if prefix not in prefixes or not kind:
            raise _unknown(tag, scheme, position)
        if start >= 0 and (kind != label or prefix in BEGINS):
            phrases.append(Phrase(start, position, label))
            start = -1
        if start < 0:
            start = position
            label = kind
        if prefix in ENDS:
            phrases.append(Phrase(start, position + 1, label))
            start = -1
    if start >= 0:
        phrases.append(Phrase(start, len(tags), label))
    return phrases


def tags_of(phrases: Iterable[Phrase], n: int, scheme: str) -> list[str]:
    """The `n` tags of a sentence with these phrases, given in any order.

    Raises SennaError when phrases overlap, are empty, have no type or lie outside 0 to `n`.
    """
    _check_scheme(scheme)
    tags = ["*" if scheme == "bracket" else "O"] * n
    end_before, label_before = 0, ""
    for start, end, label in sorted(phrases):
        if not end_before <= start < end <= n or not label:
            what = f"phrase {start}-{end}:{label} does not fit a sentence of {counted(n, 'token')}"
            remedy = "Phrases need a type and at least one token, and must not overlap."
            raise SennaError(what, remedy=remedy)
        touches = start == end_before and label == label_before
        if scheme == "bracket":
            _write_brackets(tags, start, end, label)
        else:
            tags[start:end] = ["I-" + label] * (end - start)
            if scheme in ("iobes", "bilou"):
                last, single = ("E-", "S-") if scheme == "iobes" else ("L-", "U-")
                tags[end - 1] = last + label
                tags[start] = ("B-" if end - start > 1 else single) + label
            elif scheme == "iob2" or (scheme == "iob1" and touches):
                tags[start] = "B-" + label
            elif scheme == "ioe2":
                tags[end - 1] = "E-" + label
            elif scheme == "ioe1" and touches:
                tags[start - 1] = "E-" + label  # the end of the phrase before
        end_before, label_before = end, label
    return tags


def convert(tags: Sequence[str], source: str, target: str) -> list[str]:
    """The same phrases in another scheme; with `source` equal to `target`, their regular form."""
    return tags_of(phrases_of(tags, source), len(tags), target)


def all_tags(kinds: Iterable[str]) -> list[str]:
    """O, and the four tags of each kind of phrase."""
    return ["O", *(f"{prefix}-{kind}" for kind in kinds for prefix in "BIES")]


def _bracket_phrases(tags: Sequence[str]) -> list[Phrase]:
    phrases: list[Phrase] = []
    start, label = -1, ""
    for position, tag in enumerate(tags):
        if tag == "*":
            continue
        cell = _CELL.fullmatch(tag)
        if cell is None:
            raise _unknown(tag, "bracket", position)
        opened, closed = cell.groups()
        if opened and start >= 0:
            raise _unbalanced(tag, "opens a phrase within another", position)
        if opened:
            start, label = position, opened
        elif start < 0:
            raise _unbalanced(tag, "closes no phrase", position)
        if closed:
            phrases.append(Phrase(start, position + 1, label))
            start = -1
    if start >= 0:
        raise _unbalanced(tags[start], "is never closed", start)
    return phrases


def _write_brackets(tags: list[str], start: int, end: int, label: str) -> None:
    if not BRACKET_LABEL.fullmatch(label):
        remedy = "Rename it without ( ) and *, or choose another scheme."
        raise SennaError(f'type "{label}" cannot be written in brackets', remedy=remedy)
    if end - start == 1:
        tags[start] = f"({label}*)"
    else:
        tags[start] = f"({label}*"
        tags[end - 1] = "*)"


def _check_scheme(scheme: str) -> None:
    if scheme not in SCHEMES:
        raise SennaError(f'unknown tag scheme "{scheme}"', remedy=f"Known: {', '.join(SCHEMES)}.")


def _unknown(tag: str, scheme: str, position: int) -> TagError:
    forms = "(TYPE*, *, *), (TYPE*)"
    if scheme != "bracket":
        forms = "O, " + ", ".join(prefix + "TYPE" for prefix in _PREFIXES[scheme])
    what = f'tag "{tag}" (token {position + 1}) is not one of the scheme {scheme}'
    return TagError(what, position, f"Its tags are {forms}.")


def _unbalanced(tag: str, what: str, position: int) -> TagError:
    remedy = "Every (TYPE* needs one *) after it, and phrases do not nest."
    return TagError(f'tag "{tag}" (token {position + 1}) {what}', position, remedy)
