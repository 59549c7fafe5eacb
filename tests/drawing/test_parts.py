"""Drawings of sentences: no label stands on another one, on however many lines."""

import html
import random
import re
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pytest

from senna.annotation.dependencies import Arc
from senna.annotation.predicates import Predicate
from senna.annotation.schemes import Phrase, tags_of
from senna.annotation.trees import Tree, numbered
from senna.drawing import views
from senna.drawing.html import article
from senna.drawing.parts import Link, bows, parts_of, pixels
from senna.drawing.svg import LABEL, drawing
from senna.drawing.terminal import drawn as in_terminal
from senna.kinds.answer import Line
from senna.text.tokens import Tokens, spaced

LABELS = ("det", "nsubj:pass", "advmod", "obl", "punct", "conj", "amod", "acl:relcl", "case")
ROLES = ("A0", "A1", "AM-TMP", "C-AM-LOC", "R-A0", "AM-MOD")
KINDS = ("NP", "VP", "WHADVP", "S", "SBAR")
_TEXT = re.compile(
    r'<text x="([-.\d]+)" y="([-.\d]+)"([^>]*)>([^<]*)(?:<title>[^<]*</title>)?</text>'
)

Box = tuple[float, float, float, float]


class Sentence(NamedTuple):
    """Words of some lengths, and answers about them."""

    words: list[str]
    answers: dict[str, Any]

    @property
    def line(self) -> Line:
        """The sentence as formats take it."""
        return Line(" ".join(self.words), 0, self.tokens)

    @property
    def tokens(self) -> Tokens:
        return spaced(self.words)


def sentence(n: int, random_: random.Random) -> Sentence:
    """A sentence of n words with answers of all kinds that are drawn."""
    words = ["a" * random_.randint(1, 9) for _ in range(n)]
    predicates = []
    for place in sorted(random_.sample(range(n), min(n, random_.randint(1, 6)))):
        around = phrases(place, random_, ROLES)
        around += [phrase._replace(start=phrase.start + place + 1, end=phrase.end + place + 1)
                   for phrase in phrases(n - place - 1, random_, ROLES)]  # fmt: skip
        tags = tags_of([*around, Phrase(place, place + 1, "V")], n, "iobes")
        predicates.append(Predicate(place, tags))
    answers = {
        "pos": [random_.choice(["NN", "PRP$", "-LRB-", "."]) for _ in range(n)],
        "chunk": tags_of(phrases(n, random_, KINDS), n, "iobes"),
        "srl": predicates,
        "psg": numbered(Tree("TOP", [constituent(words, random_)])),
        "dep": arcs(n, random_),
    }
    return Sentence(words, answers)


def phrases(n: int, random_: random.Random, labels: tuple[str, ...]) -> list[Phrase]:
    """Phrases among n words, some of which are in none."""
    found, end = [], 0
    while (start := end + random_.choice([0, 0, 1, 3])) < n:
        end = min(n, start + random_.choice([1, 1, 2, 3, 8, 30]))
        found.append(Phrase(start, end, random_.choice(labels)))
    return found


def constituent(words: list[str], random_: random.Random) -> Tree:
    """A tree over words."""
    if len(words) == 1:
        return Tree(random_.choice(["NN", "DT"]), word=words[0])
    place = random_.randrange(1, len(words))
    parts = [constituent(part, random_) for part in (words[:place], words[place:])]
    return Tree(random_.choice(KINDS), parts)


def arcs(n: int, random_: random.Random) -> list[Arc]:
    """A projective tree over n words."""
    heads: dict[int, int] = {}
    waiting = [(0, n, -1)]
    while waiting:
        start, end, head = waiting.pop()
        if start < end:
            word = random_.randrange(start, end)
            heads[word] = head
            waiting += [(start, word, word), (word + 1, end, word)]
    relations = ["root" if heads[i] < 0 else random_.choice(LABELS) for i in range(n)]
    return [Arc(heads[i] + 1, relation) for i, relation in enumerate(relations)]


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
    places = np.array(drawn)
    begins = (places[:, None, :2] < places[:, 2:] - 1).all(2)  # row by row: before whose end
    return int(np.triu(begins & begins.T, 1).sum())


MANY = [5, pytest.param(30, marks=pytest.mark.slow)]


def some(count: int, seed: int) -> list[Sentence]:
    """Sentences of 5 to 80 words."""
    random_ = random.Random(seed)
    return [sentence(random_.randint(5, 80), random_) for _ in range(count)]


def drawings(own: Sentence, width: int) -> dict[str, str]:
    """A sentence in all formats and views that are SVG, each of its answers alone, and together."""
    made = {
        f"svg {task}": drawing(parts_of(own.words, {task: answer}), width)
        for task, answer in own.answers.items()
    }
    made["svg"] = drawing(parts_of(own.words, own.answers), width)
    made["html"] = article(own.line.text, own.tokens, own.answers)
    for name, task in (("tree", "psg"), ("arcs", "dep")):
        found = {task: [own.answers[task]]}
        made[f"page {name}"] = views.drawn(name, [own.line], found, width)
    found = {task: [own.answers[task]] for task in ("pos", "chunk", "srl")}
    made["page compare"] = views.compared([own.line], found, found, ("senna", "mine"), width)
    return made


@pytest.mark.parametrize("count", MANY)
@pytest.mark.parametrize("width", [360, 640, 960])
def test_no_label_stands_on_another(width, count):
    counted: Counter[str] = Counter()
    for own in some(count, width):
        for name, drawn in drawings(own, width).items():
            found = boxes(drawn)
            assert len(found) >= len(own.words)
            [wide] = set(re.findall(r'<svg [^>]*width="([.\d]+)"', drawn))
            outside = [box for box in found if box[0] < -1 or box[2] > float(wide) + 1]
            counted[name] += overlapping(found) + len(outside)
    assert +counted == Counter()


@pytest.mark.parametrize("count", MANY)
@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_terminal_writes_no_label_over_another(width, count):
    lost: Counter[str] = Counter()
    for own in some(count, width):
        parts = parts_of(own.words, {"dep": own.answers["dep"]})
        shown = "\n".join(in_terminal(parts, width, lambda text, code: text))
        labels = Counter(re.findall(r"[a-z]+(?::[a-z]+)?", re.sub(r"\ba+\b", "", shown)))
        lost += Counter(arc.relation for arc in own.answers["dep"]) - labels
    assert lost == Counter()


def test_arcs_that_pass_over_a_line_have_levels_of_their_own():
    arcs = [Link(0, Phrase(9, 10, "a")), Link(1, Phrase(8, 9, "b")), Link(2, Phrase(7, 8, "c"))]
    assert sorted(bow.level for bow in bows(arcs, 4, 6)) == [1, 2, 3]
