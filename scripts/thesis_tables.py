"""Train the networks that label sentences, and write docs/sentences.md beside published figures.

    python scripts/thesis_tables.py --list                # the trainings, and what is done
    python scripts/thesis_tables.py --runs 5              # five seeds of the two main networks
    python scripts/thesis_tables.py --only binary-gru     # one training
    python scripts/thesis_tables.py --page                # write the page, train nothing

Corpora are those in $SENNA_DATA (docs/corpora.md, "Research sets"). Runs are in OUT/NAME/seed-N and
their scores in OUT/results.jsonl; finished ones are not repeated, interrupted ones go on. A seed of
MR, Subj, CR and MPQA is one of ten folds. Which rows there are: scripts/thesis_rows.py.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from paper_rows import Row
from paper_tables import Cells, Result, Tables, carried_out, cpu_minutes, overview, read_tables
from thesis_rows import MAIN, N_FOLDS, NAMES, SETS, SPREAD, TREES, rows, trainings

from senna.answers import output_of
from senna.answers.base import Gold, GoldOptions
from senna.config import Config, override, read_config
from senna.corpora import find, split_file
from senna.errors import SennaError
from senna.files import open_text, replacing
from senna.paths.confidence import Asked
from senna.pipeline.pipeline import Pipeline
from senna.text.tokenizer import tokenize

PAIRS = Path(__file__).resolve().parent.parent / "tests/quality/negation.tsv"
DRAWS = 10_000  # of the paired test

# --------------------------------------------------------------------------- trainings


class Sentences(Tables):
    """Trainings whose settings may name the fold of a seed."""

    SCRIPT = "thesis_tables.py"

    def configuration(self, name: str, seed: int) -> Config:
        training, folds = self.trainings[name], self.out / "folds"
        settings = [
            setting.replace("FOLDS", str(folds.resolve())).replace("SEED", str(seed))
            for setting in training.settings
        ]
        return override(read_config(Path(training.config)), [*settings, f"train.seed={seed}"])

    def seeds(self, name: str, runs: int) -> int:
        """How many seeds a training is run with."""
        if name in SETS:
            return N_FOLDS
        recursive = {f"{table}-{cell}" for table in NAMES for cell in TREES}
        return runs if name in recursive else min(runs, 2)


def write_folds(name: str, folder: Path) -> None:
    """Write a set in ten folds: one to test on, the next to choose by, the others to learn from."""
    corpus = find(f"research/sentences/{name}")
    splits = ["custrev"] if name == "cr" else sorted(p.stem for p in corpus.glob("*.xz"))
    lines: list[str] = []
    for split in splits:
        with open_text(split_file(corpus, split)) as text:
            lines += [line.rstrip("\n") for line in text]
    # A text that comes twice is in one fold.
    folds = [_fold(line.partition("\t")[2]) for line in lines]
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(1, N_FOLDS + 1):
        parts: dict[str, list[str]] = {"train": [], "dev": [], "test": []}
        for line, fold in zip(lines, folds, strict=True):
            part = {seed % N_FOLDS: "test", (seed + 1) % N_FOLDS: "dev"}.get(fold, "train")
            parts[part].append(line + "\n")
        for part, kept in parts.items():
            with replacing(folder / f"{name}-{seed}-{part}.tsv") as place:
                place.write_text("".join(kept), encoding="utf-8", newline="\n")


def _fold(text: str) -> int:
    return hashlib.sha256(text.lower().encode()).digest()[0] * N_FOLDS // 256


# --------------------------------------------------------------------------- more than accuracy


def measured(tables: Sentences, name: str, seed: int) -> dict[str, Any]:
    """What else a model of SST does, kept beside it: see `_measure`."""
    folder = tables.out / name / f"seed-{seed}"
    path = folder / "more.json"
    if not path.exists():
        table = next(table for table in NAMES if name.startswith(table))
        found = _measure(folder / "model", NAMES[table])
        with replacing(path) as place:
            place.write_text(json.dumps(found), encoding="utf-8", newline="\n")
    values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return values


def _measure(model: Path, names: str) -> dict[str, Any]:
    """Whether each test sentence has its label, by gold trees and by the parser's; and pairs."""
    pipeline = Pipeline.load(["label"], model, asked=Asked(scores=True))
    gold = list(_test(names))
    forms = [sentence.forms for sentence in gold]
    by_gold = pipeline.annotate(forms, {"psg": [sentence.tags["psg"] for sentence in gold]})
    by_parser = pipeline.annotate(forms)
    return {
        "right": "".join(str(int(g.answer == a)) for g, a in _both(gold, by_gold)),
        "parsed": "".join(str(int(g.answer == a)) for g, a in _both(gold, by_parser)),
        "negation": _negation(pipeline),
    }


def _both(gold: Sequence[Gold], answers: dict[str, list[Any]]) -> Iterator[tuple[Gold, Any]]:
    return zip(gold, answers["label"], strict=True)


@cache
def _test(names: str) -> tuple[Gold, ...]:
    path = split_file(find("research/sst"), "test")
    with open_text(path) as lines:
        return tuple(output_of("label").read(lines, str(path), GoldOptions(labels=names)))


def read_pairs() -> list[tuple[str, str, str]]:
    """The kind of each pair, a sentence, and its negation."""
    rows = [line.split("\t") for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    return [(kind, plain, negated) for kind, plain, negated in rows]


def _negation(pipeline: Pipeline) -> dict[str, float]:
    """Pairs in percent, as Socher et al. 2013 count them.

    Of positive sentences those whose negation is called negative and they themselves positive; of
    negative ones those whose negation is less probably negative.
    """
    pairs = read_pairs()
    texts = [text for _, *both in pairs for text in both]
    labels = pipeline.annotate([[t.text for t in tokenize(text)] for text in texts])["label"]
    good = [sum(p for n, p in label.scores.items() if _is_positive(n)) for label in labels]
    bad = [sum(p for n, p in label.scores.items() if _is_negative(n)) for label in labels]
    right: dict[str, list[bool]] = {"positive": [], "negative": []}
    for i, (kind, _, _) in enumerate(pairs):
        plain, negated = 2 * i, 2 * i + 1
        if kind == "positive":
            turned = good[plain] > bad[plain] and bad[negated] > good[negated]
            right[kind].append(turned)
        else:
            right[kind].append(bad[negated] < bad[plain])
    return {kind: 100 * statistics.mean(values) for kind, values in right.items()}


def _is_positive(name: str) -> bool:
    return name in ("positive", "3", "4")


def _is_negative(name: str) -> bool:
    return name in ("negative", "0", "1")


def paired(one: Sequence[str], other: Sequence[str], seed: int = 1) -> tuple[float, float]:
    """Difference of two networks in points, and how often chance alone makes one as large.

    one, other: of each run which sentences are right. For each sentence the two shares of runs
    change places or not (a permutation test on sentences).
    """
    shares = [np.mean([[int(c) for c in run] for run in runs], axis=0) for runs in (one, other)]
    difference = shares[0] - shares[1]
    signs = np.random.default_rng(seed).choice([-1, 1], (DRAWS, len(difference)))
    chance = np.abs(signs @ difference) >= abs(difference.sum()) - 1e-9
    return 100 * float(difference.mean()), (1 + int(chance.sum())) / (1 + DRAWS)


# --------------------------------------------------------------------------- the page

HEAD = """# Labels of sentences

This page compares networks that label sentences on public sets, beside the figures of a thesis:
V. Tsakalos, "Sentiment Classification Using Tree-Based Gated Recurrent Units", table 5.1. Its word
vectors are GloVe's, of 300 numbers; those here are the package's, of 150. The networks follow the
thesis' equations, from which its public code differs. [training.md](training.md#label-sentences)
says how to train on labels of your own.

Figures are accuracy on test sets: the mean of some seeds, ± their standard deviation. Dev sets
choose the epoch.

* **Recursive networks** learn the labels of all nodes, the others those of whole sentences.
* **parsed**: the trees are those of the package's parser, not the treebank's.
* **not positive**, **not negative**: the percentage of 50 pairs each of a sentence and its negation
  (tests/quality/negation.tsv), counted as in Socher et al. 2013, who have 71.4 and 81.8 for
  tensors on other sentences.
* **mean of weights** is not in the thesis: the running mean of the weights is kept
  (`train.average=0.99`), and training stops after four epochs without a better one, not two.
* **trained vectors**: the vectors of words are trained, too (`features.word.fixed=false`); in the
  thesis they are fixed. Cells without gates need it: with fixed vectors the standard cell has 78.59
  on two labels, and with 30 units, not 10, matrix-vector has 70.13 and tensor 78.03; of the pairs
  tensor gets 48 and 32 % right.

`python scripts/thesis_tables.py --runs 5` writes this page; `--only TRAINING` trains one row.
"""
TITLES = {"binary": "SST, two labels", "five-way": "SST, five labels", "sets": "Other sets"}
COLUMNS = ["network", "thesis", "senna", "parsed", "not positive", "not negative", "seeds"]
COLUMNS += ["CPU minutes", "training"]
COMPARED = "Tree-GRU is "


def page(tables: Sentences, before: str = "") -> str:
    """The page, in Markdown; what was not run is as the page was `before`."""
    results, kept = tables.results(), read_tables(before)
    parts, outdated = [HEAD], tables.outdated()
    for table, title in TITLES.items():
        old = {
            cells["training"]: cells
            for cells in kept.get(title, [])
            if cells["training"] not in outdated
        }
        parts += [f"\n## {title}\n\n", *_table(table, results, tables, old)]
        if table != "sets":
            under = before.partition(f"## {title}\n")[2].partition("## ")[0]
            compared = [line for line in under.splitlines() if line.startswith(COMPARED)]
            parts += [_compared(table, tables, results) or "".join(f"\n{c}\n" for c in compared)]
    folds = f"MR, Subj, CR (custrev) and MPQA: mean of {N_FOLDS} folds, one to test on and one to"
    parts += [f"\n{folds} choose by; each text, however often it comes, is in one fold.\n"]
    return "".join(parts)


def _table(
    table: str, results: Sequence[Result], tables: Sentences, old: Mapping[str, Cells]
) -> Iterator[str]:
    """The lines of a table, without columns that say nothing; then what was not run.

    old: the lines of the page as it was, by training.
    """
    rows = [row for row in tables.rows if row.table == table]
    by_training = {
        row.training: [line for line in results if line["training"] == row.training] for row in rows
    }
    lines = []
    for row in rows:
        if by_training[row.training]:
            lines.append(_cells(row, by_training[row.training], tables))
        elif row.training in old:
            lines.append([old[row.training].get(column, "-") for column in COLUMNS])
    kept = [i for i in range(len(COLUMNS)) if any(cells[i] != "-" for cells in lines)]
    if lines:
        marks = ["---" if i in (0, len(COLUMNS) - 1) else "---:" for i in kept]
        yield f"| {' | '.join(COLUMNS[i] for i in kept)} |\n|{'|'.join(marks)}|\n"
    for cells in lines:
        yield f"| {' | '.join(cells[i] for i in kept)} |\n"
    done = {cells[-1] for cells in lines}
    lacking = [f"`{row.training}`" for row in rows if row.training not in done]
    if lacking:
        yield f"\nNot run: {', '.join(lacking)}.\n"


def _cells(row: Row, lines: Sequence[Result], tables: Sentences) -> list[str]:
    """The cells of a row, whose trainings have results."""
    table_of = SPREAD.get(row.table, {})
    spread = table_of.get(row.training.partition(f"{row.table}-")[2])
    published = f"{row.published:.2f} ± {spread:.2f}" if spread else "-"
    accuracies = [_accuracy(line) for line in lines]
    more: list[str] = ["-", "-", "-"]
    if row.table != "sets":
        extras = [measured(tables, row.training, line["seed"]) for line in lines]
        parsed = [100 * e["parsed"].count("1") / len(e["parsed"]) for e in extras]
        kinds = [[e["negation"][kind] for e in extras] for kind in ("positive", "negative")]
        more = [_mean(parsed), *(f"{statistics.mean(values):.0f}" for values in kinds)]
    minutes = cpu_minutes(lines)
    spent = "-" if minutes is None else f"{minutes:.1f}"
    return [row.name, published, _mean(accuracies), *more, str(len(lines)), spent, row.training]


def _accuracy(line: Result) -> float:
    """The score of the test set."""
    scores = line["scores"]["label"]
    return float(next(value for name, value in scores.items() if name.endswith(" test")))


def _mean(values: Sequence[float]) -> str:
    spread = f" ± {statistics.stdev(values):.2f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.2f}{spread}"


def _compared(table: str, tables: Sentences, results: Sequence[Result]) -> str:
    """The two networks of the thesis, over sentences and seeds."""
    right = [
        [
            measured(tables, line["training"], line["seed"])["right"]
            for line in results
            if line["training"] == f"{table}-{name}"
        ]
        for name in MAIN
    ]
    if not all(right):
        return ""
    points, chance = paired(right[0], right[1])
    return (
        f"\n{COMPARED}{points:+.2f} points from Tree-LSTM; a permutation test over sentences, "
        f"with the mean of {len(right[0])} and {len(right[1])} seeds, gives p = {chance:.3f} "
        '(the thesis: "not that significant").\n'
    )


def main(arguments: Sequence[str] | None = None, tables: Sentences | None = None) -> int:
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=about)
    parser.add_argument("--only", default="", help="names of trainings, with commas between them")
    parser.add_argument("--runs", type=int, default=5, help="seeds of recursive networks")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, ...")
    parser.add_argument("--out", type=Path, default=Path("runs/sentences"))
    page_help = "the page: docs/sentences.md, or sentences.md in --out"
    parser.add_argument("--write", type=Path, help=page_help)
    parser.add_argument("--page", action="store_true", help="train nothing")
    parser.add_argument("--list", action="store_true", help="print the trainings")
    chosen = parser.parse_args(arguments)
    if tables is None:
        tables = Sentences(rows(), trainings(), chosen.out, chosen.device)

    def work() -> bool:
        if chosen.runs < 1 or chosen.jobs < 1:
            raise SennaError("expected at least 1", where="--runs, --jobs")
        names = tables.chosen("", [*filter(None, chosen.only.split(","))], slow=True)
        if chosen.list:
            print("\n".join(overview(tables, names)))
        for name in () if chosen.list or chosen.page else names:
            if name in SETS:
                write_folds(name, tables.out / "folds")
            tables.run([name], tables.seeds(name, chosen.runs), chosen.jobs)
        return chosen.page or (not chosen.list and bool(tables.results()))

    usual = Path("docs") if chosen.out == parser.get_default("out") else chosen.out
    return carried_out(tables, work, page, chosen.write or usual / "sentences.md")


if __name__ == "__main__":
    sys.exit(main())
