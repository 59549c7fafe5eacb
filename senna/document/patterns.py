"""Patterns of words and tags, such as ``<ner=PER> <pos=VBD> *``, and where they are in a sentence.

A pattern is a row of items; docs/api.md says what they are. Its matches are found in two passes
over the sentence: from the right, which items can be matched from which token on; from the left, a
walk that each time takes what is preferred among what can be finished. Nothing is tried twice, so
time is in proportion to tokens times items, whatever the pattern.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple, Protocol

from senna.errors import SennaError
from senna.outputs import output_of
from senna.tasks import TASKS, in_task_order
from senna.text.schemes import Phrase

OF_TOKENS = ("tags", "lemmas")  # outputs that give each token a value
MOST_FRAMES = 2  # to which a pattern may bind roles
GAP = "gap"  # how often the item `*` is there
MEND = "Items are words, <key=value> and *, as in <ner=PER> <pos=VB*> *"

_QUOTED = r'"[^"]*"'
_ITEM = re.compile(
    rf'\s*(?:<(?P<conditions>(?:{_QUOTED}|[^<>"])*)>(?P<times>[?+*]?)'
    rf'|(?P<word>{_QUOTED}|[^\s<>"]+))(?=[\s<]|\Z)'
)
_CONDITION = re.compile(rf'\s*(\w+)(!?[=~])((?:{_QUOTED}|[^\s"])+)(?:\s+@(\w+))?(?=\s|\Z)')
_VALUE = re.compile(rf'(?:({_QUOTED})|([^|"*]*)(\*?))(?:\||\Z)')


class Sentence(Protocol):
    """What patterns ask of a sentence."""

    @property
    def words(self) -> Sequence[str]: ...
    def answer_of(self, task: str, *outputs: str) -> Any: ...


class Condition(NamedTuple):
    """What is asked of a token or phrase: one of `values`, or one that begins as `stems` do.

    Or, in their place, one that matches a regular expression as a whole.
    """

    key: str  # a task; "text", a token as typed; "word", in small letters
    values: frozenset[str]
    stems: tuple[str, ...]
    wanted: bool  # False: none of these
    regex: re.Pattern[str] | None = None
    frame: str = ""  # its predicate is that of the other conditions with this name
    predicate: int | None = None  # while a pattern is matched: the only one whose roles it takes

    def __call__(self, value: str) -> bool:
        if self.regex is not None:
            return (self.regex.fullmatch(value) is not None) == self.wanted
        return (value in self.values or value.startswith(self.stems)) == self.wanted

    @property
    def of_phrases(self) -> bool:
        """Whether it takes a whole phrase, and not a token, as "O" alone does."""
        return output_of_phrases(self.key) and not (
            self.wanted and self.values == {"O"} and not self.stems
        )

    def phrases(self, sentence: Sentence) -> dict[int, list[Phrase]]:
        """The phrases, roles or constituents that it takes by first token, longest first."""
        answer = sentence.answer_of(self.key, "phrases", "roles", "trees")
        starting: dict[int, list[Phrase]] = {}
        phrases = {
            span.phrase
            for span in output_of(self.key).spans(answer)
            if self.predicate in (None, span.predicate)
        }
        for phrase in sorted(phrases, key=lambda phrase: (phrase.start, -phrase.end)):
            if self(phrase.label):
                starting.setdefault(phrase.start, []).append(phrase)
        return starting

    def tokens(self, sentence: Sentence) -> list[bool]:
        """Which tokens it takes."""
        if self.key not in TASKS:
            return [self(word.lower() if self.key == "word" else word) for word in sentence.words]
        if not output_of_phrases(self.key):
            return [self(tag) for tag in sentence.answer_of(self.key, *OF_TOKENS)]
        answer = sentence.answer_of(self.key, "phrases", "roles", "trees")
        spans = [span.phrase for span in output_of(self.key).spans(answer)]
        inside = {i for phrase in spans for i in range(phrase.start, phrase.end)}
        return [i not in inside for i in range(len(sentence.words))]


class Item(NamedTuple):
    """One item: what it asks, and how often it is there: "" once, as ?, + and * say, or `GAP`."""

    conditions: tuple[Condition, ...]
    times: str = ""

    def taken(self, sentence: Sentence) -> dict[int, Phrase]:
        """What it takes once, by the first token: a token, or a phrase with its label."""
        n = len(sentence.words)
        whole = [one.phrases(sentence) for one in self.conditions if one.of_phrases]
        fits = [True] * n
        for one in self.conditions:
            if not one.of_phrases:
                fits = [a and b for a, b in zip(fits, one.tokens(sentence), strict=True)]
        if not whole:
            return {i: Phrase(i, i + 1, "") for i in range(n) if fits[i]}
        first, *others = whole
        taken: dict[int, Phrase] = {}
        for start, phrases in first.items():
            for phrase in phrases:  # the longest that fits
                ends = ({other.end for other in some.get(start, ())} for some in others)
                if any(fits[start : phrase.end]) and all(phrase.end in some for some in ends):
                    taken.setdefault(start, phrase)
        return taken


class Pattern(NamedTuple):
    """A pattern that has been read."""

    items: tuple[Item, ...]

    @classmethod
    def of(cls, text: str) -> Pattern:
        """Read a pattern; SennaError where it is none."""
        items, place = [], 0
        while text[place:].strip():
            item = _ITEM.match(text, place)
            if item is None:
                raise SennaError(
                    f"not an item of a pattern: {text[place:].strip()[:40]!r}", mend=MEND
                )
            place = item.end()
            word = item["word"]
            if word is None:
                items.append(Item(_conditions(item["conditions"]), item["times"]))
            elif word == "*":
                items.append(Item((), GAP))
            else:
                one = Condition("word", frozenset([_bare(word).lower()]), (), True)
                items.append(Item((one,)))
        if not items:
            raise SennaError("the pattern has no items", mend=MEND)
        return cls(tuple(items))

    @property
    def tasks(self) -> list[str]:
        """The tasks that it asks for."""
        return in_task_order(one.key for one in self.conditions if one.key in TASKS)

    @property
    def conditions(self) -> list[Condition]:
        """All its conditions."""
        return [one for item in self.items for one in item.conditions]

    def check(self, labels: Mapping[str, Collection[str]]) -> None:
        """SennaError for a value that is none of the labels of its task, where these are known."""
        for one in self.conditions:
            known = labels.get(one.key, ())
            wrong = [value for value in one.values if value not in known and value != "O"]
            wrong += [f"{s}*" for s in one.stems if not any(v.startswith(s) for v in known)]
            if known and wrong:
                mend = f"Known: {', '.join(sorted(known))}."
                raise SennaError(f"{one.key} is never {wrong[0]!r}", where="pattern", mend=mend)

    def matches(self, sentence: Sentence) -> list[list[Phrase | None]]:
        """What each item takes, None for nothing, in each match in a sentence.

        Matches come from left to right: the first first, none overlapping. A pattern that binds
        roles to frames is matched for each choice of these frames.
        """
        frames = sorted({one.frame for one in self.conditions if one.frame})
        if not frames:
            return self._matches(sentence)
        if len(frames) > MOST_FRAMES:
            raise SennaError(f"{len(frames)} frames in a pattern", mend=f"At most {MOST_FRAMES}.")
        key = next(one.key for one in self.conditions if one.frame)
        spans = output_of(key).spans(sentence.answer_of(key, "roles"))
        places = sorted({span.predicate for span in spans if span.predicate is not None})
        found: list[list[Phrase | None]] = []
        for chosen in permutations(places, len(frames)):
            bound = self._bound(dict(zip(frames, chosen, strict=True)))
            found += [match for match in bound._matches(sentence) if match not in found]
        return found

    def _bound(self, places: Mapping[str, int]) -> Pattern:
        """The same with the predicates of its frames."""
        return Pattern(
            tuple(
                item._replace(
                    conditions=tuple(
                        one._replace(predicate=places.get(one.frame)) for one in item.conditions
                    )
                )
                for item in self.items
            )
        )

    def _matches(self, sentence: Sentence) -> list[list[Phrase | None]]:
        matches = []
        search = _Search(self, sentence)
        place = 0
        while place < search.n:
            parts = search.walk(place) if search.open[0][place] else []
            taken = [part for part in parts if part is not None]
            if taken:
                matches.append(parts)
            place = taken[-1].end if taken else place + 1
        return matches


class _Search:
    """What a pattern can take in a sentence.

    Of item k: `taken[k]` is what it takes once; `open[k][i]` says whether it and those after it can
    be matched from token i on; `going[k][i]` the same where it may be repeated, and may also end.
    """

    def __init__(self, pattern: Pattern, sentence: Sentence) -> None:
        self.items, self.n = pattern.items, len(sentence.words)
        self.taken = [item.taken(sentence) if item.conditions else {} for item in self.items]
        for k, item in enumerate(self.items):
            if not item.conditions:
                self.taken[k] = {i: Phrase(i, i + 1, "") for i in range(self.n)}
        last = [True] * (self.n + 1)
        self.open = [last]
        self.going: list[list[bool]] = []
        for item, taken in zip(reversed(self.items), reversed(self.taken), strict=True):
            self._before(item, taken)

    def _before(self, item: Item, taken: dict[int, Phrase]) -> None:
        """Go on to the left: from what holds of the items after this one to what holds with it."""
        after = self.open[0]
        going = list(after)
        for i in range(self.n - 1, -1, -1):
            going[i] = after[i] or (i in taken and going[taken[i].end])
        goal = going if item.times in ("+", "*", GAP) else after
        can = [i in taken and goal[taken[i].end] for i in range(self.n + 1)]
        if item.times in ("?", "*", GAP):
            can = [a or b for a, b in zip(can, after, strict=True)]
        self.going.insert(0, going)
        self.open.insert(0, can)

    def walk(self, place: int) -> list[Phrase | None]:
        """What each item takes of a match that begins at `place`."""
        parts: list[Phrase | None] = []
        for k, item in enumerate(self.items):
            start, label = place, ""
            many = item.times in ("+", "*", GAP)
            lazy = item.times == GAP and k < len(self.items) - 1
            goal = self.going[k] if many else self.open[k + 1]
            while place in self.taken[k] and goal[self.taken[k][place].end]:
                if lazy and self.open[k + 1][place]:
                    break
                place, label = self.taken[k][place].end, self.taken[k][place].label
                if not many:
                    break
            parts.append(Phrase(start, place, label) if place > start else None)
        return parts


def _conditions(text: str) -> tuple[Condition, ...]:
    """What stands between < and >."""
    conditions, place = [], 0
    while text[place:].strip():
        condition = _CONDITION.match(text, place)
        if condition is None:
            raise SennaError(f"not a condition: {text[place:].strip()!r}", mend=MEND)
        key, sign, values, frame = condition.groups()
        if key not in TASKS and key not in ("text", "word"):
            mend = f"Known: text, word, {', '.join(TASKS)}."
            raise SennaError(f"unknown key {key!r} in a pattern", mend=mend)
        if frame and (key not in TASKS or not TASKS[key].about_predicates):
            what = f"@{frame} is for roles, for example <srl=A1 @{frame}>"
            raise SennaError(what, where=f"<{key}>")
        if sign.endswith("~"):
            one = Condition(key, frozenset(), (), sign == "~", _regex(values))
        else:
            one = _condition(key, sign, values.lower() if key == "word" else values)
        conditions.append(one._replace(frame=frame or ""))
        place = condition.end()
    return tuple(conditions)


def _condition(key: str, sign: str, text: str) -> Condition:
    """A condition by its values: VBD|VBZ, VB*, "a word"."""
    values, stems, place = [], [], 0
    while place < len(text):
        value = _VALUE.match(text, place)
        if value is None:
            raise SennaError(f"not values of {key!r}: {text!r}", mend=f"{MEND}; * ends a value.")
        quoted, stem, star = value.groups()
        if star:
            stems.append(stem)
        else:
            values.append(stem if quoted is None else _bare(quoted))
        place = value.end()
    if "O" in values and len(values) + len(stems) > 1 and output_of_phrases(key):
        what = f"O beside {text.replace('O|', '').replace('|O', '')} in {key}"
        raise SennaError(what, mend="O is a word outside all phrases: it stands alone.")
    return Condition(key, frozenset(values), tuple(stems), sign == "=")


def output_of_phrases(key: str) -> bool:
    """Whether values are those of phrases."""
    return key in TASKS and output_of(key).gives not in OF_TOKENS


def _regex(text: str) -> re.Pattern[str]:
    try:
        return re.compile(_bare(text))
    except re.error as error:
        raise SennaError(f"not a regular expression: {_bare(text)!r} ({error})") from None


def _bare(word: str) -> str:
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] == '"' else word
