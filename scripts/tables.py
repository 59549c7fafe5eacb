r"""Train the rows of the tables of three pages, and print these rows.

    python scripts/tables.py paper --list                     # the trainings, and what is done
    python scripts/tables.py paper --commands --only chunk-word  # the same as one command
    python scripts/tables.py paper --table 4                  # the rows of one table
    python scripts/tables.py sentences --only binary-gru --seeds 5
    python scripts/tables.py embeddings

scripts/tables/NAME.toml has the rows: `paper` those of docs/paper.md, `sentences` of
docs/sentences.md, `embeddings` of docs/embeddings.md. Corpora are those in $SENNA_DATA
(docs/corpora.md). A training of each seed is a run in runs/NAME/TRAINING/seed-N; its scores are a
line of runs/NAME/results.jsonl. Finished ones are not repeated and interrupted ones continue.
Trainings of hours are left out unless --only names them. Of ensembles the members are trained;
--commands has the command that unites them. The rows of Brown clusters need

    senna vectors cluster $SENNA_DATA/text/*.xz --size 130000 --clusters 1000 \
        -o runs/paper/clusters.txt

and with `--also TEXT -o runs/paper/clusters-all.txt`, where TEXT has the training sentences.
"""

import hashlib
import json
import re
import shlex
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, Self

import numpy as np
from common import command, parser_of, table_head, table_row

from senna.atomic import locked, put_text
from senna.corpora.store import check_sources, find, split_file
from senna.decoding.requests import Asked
from senna.errors import SennaError
from senna.files import open_text
from senna.formats.gold import read_gold
from senna.kinds.answer import GoldOptions
from senna.lab.records import is_finished, read_record
from senna.lab.repetition import Repeated, trainer
from senna.pipeline.pipeline import Pipeline
from senna.settings import read_table
from senna.text.tokenizer import tokenize
from senna.training.config import Config, override, read_config
from senna.training.run import Run
from senna.training.start import check_files

ROOT = Path(__file__).resolve().parent.parent
PAIRS = ROOT / "tests/quality/negation.tsv"
MEMBERS = 10  # seeds in an ensemble
USUAL = 3  # seeds of other trainings, whose number no cell has
N_FOLDS = 10  # of a set of sentences without a split
DRAWS = 10_000  # of the paired test
POSITIVE, NEGATIVE = ("positive", "3", "4"), ("negative", "0", "1")  # labels of SST
PICKS = {"worst": min, "mean": statistics.mean, "best": max}  # by `Row.pick`
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
    out: Path
    rows: Sequence[Row]
    trainings: Mapping[str, Training]
    about: Mapping[str, Any]  # the other keys of the file

    @property
    def path(self) -> Path:
        """A line for each finished training and seed."""
        return self.out / "results.jsonl"

    def results(self, name: str) -> list[Result]:
        """The results of a training; those of other settings are left out."""
        if not self.path.exists():
            return []
        lines = [json.loads(x) for x in self.path.read_text(encoding="utf-8").splitlines()]
        own, training = [line for line in lines if line["training"] == name], self.trainings[name]
        return [line for line in own if line["settings"] == [training.config, *training.settings]]

    def chosen(self, table: str, only: Sequence[str]) -> list[str]:
        """The names of the trainings that are asked for, in the order of the rows."""
        unknown = [name for name in only if name not in self.trainings]
        if unknown:
            what = f"no training {unknown[0]!r}"
            raise SennaError(what, where="--only", remedy="--list names them.")
        known = [*dict.fromkeys(row.table for row in self.rows)]
        if table and table not in known:
            remedy = f"There are {', '.join(known)}."
            raise SennaError(f"no rows of table {table}", where="--table", remedy=remedy)
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

    def run(self, names: Sequence[str], runs: int) -> None:
        """Train what is not done, seed by seed, and note the scores."""
        pairs: list[tuple[int, str]] = []
        for name in names:
            of = self.trainings[name].of
            n = MEMBERS if of else self.seeds(name, runs)
            pairs += [(seed, of or name) for seed in range(1, n + 1)]
        self.out.mkdir(parents=True, exist_ok=True)
        with locked(self.out / "results.lock", "Wait for its end."):
            for seed, name in dict.fromkeys(sorted(pairs, key=lambda pair: pair[0])):
                if seed not in [line["seed"] for line in self.results(name)]:
                    self._train(name, seed)

    def _train(self, name: str, seed: int) -> None:
        """Train one run, or continue it, in its folder, and add its scores to the results."""
        training = self.trainings[name]
        if training.folds:
            write_folds(name, self.out / "folds")
        out, config = self.out / name / f"seed-{seed}", self.configuration(name, seed)
        if (out / "config.toml").exists() and read_config(out / "config.toml") != config:
            raise SennaError("holds a run with other settings", where=str(out), remedy="Remove it.")
        try:
            check_files(config.train, config.features, None)
            check_sources(config.data, None)
        except SennaError as error:
            say(f"{name} is left out: {error.line}")
            return
        if not is_finished(out):
            say(f"to do: {name}, seed {seed}")
            command = f"python scripts/tables.py {self.name} --only {name}"
            try:
                trainer(say)(Repeated(config, Run(out, command=command)))
            except SennaError as error:
                say(f"{name}, seed {seed} failed: {error.line}")
                return
        record = read_record(out)
        line = {
            "training": name,
            "seed": seed,
            "settings": [training.config, *training.settings],
            "scores": record.scores,
            "cpu_minutes": round(record.cpu_seconds / 60, 1),
        }
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(line) + "\n")
        say(f"{name}, seed {seed}: {json.dumps(record.scores)}")


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
            put_text(folder / f"{name}-{seed}-{part}.tsv", "".join(kept))


# --------------------------------------------------------------------------- the file of rows


def read_rows(name: str) -> Rows:
    """The rows of scripts/tables/NAME.toml."""
    about = read_table(ROOT / "scripts/tables" / f"{name}.toml")
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
    return Rows(name, Path(about["out"]), rows, trainings, about)


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


# --------------------------------------------------------------------------- the tables


@dataclass(frozen=True)
class Table:
    """The rows of a table that are asked for, by their names, as Markdown."""

    rows: Rows
    table: str
    own: Mapping[str, Sequence[Row]]

    @classmethod
    def of(cls, rows: Rows, table: str, names: Sequence[str]) -> Self:
        """A table with the rows of some trainings."""
        own: dict[str, list[Row]] = {}
        for row in rows.rows:
            if row.table == table and row.training in names:
                own.setdefault(row.name, []).append(row)
        return cls(rows, table, own)

    def lines(self) -> Iterator[str]:
        """Its heading and its rows; nothing if it has none."""
        kind = self.rows.about["kind"]
        columns, cell = {
            "published": (self._tasks, self._published),
            "sentences": (self._measures, self._sentences),
            "vectors": (self._sets, self._vectors),
        }[kind]
        if not self.own:
            return
        head = columns()
        yield f"\n{self.rows.about['tables'][self.table]}\n"
        yield table_head("network", *head)
        for name, rows in self.own.items():
            yield table_row(name, *(cell(rows, column) for column in head))
        if pair := self.rows.about.get("compared", {}).get(self.table):
            yield self._compared(*pair)

    def _tasks(self) -> list[str]:
        tasks = {row.task for rows in self.own.values() for row in rows}
        return [*(task for task in self.rows.about["tests"] if task in tasks), "training"]

    def _published(self, rows: Sequence[Row], column: str) -> str:
        """The paper's figure and ours; of "causes" and "figure-4", the means of dev and test."""
        if column == "training":
            names = [row.training.replace(f"{row.task}-", "TASK-", 1) for row in rows]
            return ", ".join(dict.fromkeys(names))
        row = next((row for row in rows if row.task == column), None)
        if row is None:
            return ""
        figure = f"{row.published:.2f}" if row.published else "-"
        scores = [line["scores"][row.task] for line in self.rows.results(row.training)]
        if len(scores) < (MEMBERS if row.pick else 1):
            return f"{figure}; not run"
        tests = [score[self.rows.about["tests"][row.task]] for score in scores]
        found = f"{PICKS[row.pick](tests):.2f}" if row.pick else _several(tests)
        if row.table in ("causes", "figure-4"):
            return f"{_several([_ending(score, 'dev') for score in scores])}; {found}"
        return f"{figure}; {found}"

    def _sets(self) -> list[str]:
        trainings = [row.training for rows in self.own.values() for row in rows]
        columns = self.rows.about["columns"]
        return [x for x in columns if any(f"{n}-{columns[x][0]}" in trainings for n in self.own)]

    def _vectors(self, rows: Sequence[Row], column: str) -> str:
        """Mean and half of the distance between the extremes; a second set in brackets."""
        ending, task, *sets = self.rows.about["columns"][column]
        row = next((row for row in rows if row.training == f"{row.name}-{ending}"), None)
        lines = self.rows.results(row.training) if row else []
        if not lines:
            return ""
        cells = []
        for name in sets:
            values = [line["scores"][task][name] for line in lines]
            half = f"±{(max(values) - min(values)) / 2:.2f}" if len(values) > 1 else ""
            cells.append(f"{statistics.mean(values):.2f}{half}")
        return " ".join([cells[0], *(f"({cell})" for cell in cells[1:])])

    def _measures(self) -> list[str]:
        more = ("parsed", "not positive", "not negative")
        is_sst = self.table in self.rows.about["labels"]
        return [*(["thesis"] * is_sst), "senna", *(more * is_sst), "seeds", "training"]

    def _sentences(self, rows: Sequence[Row], column: str) -> str:
        """A cell of a network that labels sentences."""
        row, lines = rows[0], self.rows.results(rows[0].training)
        if column == "thesis":
            return f"{row.published:.2f}±{row.spread:.2f}" if row.published else "-"
        if column == "training":
            return row.training
        if column == "seeds":
            return str(len(lines))
        if not lines:
            return "not run"
        if column == "senna":
            return _mean([_ending(line["scores"]["label"], "test") for line in lines])
        extras = [self._more(row.training, line["seed"]) for line in lines]
        if column == "parsed":
            return _mean([100 * e["parsed"].count("1") / len(e["parsed"]) for e in extras])
        kind = column.removeprefix("not ")
        return f"{statistics.mean(e['negation'][kind] for e in extras):.0f}"

    def _more(self, training: str, seed: int) -> dict[str, Any]:
        """More measures of a model of SST, kept in its folder: see `_measure`."""
        folder = self.rows.out / training / f"seed-{seed}"
        path = folder / "more.json"
        if not path.exists():
            labels = self.rows.about["labels"][self.table]
            put_text(path, json.dumps(_measure(folder / "model", labels)))
        values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return values

    def _compared(self, *pair: str) -> str:
        """Two networks over sentences and seeds; nothing while one of them was not run."""
        right = [
            [self._more(name, line["seed"])["right"] for line in self.rows.results(name)]
            for name in pair
        ]
        if not all(right):
            return ""
        points, chance = paired(*right)
        return (
            f"\nTree-GRU is {points:+.2f} points from Tree-LSTM; a permutation test over "
            f"sentences, with the mean of {len(right[0])} and {len(right[1])} seeds, "
            f"gives p = {chance:.3f}."
        )


def _ending(scores: Result, end: str) -> float:
    """The score of the set whose name ends so."""
    return float(next(value for name, value in scores.items() if name.split()[-1] == end))


def _several(values: Sequence[float]) -> str:
    number = f" ({len(values)})" if len(values) not in (1, USUAL) else ""
    return f"{_mean(values)}{number}"


def _mean(values: Sequence[float]) -> str:
    spread = f"±{statistics.stdev(values):.2f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.2f}{spread}"


# --------------------------------------------------------------------------- sentences


def _measure(model: Path, names: str) -> dict[str, Any]:
    """Whether each test sentence has its label, by gold trees and by the parser's; and pairs."""
    pipeline = Pipeline.load(["label"], model, asked=Asked(scores=True))
    path = split_file(find("research/sst"), "test")
    with open_text(path) as lines:
        gold = list(read_gold("label", lines, str(path), GoldOptions(labels=names)))
    forms = [sentence.forms for sentence in gold]
    trees = [sentence.tags["psg"] for sentence in gold]
    right = {}
    for name, given in (("right", {"psg": trees}), ("parsed", {})):
        answers = zip(gold, pipeline.annotate(forms, given)["label"], strict=True)
        right[name] = "".join(str(int(one.answer == other)) for one, other in answers)
    return {**right, "negation": _negation(pipeline)}


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
    good, bad = (
        [sum(p for name, p in label.scores.items() if name in names) for label in labels]
        for names in (POSITIVE, NEGATIVE)
    )
    right: dict[str, list[bool]] = {"positive": [], "negative": []}
    for i, (kind, _, _) in enumerate(pairs):
        plain, negated = 2 * i, 2 * i + 1
        if kind == "positive":
            right[kind].append(good[plain] > bad[plain] and bad[negated] > good[negated])
        else:
            right[kind].append(bad[negated] < bad[plain])
    return {kind: 100 * statistics.mean(values) for kind, values in right.items()}


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
    for name in names:
        lines = rows.results(name)
        done = f"seeds {', '.join(str(line['seed']) for line in lines)}" if lines else "not run"
        minutes = [line["cpu_minutes"] for line in lines if line["cpu_minutes"] is not None]
        done += f", {statistics.mean(minutes):.0f} CPU minutes" if minutes else ""
        yield f"{name:24} {done}{', slow' if rows.trainings[name].slow else ''}"


@partial(command, continues=True)
def main(arguments: Sequence[str] | None = None, rows: Rows | None = None) -> None:
    parser = parser_of(__doc__)
    parser.add_argument("name", choices=["paper", "sentences", "embeddings"])
    parser.add_argument("--table", default="", help="the rows of one table")
    parser.add_argument("--only", default="", help="names of trainings, with commas between them")
    parser.add_argument("--seeds", type=int, default=USUAL)
    parser.add_argument("--list", action="store_true", help="print the trainings")
    parser.add_argument("--commands", action="store_true", help="print their commands")
    chosen = parser.parse_args(arguments)
    rows = rows or read_rows(chosen.name)
    only = [*filter(None, chosen.only.split(","))]
    names = rows.chosen(chosen.table, only)
    if chosen.list or chosen.commands:
        print("\n".join((commands if chosen.commands else overview)(rows, names)))
        return
    names = [name for name in names if only or not rows.trainings[name].slow]
    rows.run(names, chosen.seeds)
    for table in rows.about["tables"]:
        for line in Table.of(rows, table, names).lines():
            print(line)


if __name__ == "__main__":
    sys.exit(main())
