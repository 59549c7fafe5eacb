"""Simple sentences with the arcs of their dependency trees that matter: who does what, and clauses.

A line is a sentence of tokens separated by spaces, a bar, and heads with their dependents:
`She said he left . | said nsubj=She ccomp=left ; left nsubj=he`. The first head is the root; `I#2`
is the second *I*. `measure_quality.py --arcs` scores tests/quality/arcs. No model learns from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import senna
from senna.files import open_text
from senna.model.folder import shipped
from senna.scoring.figures import percent
from senna.text.conllu import ROOT, Arc

CLAUSES = Path(__file__).resolve().parents[1] / "tests" / "quality" / "arcs" / "clauses.txt"
KINDS = {  # relations, without subtypes, that a row of the table counts
    "root": ("root",),
    "subject": ("nsubj", "csubj"),
    "object": ("obj", "iobj"),
    "clause": ("ccomp", "xcomp", "advcl", "acl", "parataxis", "conj"),
}
HEADING = """\
| arcs | all | right | share |
|---|---:|---:|---:|"""


class Expected(NamedTuple):
    """A sentence and some of its arcs: of words by their places, from 0."""

    words: list[str]
    arcs: dict[int, Arc]


def read(path: Path) -> list[Expected]:
    """The sentences of a file; SennaError, with the line, for what is not in its format."""
    with open_text(path) as file:
        return [
            expected(line, f"{path}:{number}")
            for number, line in enumerate(file, start=1)
            if line.strip()
        ]


def expected(line: str, where: str) -> Expected:
    """A sentence of a line."""
    sentence, bar, groups = line.partition(" | ")
    words = sentence.split()
    arcs: dict[int, Arc] = {}

    def add(word: str, head: int, relation: str) -> None:
        place = _place(words, word, where)
        if place in arcs:
            raise senna.SennaError(f"two heads of {word}", where=where)
        arcs[place] = Arc(head, relation)

    for number, group in enumerate(groups.split(";")):
        head, *pairs = group.split() or [""]
        if number == 0:
            add(head, ROOT, "root")
        for pair in pairs:
            relation, equals, word = pair.partition("=")
            if not equals:
                raise senna.SennaError(f"{pair} is no relation=word", where=where)
            add(word, _place(words, head, where) + 1, relation)
    if not bar:
        raise senna.SennaError("no bar between words and arcs", where=where)
    return Expected(words, arcs)


def _place(words: Sequence[str], word: str, where: str) -> int:
    """The place of a word: the first one of its form, or the one with a number, as `I#2`."""
    form, _, number = word.partition("#")
    places = [i for i, known in enumerate(words) if known == form]
    if int(number or 1) > len(places):
        raise senna.SennaError(f"no word {word}", where=where)
    return places[int(number or 1) - 1]


def report(models: Sequence[str], errors: bool) -> Iterator[str]:
    """The lines of the table, and of what is wrong."""
    named = {name: model for model in models for name in senna.load(None, model).tasks}
    if "dep" not in named and "dep" not in shipped():
        mend = "Give one with --model."
        raise senna.SennaError("no model for task dep is in the package", mend=mend)
    nlp = senna.load(["dep"], named.get("dep"))
    sentences = read(CLAUSES)
    docs = nlp.pipe([sentence.words for sentence in sentences])
    found = [doc[0].arcs for doc in docs]
    yield from table(sentences, found)
    if errors:
        yield from wrong(sentences, found)


def table(sentences: Sequence[Expected], found: Sequence[Sequence[Arc]]) -> Iterator[str]:
    """The shares of arcs with the right head and relation, subtypes aside, by kind, and of all."""
    pairs = [
        (arc, arcs[i])
        for sentence, arcs in zip(sentences, found, strict=True)
        for i, arc in sentence.arcs.items()
    ]
    yield HEADING
    for name, relations in KINDS.items():
        yield _row(name, [_alike(*pair) for pair in pairs if _plain(pair[0]) in relations])
    yield _row("all", [_alike(*pair) for pair in pairs])
    whole = [
        all(_alike(arc, arcs[i]) for i, arc in sentence.arcs.items())
        for sentence, arcs in zip(sentences, found, strict=True)
    ]
    yield _row("sentences", whole)


def wrong(sentences: Sequence[Expected], found: Sequence[Sequence[Arc]]) -> Iterator[str]:
    """Each arc that is wrong, in its sentence."""
    for (words, expected_arcs), arcs in zip(sentences, found, strict=True):
        heads = ["the root", *words]
        for i, arc in expected_arcs.items():
            if not _alike(arc, arcs[i]):
                ours = f"{arcs[i].relation} of {heads[arcs[i].head]}"
                yield f"  {words[i]}: {arc.relation} of {heads[arc.head]}, found as {ours}: " + (
                    " ".join(words)
                )


def _row(name: str, right: Sequence[bool]) -> str:
    return f"| {name} | {len(right)} | {sum(right)} | {percent(sum(right), len(right)):.1f} |"


def _alike(one: Arc, other: Arc) -> bool:
    return one.head == other.head and _plain(one) == _plain(other)


def _plain(arc: Arc) -> str:
    return arc.relation.partition(":")[0]
