"""A trial: roles that no roleset of the verb has are ruled out, and each core role may come once.

    python scripts/experiments/role_inventory.py [--model MODEL]

Prints F1 of srl/ewt and srl/masc dev, gold predicates: as it is, with the mask, with each core role
once, with both. The lemma of a verb is told by the forms of the training corpora and by regular
inflection; where a form may be of several lemmas, what one of them allows is allowed.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import numpy as np

from senna.files import open_text
from senna.outputs import output_of
from senna.outputs.roles import tag as heads
from senna.pipeline.pipeline import Pipeline
from senna.text.iobes import FORBIDDEN
from senna.text.role_files import read_roles

CORE = ("A0", "A1", "A2", "A3", "A4", "A5", "AA")


def allowed_roles(data: Path) -> dict[str, set[str]]:
    """The core roles that each form of a verb may have; forms that are not told may have all."""
    of_lemma: dict[str, set[str]] = defaultdict(set)
    with open_text(data / "srl/frames/inventory.tsv.xz") as lines:
        for line in lines:
            roleset, aliases, roles = line.rstrip("\n").split("\t")
            lemmas = {roleset.rpartition(".")[0].partition("_")[0]}
            lemmas |= {
                a[:-2].partition("_")[0] for a in aliases.split() if a.endswith((":v", ":l"))
            }
            for lemma in lemmas:
                of_lemma[lemma] |= set(roles.split())
    of_form: dict[str, set[str]] = defaultdict(set)
    for corpus in ("ewt", "masc"):
        with open_text(data / f"srl/{corpus}/train.xz") as lines:
            for line in lines:
                cells = line.split("\t")
                if len(cells) > 5 and cells[5] == "v":
                    lemma = cells[4].rpartition(".")[0].partition("_")[0]
                    of_form[cells[1].lower()] |= of_lemma[lemma]
    for lemma, roles in of_lemma.items():
        for form in regular_forms(lemma):
            of_form[form] |= roles
    return dict(of_form)


def regular_forms(lemma: str) -> Iterator[str]:
    """The forms that a regular verb may have, wrong ones among them."""
    stem = lemma[:-1] if lemma[-1:] in "ey" else lemma
    yield from (lemma, f"{lemma}s", f"{lemma}es", f"{stem}ies", f"{stem}ied")
    for base in (lemma, stem, lemma + lemma[-1:]):
        yield from (f"{base}ed", f"{base}ing", f"{base}d")


class Trial:
    """What takes the place of some functions of the heads, and knows the words of a block."""

    def __init__(self, allowed: dict[str, set[str]], mask: bool, once: bool) -> None:
        self.allowed, self.mask, self.once = allowed, mask, once
        self.words: list[str] = []
        self.names: list[str] = []
        self.annotate, self.take = Pipeline._annotate_block, heads.Costs.take
        self.best = heads._best_path
        self.masked = self.repeated = 0

    def block(self, pipeline: Pipeline, sentences, *rest):
        self.words = [word.lower() for forms in sentences for word in forms]
        self.names = pipeline.networks[-1].heads["srl"].names
        return self.annotate(pipeline, sentences, *rest)

    def costs(self, own, scores, pairs) -> None:
        self.take(own, scores, pairs)
        if not self.mask:
            return
        labels = [name[2:].removeprefix("C-").removeprefix("R-") for name in self.names]
        for row, place in enumerate(pairs.places.tolist()):
            roles = self.allowed.get(self.words[place])
            if roles:
                wrong = [
                    i for i, label in enumerate(labels) if label in CORE and label not in roles
                ]
                scores[np.ix_(pairs.owners == row, wrong)] += np.float32(FORBIDDEN)

    def paths(self, paths, scores, lengths):
        found = self.best(paths, scores, lengths)
        if not self.once or len(self.names) != scores.shape[1]:
            return found
        start = 0
        for n in lengths.tolist():
            own = found[start : start + n]
            spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
            opened = 0
            for k, i in enumerate(own.tolist()):
                kind, label = self.names[i][0], self.names[i][2:]
                opened = k if kind in "BS" else opened
                if kind in "ES" and label in CORE:
                    spans[label].append((opened, k + 1))
            part = scores[start : start + n]
            twice = {label: places for label, places in spans.items() if len(places) > 1}
            for label, places in twice.items():
                self.repeated += 1
                tags = [i for i, name in enumerate(self.names) if name[2:] == label]
                best = max(places, key=lambda p: part[p[0] : p[1], tags].max(axis=1).mean())
                for first, last in places:
                    if (first, last) != best:
                        part[np.ix_(range(first, last), tags)] += np.float32(FORBIDDEN)
            if twice:
                found[start : start + n] = self.best(paths, part, np.array([n], lengths.dtype))
            start += n
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path)
    chosen = parser.parse_args()
    data = Path(os.environ["SENNA_DATA"])
    allowed = allowed_roles(data)
    pipeline = Pipeline.load(["srl"], chosen.model, "given")
    for mask, once in ((False, False), (True, False), (False, True), (True, True)):
        trial = Trial(allowed, mask, once)
        figures = []
        for corpus in ("ewt", "masc"):
            with open_text(data / f"srl/{corpus}/dev.xz") as lines:
                sentences = list(read_roles(lines, name=corpus))
            gold = [sentence.of_kinds(["v"]) for sentence in sentences]
            places = [[predicate.position for predicate in own] for own in gold]
            with (
                patch.object(Pipeline, "_annotate_block", lambda *a: trial.block(*a)),  # noqa: B023
                patch.object(heads.Costs, "take", lambda *a: trial.costs(*a)),  # noqa: B023
                patch.object(heads, "_best_path", lambda *a: trial.paths(*a)),  # noqa: B023
            ):
                found = pipeline.annotate([s.forms for s in sentences], {}, places)
            figures.append(output_of("srl").percent(gold, found["srl"]))
        print(f"mask {mask}, once {once}: {figures[0]:.2f} {figures[1]:.2f}", trial.repeated)


if __name__ == "__main__":
    main()
