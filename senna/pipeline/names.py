"""Rules for names, after the model: suffixes and degrees of persons, firms with "&".

* "Davis, Jr." and "Lee III" are one person.
* A degree after a person and a comma ("Ann Lee, MD,") is no name, and no part of one.
* Two names of one word each that "&" joins are one organisation if they are the same, if the model
  sees an organisation in one of them, or if the words around say so ("at Smith & Wesson"), but
  "Tom & Ann left" has two persons.
"""

from __future__ import annotations

from collections.abc import Sequence

from senna.paths.confidence import rewritten
from senna.text.schemes import Phrase, phrases_of

SUFFIXES = frozenset("Jr. Jr Sr. Sr II III IV".split())
DEGREES = frozenset(
    "MD M.D. PhD Ph.D. Ph.D DDS D.D.S. RN R.N. Esq. Esq CPA MBA M.B.A. JD J.D. DVM D.O. MPH".split()
)
AND = "&"
SIGNS = SUFFIXES | DEGREES | {AND}
PERSON, FIRM = "PER", "ORG"
# Words before a firm and after it.
BEFORE = frozenset("at for from of by with the joined left sued bought".split())
AFTER = frozenset("'s Inc. Inc Co. Co Ltd. Ltd Corp. Corp LLC LLP".split())


def amended(forms: Sequence[str], tags: list[str]) -> list[str]:
    """The tags of a sentence, IOBES, with names as these rules have them."""
    if SIGNS.isdisjoint(forms):
        return tags
    names = phrases_of(tags, "iobes")
    new = _with_suffixes(forms, names)
    new = _firms(forms, new)
    if new == names:
        return tags
    kept = set(names)
    return rewritten(tags, {name: None if name in kept else 1.0 for name in new})


def _with_suffixes(forms: Sequence[str], names: Sequence[Phrase]) -> list[Phrase]:
    """The names, persons with the suffix that follows, without degrees that are names."""
    new: list[Phrase] = []
    for name in names:
        start, end, label = name
        person = new[-1] if new and new[-1].label == PERSON else None
        if person is not None and start < person.end:  # the suffix of the person before
            continue
        comma = person is not None and start == person.end + 1 and forms[person.end] == ","
        if comma and end == start + 1 and forms[start] in DEGREES:
            continue
        if label == PERSON:
            after = end + (end < len(forms) and forms[end] == ",")
            if after < len(forms) and forms[after] in SUFFIXES:
                name = Phrase(start, after + 1, label)
        new.append(name)
    return new


def _firms(forms: Sequence[str], names: Sequence[Phrase]) -> list[Phrase]:
    """The names, two of one word each that "&" joins as one organisation where words say so."""
    new: list[Phrase] = []
    for name in names:
        start, end, label = name
        first = new[-1] if new else None
        if (
            first is not None
            and first.end == start - 1
            and forms[first.end] == AND
            and (first.end - first.start, end - start) == (1, 1)
            and (
                forms[first.start] == forms[start]
                or FIRM in (first.label, label)
                or (first.start > 0 and forms[first.start - 1].lower() in BEFORE)
                or (end < len(forms) and forms[end] in AFTER)
            )
        ):
            new[-1] = Phrase(first.start, end, FIRM)
        else:
            new.append(name)
    return new
