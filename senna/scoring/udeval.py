"""Tags, lemmas and dependency trees, with the figures and layout of the CoNLL 2018 shared task.

Zeman et al. 2018, section 5. Tokens and sentences are spans of characters, blanks not counted, so
gold and system must have the same characters. Words are aligned where they are tokens of the same
span; where either side has a multiword token, the words of the stretch that such tokens cover are
aligned by the longest common subsequence of their forms in lower case. Precision divides by the
system's words, recall by gold's, and the aligned accuracy by the aligned ones.

Relations are compared up to their first colon, and of the features those of `FEATURES`. A lemma
that gold leaves open equals any. CLAS, MLAS and BLEX count content words; MLAS wants tag, features
and functional children equal as well, BLEX the lemma.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from senna.errors import SennaError
from senna.formats.conllu import checked_arcs
from senna.formats.conllu_lines import (
    DEPREL,
    EMPTY,
    FEATS,
    FORM,
    HEAD,
    LEMMA,
    UPOS,
    XPOS,
    ConlluReader,
    ConlluSentence,
)
from senna.kinds.scores import Scores, rounded

_CONTENT = frozenset(
    """nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod
    appos nummod acl amod conj fixed flat compound list parataxis orphan goeswith reparandum root
    dep""".split()
)
PREDICTED = ("LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL")  # fields that are compared
_FUNCTIONAL = frozenset(["aux", "cop", "mark", "det", "clf", "case", "cc"])
FEATURES = frozenset(
    """PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree
    VerbForm Mood Tense Aspect Voice Evident Polarity Person Polite""".split()
)


@dataclass(slots=True, eq=False)
class _Word:
    """A word: the span of its token, whether that has several words, and what is compared."""

    start: int
    end: int
    is_part: bool
    form: str
    lemma: str
    upos: str
    xpos: str
    features: str
    relation: str
    head: _Word | None
    functional: list[_Word]  # its functional children, in order

    @property
    def is_content(self) -> bool:
        return self.relation in _CONTENT


class _File(NamedTuple):
    """The sentences of one side: characters without blanks, spans in them, words."""

    characters: str
    tokens: list[tuple[int, int]]
    sentences: list[tuple[int, int]]
    words: list[_Word]


Side = Sequence[ConlluSentence]
Pair = tuple[Side, Side]  # gold and system
Partner = Callable[["_Word | None"], object]  # what stands for a word where sides are compared
Key = Callable[[_Word, Partner], Any]


# --------------------------------------------------------------------------- what is compared


def _arc(word: _Word, of: Partner) -> tuple[object, ...]:
    return of(word.head), word.relation


def _tags(word: _Word) -> tuple[str, str]:
    return word.upos, word.features


def _morphology(word: _Word, of: Partner) -> tuple[object, ...]:
    children = [(of(child), child.relation, *_tags(child)) for child in word.functional]
    return *_arc(word, of), *_tags(word), children


def _lemma(word: _Word, of: Partner) -> str:
    gold = of(word)
    return EMPTY if isinstance(gold, _Word) and gold.lemma == EMPTY else word.lemma


_METRICS: dict[str, tuple[Key, bool]] = {  # what has to be equal, and whether of content words only
    "UPOS": (lambda word, of: word.upos, False),
    "XPOS": (lambda word, of: word.xpos, False),
    "UFeats": (lambda word, of: word.features, False),
    "AllTags": (lambda word, of: (word.xpos, *_tags(word)), False),
    "Lemmas": (_lemma, False),
    "UAS": (lambda word, of: of(word.head), False),
    "LAS": (_arc, False),
    "CLAS": (_arc, True),
    "MLAS": (_morphology, True),
    "BLEX": (lambda word, of: (*_arc(word, of), _lemma(word, of)), True),
}
_SPANS = ("Tokens", "Sentences", "Words")
METRICS = (*_SPANS, *_METRICS)


# --------------------------------------------------------------------------- scores


@dataclass(frozen=True)
class UdScores(Scores):
    """How much of each metric gold has, the system has, is right, and is aligned."""

    aligned: Counter[str]

    def figures(self, metric: str) -> tuple[float, ...]:
        """Precision, recall, F1 and, of what is compared on aligned words, accuracy there."""
        gold, system, correct = self.counts(metric)
        shares = [(correct, system), (correct, gold), (2 * correct, gold + system)]
        if metric in _METRICS:
            shares.append((correct, self.aligned[metric]))
        return tuple(100 * (part / whole) if whole else 0.0 for part, whole in shares)

    @property
    def accuracy(self) -> float:
        return self.figures("LAS")[2]

    def report(self, *, latex: bool = False) -> str:
        lines = [_HEADING, "+".join(["-" * 11] * 5)]
        for metric in METRICS:
            cells = [f"{figure:10.2f}" for figure in self.figures(metric)]
            cells += [""] * (4 - len(cells))
            lines.append(f"{metric:11}|" + " |".join(cells))
        return "\n".join(lines) + "\n"

    def as_dict(self) -> dict[str, object]:
        names = ("precision", "recall", "f1", "aligned_accuracy")
        return {
            metric: dict(zip(names, map(rounded, self.figures(metric)), strict=False))
            for metric in METRICS
        }


_HEADING = "Metric     | Precision |    Recall |  F1 Score | AligndAcc"


def score(pairs: Iterable[Pair]) -> UdScores:
    """The scores of pairs of sentences of gold and of a system, each pair about the same text.

    Raises SennaError where a pair has different characters.
    """
    counts = UdScores(Counter(), Counter(), Counter(), Counter())
    for pair in pairs:
        gold, system = map(_flat, pair)
        if gold.characters != system.characters:
            raise _different(gold.characters, system.characters)
        _count(counts, gold, system)
    return counts


def _different(gold: str, system: str) -> SennaError:
    same = 0
    for one, other in zip(gold, system, strict=False):
        if one != other:
            break
        same += 1
    ends = (text[same : same + 20] or "nothing" for text in (gold, system))
    what = "the texts of gold and system differ: after {} characters {!r} and {!r}"
    remedy = "Both need the same characters, apart from white space."
    return SennaError(what.format(same, *ends), remedy=remedy)


def _count(counts: UdScores, gold: _File, system: _File) -> None:
    pairs = list(_aligned(gold.words, system.words))
    for name, one, other in (
        ("Tokens", gold.tokens, system.tokens),
        ("Sentences", gold.sentences, system.sentences),
    ):
        _add(counts, name, len(one), len(other), len(set(one) & set(other)))
    _add(counts, "Words", len(gold.words), len(system.words), len(pairs))
    partners = {id(word): gold_word for gold_word, word in pairs}

    def partner(word: _Word | None) -> object:
        return partners.get(id(word), "not aligned") if word else None

    content = [sum(word.is_content for word in side) for side in (gold.words, system.words)]
    for name, (key, of_content) in _METRICS.items():
        shown = [pair for pair in pairs if pair[0].is_content] if of_content else pairs
        right = sum(key(one, lambda w: w) == key(other, partner) for one, other in shown)
        totals = content if of_content else [len(gold.words), len(system.words)]
        _add(counts, name, totals[0], totals[1], right)
        counts.aligned[name] += len(shown)


def _add(counts: UdScores, name: str, gold: int, system: int, correct: int) -> None:
    counts.gold[name] += gold
    counts.predicted[name] += system
    counts.correct[name] += correct


# --------------------------------------------------------------------------- words of a side


def _flat(sentences: Side) -> _File:
    """The words of sentences whose trees are known to be sound."""
    parts: list[str] = []
    tokens, spans, words = list[tuple[int, int]](), list[tuple[int, int]](), list[_Word]()
    at = 0
    for sentence in sentences:
        start, first = at, len(words)
        for token, rows in sentence.tokens():
            text, is_range = _without_blanks(token[FORM]), rows[0] is not token
            parts.append(text)
            tokens.append((at, at + len(text)))
            words += [_word(row, at, at + len(text), is_range) for row in rows]
            at += len(text)
        spans.append((start, at))
        _attach(words[first:], sentence)
    return _File("".join(parts), tokens, spans, words)


def _without_blanks(form: str) -> str:
    if form.isascii():
        return form.replace(" ", "")
    return "".join(c for c in form if unicodedata.category(c) != "Zs")


def _word(row: Sequence[str], start: int, end: int, is_part: bool) -> _Word:
    features = sorted(f for f in row[FEATS].split("|") if f.partition("=")[0] in FEATURES)
    relation = row[DEPREL].partition(":")[0]
    tags = row[UPOS], row[XPOS], "|".join(features)
    # As the reference has it: blanks in the words of a multiword token count.
    form = row[FORM] if is_part else _without_blanks(row[FORM])
    return _Word(start, end, is_part, form, row[LEMMA], *tags, relation, None, [])


def _attach(words: Sequence[_Word], sentence: ConlluSentence) -> None:
    for word, row in zip(words, sentence.words, strict=True):
        head = int(row[HEAD])
        if head:
            word.head = words[head - 1]
            if word.relation in _FUNCTIONAL:
                word.head.functional.append(word)


# --------------------------------------------------------------------------- alignment


def _aligned(gold: Sequence[_Word], system: Sequence[_Word]) -> Iterator[tuple[_Word, _Word]]:
    """The pairs of words that stand for each other."""
    i = j = 0
    while i < len(gold) and j < len(system):
        one, other = gold[i], system[j]
        if one.is_part or other.is_part:
            # A plain word that begins before the multiword token is passed over.
            if one.is_part:
                j += not other.is_part and other.start < one.start
            else:
                i += one.start < other.start
            ends = _stretch(gold, system, i, j, one.end if one.is_part else other.end)
            yield from _common(gold[i : ends[0]], system[j : ends[1]])
            i, j = ends
        elif (one.start, one.end) == (other.start, other.end):
            yield one, other
            i, j = i + 1, j + 1
        elif one.start <= other.start:
            i += 1
        else:
            j += 1


def _stretch(
    gold: Sequence[_Word], system: Sequence[_Word], i: int, j: int, end: int
) -> tuple[int, int]:
    """Where the stretch ends that begins at i and j and holds a multiword token up to `end`.

    It grows with every multiword token that it touches.
    """

    def is_inside(words: Sequence[_Word], k: int) -> bool:
        if k >= len(words):
            return False
        return words[k].start < end if words[k].is_part else words[k].end <= end

    while is_inside(gold, i) or is_inside(system, j):
        if i < len(gold) and (j >= len(system) or gold[i].start <= system[j].start):
            word, i = gold[i], i + 1
        else:
            word, j = system[j], j + 1
        if word.is_part:
            end = max(end, word.end)
    return i, j


def _common(gold: Sequence[_Word], system: Sequence[_Word]) -> Iterator[tuple[_Word, _Word]]:
    one, other = ([word.form.lower() for word in words] for words in (gold, system))
    length = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in reversed(range(len(one))):
        for j in reversed(range(len(other))):
            both = length[i + 1][j + 1] + 1 if one[i] == other[j] else 0
            length[i][j] = max(both, length[i + 1][j], length[i][j + 1])
    i = j = 0
    while i < len(one) and j < len(other):
        if one[i] == other[j]:
            yield gold[i], system[j]
            i, j = i + 1, j + 1
        elif length[i][j] == length[i + 1][j]:
            i += 1
        else:
            j += 1


# --------------------------------------------------------------------------- files


def read_side(lines: Iterable[str], name: str) -> list[ConlluSentence]:
    """The sentences of a file to be scored, called `name`.

    Raises SennaError, with the line, for what the shared task's scorer refuses.
    """
    sentences = list(ConlluReader()(_ended(lines, name), name=name))
    for sentence in sentences:
        checked_arcs(sentence, name)
    return sentences


def _ended(lines: Iterable[str], name: str) -> Iterator[str]:
    """The lines of a file in which one blank line ends each sentence; SennaError for others."""
    number, is_open = 0, False
    for number, line in enumerate(lines, start=1):
        is_blank = not line.strip("\r\n")
        if is_blank and not is_open:
            raise SennaError("a blank line that ends no sentence", where=f"{name}:{number}")
        is_open = not is_blank and (is_open or not line.startswith("#"))
        yield line
    if is_open:
        remedy = "A blank line ends each sentence, the last one too."
        raise SennaError("no blank line at the end", where=f"{name}:{number}", remedy=remedy)
