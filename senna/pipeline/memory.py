"""Names after the model: rules, then those found earlier in a document.

The rules (`amended`):

* "Davis, Jr." and "Lee III" are one person.
* A degree after a person and a comma ("Ann Lee, MD,") is no name, and no part of one.
* Two names of one word each that "&" joins are one organisation if they are the same, if the model
  sees an organisation in one of them, or if the words around say so ("at Smith & Wesson"), but
  "Tom & Ann left" has two persons.

Names found earlier are used to recognise later mentions, sentence by sentence (`Memory`):

* A name has the type that it had most often, this time included; if several, what the model says.
* What was a name earlier is one where the model sees none, or only parts of it, if it has two words
  or three letters, and a word with a capital, but in a sentence in one case; from left to right,
  the longest first. Never a month or day ("In May").
* The last word of a person's name is one too: "Smith" after "Ann Smith". Until it was seen alone
  a capital must show it, as in most sentences but not of their first word ("Young people"), and no
  neighbour may show that it is something else ("the King", "National Parks").

Only earlier sentences of the document count, as the model tagged them, so that a stream need not
wait; and of its names only the last few, so that a document may be of any length.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from senna.annotation.schemes import Phrase, phrases_of
from senna.decoding.requests import Scored, rewritten
from senna.kinds.answer import Annotation
from senna.tasks import NAMES
from senna.text.capitals import CASELESS, kind_of

if TYPE_CHECKING:
    from senna.text.gazetteer import Gazetteer

# --------------------------------------------------------------------------- rules

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


# --------------------------------------------------------------------------- memory

MOST = 256  # names that are remembered; of more the one that was not seen for longest is forgotten
LONGEST = 5  # words of them
LETTERS = 3  # of a name of one word that is seen where the model sees none
PERSONS = ("PER", "PERSON")
REMEMBERED = (*PERSONS, "LOC", "ORG", "MISC")  # other types, such as FOOD, are no proper names
# What stands before no last name.
DETERMINERS = frozenset("a an the this that these those every each no".split())
# A month or day that is a name too is one again only where the model sees one.
CALENDAR = frozenset(
    "January February March April May June July August September October November December "
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
)

Words = tuple[str, ...]
Mentions = dict[str, tuple[int, float]]  # of a name by type: how many, and their probabilities' sum


def remembers(tags: Iterable[str]) -> bool:
    """Whether names with some of these tags are remembered."""
    return any(tag[2:] in REMEMBERED for tag in tags)


class Memory:
    """The names of a document as far as it has been tagged; `fixed` are names it leaves alone."""

    def __init__(self, fixed: Gazetteer | None = None) -> None:
        self.fixed = fixed
        self.forget()

    def forget(self) -> None:
        """Begin another document."""
        self.names: dict[Words, Mentions] = {}  # what was seen last stands last
        # First words: with how many names begin so, and how many words these have at most.
        self.firsts: dict[str, tuple[int, int]] = {}
        self.lasts: set[str] = set()  # words seen as the last of a person's name alone

    def recall(
        self, sentences: Sequence[Sequence[str]], opens: Sequence[bool], answers: Annotation
    ) -> None:
        """Amend the names among the answers for the next sentences; with some a document opens."""
        rows = answers.get(NAMES, [])
        for i, tags in enumerate(rows):
            if opens[i]:
                self.forget()
            rows[i] = self.amended(sentences[i], tags)

    def amended(self, forms: Sequence[str], tags: list[str]) -> list[str]:
        """The tags of the next sentence, IOBES, in the light of those before it."""
        names = phrases_of(tags, "iobes") if tags.count("O") < len(tags) else []
        known = not self.firsts.keys().isdisjoint(forms)
        changed = self._changed(forms, names) if known else {}
        for start, end, label in names:
            if label not in REMEMBERED:
                continue
            chance = tags.span(start, end) if isinstance(tags, Scored) else 1.0
            last = (forms[end - 1],)
            if end == start + 1:
                self.lasts.discard(forms[start])
            elif label in PERSONS and last not in self.names:
                self.lasts.add(last[0])
                self._learn(last, label, chance)
            if end - start <= LONGEST:
                self._learn(tuple(forms[start:end]), label, chance)
        if not changed:
            return tags
        covered = {i for start, end, _ in changed for i in range(start, end)}
        phrases = changed | {name: None for name in names if name.start not in covered}
        if self.fixed is not None and not phrases.keys() >= set(self.fixed.find(forms)):
            return tags
        return rewritten(tags, phrases)

    def _changed(self, forms: Sequence[str], names: Sequence[Phrase]) -> dict[Phrase, float | None]:
        """The names of a sentence that the model does not have, with their probabilities."""
        firsts, kind = self.firsts, kind_of(forms)
        starting = {name.start: name for name in names}
        inside = {i for start, end, _ in names if end > start + 1 for i in range(start + 1, end)}
        changed: dict[Phrase, float | None] = {}
        free = 0  # words before it are in known names
        for start in [i for i, form in enumerate(forms) if form in firsts]:
            if start < free or start in inside:
                continue
            name = starting.get(start)
            least = start + 1 if name is None else name.end
            longest = min(firsts[forms[start]][1], len(forms) - start)
            for end in range(start + longest, least - 1, -1):
                mentions = self.names.get(tuple(forms[start:end]))
                if mentions is None or end in inside:
                    continue
                label = max(mentions, key=lambda label: mentions[label][0])
                count, total = mentions[label]
                if name is not None and end == least:
                    if count > mentions.get(name.label, (0,))[0] + 1:
                        changed[Phrase(start, end, label)] = total / count
                elif (kind == CASELESS or any(map(_capital, forms[start:end]))) and (
                    end > start + 1 or self._alone(forms, start, kind)
                ):
                    changed[Phrase(start, end, label)] = total / count
                else:
                    continue
                free = end
                break
        return changed

    def _alone(self, forms: Sequence[str], place: int, kind: str) -> bool:
        """Whether a word that was a name is one by itself where the model sees none."""
        form = forms[place]
        if len(form) < LETTERS or form.capitalize() in CALENDAR:
            return False
        if form not in self.lasts:
            return True
        before, beside = forms[:place], [*forms[max(place - 1, 1) : place], *forms[place + 1 :][:1]]
        return (
            not kind
            and any(word[:1].isalnum() for word in before)
            and before[-1].lower() not in DETERMINERS
            and not any(map(_capital, beside))
        )

    def _learn(self, words: Words, label: str, chance: float) -> None:
        mentions = self.names.pop(words, None)
        if mentions is None:
            mentions = {}
            count, longest = self.firsts.get(words[0], (0, 0))
            self.firsts[words[0]] = count + 1, max(longest, len(words))
        count, total = mentions.get(label, (0, 0.0))
        mentions[label] = count + 1, total + chance
        self.names[words] = mentions
        if len(self.names) > MOST:
            first = next(iter(self.names))
            del self.names[first]
            self.lasts.discard(first[0])
            count, longest = self.firsts.pop(first[0])
            if count > 1:
                self.firsts[first[0]] = count - 1, longest


def _capital(word: str) -> bool:
    return word[:1].isupper()
