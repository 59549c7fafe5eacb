"""The scheme that a column of tags is in, by its tags alone: see `senna.annotation.schemes`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from senna.annotation.schemes import BEGINS, BRACKET_LABEL, ENDS, phrases_of
from senna.errors import SennaError

_PREFIXES = BEGINS | ENDS | {"I-"}
_OPENS = re.compile(rf"\({BRACKET_LABEL.pattern}\*\)?")
_STARS = frozenset(("*", "*)"))
_SLIPS = 0.05  # of the commoner form: concatenated files of two schemes have far more


def detect(sentences: Iterable[Sequence[str]]) -> str:
    """The scheme that a column of tags is in, given as the tags of each sentence.

    L or U means bilou, an S, or E with B, iobes. Where two schemes fit, iob2 and ioe2 go before
    iob1 and ioe1, I alone is iob1, and a column of nothing but O is iob2. Slips are tolerated, up
    to 5 in 100 edges of phrases (CoNLL-2003's train part, iob1, has two); they are read alike in
    either scheme.
    Raises SennaError for tags of no scheme and for columns in which schemes are mixed.
    """
    seen: set[str] = set()
    neighbours: Counter[tuple[str, str]] = Counter()  # few keys, however long the column
    for tags in sentences:
        new = [tag for tag in tags if tag not in seen]
        if new:
            _check_family(new, seen)
            seen.update(new)
        if tags and tags[0][0] in "(*":
            phrases_of(tags, "bracket")  # refuses what is unbalanced
        else:
            neighbours.update(zip(["O", *tags], [*tags, "O"], strict=True))
    if (scheme := marked_scheme(seen)) in ("iobes", "bilou"):
        _check_one_of(seen, "ES", "LU")
    return scheme or _iob_or_ioe(neighbours, "E" if any(tag[0] == "E" for tag in seen) else "B")


def marked_scheme(tags: Collection[str]) -> str:
    """The scheme of a column's tags, as far as it follows without their order.

    An S, or E and B, means iobes; an L or U bilou; a ``(TYPE*``, or stars and nothing else,
    brackets. An empty string means IOB, IOE or tags of no scheme.
    """
    if any(map(_OPENS.fullmatch, tags)) or (tags and _STARS.issuperset(tags)):
        return "bracket"
    prefixes = {tag[:2] for tag in tags if len(tag) > 2}
    if "S-" in prefixes or {"B-", "E-"} <= prefixes:
        return "iobes"
    return "bilou" if prefixes & {"L-", "U-"} else ""


def _check_one_of(tags: Collection[str], first: str, second: str) -> None:
    """Refuse prefixes of `first` together with prefixes of `second`."""
    of_first, of_second = (sorted(tag for tag in tags if tag[0] in s) for s in (first, second))
    if of_first and of_second:
        what = f'tags "{of_first[0]}" and "{of_second[0]}" of one column are of different schemes'
        raise SennaError(what, remedy="Bring the column to one scheme.")


def _iob_or_ioe(neighbours: Counter[tuple[str, str]], mark: str) -> str:
    """Which of the two schemes with B (or E) as `mark` fits the pairs of neighbouring tags.

    At the edge of a phrase (its first token for B, its last for E) the second scheme always has the
    mark, the first one only where a phrase of the same type touches.
    """
    plain: Counter[str] = Counter()  # tags with I at an edge: not the second scheme
    marked: Counter[str] = Counter()  # with the mark where none of its type touches: not the first
    for (left, right), count in neighbours.items():
        tag, other = (right, left) if mark == "B" else (left, right)
        if tag != "O" and other[2:] != tag[2:]:
            (marked if tag[0] == mark else plain)[tag] += count
    first, second = plain.total(), marked.total()
    if min(first, second) > _SLIPS * max(first, second):
        tags = " and ".join(f'"{max(some, key=some.__getitem__)}"' for some in (plain, marked))
        remedy = f"Use {mark} at each edge (IO{mark}2), or only between phrases of a type."
        raise SennaError(
            f"tags {tags} both stand at the edges of phrases: mixed schemes", remedy=remedy
        )
    return f"io{mark.lower()}{1 if first > second else 2}"


def is_tag(tag: str) -> bool:
    """Whether a tag is of any scheme."""
    known = tag[:2] in _PREFIXES and len(tag) > 2
    return tag == "O" or known or tag[:1] in ("(", "*")


def wanted(tag: str) -> str:
    """How to mend a tag of no scheme."""
    if tag != tag.strip():
        return "There is a blank before or after the tag. Remove it."
    return "Tags are O, or B-, I-, E-, S-, L-, U- and a type, or brackets, as in (NP* *)."


def _check_family(new: Sequence[str], seen: set[str]) -> None:
    """Refuse tags of no scheme, and brackets among tags with prefixes (or the reverse)."""
    example = next(iter(sorted(seen)), new[0])
    for tag in new:
        bracket = tag[:1] in ("(", "*")
        if not is_tag(tag):
            raise SennaError(f'tag "{tag}" belongs to no known scheme', remedy=wanted(tag))
        if bracket != (example[:1] in ("(", "*")):
            what = f'tags "{example}" and "{tag}" of one column are of different schemes'
            raise SennaError(what, remedy="Bring the column to one scheme.")


def check_tags(columns: Iterable[tuple[Sequence[str], Sequence[str], str, int]]) -> None:
    """SennaError for a tag of no scheme; columns: forms, tags, file and first line of sentences."""
    known: set[str] = set()
    for number, (forms, tags, name, line) in enumerate(columns):
        if known.issuperset(tags):
            continue
        for i, tag in enumerate(tags):
            if not is_tag(tag):
                what = f'tag "{tag}" belongs to no known scheme'
                header = not number and not i and all(map(is_tag, tags[1:]))
                remedy = _mend(forms[i], tag, header)
                raise SennaError(what, where=f"{name}:{line + i}", remedy=remedy)
        known.update(tags)


def _mend(form: str, tag: str, header: bool) -> str:
    """Why the tag of a word, empty in a file of tags alone, may be none."""
    if not tag:
        return "The column is empty. Is a separator doubled?"
    if not form:
        return "Both columns are read as tags; --model tags the words of a file."
    if is_tag(form):
        return "Are word and tag the other way round? Say --columns tag,word, or word,tag."
    if header:
        return "Is it a header? Remove it."
    if tag != tag.strip():
        return wanted(tag)
    return f"{wanted(tag)} --columns word,-,tag names their column."
