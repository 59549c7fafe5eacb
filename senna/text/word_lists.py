"""Words of English that the rules of tokenizer and sentence splitter know: data/english.toml."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, pairwise

from senna.files import resource
from senna.settings import read_table

_TABLES = read_table(resource("data/english.toml"))
_WORDS = {name: frozenset(words.split()) for name, words in _TABLES["words"].items()}
PREFIXES, CLITICS, NOT_OWNED = _WORDS["prefixes"], _WORDS["clitics"], _WORDS["not_owned"]
TITLES, ABBREVIATIONS = _WORDS["titles"], _WORDS["abbreviations"]
CAPITALISED, BEFORE_NUMBERS = _WORDS["capitalised"], _WORDS["before_numbers"]
WITH_MARK, SENTENCE_WORDS = _WORDS["with_mark"], _WORDS["sentence_words"]
CAPTIONS, PUNCTUATION = _WORDS["captions"], _WORDS["punctuation"]
FORMULAS, THANKS, GREETINGS = _WORDS["formulas"], _WORDS["thanks"], _WORDS["greetings"]
STARTERS, GOING_ON, UNFINISHED = _WORDS["starters"], _WORDS["going_on"], _WORDS["unfinished"]
SAYING, SPEAKING = _WORDS["saying"], _WORDS["speaking"]
SPOKEN, NO_SUBJECT = _WORDS["spoken"], _WORDS["no_subject"]
MEMBERS = _WORDS["members"]
BETWEEN = {
    word: re.compile(pattern)
    for words, pattern in _TABLES["between"].items()
    for word in words.split()
}
UNITS_OF_MEASURE = "|".join(_TABLES["units_of_measure"].split())

STRAIGHT = str.maketrans("\u2018\u2019", "''")  # curly quotes, typed for apostrophes
# By each word that is cut, where.
_PIECES = [form.split("|") for form in _TABLES["contractions"].split()]
CONTRACTIONS = {"".join(pieces): tuple(accumulate(map(len, pieces[:-1]))) for pieces in _PIECES}
_CUT = frozenset(pair for pieces in _PIECES for pair in pairwise(pieces))
CONTRACTED_LEMMAS = _TABLES["contracted_lemmas"].split()


def contractions(words: Sequence[str], joined: Sequence[bool]) -> list[tuple[int, int]]:
    """Which words [first, last) are written as one, as a tokenizer has cut them.

    joined: of each word whether no space follows it.

    >>> contractions("They do n't , I can not .".split(), [0, 1, 1, 0, 0, 1, 1, 0])
    [(1, 3), (5, 7)]
    """
    spans: list[tuple[int, int]] = []
    for i in range(1, len(words)):
        if not joined[i - 1] or not _is_rest(words[i - 1].lower(), words[i].lower()):
            continue
        first = spans.pop()[0] if spans and spans[-1][1] == i else i - 1
        spans.append((first, i + 1))
    return spans


def _is_rest(before: str, word: str) -> bool:
    """Whether a word, in lower case, is the rest of a contraction that another begins."""
    if word.translate(STRAIGHT) in CLITICS:
        return before[-1].isalnum() or before[-1] == "."
    return (before.translate(STRAIGHT), word) in _CUT
