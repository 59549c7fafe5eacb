r"""Run the rows of the paper's tables, and write docs/paper.md: its figures beside ours.

    python scripts/paper_tables.py --list                   # the trainings, and what is done
    python scripts/paper_tables.py --commands --only chunk-word    # the same as one command
    python scripts/paper_tables.py --table 4 --jobs 2       # the rows of one table
    python scripts/paper_tables.py --only chunk-word        # one training
    python scripts/paper_tables.py --page                   # write the page, train nothing

Figures of trainings that were not run in OUT stay as the page has them. Corpora are those in
$SENNA_DATA, as docs/corpora.md says. A training of each seed is a run in OUT/NAME/seed-N; its
scores are a line of OUT/results.jsonl. Finished ones are not repeated and interrupted ones go on,
so the same command continues where it was stopped. Trainings of hours are left out without --slow.
Which rows there are: scripts/paper_rows.py. Those of Brown clusters need

    senna vectors cluster $SENNA_DATA/text/*.xz --size 130000 --clusters 1000 \
        -o runs/paper/clusters.txt

and with `--also TEXT -o runs/paper/clusters-all.txt`, where TEXT has the training sentences. Some
rows of the table of causes need vectors, which scripts/causes.md says how to make.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from paper_rows import CORPORA, MEMBERS, TESTS, TITLES, Row, Training, rows, trainings

from senna.config import Config, override, read_config
from senna.errors import SennaError
from senna.files import locked, replacing
from senna.pool import in_order
from senna.training.ensembles.join import write_join
from senna.training.ensembles.members import write_vote
from senna.training.examples.checks import check_files, check_sources
from senna.training.examples.corpora import read_corpora
from senna.training.origin import origin_of
from senna.training.run import Run
from senna.training.runs.records import is_finished, read_record
from senna.training.runs.repetition import Repeated, trainer
from senna.training.scores import score_model

Result = dict[str, Any]  # training, seed, settings, scores, epochs, cpu_minutes


@dataclass(frozen=True)
class Tables:
    """The rows, the trainings that they need by name, and where results go."""

    SCRIPT: ClassVar = "paper_tables.py"  # what trains them

    rows: Sequence[Row]
    trainings: Mapping[str, Training]
    out: Path
    device: str = "cpu"  # where they are trained; CPU minutes count on a processor alone

    @property
    def path(self) -> Path:
        """A line for each finished training and seed."""
        return self.out / "results.jsonl"

    def results(self) -> list[Result]:
        """The results of today's trainings: those of other settings are left out."""
        lines = self._lines()
        return [line for line in lines if line["settings"] == self._settings(line["training"])]

    def outdated(self) -> set[str]:
        """Trainings that were run with other settings alone: what the page has of them is old."""
        every, valid = ({line["training"] for line in x} for x in (self._lines(), self.results()))
        return every - valid

    def _lines(self) -> list[Result]:
        if not self.path.exists():
            return []
        return [*map(json.loads, self.path.read_text(encoding="utf-8").splitlines())]

    def _settings(self, name: str) -> list[str] | None:
        training = self.trainings.get(name)
        if training is None:
            return None
        of = [training.ensemble, f"{MEMBERS} of {training.of}"] if training.ensemble else []
        return [training.config, *training.settings, *of]

    def chosen(self, table: str, only: Sequence[str], slow: bool) -> list[str]:
        """The names of the trainings that are asked for, in the order of the rows."""
        unknown = [name for name in only if name not in self.trainings]
        if unknown:
            what = f"no training {unknown[0]!r}"
            raise SennaError(what, where="--only", mend="--list names them.")
        if table and table not in {row.table for row in self.rows}:
            known = ", ".join(dict.fromkeys(row.table for row in self.rows))
            raise SennaError(
                f"no rows of table {table}", where="--table", mend=f"There are {known}."
            )
        wanted = (row.training for row in self.rows if not table or row.table == table)
        return [
            name
            for name in dict.fromkeys(wanted)
            if name and (name in only if only else slow or not self.trainings[name].slow)
        ]

    def configuration(self, name: str, seed: int) -> Config:
        """The configuration of one run."""
        training = self.trainings[name]
        settings = [*training.settings, f"train.seed={seed}"]
        return override(read_config(Path(training.config)), settings)

    def repeated(self, name: str, seed: int) -> Repeated:
        """One run, in its folder; SennaError if that holds another."""
        out, config = self.out / name / f"seed-{seed}", self.configuration(name, seed)
        if (out / "config.toml").exists() and read_config(out / "config.toml") != config:
            raise SennaError("holds a run with other settings", where=str(out), mend="Remove it.")
        command = f"python scripts/{self.SCRIPT} --only {name}"
        return Repeated(config, Run(out, device=self.device, command=command))

    def run(self, names: Iterable[str], seeds: int, jobs: int) -> None:
        """Train what is not done, seed by seed, and note the scores."""
        done = {(line["training"], line["seed"]) for line in self.results()}
        waiting: list[tuple[str, int, Repeated]] = []
        names = list(names)
        ensembles = {name: of for name in names if (of := self.trainings[name].of)}
        singles = [(seed, name) for seed in range(1, seeds + 1) for name in names]
        singles = [pair for pair in singles if pair[1] not in ensembles]
        singles += [(seed, of) for of in ensembles.values() for seed in range(1, MEMBERS + 1)]
        for seed, name in dict.fromkeys(singles):
            if (name, seed) in done:
                continue
            one = self.repeated(name, seed)
            try:
                check_files(one.config.train, one.config.features, None)
                check_sources(one.config.data, None)
            except SennaError as error:
                say(f"{name} is left out: {error.of_command()}")
                continue
            waiting.append((name, seed, one))
        self.out.mkdir(parents=True, exist_ok=True)
        with locked(self.out / "results.lock", "Wait for its end, or choose another --out."):
            self._train(waiting, jobs)
            for name in ensembles:
                if (name, 0) not in done:
                    self._unite(name)

    def _train(self, waiting: Sequence[tuple[str, int, Repeated]], jobs: int) -> None:
        ready = [one for one in waiting if is_finished(one[2].run.out)]
        for name, seed, _ in ready:  # a run that was stopped before its line was written
            self._note(name, seed)
        rest = [one for one in waiting if one not in ready]
        for name, seed, _ in rest:
            say(f"to do: {name}, seed {seed}")
        items = (one for _, _, one in rest)
        with closing(in_order(_trainer, items, max(min(jobs, len(rest)), 1))) as trained:
            for (name, seed, _), (_, error) in zip(rest, trained, strict=True):
                if error:
                    say(f"{name}, seed {seed} failed: {error}")
                else:
                    self._note(name, seed)

    def _note(self, name: str, seed: int) -> None:
        """Add the scores of a finished run to the results."""
        record = read_record(self.out / name / f"seed-{seed}")
        seconds = record.cpu_seconds if self.device == "cpu" else None
        self._write(name, seed, record.scores, len(record.epochs), seconds)

    def _write(
        self, name: str, seed: int, scores: Result, epochs: int, seconds: float | None
    ) -> None:
        line = {
            "training": name,
            "seed": seed,
            "settings": self._settings(name),
            "scores": scores,
            "epochs": epochs,
            "cpu_minutes": None if seconds is None else round(seconds / 60, 1),
        }
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
        command = f"python scripts/{self.SCRIPT} --only {name}"
        with tempfile.TemporaryDirectory(dir=self.out) as folder:  # ten models: not kept
            out = Path(folder) / name
            if training.ensemble == "join":
                write_join(models, out, command, say=say)
            else:
                write_vote(models, out, command)
            config = self.configuration(training.of, 1)
            scores = score_model(read_corpora(config.tasks, config.data), out, say)
        self._write(name, 0, scores, 0, time.process_time() - started)


def _trainer() -> Callable[[Repeated], str]:
    """What a process does with a run; it returns what went wrong: the other runs go on."""
    train = trainer()

    def attempt(one: Repeated) -> str:
        try:
            train(one)
        except SennaError as error:
            return error.of_command()
        return ""

    return attempt


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


# --------------------------------------------------------------------------- the page

HEAD = """# The paper's tables

Figures of Collobert et al. 2011 beside those of senna: accuracy for parts of speech, otherwise
F1, on test sets. A cell has the paper's figure, then that of senna: of one seed, or the mean ±
the standard deviation of several (their number). The last column has the name of the training,
where TASK stands for pos, chunk, ner, srl or pt0. Where the paper's corpora cannot be had,
others take their place, so compare with care. The word vectors are the package's: 150 numbers,
learnt from open text (the paper's LM1 and LM2: 50 numbers, Wikipedia and Reuters). Networks
with these vectors learn by Adam with dropout, because the paper's descent overfits them. The
phrase lists are open ones. PT0 and chunks as features come from the package's models, which
learnt from the same sentences; by folds (`features.tags.chunk.folds`) they are no better:
after five epochs on EWT alone, roles with chunks have 67.54 on its dev set, and 67.32 with the
chunks of three models that have not seen the sentence, of four epochs on EWT each. Brown
clusters take the place of the words; in the linear networks of windows each cluster, and each
value of the other tables, is an input. The convex network of roles is one of windows, with
each distance from the predicate as an input. In the rows "all words", every word of the
training sets has a cluster, too, however rare it is.

`python scripts/paper_tables.py --only NAME` runs the training of a row and writes this page.
`python scripts/paper_tables.py --commands --only NAME` prints its `senna` command. The folds are
made so; roles read them by the command of `srl-chunk` with the other options:

```
for k in 0 1 2; do
    senna train --task chunk --name folds/fold-$k --set data.chunk.fold=$k/3 --set train.epochs=4 \\
        --set 'data.chunk.train=["chunk/ewt"]' --set 'data.chunk.dev=[]' --set 'data.chunk.test=[]'
done
senna train ... --set 'data.srl.train=["srl/ewt"]' --set 'data.srl.dev=["srl/ewt"]' \\
    --set 'data.srl.test=[]' --set train.epochs=5 --set features.tags.chunk.folds=runs/folds
```
"""


SPENT = "Of a seed, on one core: "
MACHINES = "The machines differed: one takes up to 1.6 times as long as another."
PICTURE = "\n![F1 of chunks by the number of hidden units](hidden-units.svg)\n"  # paper_figures.py
MAXIMA = Path(__file__).with_name("maxima.md")  # figure 3: paper_maxima.py
CAUSES = Path(__file__).with_name("causes.md")  # what the table of causes says
LEFT_OUT = Path(__file__).with_name("left_out.md")  # the end of the page


PICKS = {"worst": min, "mean": statistics.mean, "best": max}  # by `Row.pick`
Cells = dict[str, str]  # of a line of a table, by the headings of its columns


def read_tables(text: str) -> dict[str, list[Cells]]:
    """The lines of the tables of a page, by the headings that these stand under."""
    found: dict[str, list[Cells]] = {}
    heading, columns = "", list[str]()
    for line in text.splitlines():
        if line.startswith("## "):
            heading, columns = line[3:], []
        elif line.startswith("| "):
            cells = line[2:-2].split(" | ")
            if columns:
                found.setdefault(heading, []).append(dict(zip(columns, cells, strict=False)))
            else:
                columns = cells
    return found


def page(tables: Tables, before: str = "") -> str:
    """The page, in Markdown; what was not run is as the page was `before`."""
    results, kept = tables.results(), read_tables(before)
    outdated, done = tables.outdated(), {line["training"] for line in results}
    parts = [HEAD]
    for number in dict.fromkeys(row.table for row in tables.rows):
        table = f"Table {number}: " if number.isdigit() else ""
        title = f"{table}{TITLES.get(number, '')}"
        parts += [f"\n## {title}\n\n"]
        here = [row for row in tables.rows if row.table == number]
        old = {cells["network"]: cells for cells in kept.get(title, [])}
        for row in here:
            if row.training in outdated:
                old.get(row.name, {}).pop(row.task, None)
        if number == "causes":  # many are of interest only where they change a figure
            here = [row for row in here if row.training in done or row.name in old]
        parts += _table(here, results, old)
        parts += [PICTURE] * (number == "units")
        parts += ["\n", CAUSES.read_text(encoding="utf-8")] * (number == "causes")
    parts += ["\n", MAXIMA.read_text(encoding="utf-8"), _times(results, before)]
    parts += ["\n## Corpora\n\n", *(f"* {task}: {text}\n" for task, text in CORPORA.items())]
    parts += ["\n", LEFT_OUT.read_text(encoding="utf-8")]
    return "".join(parts)


def _table(
    rows: Sequence[Row], results: Sequence[Result], old: Mapping[str, Cells]
) -> Iterator[str]:
    """A table with a line for each name and a column for each task; old: its lines by name."""
    tasks = [task for task in TESTS if any(row.task == task for row in rows)]
    yield f"| network | {' | '.join(tasks)} | training |\n"
    yield f"|---|{'---:|' * len(tasks)}---|\n"
    for name in dict.fromkeys(row.name for row in rows):
        own = {row.task: row for row in rows if row.name == name}
        known = old.get(name, {})
        cells = [_cell(own[task], results, known) if task in own else "" for task in tasks]
        trained = [row.training.replace(f"{row.task}-", "TASK-", 1) for row in own.values()]
        cells = [name, *cells, ", ".join(dict.fromkeys(trained))]
        yield f"| {' | '.join(cells)} |\n"


def _cell(row: Row, results: Sequence[Result], old: Cells) -> str:
    """The paper's figure and ours, a `pick` or the mean; of "causes", the means of dev and test."""
    lines = [line for line in results if line["training"] == row.training]
    published = f"{row.published:.2f}" if row.published else "-"
    if len(lines) < (MEMBERS if row.pick else 1):
        return old.get(row.task) or f"{published}; not run"
    scores = [line["scores"][row.task] for line in lines]
    first = _mean([_dev(score) for score in scores]) if row.table == "causes" else published
    tests = [score[TESTS[row.task]] for score in scores]
    found = f"{PICKS[row.pick](tests):.2f}" if row.pick else _mean(tests)
    return f"{first}; {found}"


def _dev(scores: Result) -> float:
    return float(next(value for name, value in scores.items() if name.split()[-1] == "dev"))


def _mean(values: Sequence[float]) -> str:
    several = f" ± {statistics.stdev(values):.2f} ({len(values)})" if len(values) > 1 else ""
    return f"{statistics.mean(values):.2f}{several}"


def _times(results: Sequence[Result], before: str) -> str:
    """How long the trainings took whose time is known."""
    line = next((line for line in before.splitlines() if line.startswith(SPENT)), "")
    pairs = (each.split(" ") for each in line.removeprefix(SPENT).rstrip(".").split(", "))
    known: dict[str, str] = dict(pairs) if line else {}
    for name in {line["training"] for line in results}:
        minutes = cpu_minutes(line for line in results if line["training"] == name)
        if minutes is not None:
            known[name] = f"{minutes:.1f}"
    if not known:
        return ""
    spent = ", ".join(f"{name} {known[name]}" for name in sorted(known))
    return f"\n## CPU minutes\n\n{MACHINES}\n\n{SPENT}{spent}.\n"


def commands(tables: Tables, names: Iterable[str]) -> Iterator[str]:
    """The `senna` command of each training."""
    for name in names:
        training = tables.trainings[name]
        if training.ensemble:
            runs = f"runs/paper/{training.of}/seed-{{1..{MEMBERS}}}"
            yield f"senna ensemble {training.ensemble} {runs} --out {name}"
            continue
        options = shlex.join(part for setting in training.settings for part in ("--set", setting))
        yield f"senna train --config {training.config} {options}".rstrip()


def overview(tables: Tables, names: Iterable[str]) -> Iterator[str]:
    """A line for each training: its seeds that are done, and whether it takes hours."""
    results = tables.results()
    for name in names:
        seeds = sorted(line["seed"] for line in results if line["training"] == name)
        minutes = cpu_minutes(line for line in results if line["training"] == name)
        done = f"seeds {', '.join(map(str, seeds))}" if seeds else "not run"
        done = "done" if seeds == [0] else done
        done += f", {minutes:.0f} CPU minutes" if minutes is not None else ""
        yield f"{name:24} {done}{', slow' if tables.trainings[name].slow else ''}"


def cpu_minutes(results: Iterable[Result]) -> float | None:
    """The mean CPU time of trainings; None where it was not measured, as older results have it."""
    minutes = [line["cpu_minutes"] for line in results if line.get("cpu_minutes") is not None]
    return statistics.mean(minutes) if minutes else None


def main(arguments: Sequence[str] | None = None, tables: Tables | None = None) -> int:
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=about)
    parser.add_argument("--table", default="")
    parser.add_argument("--only", default="", help="names of trainings, with commas between them")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--slow", action="store_true", help="also those that take hours")
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, ...")
    parser.add_argument("--out", type=Path, default=Path("runs/paper"))
    parser.add_argument("--write", type=Path, help="the page: docs/paper.md, or paper.md in --out")
    parser.add_argument("--page", action="store_true", help="train nothing")
    parser.add_argument("--list", action="store_true", help="print the trainings")
    parser.add_argument("--commands", action="store_true", help="print their commands")
    chosen = parser.parse_args(arguments)
    if tables is None:
        tables = Tables(rows(), trainings(), chosen.out, chosen.device)

    def work() -> bool:
        if chosen.seeds < 1 or chosen.jobs < 1:
            raise SennaError("expected at least 1", where="--seeds, --jobs")
        printed = chosen.list or chosen.commands
        names = tables.chosen(
            chosen.table, [*filter(None, chosen.only.split(","))], chosen.slow or printed
        )
        if printed:
            print("\n".join((commands if chosen.commands else overview)(tables, names)))
        elif not chosen.page:
            tables.run(names, chosen.seeds, chosen.jobs)
        return chosen.page or (not printed and bool(tables.results()))

    usual = Path("docs") if chosen.out == parser.get_default("out") else chosen.out
    return carried_out(tables, work, page, chosen.write or usual / "paper.md")


def carried_out(
    tables: Tables, work: Callable[[], bool], page: Callable[[Any, str], str], path: Path
) -> int:
    """Do a command's work and, if it says so, write the page anew: the exit code."""
    try:
        changed = work()
        sys.stdout.flush()  # a reader that has gone is told here, not at the end of Python
    except KeyboardInterrupt:
        say("stopped; the same command continues")
        return 130
    except BrokenPipeError:  # of `--list | head`: nothing more to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except SennaError as error:
        say(f"{tables.SCRIPT.removesuffix('.py')}: {error.of_command()}")
        return 2
    if not changed:
        return 0
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    with replacing(path) as place:
        place.write_text(page(tables, before), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
