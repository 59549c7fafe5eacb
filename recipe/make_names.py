"""Make sentences whose names look like other words, from labelled sentences.

usage: python recipe/make_names.py --labels DIR --out FILE [--each N]

DIR has ner.xz and pos.xz (recipe/teacher/unpack.py). Names of sentences are replaced: first names
by months and days (*October Reed sang*, beside *In October Reed sang*, whose name is *Reed*), firms
of one word by common nouns (*a job at Harvest*), and a nickname of two words in quotation marks is
put between first and last name (*Ellen "the wolf" Reed*); persons get a title without its full stop
(*Mr Reed*). Words of tests/quality are left out.
FILE has words and tags of names (IOB2).
"""

import lzma
import random
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from teacher.unpack import formatted

from scripts.common import command, parser_of
from senna.annotation.schemes import Phrase, phrases_of, tags_of
from senna.files import open_text
from senna.formats.columns import read_columns

Named = tuple[list[str], list[Phrase]]  # words of a sentence, its names

DAYS = (
    "February March July September October November December Winter Spring "
    "Monday Tuesday Wednesday Friday Saturday Sunday Easter Christmas Noon"
).split()
TITLES = "Mr Mr Mr Mrs Mrs Ms Ms Dr Dr Prof Sir Mr. Mrs. Ms. Dr.".split()
QUOTES = [('"', '"'), ("'", "'"), ("\u201c", "\u201d"), ("\u2018", "\u2019"), ("``", "''")]
LEFT_OUT = frozenset(  # of tests/quality
    "plumber rock man big fist iron bear little professor times two pea sweet target slack signal "
    "discord shell gap oracle visa square stripe zoom chase subway sprint orange block".split()
)
LONGEST = 30  # words of a sentence


def named(path: Path) -> Iterator[Named]:
    """The short sentences that have names."""
    with open_text(path) as file:
        for sentence in read_columns(file, name=str(path)):
            words, tags = map(list, zip(*sentence.rows, strict=True))
            if len(words) <= LONGEST and (names := phrases_of(tags, "iob2")):
                yield words, names


def nouns(path: Path, least: int) -> tuple[list[str], list[list[str]]]:
    """Common nouns that occur so often, and pairs that end in one: "the wolf", "old wolf"."""
    words: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    with open_text(path) as file:
        for sentence in read_columns(file, name=str(path)):
            for (before, kind), (word, tag) in pairwise(sentence.rows):
                if tag != "NN" or not word.islower() or {before, word} & LEFT_OUT:
                    continue
                words[word] += 1
                if before == "the" or (kind in ("JJ", "NN") and before.islower()):
                    pairs[before, word] += 1
    often = [word for word, n in words.items() if n >= least and len(word) > 3]
    return often, [list(pair) for pair, n in pairs.items() if n >= least // 5]


def replaced(sentence: Named, name: Phrase, by: list[str]) -> Named:
    """A sentence with other words in the place of one of its names."""
    words, more = sentence[0], len(by) - (name.end - name.start)
    moved = [
        one._replace(
            start=one.start + more * (one.start > name.start),
            end=one.end + more * (one.start >= name.start),
        )
        for one in sentence[1]
    ]
    return [*words[: name.start], *by, *words[name.end :]], moved


class Maker:
    """Draws sentences, and changes their names."""

    def __init__(self, labels: Path, least: int = 25) -> None:
        self.draw = random.Random(1)
        self.nouns, self.pairs = nouns(labels / "pos.xz", least)
        self.persons: list[tuple[Named, Phrase]] = []  # of a first and a last name
        self.firms: list[tuple[Named, Phrase]] = []  # of one word, not the sentence's first
        self.openings: list[Named] = []  # that begin with a person
        for sentence in named(labels / "ner.xz"):
            words, names = sentence
            if names[0].start == 0 and names[0].label == "PER":
                self.openings.append(sentence)
            for name in names:
                own = words[name.start : name.end]
                if not all(word.isalpha() and word.istitle() for word in own):
                    continue
                if name.label == "PER" and len(own) == 2:
                    self.persons.append((sentence, name))
                elif name.label == "ORG" and len(own) == 1 and name.start:
                    self.firms.append((sentence, name))

    def day(self) -> Named:
        """A person with the name of a month or day, or a month before a person."""
        if self.draw.random() < 0.4:
            words, names = self.draw.choice(self.openings)
            before = [self.draw.choice(["In", "Last", "Next"]), self.draw.choice(DAYS)]
            before += [","] * (self.draw.random() < 0.2)
            n = len(before)
            return [*before, *words], [
                name._replace(start=name.start + n, end=name.end + n) for name in names
            ]
        sentence, name = self.draw.choice(self.persons)
        last = sentence[0][name.end - 1]
        return replaced(sentence, name, [self.draw.choice(DAYS), last])

    def firm(self) -> Named:
        """A firm whose name is a common noun."""
        sentence, name = self.draw.choice(self.firms)
        return replaced(sentence, name, [self.draw.choice(self.nouns).capitalize()])

    def nickname(self) -> Named:
        """A person with a nickname of two words."""
        sentence, name = self.draw.choice(self.persons)
        first, last = sentence[0][name.start : name.end]
        (opening, closing), pair = self.draw.choice(QUOTES), self.draw.choice(self.pairs)
        if self.draw.random() < 0.2:
            pair = [word.capitalize() for word in pair]
        return replaced(sentence, name, [first, opening, *pair, closing, last])

    def titled(self) -> Named:
        """A person after a title, which is no part of the name."""
        sentence, name = self.draw.choice(self.persons)
        own = sentence[0][name.start + self.draw.randint(0, 1) : name.end]
        words, names = replaced(sentence, name, [self.draw.choice(TITLES), *own])
        start = name.start
        return words, [
            one._replace(start=start + 1) if one.start == start else one for one in names
        ]


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--labels", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=2000, help="sentences of each kind")
    parser.add_argument("--least", type=int, default=25, help="how often nouns occur in pos.xz")
    args = parser.parse_args()
    maker = Maker(args.labels, args.least)
    made = [
        make()
        for make in (maker.day, maker.firm, maker.nickname, maker.titled)
        for _ in range(args.each)
    ]
    maker.draw.shuffle(made)
    with lzma.open(args.out, "wt", encoding="utf-8", newline="\n") as out:
        for words, names in made:
            out.write(formatted("ner", words, {"ner": tags_of(names, len(words), "iobes")}))
    print(f"{len(made):,} sentences")


if __name__ == "__main__":
    sys.exit(main())
