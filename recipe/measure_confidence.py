"""Measures how far probabilities can be believed, and fits one temperature per task.

usage: python recipe/measure_confidence.py [--task pos,ner] [--write]
       python recipe/measure_confidence.py --names CORPUS:SPLIT...

The documents of the dev sets (names: four sets pooled; all else: EWT) are halved, every other one.
A temperature is fitted on the first half and measured on the second; then the halves change
places, and both measurements are pooled. `--write` puts the first half's temperatures into the
model.toml of the package's models; nothing else in these folders changes.

The expected calibration error (ECE) is the mean, over all that is found, of the distance between
the mean probability in its bin, of 15 equal ones, and the share of right ones there. "by chance" is
what it would be on as many items if every probability were true.

`--names` fits nothing: it measures the shipped model of names on each of some sets as it is.
"""

import math
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from scripts.common import command, gold_of, lines_of, parser_of, table_head, table_row
from senna.annotation.schemes import Phrase, phrases_of
from senna.atomic import put_text
from senna.decoding.requests import Asked
from senna.formats.columns import read_columns
from senna.kinds import output_of
from senna.kinds.answer import Gold, GoldOptions
from senna.model.folder import read_model, shipped
from senna.model.schema import read_table
from senna.pipeline.pipeline import Pipeline
from senna.settings import to_toml

NAMES = ("ner/wikigold", "ner/docred", "ner/uner_ewt_misc", "ner/gum")
UD = ("ud/ewt",)
SETS = {
    "pos": ("pos/ewt",),
    "lemma": UD,
    "upos": UD,
    "feats": UD,
    "pt0": ("pt0/ewt",),
    "chunk": ("chunk/ewt",),
    "ner": NAMES,
    "predicates": ("srl/ewt",),
    "srl": ("srl/ewt",),
    "dep": UD,
}
MARKED = "ner/uner_ewt_misc"  # the same text as the other EWT sets, with its documents marked
BINS = 15
RANGE, STEPS = (0.5, 3.0), 11  # of temperatures; cuts of that range
HEADING = "task, found, right, T = 1: mean, ECE, T, second half: ECE, both: mean, ECE, by chance"

Item = tuple[float, bool]  # the probability of something found, and whether it is right


class Figures(NamedTuple):
    """What is measured of some items."""

    n: int
    right: float
    mean: float
    error: float  # expected calibration error
    loss: float  # mean log loss


def set_temperatures(path: Path, temperatures: dict[str, float]) -> None:
    """Set what the scores of some tasks are divided by, in a folder's model.toml; nothing else."""
    read_model(path)
    table = read_table(path / "model.toml")
    files = table.pop("files")
    table["temperature"] = table.get("temperature", {}) | temperatures
    put_text(path / "model.toml", to_toml(table | {"files": files}))


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--task", default=",".join(SETS))
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--names", nargs="+", metavar="CORPUS:SPLIT")
    chosen = parser.parse_args()
    if chosen.names:
        report_names(chosen.names)
        return
    print(table_head(*HEADING.split(", ")))
    coverage = []
    for task in chosen.task.split(","):
        model, halves = Scorer(task), halves_of(task)
        one, other = (fitted(model, half) for half in halves)
        before = [item for half in halves for item in model.items(half, 1.0)]
        rest = model.items(halves[1], one)
        both = rest + model.items(halves[0], other)
        print(row(task, one, *map(figures, (before, rest, both)), by_chance(both)), flush=True)
        if chosen.write:
            set_temperatures(shipped()[task], {task: one})
        coverage.append(f"\n{task}\n\n{coverage_table(both)}")
    print("\n".join(coverage))


def report_names(sets: Sequence[str]) -> None:
    """A line for each set: how sure the model of names is, and how right."""
    model = Scorer("ner")
    print(table_head("set", "found", "right", "mean", "ECE", "by chance"))
    for name in sets:
        corpus, _, split = name.partition(":")
        items = model.items(read("ner", corpus, split), model.head.temperature)
        n, right, mean, error, _ = figures(items)
        numbers = (100 * value for value in (right, mean, error, by_chance(items)))
        print(table_row(name, f"{n:,}", *(f"{number:.2f}" for number in numbers)), flush=True)


# --------------------------------------------------------------------------- gold


def read(task: str, corpus: str, split: str = "dev") -> list[Gold]:
    """The gold sentences of a set."""
    return gold_of(task, corpus, split, GoldOptions(kinds=("v",)))


def halves_of(task: str) -> list[list[Gold]]:
    """The sentences of every other document of a task's sets, and the others."""
    halves: list[list[Gold]] = [[], []]
    for corpus in SETS[task]:
        gold = read(task, corpus)
        for sentence, document in zip(gold, documents_of(corpus, gold), strict=True):
            halves[document % 2].append(sentence)
    return halves


def documents_of(corpus: str, gold: list[Gold]) -> list[int]:
    """The number of each sentence's document."""
    marked = corpus if corpus.startswith("ner/") else MARKED
    documents, by_text = [-1], dict[str, int]()
    for sentence in read_columns(lines_of(marked, "dev"), name=marked):
        documents.append(documents[-1] + bool(sentence.mark))
        by_text[" ".join(row[0] for row in sentence.rows)] = documents[-1]
    if corpus != marked:  # a sentence that is cut otherwise belongs to the document before it
        for gold_sentence in gold:
            documents.append(by_text.get(" ".join(gold_sentence.forms), documents[-1]))
    return documents[-len(gold) :]


# --------------------------------------------------------------------------- what is found


class Scorer:
    """The package's model of a task, at any temperature."""

    def __init__(self, task: str) -> None:
        self.task = task
        finder = "given" if output_of(task).kind == "roles" else "auto"
        self.pipeline = Pipeline.load([task], None, finder, Asked(scores=True))
        self.head: Any = self.pipeline.owners[task].heads[task]

    def items(self, gold: Sequence[Gold], temperature: float) -> list[Item]:
        """What the model finds, each with its probability."""
        self.head.temperature = temperature
        places = None
        kind = output_of(self.task).kind
        if kind == "roles":
            places = [[predicate.position for predicate in sentence.answer] for sentence in gold]
        forms = [sentence.forms for sentence in gold]
        predicted = self.pipeline.annotate(forms, {}, places)[self.task]
        pairs = zip(gold, predicted, strict=True)
        return [item for sentence, answer in pairs for item in ITEMS[kind](sentence, answer)]


def _tags(gold: Gold, predicted: Any) -> Iterator[Item]:
    right = (one == other for one, other in zip(gold.answer, predicted, strict=True))
    return zip(predicted.scores, right, strict=True)


def _heads(gold: Gold, predicted: Any) -> Iterator[Item]:
    right = (one.head == other.head for one, other in zip(gold.answer, predicted, strict=True))
    return zip(predicted.scores, right, strict=True)


def _phrases(gold: Gold, predicted: Any) -> Iterator[Item]:
    scheme = "iobes" if any(tag[0] in "ES" for tag in gold.answer) else "iob2"
    right, found = phrases_of(gold.answer, scheme), phrases_of(predicted, "iobes")
    return _spans(right, found, predicted)


def _roles(gold: Gold, predicted: Any) -> Iterator[Item]:
    for one, other in zip(gold.answer, predicted, strict=True):
        yield from _spans(one.arguments, other.arguments, other.tags)


def _spans(right: list[Phrase], found: list[Phrase], tags: Any) -> Iterator[Item]:
    return ((tags.span(phrase.start, phrase.end), phrase in right) for phrase in found)


ITEMS: dict[str, Callable[[Gold, Any], Iterator[Item]]] = {
    "tags": _tags,
    "lemmas": _tags,
    "dependencies": _heads,
    "phrases": _phrases,
    "roles": _roles,
}


# --------------------------------------------------------------------------- figures


def fitted(model: Scorer, gold: Sequence[Gold]) -> float:
    """The temperature of the smallest loss on some sentences, by golden section."""

    def loss(temperature: float) -> float:
        return figures(model.items(gold, temperature)).loss

    low, high = RANGE
    part = (math.sqrt(5) - 1) / 2
    one, two = high - part * (high - low), low + part * (high - low)
    left, right = loss(one), loss(two)
    for _ in range(STEPS):
        if left < right:
            high, two, right = two, one, left
            one = high - part * (high - low)
            left = loss(one)
        else:
            low, one, left = one, two, right
            two = low + part * (high - low)
            right = loss(two)
    return round((low + high) / 2, 2)


def figures(items: Sequence[Item]) -> Figures:
    """Figures of some items."""
    n = len(items)
    error = sum(abs(sum(p - right for p, right in inside)) for inside in binned(items))
    losses = (math.log(max(p if right else 1 - p, 1e-6)) for p, right in items)
    right = sum(right for _, right in items) / n
    return Figures(n, right, sum(p for p, _ in items) / n, error / n, -sum(losses) / n)


def by_chance(items: Sequence[Item], times: int = 20) -> float:
    """The mean error of items that are right as often as their probabilities say."""
    draw = random.Random(1)
    drawn = ([(p, draw.random() < p) for p, _ in items] for _ in range(times))
    return sum(figures(sample).error for sample in drawn) / times


def row(
    task: str, fitted: float, before: Figures, rest: Figures, both: Figures, chance: float
) -> str:
    """A line of the table."""
    parts = both.right, before.mean, before.error, rest.error, both.mean, both.error, chance
    cells = [f"{100 * value:.2f}" for value in parts]
    cells.insert(3, f"{fitted:.2f}")
    return table_row(task, f"{both.n:,}", *cells)


def binned(items: Sequence[Item]) -> list[list[Item]]:
    """The items of each bin that has some."""

    def bin_of(item: Item) -> int:
        return min(int(item[0] * BINS), BINS - 1)

    return [list(inside) for _, inside in groupby(sorted(items), key=bin_of)]


def coverage_table(items: Sequence[Item]) -> str:
    """How many stay, and how many of these are right, from some probabilities on."""
    lines = ["| at least | stay | right |", "|---:|---:|---:|"]
    for least in (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99):
        kept = [right for p, right in items if p >= least]
        share, right = 100 * len(kept) / len(items), 100 * sum(kept) / max(len(kept), 1)
        lines.append(f"| {least:.2f} | {share:.1f} % | {right:.2f} % |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
