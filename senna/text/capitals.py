"""Truecasing hints: sentences whose capitals carry no information.

In text of one case every word is seen without capitals; where every word has one, as in headlines,
a first capital is a kind of its own. Such words carry a mark in front, so that two sentences may
have the same form in two ways; `senna.text.vocabulary.Spelling` reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

# Noncharacters of Unicode, which no text has.
CASELESS, TITLED = "\ufdd0", "\ufdd1"
MARKS = (CASELESS, TITLED)

FEWEST = 6  # letters of a sentence in capitals: `NASA` alone is a name as others are
N_TITLED = 3  # words with a capital in a headline
# Words that headlines may write small.
SMALL = frozenset(
    "a an and as at but by for from in into nor of off on onto or over per so than the to up upon"
    " via vs with yet n't".split()
)


def as_read(forms: Sequence[str]) -> Sequence[str]:
    """The forms of a sentence, each with a mark before it if case carries no information."""
    kind = kind_of(forms)
    return [kind + form for form in forms] if kind else forms


def kind_of(forms: Sequence[str]) -> str:
    """CASELESS, TITLED, or "" if capitals carry information.

    A sentence without capitals (except in *I*, not as the first word) or all in capitals is
    CASELESS. It is TITLED if every word has a capital, except words that headlines write small.

    >>> kind_of(["i", "met", "anna"]) == CASELESS
    True
    >>> kind_of(["Anna", "Went", "to", "Rome"]) == TITLED
    True
    """
    capitals = 0
    for form in forms:
        first = form[:1]
        if first.islower():
            if form not in SMALL:
                return "" if capitals else _one_case(forms)
        elif first.isupper():
            capitals += 1
    if capitals < N_TITLED or "".join(forms).isupper():
        return _one_case(forms)
    return TITLED


def _one_case(forms: Sequence[str]) -> str:
    text = "".join(forms)
    if text.isupper():
        return CASELESS if sum(map(str.isalpha, text)) >= FEWEST else ""
    if text.islower():
        return CASELESS
    small = "".join([form for form in forms if form != "I"])
    first = next((form for form in forms if form.lower() != form.upper()), "I")  # has two cases
    return CASELESS if small.islower() and first[0].islower() else ""


def without_capitals(forms: Sequence[str]) -> list[str]:
    """The forms of a sentence, marked as CASELESS."""
    return [CASELESS + form for form in forms]


def in_titles(forms: Sequence[str]) -> list[str]:
    """A sentence with a capital for each word, its other letters as they are."""
    return [form[:1].upper() + form[1:] for form in forms]


def in_headlines(forms: Sequence[str]) -> list[str]:
    """The same, but words of `SMALL` stay as they are after the first word."""
    cased = enumerate(zip(forms, in_titles(forms), strict=True))
    return [old if i and old in SMALL else new for i, (old, new) in cased]


CASES: dict[str, Callable[[Sequence[str]], list[str]]] = {
    "upper": lambda forms: [form.upper() for form in forms],
    "lower": lambda forms: [form.lower() for form in forms],
    "title": in_headlines,
}
