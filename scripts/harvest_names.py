"""Find names and their types in open text by how they are introduced; write phrase lists.

usage: python scripts/harvest_names.py TEXT... --out DIR

"Osred was a king of", "Konami, a Japanese company,", "the singer Björk": the noun tells the type.
Writes DIR/is-<type>.txt, one phrase per line. A phrase must have one type nearly always, and a name
introduced by nothing more than a noun before it must be so twice. Patterns and nouns are our own.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from senna.files import open_text
from senna.text.tokenizer import tokenize

NOUNS = {
    "PER": """actor actress singer footballer politician player writer author poet painter musician
        composer lawyer judge general officer soldier king queen emperor prince princess bishop pope
        saint philosopher scientist physicist chemist mathematician biologist historian economist
        journalist director producer screenwriter novelist artist architect engineer businessman
        businesswoman entrepreneur athlete swimmer cyclist boxer wrestler driver coach cricketer
        golfer sprinter skater rower dancer comedian rapper guitarist drummer bassist pianist
        violinist conductor president senator congressman congresswoman governor mayor minister
        ambassador diplomat activist explorer missionary priest monk rabbi theologian scholar
        professor teacher physician surgeon doctor astronomer astronaut inventor pilot sailor
        admiral
        commander colonel captain nobleman knight baron duke earl countess duchess revolutionary
        dictator chancellor son daughter wife brother sister mother father attorney executive critic
        translator linguist anthropologist sociologist psychologist botanist zoologist geologist
        photographer sculptor designer chef presenter criminal murderer outlaw lieutenant sergeant
        secretary chairman chairwoman spokesman spokeswoman quarterback
        pitcher goalkeeper midfielder striker defender vocalist songwriter playwright""",
    "LOC": """city town village municipality country province district county region island islands
        river lake mountain mountains valley peninsula bay gulf sea ocean strait canal port suburb
        neighborhood neighbourhood borough commune settlement capital republic territory continent
        desert park street road highway bridge castle palace airport stadium arena volcano glacier
        plateau hamlet locality township prefecture canton archipelago creek forest waterfall cape
        beach hill peak basin state kingdom square""",
    "ORG": """company corporation organization organisation university college school band team club
        party agency bank newspaper magazine institute association society union federation
        committee ministry department airline manufacturer publisher label studio firm charity
        foundation council commission orchestra choir retailer subsidiary conglomerate startup
        nonprofit broadcaster duo quartet trio militia coalition regiment division brigade""",
    "MISC": """film movie album song single novel book poem series show game language war battle
        treaty award prize festival championship tournament competition religion ballet opera
        musical sitcom documentary manga anime aircraft missile rocket spacecraft software
        encyclopedia symphony event holiday soundtrack comic trilogy""",
}
TYPE_OF = {noun: kind for kind, nouns in NOUNS.items() for noun in nouns.split()}
# What ends the noun phrase of "a ... noun of": its head noun stands before.
STOPS = frozenset(
    "of in that which who whose and or from for by to at on with located born where when as during"
    " based between near about under against into than but known".split()
)
NOT_NAMES = frozenset(
    "he she it they we i you this that these those there here his her its their our my the a an in"
    " on at as if when while after before since although though because but and or so both each"
    " many most some all one another such what who where why how january february march april may"
    " june july august september october november december monday tuesday wednesday thursday friday"
    " saturday sunday today".split()
)
_WORD = r"[A-Z][\w'’.\-]*\w|[A-Z]\.?"
NAME = rf"(?:{_WORD})(?:\s(?:(?:of|the|de|von|van|du|la|&)\s)?(?:{_WORD}|\d+)){{0,5}}"
DEFINED = re.compile(
    rf"(?:^|(?<=[.!?]\s))(?:The\s)?({NAME})(?:\s\([^()]*\))?\s(?:is|was|are|were)\s"
    rf"(?:an?|the|one\sof\sthe)\s([^.,;:()]{{3,80}})",
    re.MULTILINE,
)
APPOSED = re.compile(rf"({NAME}),\s(?:an?|the)\s([^.,;:()]{{3,80}})[,.;]")
_NOUN = "|".join(sorted(TYPE_OF, key=len, reverse=True))
PRECEDED = re.compile(rf"\b({_NOUN})\s({NAME})")
PLACED = re.compile(
    rf"\b(?:city|town|village|province|district|county|island|state|port)\sof\s({NAME})"
)


def head_type(phrase: str) -> str | None:
    """The type that the head noun of "American rock band from" tells."""
    kind = None
    for word in phrase.lower().split():
        if word in STOPS:
            break
        kind = TYPE_OF.get(word, kind)
    return kind


def introduced(text: str) -> Iterator[tuple[str, str, int]]:
    """Names, their types and the weight of the evidence."""
    for name, phrase in DEFINED.findall(text):
        if kind := head_type(phrase):
            yield name, kind, 2
    for name, phrase in APPOSED.findall(text):
        if kind := head_type(phrase):
            yield name, kind, 2
    for noun, name in PRECEDED.findall(text):
        yield name, TYPE_OF[noun], 1
    for name in PLACED.findall(text):
        yield name, "LOC", 1


def collect(paths: Iterable[Path]) -> dict[str, Counter[str]]:
    """Evidence for each name and type."""
    weights: dict[str, Counter[str]] = {}
    for path in paths:
        with open_text(path) as lines:
            for line in lines:
                for name, kind, weight in introduced(line):
                    first = name.partition(" ")[0].lower()
                    if first not in NOT_NAMES and len(name) > 2:
                        weights.setdefault(name, Counter())[kind] += weight
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("text", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--surely", type=float, default=0.8)
    chosen = parser.parse_args()
    harvested = collect(chosen.text)
    lists: dict[str, list[str]] = {kind: [] for kind in NOUNS}
    for name, kinds in harvested.items():
        kind, weight = kinds.most_common(1)[0]
        if weight >= 2 and weight >= chosen.surely * kinds.total():
            lists[kind].append(" ".join(token.text for token in tokenize(name)))
    chosen.out.mkdir(parents=True, exist_ok=True)
    for kind, names in lists.items():
        text = "".join(name + "\n" for name in sorted(set(names)))
        path = chosen.out / f"is-{kind.lower()}.txt"
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"{kind}: {len(names):,} phrases")


if __name__ == "__main__":
    main()
