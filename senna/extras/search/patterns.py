"""Patterns of words and tags, such as ``<ner=PER> <pos=VBD> *``, and where they are in a sentence.

A pattern is a row of items; docs/api.md says what they are. Relations may follow an item, such as
``>obj <upos=NOUN>`` or ``<obj <upos=VERB>``: what they ask for, anywhere in the sentence, is found
first. Matches are found in two passes over the sentence: from the right, which items can be matched
from which token on; from the left, a walk that each time takes what is preferred among what can be
finished. Nothing is tried twice, so time is in proportion to tokens times items, whatever the
pattern. A pattern that binds roles to predicates is matched for each choice of predicates; what
does not depend on the choice is found once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from senna.annotation.dependencies import ROOT, Arc, dependents
from senna.annotation.schemes import Phrase
from senna.document.parts import Match
from senna.errors import SennaError
from senna.kinds import output_of
from senna.tasks import TASKS, in_task_order

if TYPE_CHECKING:
    from senna.document.document import Sentence

OF_TOKENS = ("tags", "lemmas")  # what outputs give that have a value per token, but no phrases
RELATIONS = "dep"  # the task that has the relations of words to their heads
MOST_FRAMES = 2  # to which a pattern may bind roles
MOST_STEPS = 50_000_000  # choices of predicates for these, times tokens
DEEPEST = 50  # brackets in brackets
GAP = "gap"  # how often the item `*` is there
REMEDY = "Items are words, <key=value> and *, as in <ner=PER> <pos=VB*> *"
MEND_RELATION = "A relation and an item follow >, >>, < or <<, as in <> >obj <upos=NOUN>."

_QUOTED = r'"[^"]*"'
_CONDITIONS = rf'<(?P<conditions>(?:{_QUOTED}|[^<>"])*)>(?P<times>[?+*]?)'
# A bracket before a condition is no word: it would open a group, which follows a relation.
_ITEM = re.compile(rf'\s*(?:{_CONDITIONS}|(?P<word>{_QUOTED}|[^\s<>"]+))(?=[\s<]|\Z)(?!(?<=\()<)')
# The same after a relation, where a bracket opens or closes a group.
_INNER = re.compile(rf'\s*(?:{_CONDITIONS}|(?P<word>{_QUOTED}|[^\s<>"()]+))(?=[\s<)]|\Z)')
# What would be a condition, or `<>`, is an item.
_ARROW = r"(?P<arrow>>>?|<<|<(?!\s*(?:>|\w+!?[=~])))"
_RELATION = re.compile(rf'\s*{_ARROW}(?P<relation>[^\s<>"()]*)(?=[\s<("]|\Z)\s*(?P<group>\(?)')
_CONDITION = re.compile(rf'\s*(\w+)(!?[=~])((?:{_QUOTED}|[^\s"])+)(?:\s+@(\w+))?(?=\s|\Z)')
_VALUE = re.compile(rf'(?:({_QUOTED})|([^|"*]*)(\*?))(?:\||\Z)')


class Condition(NamedTuple):
    """A condition on a token or phrase: one of `values`, or a beginning in `stems`.

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
        parts = value.split("|") if self.key in TASKS else [value]  # features, or one tag
        return any(part in self.values or part.startswith(self.stems) for part in parts) == (
            self.wanted
        )

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
        if self.predicate is not None:
            answer = [one for one in answer if one.position == self.predicate]
        phrases = {span.phrase for span in output_of(self.key).spans(answer)}
        for phrase in sorted(phrases, key=lambda phrase: (phrase.start, -phrase.end)):
            if self(phrase.label):
                starting.setdefault(phrase.start, []).append(phrase)
        return starting

    def tokens(self, sentence: Sentence) -> list[bool]:
        """Which tokens it takes."""
        if self.key not in TASKS:
            return [self(word.lower() if self.key == "word" else word) for word in sentence.words]
        if self.key == RELATIONS:
            return [self(arc.relation) for arc in sentence.arcs]
        if not output_of_phrases(self.key):
            return [self(tag) for tag in sentence.answer_of(self.key, *OF_TOKENS)]
        answer = sentence.answer_of(self.key, "phrases", "roles", "trees")
        spans = [span.phrase for span in output_of(self.key).spans(answer)]
        inside = {i for phrase in spans for i in range(phrase.start, phrase.end)}
        return [i not in inside for i in range(len(sentence.words))]


class Taken(NamedTuple):
    """One element of an item: a token or a phrase, and the elements of its relations."""

    phrase: Phrase
    related: tuple[Phrase | None, ...] = ()


class Item(NamedTuple):
    """One item: what it asks, and how often it is there: "" once, as ?, + and * say, or `GAP`.

    Each of `related` must be there, above or below this one in the tree.
    """

    conditions: tuple[Condition, ...]
    times: str = ""
    related: tuple[Related, ...] = ()

    @property
    def every(self) -> list[Condition]:
        """Its conditions, and those of its relations."""
        conditions = list(self.conditions)
        for part in self.related:
            conditions += [part.relation, *part.item.every]
        return conditions

    @property
    def size(self) -> int:
        """How many parts of a match it has: itself and its relations."""
        return 1 + sum(part.item.size for part in self.related)

    def bound(self, places: Mapping[str, int]) -> Item:
        """The same with the predicates of its frames."""
        conditions = [one._replace(predicate=places.get(one.frame)) for one in self.conditions]
        related = [part._replace(item=part.item.bound(places)) for part in self.related]
        return self._replace(conditions=tuple(conditions), related=tuple(related))

    def taken(self, sentence: Sentence) -> dict[int, Taken]:
        """Its elements by their first token: a token, or a phrase with its label."""
        n = len(sentence.words)
        whole = [one.phrases(sentence) for one in self.conditions if one.of_phrases]
        fits = [True] * n
        for one in self.conditions:
            if not one.of_phrases:
                fits = [a and b for a, b in zip(fits, one.tokens(sentence), strict=True)]
        finders = [part.finder(sentence) for part in self.related]
        phrases = _agreeing(whole) if whole else [Phrase(i, i + 1, "") for i in range(n)]
        taken: dict[int, Taken] = {}
        for phrase in phrases:  # the longest that fits
            if phrase.start not in taken and any(fits[phrase.start : phrase.end]):
                related = [find(phrase) for find in finders]
                if None not in related:
                    parts = tuple(part for some in related for part in some or ())
                    taken[phrase.start] = Taken(phrase, parts)
        return taken


def _agreeing(whole: Sequence[Mapping[int, list[Phrase]]]) -> list[Phrase]:
    """The phrases that all of some conditions take, by their first tokens, longest first."""
    first, *others = whole
    return [
        phrase
        for start, phrases in first.items()
        for phrase in phrases
        if all(any(phrase.end == other.end for other in some.get(start, ())) for some in others)
    ]


class Related(NamedTuple):
    """An item that is below another in the tree, or above it: a dependent, a head, or further off.

    The relation is that of the lower one's word to its own head, which lies outside the lower one.
    """

    arrow: str  # > and >>: the item is below; < and <<: it is above
    relation: Condition
    item: Item

    def finder(self, sentence: Sentence) -> Callable[[Phrase], tuple[Phrase | None, ...] | None]:
        """A function that finds the parts of the item in a phrase, or None."""
        taken = self.item.taken(sentence).values()
        upwards = self.arrow.startswith("<")
        held = self._above(taken, sentence.arcs) if upwards else self._below(taken, sentence.arcs)
        nothing = (None,) * self.item.size if self.item.times == "?" else None

        def find(phrase: Phrase) -> tuple[Phrase | None, ...] | None:
            tokens = range(phrase.start, phrase.end)
            outside = (i for i in tokens if not upwards or sentence.arcs[i].head - 1 not in tokens)
            found = [held[i] for i in outside if i in held]
            if not found:
                return nothing
            first = min(found, key=lambda taken: taken.phrase.start)
            return first.phrase, *first.related

        return find

    def _below(self, taken: Iterable[Taken], arcs: Sequence[Arc]) -> dict[int, Taken]:
        """The first thing taken below each token."""
        held: dict[int, Taken] = {}
        for one in taken:
            start, end, _ = one.phrase
            for arc in arcs[start:end]:
                head = arc.head - 1
                if head >= 0 and not start <= head < end and self.relation(arc.relation):
                    held.setdefault(head, one)
        for i in reversed(_from_the_root(arcs)) if self.arrow == ">>" else ():
            head = arcs[i].head - 1
            if head >= 0 and i in held:
                both = [held[i], held.get(head, held[i])]
                held[head] = min(both, key=lambda taken: taken.phrase.start)
        return held

    def _above(self, taken: Iterable[Taken], arcs: Sequence[Arc]) -> dict[int, Taken]:
        """The nearest thing taken above each token, or what its head is in."""
        over: dict[int, Taken] = {}
        end = 0
        for one in sorted(taken, key=lambda one: one.phrase.start):
            over |= dict.fromkeys(range(max(one.phrase.start, end), one.phrase.end), one)
            end = max(end, one.phrase.end)
        for i in _from_the_root(arcs) if self.arrow == "<<" else ():
            head = arcs[i].head - 1
            if i not in over and head in over:
                over[i] = over[head]
        return {
            i: over[arc.head - 1]
            for i, arc in enumerate(arcs)
            if arc.head - 1 in over and self.relation(arc.relation)
        }


def _from_the_root(arcs: Sequence[Arc]) -> list[int]:
    """All tokens of a tree, each after its head."""
    below = dependents(arcs)
    order = [i for i, arc in enumerate(arcs) if arc.head == ROOT]
    for i in order:  # it grows on the way
        order += below[i]
    return order


class Pattern(NamedTuple):
    """A pattern that has been read."""

    items: tuple[Item, ...]

    @classmethod
    def of(cls, text: str) -> Pattern:
        """Read a pattern; SennaError if the text is not a pattern."""
        items = _Reader(text).items()
        if not items:
            raise SennaError("the pattern has no items", remedy=REMEDY)
        return cls(tuple(items))

    @property
    def tasks(self) -> list[str]:
        """The tasks that it asks for."""
        return in_task_order(one.key for one in self.conditions if one.key in TASKS)

    @property
    def conditions(self) -> list[Condition]:
        """All its conditions."""
        return [one for item in self.items for one in item.every]

    def check(self, labels: Mapping[str, Collection[str]]) -> None:
        """Raise SennaError for a value that is not a label of its task, if the labels are known."""
        for one in self.conditions:
            known = {part for label in labels.get(one.key, ()) for part in label.split("|")}
            wrong = [value for value in one.values if value not in known and value != "O"]
            wrong += [f"{s}*" for s in one.stems if not any(v.startswith(s) for v in known)]
            if known and wrong:
                remedy = f"Known: {', '.join(sorted(known))}."
                raise SennaError(f"{one.key} is never {wrong[0]!r}", where="pattern", remedy=remedy)

    def matches(self, sentence: Sentence) -> list[list[Phrase | None]]:
        """The elements of each item, None for nothing, in each match in a sentence.

        Matches come from left to right: the first first, none overlapping. A pattern that binds
        roles to frames is matched for each choice of these frames.
        """
        frames = sorted({one.frame for one in self.conditions if one.frame})
        if len(frames) > MOST_FRAMES:
            raise SennaError(f"{len(frames)} frames in a pattern", remedy=f"At most {MOST_FRAMES}.")
        chosen = [self._predicates(frame, sentence) for frame in frames]
        if prod(map(len, chosen)) * len(sentence.words) > MOST_STEPS:
            what = f"{max(map(len, chosen))} predicates in a sentence are too many for @{frames[0]}"
            raise SennaError(
                what, remedy="Name the words or tags of the verbs, or leave out the @."
            )
        search = _Search(self, sentence)
        found: dict[tuple[Phrase | None, ...], None] = {}  # in order
        for places in product(*chosen):
            if len({*places}) == len(frames):
                found |= dict.fromkeys(search.matches(dict(zip(frames, places, strict=True))))
        return [list(parts) for parts in found]

    def _predicates(self, frame: str, sentence: Sentence) -> list[int]:
        """The predicates that have a role for each item that asks for one of this frame."""
        asked = [
            one
            for item in self.items
            if item.times not in ("?", "*")
            for one in item.conditions
            if one.frame == frame and one.of_phrases
        ]
        key = next(one.key for one in self.conditions if one.frame == frame)
        labels: dict[int, set[str]] = {}
        for span in output_of(key).spans(sentence.answer_of(key, "roles")):
            if span.predicate is not None:
                labels.setdefault(span.predicate, set()).add(span.phrase.label)
        return [
            p
            for p in sorted(labels)
            if all(any(one(label) for label in labels[p]) for one in asked)
        ]


def match(
    sentences: Iterable[Sentence], pattern: str | Sequence[str], labels: Mapping[str, Sequence[str]]
) -> list[Match]:
    """The matches of one pattern or several; SennaError for a tag that is not among the labels."""
    texts = [pattern] if isinstance(pattern, str) else pattern
    patterns, known = {text: Pattern.of(text) for text in texts}, labels_of(labels)
    for each in patterns.values():
        each.check(known)
    return matches_of(sentences, patterns)


def matches_of(sentences: Iterable[Sentence], patterns: Mapping[str, Pattern]) -> list[Match]:
    """The matches of patterns by their texts, in the order of the text."""
    found = []
    for sentence in sentences:
        matches = []
        for text, pattern in patterns.items():
            for parts in pattern.matches(sentence):
                taken = [part for part in parts if part is not None]
                first = min(part.start for part in taken)
                whole = sentence.span(Phrase(first, max(part.end for part in taken), ""))
                place = (whole.text, "", whole.start, whole.end, whole.first, whole.last)
                spans = tuple(None if part is None else sentence.span(part) for part in parts)
                matches.append(Match(*place, sentence, parts=spans, pattern=text))
        found += sorted(matches, key=lambda match: (match.first, match.last))
    return found


def labels_of(tags: Mapping[str, Sequence[str]]) -> dict[str, set[str]]:
    """The labels of tokens, phrases, arguments and constituents, by the tags that models give."""
    labels: dict[str, set[str]] = {}
    for task, of_task in tags.items():
        kind = output_of(task).kind
        if kind in ("tags", "dependencies"):
            labels[task] = {*of_task}
        elif kind == "trees":  # a constituent above another one of the same words is S+VP
            labels[task] = {"TOP", *(part for tag in of_task for part in tag.split("+"))} - {"O"}
        elif kind in ("phrases", "roles"):
            labels[task] = {tag[2:] for tag in of_task if tag != "O"}
    return labels


class _Search:
    """The search for a pattern in a sentence, for one choice of predicates after another.

    Of item k: `taken[k]` is what it takes once; `open[k]` the tokens from which on it and those
    after it can be matched; `going[k]` the same where it may be repeated, and may also end.
    """

    def __init__(self, pattern: Pattern, sentence: Sentence) -> None:
        self.items, self.sentence, self.n = pattern.items, sentence, len(sentence.words)
        self.frames = [{one.frame for one in item.every if one.frame} for item in self.items]
        # What has been found already, by item and predicates.
        self._taken: dict[tuple[Any, ...], dict[int, Taken]] = {}
        self._rest: dict[tuple[Any, ...], tuple[set[int], set[int]]] = {}

    def matches(self, places: Mapping[str, int]) -> Iterator[tuple[Phrase | None, ...]]:
        """The phrase of each item in each match, with the predicates of frames at `places`."""
        self.taken: list[dict[int, Taken]] = []
        self.going: list[set[int]] = []
        self.open = [{*range(self.n + 1)}]
        frames: set[str] = set()  # of this item and those after it
        for k in range(len(self.items) - 1, -1, -1):
            frames |= self.frames[k]
            own = (k, *(place for frame, place in places.items() if frame in self.frames[k]))
            if own not in self._taken:
                self._taken[own] = self.items[k].bound(places).taken(self.sentence)
            key = (k, *(place for frame, place in places.items() if frame in frames))
            rest = self._rest.get(key)
            if rest is None:
                rest = self._before(self.items[k], self._taken[own])
                if len(frames) < len(places):  # another choice has the same
                    self._rest[key] = rest
            self.taken.insert(0, self._taken[own])
            self.going.insert(0, rest[0])
            self.open.insert(0, rest[1])
        end = 0
        for place in sorted(self.open[0]):
            if end <= place < self.n:
                parts, end = self._walk(place)
                if end > place:
                    yield tuple(parts)

    def _before(self, item: Item, taken: dict[int, Taken]) -> tuple[set[int], set[int]]:
        """`going` and `open` of an item, from `open` of the one after it."""
        after = goal = self.open[0]
        if item.times in ("+", "*", GAP):
            goal = set(after)
            for i in sorted(taken, reverse=True):
                if taken[i].phrase.end in goal:
                    goal.add(i)
        can = {i for i, one in taken.items() if one.phrase.end in goal}
        return goal, can | after if item.times in ("?", "*", GAP) else can

    def _walk(self, place: int) -> tuple[list[Phrase | None], int]:
        """The phrase of each item of a match that begins at `place`, and the end of the last."""
        parts: list[Phrase | None] = []
        for k, item in enumerate(self.items):
            start, label = place, ""
            related: tuple[Phrase | None, ...] = (None,) * (item.size - 1)
            many = item.times in ("+", "*", GAP)
            lazy = item.times == GAP and k < len(self.items) - 1
            goal = self.going[k] if many else self.open[k + 1]
            while place in self.taken[k] and self.taken[k][place].phrase.end in goal:
                if lazy and place in self.open[k + 1]:
                    break
                (_, place, label), related = self.taken[k][place]
                if not many:
                    break
            parts += [Phrase(start, place, label) if place > start else None, *related]
        return parts, place


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0
        self.depth = 0  # of brackets

    def items(self) -> list[Item]:
        """All items, each with its relations."""
        items = []
        while self.text[self.place :].strip():
            items.append(self.with_relations(self.item(_ITEM)))
        return items

    def item(self, kind: re.Pattern[str]) -> Item:
        """An item alone."""
        found = kind.match(self.text, self.place)
        if found is None:
            what = f"not an item of a pattern: {self.text[self.place :].strip()[:40]!r}"
            raise SennaError(what, remedy=REMEDY)
        self.place = found.end()
        word = found["word"]
        if word is None:
            return Item(_conditions(found["conditions"]), found["times"])
        if word == "*":
            return Item((), GAP)
        return Item((Condition("word", frozenset([_bare(word).lower()]), (), True),))

    def with_relations(self, item: Item) -> Item:
        """The item with the relations that follow it."""
        related = []
        while relation := _RELATION.match(self.text, self.place):
            self.place = relation.end()
            if not self.text[self.place :].strip():
                what = f"nothing follows {relation['arrow']}"
                raise SennaError(what, where="pattern", remedy=MEND_RELATION)
            other = self.item(_INNER)
            if relation["group"]:
                self.depth += 1
                if self.depth > DEEPEST:
                    raise SennaError("brackets are too deep", remedy=f"At most {DEEPEST} can nest.")
                other = self.with_relations(other)
                self.close()
            elif not self.depth and self.text.startswith(")", self.place):
                raise SennaError("a ) is not opened", where="pattern", remedy=MEND_RELATION)
            if other.times not in ("", "?"):
                what = f"an item after {relation['arrow']} is repeated or *"
                raise SennaError(what, where="pattern", remedy="It may be optional: ?.")
            condition = _condition(RELATIONS, "=", relation["relation"] or "*")
            related.append(Related(relation["arrow"], condition, other))
        if related and item.times not in ("", "?"):
            what = "an item that has relations is repeated or *"
            raise SennaError(what, where="pattern", remedy="Name the item once.")
        return item._replace(related=tuple(related))

    def close(self) -> None:
        """Go on after the bracket that closes a group."""
        rest = self.text[self.place :].lstrip()
        if not rest.startswith(")"):
            raise SennaError("a ( is not closed", where="pattern", remedy=MEND_RELATION)
        self.place = len(self.text) - len(rest) + 1
        self.depth -= 1


def _conditions(text: str) -> tuple[Condition, ...]:
    conditions, place = [], 0
    while text[place:].strip():
        condition = _CONDITION.match(text, place)
        if condition is None:
            raise SennaError(f"not a condition: {text[place:].strip()!r}", remedy=REMEDY)
        key, sign, values, frame = condition.groups()
        if key not in TASKS and key not in ("text", "word"):
            remedy = f"Known: text, word, {', '.join(TASKS)}."
            raise SennaError(f"unknown key {key!r} in a pattern", remedy=remedy)
        if frame and (key not in TASKS or not TASKS[key].about_predicates):
            what = f"@{frame} is for roles, for example <srl=A1 @{frame}>"
            raise SennaError(what, where=f"<{key}>")
        if sign.endswith("~"):
            try:
                regex = re.compile(_bare(values))
            except (re.error, OverflowError, RecursionError) as error:
                what = f"not a regular expression: {_bare(values)!r} ({error})"
                raise SennaError(what) from None
            one = Condition(key, frozenset(), (), sign == "~", regex)
        else:
            one = _condition(key, sign, values.lower() if key == "word" else values)
        conditions.append(one._replace(frame=frame or ""))
        place = condition.end()
    return tuple(conditions)


def _condition(key: str, sign: str, text: str) -> Condition:
    values, stems, place = [], [], 0
    while place < len(text):
        value = _VALUE.match(text, place)
        if value is None:
            raise SennaError(
                f"not values of {key!r}: {text!r}", remedy=f"{REMEDY}; * ends a value."
            )
        quoted, stem, star = value.groups()
        if star:
            stems.append(stem)
        else:
            values.append(stem if quoted is None else _bare(quoted))
        place = value.end()
    if "O" in values and len(values) + len(stems) > 1 and output_of_phrases(key):
        what = f"O beside {text.replace('O|', '').replace('|O', '')} in {key}"
        raise SennaError(what, remedy="O is a word outside all phrases: it stands alone.")
    return Condition(key, frozenset(values), tuple(stems), sign == "=")


def output_of_phrases(key: str) -> bool:
    """Whether values are those of phrases."""
    return key in TASKS and key != RELATIONS and output_of(key).kind not in OF_TOKENS


def _bare(word: str) -> str:
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] == '"' else word
