"""Raise the score of O of a model of names, by as much as gains most on dev sets.

usage: python recipe/shift_outside.py MODEL [--write]

Labelled text holds more names than other text: of its sentences without one few are kept, and
corpora differ in what they call a name. A model that learnt from it finds too many. F1 of the dev
sets, names remembered, is printed for each shift of O's score; --write adds the best one by their
mean to the model's bias, and the scores without memory to its card.
"""

import sys
from pathlib import Path

import numpy as np
from measure_confidence import NAMES, read
from ship_model import parts_of, put

from scripts.common import command, parser_of, table_head, table_row
from senna.kinds.answer import Gold
from senna.kinds.head import read_tags
from senna.kinds.scores import Work
from senna.model.folder import read_model
from senna.pipeline.evaluate import report_of
from senna.pipeline.memory import Memory
from senna.pipeline.pipeline import Pipeline

TASK, OUTSIDE, BIAS = "ner", "O", "ner.output.bias"
SHIFTS = [round(0.2 * step, 1) for step in range(9)]


class Shifted:
    """A model of names whose O is more or less likely than it learnt."""

    def __init__(self, model: Path) -> None:
        self.pipeline = Pipeline.load([TASK], model)
        self.head = self.pipeline.owners[TASK].heads[TASK]
        self.place, self.bias = self.head.names.index(OUTSIDE), self.head.bias.copy()

    def f1(self, gold: list[Gold], shift: float, remembers: bool = True) -> float:
        """F1 of the names that are found in some documents."""
        self.head.bias = self.bias.copy()
        self.head.bias[self.place] += shift
        words = [sentence.forms for sentence in gold]
        annotation = self.pipeline.annotate(words)
        if remembers:
            Memory().recall(words, [sentence.opens for sentence in gold], annotation)
        report = report_of(TASK)
        pairs = map(report.pair, gold, annotation[TASK])
        return report.score(pairs, Work(TASK, {})).overall.f1


def write(model: Path, shift: float, scores: dict[str, float]) -> None:
    """Add a shift to the model's bias of O; it and F1 of the dev sets are in its card."""
    folder = read_model(model)
    meta, arrays, texts = parts_of(folder)
    arrays[BIAS] = np.array(arrays[BIAS])
    arrays[BIAS][read_tags(folder, TASK).index(OUTSIDE)] += shift
    note = f"The score of O is raised by {shift}, which was best on the dev sets."
    meta["notes"] = [*meta.get("notes", []), note]
    known = meta["scores"][TASK]
    known |= {f"{corpus} dev": round(score, 2) for corpus, score in scores.items()}
    put(model, meta, arrays, texts)


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    model, sets = Shifted(chosen.model), {corpus: read(TASK, corpus) for corpus in NAMES}
    print(table_head("shift", *NAMES))
    totals = {}
    for shift in SHIFTS:
        scores = [model.f1(gold, shift) for gold in sets.values()]
        totals[shift] = sum(scores)
        print(table_row(shift, *(f"{score:.2f}" for score in scores)), flush=True)
    best = max(SHIFTS, key=totals.__getitem__)
    print(f"best: {best}")
    if chosen.write and best:
        plain = {corpus: model.f1(gold, best, False) for corpus, gold in sets.items()}
        write(chosen.model, best, plain)


if __name__ == "__main__":
    sys.exit(main())
