"""A dependency tree per sentence: the head of each word and its relation to it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from senna.annotation.dependencies import ROOT, ROOT_RELATION, Arc, cycle_of
from senna.annotation.schemes import Phrase
from senna.kinds.answer import (
    SHOWN,
    TASK,
    Columns,
    DocumentError,
    Line,
    Measure,
    Output,
    Record,
    add_scores,
    labels,
    probabilities,
    whole,
)

if TYPE_CHECKING:
    from senna.text.tokens import Tokens

JOINED = "parataxis"  # the relation of the later parts of a sentence that was cut


class ScoredArcs(list[Arc]):
    """The arcs of a sentence with their probabilities, one per word."""

    def __init__(self, arcs: Iterable[Arc] = (), scores: Iterable[float] = ()) -> None:
        super().__init__(arcs)
        self.scores = list(scores)


class DependencyOutput(Output):
    """Answers are lists of arcs, one per word, which may be `ScoredArcs`."""

    fields: ClassVar[Record] = {
        "dependencies": {"heads": [int], "relations": [str]},
        "scores": {TASK: [float]},
    }
    kind = "dependencies"

    def targets(
        self, answer: list[Arc], n: int, tree: Sequence[Phrase] | None = None
    ) -> tuple[list[list[str]], list[Phrase]]:
        """The arcs, each from its word to its head: what stands for the end of a span is that."""
        return [], [Phrase(i, head + 1, relation) for i, (head, relation) in enumerate(answer)]

    def vocabulary(self, seen: Collection[str]) -> list[str]:
        return sorted(seen)

    def measure(self, gold: Sequence[list[Arc]], predicted: Sequence[list[Arc]]) -> Measure:
        """LAS: words with the right head and relation, subtypes aside."""
        pairs = [
            (_plain(a), _plain(b))
            for g, p in zip(gold, predicted, strict=True)
            for a, b in zip(g, p, strict=True)
        ]
        return Measure("LAS", 100 * sum(a == b for a, b in pairs) / max(len(pairs), 1))

    def join(
        self, parts: Sequence[list[Arc]], starts: Sequence[int], n: int, given: bool
    ) -> list[Arc]:
        """One tree: the roots of later parts hang on that of the first."""
        arcs = list(parts[0])
        top = next((i for i, arc in enumerate(arcs, start=1) if arc.head == ROOT), ROOT)
        for start, part in zip(starts[1:], parts[1:], strict=True):
            for head, relation in part:
                arcs.append(Arc(head + start, relation) if head else Arc(top, JOINED))
        scores = [s for part in parts if isinstance(part, ScoredArcs) for s in part.scores]
        return ScoredArcs(arcs, scores) if scores else arcs

    def columns(self, words: Sequence[str], answer: list[Arc], scheme: str) -> Columns:
        """The number of the head, from 1 as in CoNLL-U, or 0 for the root, and the relation."""
        columns = [[str(arc.head) for arc in answer], [arc.relation for arc in answer]]
        if isinstance(answer, ScoredArcs):
            columns.append([SHOWN[round(score * 1000)] for score in answer.scores])
        return columns

    def cells(self, words: Sequence[str], answer: list[Arc], scheme: str) -> list[str]:
        return [f"{arc.head}:{arc.relation}" for arc in answer]

    def write(self, record: Record, task: str, line: Line, answer: list[Arc], scheme: str) -> None:
        record["dependencies"] = {
            "heads": [arc.head for arc in answer],
            "relations": [arc.relation for arc in answer],
        }
        if isinstance(answer, ScoredArcs):
            add_scores(record, task, answer.scores)

    def parse(self, record: Record, task: str, tokens: Tokens) -> list[Arc]:
        table = record["dependencies"]
        n = len(tokens)
        heads = list(map(whole, table["heads"]))
        relations = labels(table["relations"], n, "relations")
        if len(heads) != n or any(not 0 <= head <= n for head in heads):
            raise DocumentError(f"heads or relations that do not fit {n} tokens")
        if heads.count(ROOT) != min(n, 1) or cycle_of(heads):
            raise DocumentError("the heads are not a tree with one root")
        arcs = list(map(Arc, heads, relations))
        scores = record.get("scores", {}).get(task)
        if scores is None:
            return arcs
        return ScoredArcs(arcs, probabilities(scores, n))


def root_relation(names: Sequence[str]) -> int:
    """Which of a model's relations is that of the root alone; -1: none."""
    return list(names).index(ROOT_RELATION) if ROOT_RELATION in names else -1


def _plain(arc: Arc) -> tuple[int, str]:
    return arc.head, arc.relation.partition(":")[0]


OUTPUTS = {"dependencies": DependencyOutput()}
