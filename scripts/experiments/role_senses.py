"""The roles that rolesets give, counted in srl/ewt, srl/masc and the examples of srl/frames.

A roleset is used where nine of ten active clauses of a shape agree, such as `A0 _ A1`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import role_words as lists
from simple_sentences import rows, singular
from turned_sentences import FRAMES

HELPERS = set("be is are was were been being am 's 're 'm get gets got getting".split())
NO_NOUN = set("""to of in on at for with from by about into onto over under through than as like
    off out up down against between after before during toward across around along behind near
    away back past that whether if how why where when what who because""".split())  # fmt: skip
PLACES = r"( AM-\S+)*"
Forms = dict[str, dict[str, Counter[str]]]  # verb -> tag -> form


class Sense(NamedTuple):
    """A roleset, the roles of its subject and its objects, and the nouns that suit it."""

    roleset: str
    roles: tuple[str, ...]
    nouns: tuple[str, ...] = ()
    where: str = ""  # the role of a place, of a direction
    whither: str = ""

    @property
    def verb(self) -> str:
        return re.split("[._]", self.roleset)[0]

    @property
    def particle(self) -> str:
        return self.roleset.partition(".")[0].partition("_")[2]


def arguments(cells: list[str]) -> list[tuple[int, int, str]]:
    """The spans of a column."""
    starts = [i for i, cell in enumerate(cells) if "(" in cell]
    ends = [i + 1 for i, cell in enumerate(cells) if ")" in cell]
    roles = [re.findall(r"\(([^*]+)", cells[i])[0] for i in starts]
    return list(zip(starts, ends, roles, strict=True))


def shapes(data: Path, forms: Forms) -> Iterator[tuple[str, str]]:
    """The roleset and shape of each active clause; all forms of verbs are counted."""
    for corpus in ("ewt/train", "masc/train", "frames/verbs"):
        for sentence in rows(data / f"srl/{corpus}.xz"):
            text = [row[1].lower() for row in sentence]
            predicates = [i for i, row in enumerate(sentence) if row[4] != "-"]
            for column, at in enumerate(predicates, start=6):
                tag, roleset, kind = sentence[at][2], sentence[at][4], sentence[at][5]
                if kind != "v":
                    continue
                verb = Sense(roleset, ()).verb
                tags = tags_of(text[at], verb) if tag == "-" else [tag]
                for used in tags:
                    forms[verb][used][text[at]] += 1
                spans = arguments([row[column] for row in sentence])
                helped = HELPERS.intersection(text[max(0, at - 3) : at])
                passive = "VBG" in tags or tags == ["VBN"] or (tag == "-" and helped)
                if not passive and not any(role.startswith("R-") for *_, role in spans):
                    yield roleset, shape(text, spans, at)


def tags_of(word: str, verb: str) -> list[str]:
    """The tags of a regular form."""
    if word == verb:
        return ["VB"]
    ends = {"ed": ["VBD", "VBN"], "ing": ["VBG"], singular(verb): ["VBZ"]}
    return next((tags for end, tags in ends.items() if word.endswith(end)), [])


def shape(text: list[str], spans: list[tuple[int, int, str]], at: int) -> str:
    """`A0 _ A1 A2:to`: the roles around a verb, and the first word of what is no noun phrase."""
    front = [role for start, _, role in spans if start < at and re.fullmatch(r"A\d", role)]
    behind = [
        f"{role}:{text[start]}" if text[start] in NO_NOUN else role
        for start, _, role in spans
        if start > at and re.fullmatch(r"A\d|AM-LOC|AM-DIR", role)
    ]
    return " ".join([front[-1] if front else "-", "_", *behind])


class Senses:
    """The rolesets of the lists whose roles are clear, by the list."""

    def __init__(self, data: Path) -> None:
        texts = [path.read_text("utf-8") for path in sorted(FRAMES.glob("*.txt"))]
        self.tested = {word.strip(":").lower() for text in texts for word in text.split()}
        self.forms: Forms = defaultdict(lambda: defaultdict(Counter))
        self.shapes: dict[str, Counter[str]] = defaultdict(Counter)
        for roleset, seen in shapes(data, self.forms):
            self.shapes[roleset][seen] += 1
        both = r"A\d _ A\d"
        objects, gifts = lists.table(lists.OBJECTS), lists.table(lists.GIFTS)
        self.objects = [s for r in objects for s in self.clear(r, "A0 _ A1", both, 2, objects[r])]
        self.gifts = [
            s for r in gifts for s in self.clear(r, "A0 _ A2 A1", both + r" A\d", 1, gifts[r])
        ]
        self.alone = [
            s for r, nouns in lists.table(lists.ALONE).items() for s in self.bare(r, nouns)
        ]
        self.stirring = self.named(lists.STIRRING, "A0 _ A1", both)
        self.speech = self.named(lists.SPEECH, "A0 _ A1:that", r"A\d _ A\d:that")
        self.thinking = self.named(lists.THINKING, "A0 _ A1:that", r"A\d _ A\d:that")
        self.wanting = self.named(lists.WANTING, "A0 _ A1:to", r"A\d _ A\d:to")
        self.told = self.named(lists.TOLD, "A0 _ A1 A2:to", r"A\d _ A\d A\d:to")

    def free(self, roleset: str) -> bool:
        """Whether the forms of the verb are known and stand in no test."""
        verb = Sense(roleset, ()).verb
        own = self.forms[verb]
        past = self.form(verb, "VBD")
        known = own["VB"] and past and (own["VBN"] or past.endswith("ed"))
        used = {verb, *(form for counts in own.values() for form in counts)}
        return bool(known) and not used & self.tested

    def agree(self, roleset: str, right: str, alike: str, least: int) -> bool:
        """Whether nine of ten clauses that look alike are right, and so many at all."""
        total, good = (
            sum(n for seen, n in self.shapes[roleset].items() if re.fullmatch(pattern, seen))
            for pattern in (alike, right)
        )
        return good >= max(least, 0.9 * total)

    def clear(
        self, roleset: str, right: str, alike: str, least: int, nouns: list[str]
    ) -> Iterator[Sense]:
        """The sense of a roleset, if its roles are clear."""
        if self.free(roleset) and self.agree(roleset, right, alike, least):
            yield Sense(roleset, tuple(re.findall(r"A\d", right)), tuple(nouns))

    def named(self, rolesets: list[str], right: str, alike: str) -> list[Sense]:
        return [s for roleset in rolesets for s in self.clear(roleset, right, alike, 1, [])]

    def bare(self, roleset: str, nouns: list[str]) -> Iterator[Sense]:
        """A verb without an object, with the roles of places behind it."""
        for role in ("A0", "A1"):
            for sense in self.clear(roleset, f"{role} _{PLACES}", rf"A\d _{PLACES}", 1, nouns):
                where, whither = self.place(sense, "AM-LOC"), self.place(sense, "AM-DIR")
                yield sense._replace(where=where or "", whither=whither or "")

    def place(self, sense: Sense, role: str) -> str | None:
        """The role of a place, or of a direction, unless the corpora have another."""
        words = {*lists.WHERE, "on"} if role == "AM-LOC" else {*lists.WHITHER, *lists.PARTICLES}
        counts: Counter[str] = Counter()
        for seen, n in self.shapes[sense.roleset].items():
            match = re.fullmatch(rf"{sense.roles[0]} _ ([\w-]+):?(\w*)( .*)?", seen)
            if match and (match[1] == role or match[2] in words):
                counts[match[1]] += n
        if not counts:
            return role if role == "AM-LOC" else None
        return role if counts[role] >= 0.8 * counts.total() else None

    def form(self, verb: str, tag: str) -> str:
        """The form that the corpora have most often, or a regular one."""
        counts = self.forms[verb][tag]
        if counts:
            alike = self.forms[verb]["VBN"] if tag == "VBD" else counts
            return max(sorted(counts), key=lambda form: counts[form] + alike[form])
        if tag == "VBZ":
            return singular(verb)
        if tag == "VBG":
            return self.form(verb, "VBN").removesuffix("ed").removesuffix("e") + "ing"
        return self.form(verb, "VBD") if tag == "VBN" else "" if tag == "VBD" else verb
