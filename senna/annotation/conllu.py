"""CoNLL-U, the format of Universal Dependencies: ten fields per word, separated by tabs.

A blank line ends a sentence; comments (`# text = ...`) stand before it. Beside words, numbered from
1, there are surface tokens of several words (`2-3  don't`), which stand before these, and words
that are not in the text (`4.1`). As in other columns, only a line feed ends a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

NAMES = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
FIELDS = len(NAMES)
ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(FIELDS)
EMPTY = "_"
ROOT = 0  # the head of a word that has none
ROOT_RELATION = "root"  # of this word, and of no other

# Nine digits: Python refuses to read thousands of them as a number.
RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
ADDED = re.compile(r"(0|[1-9][0-9]{0,8})\.[1-9][0-9]*")


class Arc(NamedTuple):
    """A word's head, numbered from 1, or `ROOT`, and its relation to it."""

    head: int
    relation: str


class ConlluSentence(NamedTuple):
    """A sentence: its comments with their sign, all its rows of ten fields, its first line."""

    comments: list[str]
    rows: list[list[str]]
    line: int = 1

    @property
    def words(self) -> list[list[str]]:
        """The rows of its words: neither surface tokens of several words nor added ones."""
        return [row for row in self.rows if row[ID].isdigit()]

    @property
    def opens_document(self) -> bool:
        """Whether a comment says so."""
        return any(re.match(r"#\s*newdoc\b", comment) for comment in self.comments)

    def word_lines(self) -> list[int]:
        """The number of the line of each word."""
        first = self.line + len(self.comments)
        return [number for number, row in enumerate(self.rows, first) if row[ID].isdigit()]

    def comment(self, key: str) -> str:
        """The value of the comment `# key = value`; empty if there is none."""
        for comment in self.comments:
            name, equals, value = comment[1:].partition("=")
            if equals and name.strip() == key:
                return value.strip()
        return ""

    def tokens(self) -> Iterator[tuple[list[str], list[list[str]]]]:
        """The row of each surface token, and those of its words: of a single one the same."""
        rows = iter([row for row in self.rows if not ADDED.fullmatch(row[ID])])
        for row in rows:
            if span := RANGE.fullmatch(row[ID]):
                n = int(span[2]) - int(span[1]) + 1
                yield row, [next(rows) for _ in range(n)]
            else:
                yield row, [row]

    def surface(self) -> tuple[str, list[tuple[int, int]]]:
        """The text of the sentence, and where in it each word stands.

        Words of one surface token have their own places if they add up to it, else all of it.
        """
        text, places = "", list[tuple[int, int]]()
        glued = True
        for row, words in self.tokens():
            text += "" if glued else " "
            start = len(text)
            text += row[FORM]
            parts = [word[FORM] for word in words]
            if "".join(parts) == row[FORM]:
                for part in parts:
                    places.append((start, start + len(part)))
                    start += len(part)
            else:
                places += [(start, len(text))] * len(parts)
            glued = "SpaceAfter=No" in row[MISC].split("|")
        return text, places


def text_of(sentences: Sequence[ConlluSentence]) -> str:
    """The text of sentences that follow one another: a blank line stands between paragraphs."""
    text = ""
    for sentence in sentences:
        opens = any(re.match(r"#\s*new(par|doc)\b", comment) for comment in sentence.comments)
        text += ("\n\n" if opens else " ") * bool(text)
        text += sentence.comment("text") or sentence.surface()[0]
    return text


OUTSIDE = ("", EMPTY, "O", "*")  # cells of a column of its own that say nothing of their word


def cycle_of(heads: Sequence[int]) -> list[int]:
    """The places of words that form a cycle, each before its head; none in a tree.

    heads: of each word, numbered from 1, or `ROOT`.
    """
    seen_from = [-1] * len(heads)
    for start in range(len(heads)):
        word = start
        while word >= 0 and seen_from[word] < 0:
            seen_from[word] = start
            word = heads[word] - 1
        if word >= 0 and seen_from[word] == start:
            cycle = [word]
            while heads[cycle[-1]] - 1 != word:
                cycle.append(heads[cycle[-1]] - 1)
            return cycle
    return []


def filled(sentence: ConlluSentence, fields: Mapping[str, Sequence[str]]) -> ConlluSentence:
    """The sentence with some fields, by name, of its words; each value is of one word."""
    sentence = sentence._replace(rows=[list(row) for row in sentence.rows])
    fill(sentence.words, fields)
    return sentence


def fill(words: Iterable[list[str]], fields: Mapping[str, Sequence[str]]) -> None:
    """Write some fields, by name, into the rows of words."""
    for name, values in fields.items():
        place = NAMES.index(name)
        for row, value in zip(words, values, strict=True):
            row[place] = escaped(value, place) or EMPTY


def as_field(text: str) -> str:
    """A form, lemma or comment, which may have spaces, on one line and in one field."""
    return re.sub(r"[\t\n\r]", " ", text)


@lru_cache(1 << 14)  # most values of a text are the same few
def escaped(value: str, place: int = MISC) -> str:
    """A value as its field has it: only a lemma keeps spaces, only features keep the sign `|`."""
    if place == LEMMA:
        return as_field(value)
    return re.sub(r"\s", "_", value if place == FEATS else value.replace("|", r"\p"))
