r"""Train the rows of the tables of three pages, and write their figures into the page.

    python scripts/tables.py paper --list                     # the trainings, and what is done
    python scripts/tables.py paper --commands --only chunk-word  # the same as one command
    python scripts/tables.py paper --table 4                  # the rows of one table
    python scripts/tables.py sentences --only binary-gru --seeds 5
    python scripts/tables.py embeddings

scripts/tables/NAME.toml has the rows: `paper` writes docs/paper.md, `sentences` docs/sentences.md,
`embeddings` docs/embeddings.md. The program changes cells whose trainings have results; the rest of
a page stays as it is. Corpora are those in $SENNA_DATA (docs/corpora.md). A training of each seed
is a run in runs/NAME/TRAINING/seed-N; its scores are a line of runs/NAME/results.jsonl. Finished
ones are not repeated and interrupted ones continue. Trainings of hours are left out unless --only
names them. The rows of Brown clusters need

    senna vectors cluster $SENNA_DATA/text/*.xz --size 130000 --clusters 1000 \
        -o runs/paper/clusters.txt

and with `--also TEXT -o runs/paper/clusters-all.txt`, where TEXT has the training sentences.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shlex
import statistics
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from senna.answers import output_of
from senna.answers.base import Gold, GoldOptions
from senna.config import Config, override, read_config
from senna.corpora import find, split_file
from senna.errors import SennaError
from senna.files import locked, open_text, replacing
from senna.lab.ensembles.join import write_join
from senna.lab.ensembles.members import write_vote
from senna.paths.confidence import Asked
from senna.pipeline.pipeline import Pipeline
from senna.text.tokenizer import tokenize
from senna.training.examples.checks import check_files, check_sources
from senna.training.examples.corpora import read_corpora
from senna.training.origin import origin_of
from senna.training.run import Run, score_model
from senna.training.runs.records import is_finished, read_record
from senna.training.runs.repetition import Repeated, trainer

ROOT = Path(__file__).resolve().parent.parent
PAIRS = ROOT / "tests/quality/negation.tsv"
MEMBERS = 10  # seeds in an ensemble
N_FOLDS = 10  # of a set of sentences without a split
DRAWS = 10_000  # of the paired test
PICKS = {"worst": min, "mean": statistics.mean, "best": max}  # by `Row.pick`
COMPARED = " points from "  # is in the line that compares two networks
Result = dict[str, Any]  # training, seed, settings, scores, epochs, cpu_minutes


@dataclass(frozen=True)
class Training:
    """A configuration with settings over it, or an ensemble of seeds of another training."""

    config: str
    settings: tuple[str, ...] = ()
    slow: bool = False  # hours for each seed
    ensemble: str = ""  # "vote" or "join"
    of: str = ""
    seeds: int = 0  # at most so many; 0: as --seeds says
    folds: bool = False  # each seed has a fold of the set that the training is named after


@dataclass(frozen=True)
class Row:
    """A figure of a table."""

    table: str
    name: str
    task: str
    published: float  # 0: the paper has none
    training: str
    pick: str = ""  # the worst, mean or best of MEMBERS seeds
    spread: float = 0.0  # the published standard deviation


@dataclass(frozen=True)
class Rows:
    """The rows of a page, the trainings that they need by name, and where results go."""

    name: str
    page: Path
    out: Path
    rows: Sequence[Row]
    trainings: Mapping[str, Training]
    about: Mapping[str, Any]  # the other keys of the file

    @property
    def path(self) -> Path:
        """A line for each finished training and seed."""
        return self.out / "results.jsonl"

    def results(self) -> list[Result]:
        """The results of today's trainings: those of other settings are left out."""
        if not self.path.exists():
            return []
        lines = map(json.loads, self.path.read_text(encoding="utf-8").splitlines())
        return [line for line in lines if line["settings"] == self._settings(line["training"])]

    def _settings(self, name: str) -> list[str] | None:
        training = self.trainings.get(name)
        if training is None:
            return None
        of = [training.ensemble, f"{MEMBERS} of {training.of}"] if training.ensemble else []
        return [training.config, *training.settings, *of]

    def chosen(self, table: str, only: Sequence[str]) -> list[str]:
        """The names of the trainings that are asked for, in the order of the rows."""
        unknown = [name for name in only if name not in self.trainings]
        if unknown:
            what = f"no training {unknown[0]!r}"
            raise SennaError(what, where="--only", mend="--list names them.")
        known = [*dict.fromkeys(row.table for row in self.rows)]
        if table and table not in known:
            mend = f"There are {', '.join(known)}."
            raise SennaError(f"no rows of table {table}", where="--table", mend=mend)
        wanted = dict.fromkeys(row.training for row in self.rows if table in ("", row.table))
        return [name for name in wanted if name in only or not only]

    def seeds(self, name: str, runs: int) -> int:
        """How many seeds a training is run with."""
        training = self.trainings[name]
        return N_FOLDS if training.folds else min(runs, training.seeds or runs)

    def configuration(self, name: str, seed: int) -> Config:
        """The configuration of one run."""
        training, folds = self.trainings[name], str((self.out / "folds").resolve())
        settings = [s.replace("FOLDS", folds).replace("SEED", str(seed)) for s in training.settings]
        return override(read_config(Path(training.config)), [*settings, f"train.seed={seed}"])

    def command(self, name: str) -> str:
        return f"python scripts/tables.py {self.name} --only {name}"

    def run(self, names: Sequence[str], runs: int) -> None:
        """Train what is not done, seed by seed, and note the scores."""
        done = {(line["training"], line["seed"]) for line in self.results()}
        ensembles = {name: of for name in names if (of := self.trainings[name].of)}
        pairs = [(seed, name) for name in names for seed in range(1, self.seeds(name, runs) + 1)]
        pairs = [pair for pair in sorted(pairs, key=lambda p: p[0]) if pair[1] not in ensembles]
        pairs += [(seed, of) for of in ensembles.values() for seed in range(1, MEMBERS + 1)]
        self.out.mkdir(parents=True, exist_ok=True)
        with locked(self.out / "results.lock", "Wait for its end."):
            for seed, name in dict.fromkeys(pairs):
                if (name, seed) not in done:
                    self._train(name, seed)
            for name in ensembles:
                if (name, 0) not in done:
                    self._unite(name)

    def _train(self, name: str, seed: int) -> None:
        """Train one run, or continue it, in its folder, and note its scores."""
        if self.trainings[name].folds:
            write_folds(name, self.out / "folds")
        out, config = self.out / name / f"seed-{seed}", self.configuration(name, seed)
        if (out / "config.toml").exists() and read_config(out / "config.toml") != config:
            raise SennaError("holds a run with other settings", where=str(out), mend="Remove it.")
        try:
            check_files(config.train, config.features, None)
            check_sources(config.data, None)
        except SennaError as error:
            say(f"{name} is left out: {error.of_command()}")
            return
        if not is_finished(out):
            say(f"to do: {name}, seed {seed}")
            try:
                trainer()(Repeated(config, Run(out, command=self.command(name))))
            except SennaError as error:
                say(f"{name}, seed {seed} failed: {error.of_command()}")
                return
        record = read_record(out)
        self._note(name, seed, record.scores, len(record.epochs), record.cpu_seconds)

    def _note(
        self, name: str, seed: int, scores: Result, epochs: int, seconds: float | None
    ) -> None:
        """Add scores to the results."""
        minutes = None if seconds is None else round(seconds / 60, 1)
        line = {"training": name, "seed": seed, "settings": self._settings(name)}
        line |= {"scores": scores, "epochs": epochs, "cpu_minutes": minutes}
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(line) + "\n")
        say(f"{name}, seed {seed}: {json.dumps(scores)}")

    def _unite(self, name: str) -> None:
        """Make an ensemble of finished runs and add its scores to the results, as of seed 0."""
        training, started = self.trainings[name], time.process_time()
        runs = [self.out / training.of / f"seed-{seed}" for seed in range(1, MEMBERS + 1)]
        lacking = [path for path in runs if not is_finished(path)]
        if lacking:
            say(f"{name} is left out: {lacking[0]} is not trained")
            return
        say(f"to do: {name}")
        models = [origin_of(str(path)) for path in runs]
        with tempfile.TemporaryDirectory(dir=self.out) as folder:  # ten models: not kept
            out = Path(folder) / name
            if training.ensemble == "join":
                write_join(models, out, self.command(name), say=say)
            else:
                write_vote(models, out, self.command(name))
            config = self.configuration(training.of, 1)
            scores = score_model(read_corpora(config.tasks, config.data), out, say)
        self._note(name, 0, scores, 0, time.process_time() - started)


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def write_folds(name: str, folder: Path) -> None:
    """Write a set in ten folds: one to test on, the next to choose by, the others to learn from."""
    if (folder / f"{name}-{N_FOLDS}-test.tsv").exists():
        return
    corpus = find(f"research/sentences/{name}")
    splits = ["custrev"] if name == "cr" else sorted(p.stem for p in corpus.glob("*.xz"))
    lines: list[str] = []
    for split in splits:
        with open_text(split_file(corpus, split)) as text:
            lines += [line.rstrip("\n") for line in text]
    # A text that comes twice is in one fold.
    digests = [hashlib.sha256(x.partition("\t")[2].lower().encode()).digest() for x in lines]
    folds = [digest[0] * N_FOLDS // 256 for digest in digests]
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(1, N_FOLDS + 1):
        parts: dict[str, list[str]] = {"train": [], "dev": [], "test": []}
        for line, fold in zip(lines, folds, strict=True):
            part = {seed % N_FOLDS: "test", (seed + 1) % N_FOLDS: "dev"}.get(fold, "train")
            parts[part].append(line + "\n")
        for part, kept in parts.items():
            _put(folder / f"{name}-{seed}-{part}.tsv", "".join(kept))


def _put(path: Path, text: str) -> None:
    with replacing(path) as place:
        place.write_text(text, encoding="utf-8", newline="\n")


# --------------------------------------------------------------------------- the file of rows


def read_rows(name: str) -> Rows:
    """The rows of scripts/tables/NAME.toml."""
    about = tomllib.loads((ROOT / "scripts/tables" / f"{name}.toml").read_text(encoding="utf-8"))
    rows, trainings = list[Row](), dict[str, Training]()
    for template in about.pop("row"):
        values = template.pop("across", [{}]), template.pop("each", [{}])
        for one, other in product(*values):
            entry = _filled(template, one | other)
            for task, figure in entry.get("published", {next(iter(about["tests"])): 0}).items():
                own = _filled(entry, {"TASK": task})
                training = own["training"]
                rows.append(
                    Row(
                        *(own["table"], own["name"], task, float(figure), training),
                        own.get("pick", ""),
                        float(own.get("spread", 0)),
                    )
                )
                if "settings" in own:
                    trainings[training] = _training(own, task, about["settings"])
    return Rows(name, ROOT / about["page"], Path(about["out"]), rows, trainings, about)


def _training(entry: Mapping[str, Any], task: str, lists: Mapping[str, Any]) -> Training:
    config = entry.get("config", f"configs/paper/{task}.toml")
    settings = tuple(_listed(entry["settings"], task, lists))
    seeds, folds = entry.get("seeds", 0), entry.get("folds", False)
    ensemble, of = entry.get("ensemble", ""), entry.get("of", "")
    return Training(config, settings, task in entry.get("slow", ()), ensemble, of, seeds, folds)


def _listed(settings: Iterable[Any], task: str, lists: Mapping[str, Any]) -> Iterator[str]:
    """Settings with those of the lists that @NAME stands for."""
    for setting in settings:
        if isinstance(setting, list):
            yield from _listed(setting, task, lists)
        elif setting.startswith("@"):
            yield from _listed(lists[setting[1:].replace("TASK", task)], task, lists)
        else:
            yield setting


def _filled(entry: Any, values: Mapping[str, Any]) -> Any:
    """An entry with values in the place of the names in capitals."""
    if isinstance(entry, dict):
        return {key: _filled(value, values) for key, value in entry.items()}
    if isinstance(entry, list):
        return [_filled(value, values) for value in entry]
    if not isinstance(entry, str):
        return entry
    if entry in values:
        return values[entry]
    pattern = "|".join(sorted(values, key=len, reverse=True))
    return re.sub(rf"\b(?:{pattern})\b", lambda m: str(values[m[0]]), entry) if values else entry


# --------------------------------------------------------------------------- the page


@dataclass(frozen=True)
class Page:
    """The figures of a page's cells."""

    rows: Rows
    results: Sequence[Result]

    def of(self, training: str) -> list[Result]:
        return [line for line in self.results if line["training"] == training]

    def text(self, before: str) -> str:
        """The page with the figures of what was run; the rest is as it was `before`."""
        lines = before.splitlines()
        for table, title in self.rows.about["tables"].items():
            begin = next((i for i, x in enumerate(lines) if x.lstrip("#* ").startswith(title)), -1)
            start = next((i for i in range(begin + 1, len(lines)) if lines[i][:2] == "| "), -1)
            if begin < 0 or start < 0:
                continue
            end = next((i for i in range(start, len(lines)) if lines[i][:1] != "|"), len(lines))
            lines[start + 2 : end] = self._table(table, *lines[start:end])
            if table in self.rows.about.get("compared", {}):
                after = range(start, len(lines))
                place = next((i for i in after if COMPARED in lines[i]), -1)
                if place >= 0:
                    pair = self.rows.about["compared"][table]
                    lines[place] = self._compared(*pair) or lines[place]
        return "".join(f"{line}\n" for line in lines)

    def _table(self, table: str, head: str, marks: str, *old: str) -> Iterator[str]:
        """The lines of a table below its head: rows of the page, then those that are new."""
        columns, known = _cells(head), {}
        for line in old:
            known[_cells(line)[0]] = dict(zip(columns, _cells(line), strict=True))
        own: dict[str, list[Row]] = {}
        for row in self.rows.rows:
            if row.table == table:
                own.setdefault(row.name, []).append(row)
        for name in [*known, *(name for name in own if name not in known)]:
            rows = own.get(name, [])
            if name in known or table != "causes" or any(self.of(row.training) for row in rows):
                cells = [self._cell(rows, x, known.get(name, {}).get(x)) for x in columns[1:]]
                yield f"| {' | '.join([name, *cells])} |"

    def _cell(self, rows: Sequence[Row], column: str, old: str | None) -> str:
        kind = self.rows.about["kind"]
        if column == "training" and rows:
            names = [row.training.replace(f"{row.task}-", "TASK-", 1) for row in rows]
            return ", ".join(dict.fromkeys(names))
        cell: Callable[[Sequence[Row], str], str | None] = {
            "published": self._published,
            "sentences": self._sentences,
            "vectors": self._vectors,
        }[kind]
        found = cell(rows, column)
        if found is not None:
            return found
        row = next((row for row in rows if row.task == column), None)
        lacking = "" if row is None or kind != "published" else f"{_figure(row.published)}; not run"
        return lacking if old is None else old

    def _published(self, rows: Sequence[Row], column: str) -> str | None:
        """The paper's figure and ours; of "causes", the means of dev and test."""
        row = next((row for row in rows if row.task == column), None)
        if row is None:
            return None
        lines = self.of(row.training)
        if len(lines) < (MEMBERS if row.pick else 1):
            return None
        scores = [line["scores"][row.task] for line in lines]
        tests = [score[self.rows.about["tests"][row.task]] for score in scores]
        found = f"{PICKS[row.pick](tests):.2f}" if row.pick else _several(tests)
        if row.table == "causes":
            return f"{_several([_ending(score, 'dev') for score in scores])}; {found}"
        return f"{_figure(row.published)}; {found}"

    def _vectors(self, rows: Sequence[Row], column: str) -> str | None:
        """Mean and half of the distance between the extremes; a second set in brackets."""
        ending, task, *sets = self.rows.about["columns"].get(column, ["", ""])
        row = next((row for row in rows if row.training == f"{row.name}-{ending}"), None)
        lines = self.of(row.training) if row else []
        if not lines:
            return None
        cells = []
        for name in sets:
            values = [line["scores"][task][name] for line in lines]
            half = f"±{(max(values) - min(values)) / 2:.2f}" if len(values) > 1 else ""
            cells.append(f"{statistics.mean(values):.2f}{half}")
        return " ".join([cells[0], *(f"({cell})" for cell in cells[1:])])

    def _sentences(self, rows: Sequence[Row], column: str) -> str | None:
        """A cell of a network that labels sentences."""
        lines = self.of(rows[0].training) if rows else []
        if not lines:
            return None
        row = rows[0]
        if column == "thesis":
            return f"{row.published:.2f} ± {row.spread:.2f}" if row.published else "-"
        if column == "senna":
            return _mean([_ending(line["scores"]["label"], "test") for line in lines])
        if column == "seeds":
            return str(len(lines))
        extras = [self._more(row.training, line["seed"]) for line in lines]
        if column == "parsed":
            return _mean([100 * e["parsed"].count("1") / len(e["parsed"]) for e in extras])
        kind = column.removeprefix("not ")
        return f"{statistics.mean(e['negation'][kind] for e in extras):.0f}"

    def _more(self, training: str, seed: int) -> dict[str, Any]:
        """More measures of a model of SST, kept in its folder: see `_measure`."""
        folder = self.rows.out / training / f"seed-{seed}"
        path, labels = folder / "more.json", self.rows.about["labels"]
        if not path.exists():
            names = next(names for table, names in labels.items() if training.startswith(table))
            _put(path, json.dumps(_measure(folder / "model", names)))
        values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return values

    def _compared(self, one: str, other: str) -> str:
        """Two networks over sentences and seeds."""
        right = [
            [self._more(name, line["seed"])["right"] for line in self.of(name)]
            for name in (one, other)
        ]
        if not all(right):
            return ""
        points, chance = paired(right[0], right[1])
        return (
            f"Tree-GRU is {points:+.2f}{COMPARED}Tree-LSTM; a permutation test over sentences, "
            f"with the mean of {len(right[0])} and {len(right[1])} seeds, gives p = {chance:.3f} "
            '(the thesis: "not that significant").'
        )


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def _figure(published: float) -> str:
    return f"{published:.2f}" if published else "-"


def _ending(scores: Result, end: str) -> float:
    """The score of the set whose name ends so."""
    return float(next(value for name, value in scores.items() if name.split()[-1] == end))


def _several(values: Sequence[float]) -> str:
    number = f" ({len(values)})" if len(values) > 1 else ""
    return f"{_mean(values)}{number}"


def _mean(values: Sequence[float]) -> str:
    spread = f" ± {statistics.stdev(values):.2f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.2f}{spread}"


def cpu_minutes(results: Iterable[Result]) -> float | None:
    """The mean CPU time of trainings; None where it was not measured, as older results have it."""
    minutes = [line["cpu_minutes"] for line in results if line.get("cpu_minutes") is not None]
    return statistics.mean(minutes) if minutes else None


# --------------------------------------------------------------------------- sentences


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


# --------------------------------------------------------------------------- the command


def commands(rows: Rows, names: Iterable[str]) -> Iterator[str]:
    """The `senna` command of each training."""
    for name in names:
        training = rows.trainings[name]
        if training.ensemble:
            runs = f"{rows.out}/{training.of}/seed-{{1..{MEMBERS}}}"
            yield f"senna ensemble {training.ensemble} {runs} --out {name}"
            continue
        options = shlex.join(part for setting in training.settings for part in ("--set", setting))
        yield f"senna train --config {training.config} {options}".rstrip()


def overview(rows: Rows, names: Iterable[str]) -> Iterator[str]:
    """A line for each training: its seeds that are done, and whether it takes hours."""
    results = rows.results()
    for name in names:
        lines = [line for line in results if line["training"] == name]
        seeds, minutes = sorted(line["seed"] for line in lines), cpu_minutes(lines)
        done = f"seeds {', '.join(map(str, seeds))}" if seeds else "not run"
        done = "done" if seeds == [0] else done
        done += f", {minutes:.0f} CPU minutes" if minutes is not None else ""
        yield f"{name:24} {done}{', slow' if rows.trainings[name].slow else ''}"


def main(arguments: Sequence[str] | None = None, rows: Rows | None = None) -> int:
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=about)
    parser.add_argument("name", choices=["paper", "sentences", "embeddings"])
    parser.add_argument("--table", default="", help="the rows of one table")
    parser.add_argument("--only", default="", help="names of trainings, with commas between them")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--list", action="store_true", help="print the trainings")
    parser.add_argument("--commands", action="store_true", help="print their commands")
    chosen = parser.parse_args(arguments)
    rows = rows or read_rows(chosen.name)
    only = [*filter(None, chosen.only.split(","))]
    try:
        names = rows.chosen(chosen.table, only)
        if chosen.list or chosen.commands:
            print("\n".join((commands if chosen.commands else overview)(rows, names)))
            return 0
        rows.run([name for name in names if only or not rows.trainings[name].slow], chosen.seeds)
    except KeyboardInterrupt:
        say("stopped; the same command continues")
        return 130
    except SennaError as error:
        say(f"tables: {error.of_command()}")
        return 2
    if results := rows.results():
        _put(rows.page, Page(rows, results).text(rows.page.read_text(encoding="utf-8")))
    return 0


if __name__ == "__main__":
    sys.exit(main())
