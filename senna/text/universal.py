"""Rules of Universal Dependencies: features and relations by parts of speech, and by the tree.

The rules are those of the guidelines (de Marneffe et al. 2021), as the validator of the treebanks
checks them. Relations stand without their subtypes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from senna.text.conllu import ROOT_RELATION, Arc

# The parts of speech of words with some relations, and those that words with others never have.
_OF = {
    "aux": {"AUX"},
    "cop": {"AUX"},
    "det": {"DET", "PRON"},
    "nummod": {"NUM", "NOUN", "SYM"},
    "expl": {"PRON", "DET", "PART"},
    "advmod": {"ADV", "ADJ", "CCONJ", "DET", "PART", "SYM"},
    "punct": {"PUNCT"},
    "goeswith": {"X"},
}
_NEVER = {
    "case": {"PROPN", "ADJ", "PRON", "DET", "NUM", "AUX"},
    "mark": {"NOUN", "PROPN", "ADJ", "PRON", "DET", "NUM", "AUX", "INTJ"},
    "cc": {"NOUN", "PROPN", "ADJ", "PRON", "DET", "NUM", "VERB", "AUX", "INTJ"},
    "fixed": {"PROPN"},
}
# The parts of speech of words with features of some names; any word may have others (Typo=Yes).
_FEATURES = {
    **dict.fromkeys(("Mood", "Tense", "VerbForm"), frozenset({"VERB", "AUX"})),
    **dict.fromkeys(("Case", "Gender", "Poss", "Reflex"), frozenset({"PRON"})),
    **dict.fromkeys(("NumType", "NumForm"), frozenset("NUM NOUN ADJ ADV DET PROPN".split())),
    "Definite": {"DET"},
    "Degree": {"ADJ", "ADV"},
    "Number": {"NOUN", "PROPN", "PRON", "VERB", "AUX", "DET", "SYM", "NUM"},
    "Person": {"PRON", "VERB", "AUX"},
    "Polarity": {"PART", "INTJ", "CCONJ", "ADV"},
    "PronType": {"DET", "PRON", "ADV"},
    "Voice": {"VERB"},
}
# Relations of words that stand behind their head.
BEHIND = frozenset({"conj", "fixed", "flat", "goeswith", "appos"})
# Relations of function words, and those that their dependents may have.
_SOME = frozenset({"goeswith", "fixed", "reparandum", "conj", "cc", "punct"})
_MORE = _SOME | {"advmod", "obl"}
FUNCTION = {
    "aux": _SOME,
    "cop": _SOME,
    "cc": _SOME - {"cc"},
    "mark": _MORE,
    "case": _MORE,
    "det": _MORE | {"det", "case", "flat", "compound", "discourse", "parataxis"},
    "fixed": frozenset({"goeswith", "reparandum", "conj", "punct"}),
    "goeswith": frozenset[str](),
    "punct": frozenset({"punct"}),
}
# Relations of which a word has one dependent at most, but for the subject of a clause of clauses.
ONCE = (frozenset({"nsubj", "csubj"}), frozenset({"obj"}))
OUTER = ":outer"


class Change(NamedTuple):
    """That a word shall not have one of some relations to a head: none at all, if none is named."""

    word: int  # from 0
    head: int | None  # from 1; None: whatever the head is
    relations: frozenset[str] = frozenset()


def plain(relation: str) -> str:
    """A relation without its subtype; that of an outer subject as it is."""
    return relation if relation.endswith(OUTER) else relation.partition(":")[0]


def part_of(upos: str, feats: str) -> str:
    """The universal part of speech that a word, or the phrase that it begins, has for others."""
    _, named, rest = feats.partition("ExtPos=")
    return rest.partition("|")[0] if named else upos


def fits(relation: str, part: str) -> bool:
    """Whether a word may have a relation; part: its part of speech, if that is known, or ""."""
    name = plain(relation)
    if part == "PUNCT":
        return name in ("punct", ROOT_RELATION)
    return not part or (part in _OF.get(name, (part,)) and part not in _NEVER.get(name, ()))


def may_have(feats: str, part: str) -> bool:
    """Whether a word with this part of speech may have some features (`Case=Nom|Person=1`)."""
    names = (feature.partition("=")[0] for feature in feats.split("|"))
    return all(part in _FEATURES.get(name, (part,)) for name in names)


def conflict(arcs: Sequence[Arc], negations: Sequence[bool]) -> list[list[Change]]:
    """The first rule that a tree breaks: lists of changes, each of which would mend it; or none.

    negations: which words negate others; function words may have them as dependents.
    """
    names = [plain(arc.relation) for arc in arcs]
    below: list[list[int]] = [[] for _ in range(len(arcs) + 1)]
    for i, arc in enumerate(arcs):
        below[arc.head].append(i)
    for head, words in enumerate(below[1:], start=1):
        allowed = FUNCTION.get(names[head - 1]) if words else None
        if allowed is not None:
            wrong = [i for i in words if names[i] not in allowed and not negations[i]]
            if wrong:
                content = Change(head - 1, None, frozenset(FUNCTION))
                return [[Change(i, head) for i in wrong], [content]]
        for once in ONCE if len(words) > 1 else ():
            same = [i for i in words if names[i] in once]
            if len(same) > 1:
                return [[Change(i, head, once)] for i in same]
    return []
