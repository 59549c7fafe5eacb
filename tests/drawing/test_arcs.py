"""Arcs over words: no label stands on another one, on however many lines."""

from __future__ import annotations

import html
import random
import re
from itertools import combinations

import pytest

from senna.answers.base import Link
from senna.drawing.arcs import bows
from senna.drawing.letters import pixels
from senna.drawing.parts import Parts
from senna.drawing.svg import LABEL, drawing
from senna.text.schemes import Phrase

LABELS = ("det", "nsubj:pass", "advmod", "obl", "punct", "conj", "amod", "acl:relcl", "case")
_TEXT = re.compile(
    r'<text x="([-.\d]+)" y="([-.\d]+)"([^>]*)>([^<]*)(?:<title>[^<]*</title>)?</text>'
)

Box = tuple[float, float, float, float]


def tree(n: int, random_: random.Random) -> Parts:
    """A sentence of n words with a projective tree."""
    heads: dict[int, int] = {}
    waiting = [(0, n, -1)]
    while waiting:
        start, end, head = waiting.pop()
        if start < end:
            word = random_.randrange(start, end)
            heads[word] = head
            waiting += [(start, word, word), (word + 1, end, word)]
    words = ["a" * random_.randint(1, 9) for _ in range(n)]
    arcs = [
        Link(heads[i], Phrase(i, i + 1, "root" if heads[i] < 0 else random_.choice(LABELS)))
        for i in range(n)
    ]
    return Parts(words, [], arcs, [])


def boxes(svg: str) -> list[Box]:
    """The places of all texts of a drawing."""
    found = []
    for x, y, rest, text in _TEXT.findall(svg):
        [size] = re.findall(r'font-size="([.\d]+)"', rest) or [LABEL]
        width = pixels(html.unescape(text), float(size))
        left = float(x) - width / 2 * ("middle" in rest)
        found.append((left, float(y) - 0.7 * float(size), left + width, float(y)))
    return found


def overlapping(drawn: list[Box]) -> int:
    """The number of pairs of texts that stand on each other."""
    return sum(
        a[0] < b[2] - 1 and b[0] < a[2] - 1 and a[1] < b[3] - 1 and b[1] < a[3] - 1
        for a, b in combinations(drawn, 2)
    )


@pytest.mark.parametrize("width", [360, 640, 960])
def test_no_label_stands_on_another(width: int) -> None:
    random_ = random.Random(width)
    for _ in range(20):
        drawn = boxes(drawing(tree(random_.randint(5, 80), random_), width))
        assert overlapping(drawn) == 0


def test_arcs_that_pass_over_a_line_have_levels_of_their_own() -> None:
    arcs = [Link(0, Phrase(9, 10, "a")), Link(1, Phrase(8, 9, "b")), Link(2, Phrase(7, 8, "c"))]
    assert sorted(bow.level for bow in bows(arcs, 4, 6)) == [1, 2, 3]
