"""Measures tagging as whole processes of one thread, start-up included: speed, start-up, memory.

usage: python scripts/measure_speed.py [WORDS] [--runs 5] [--task TASKS]... [--scores]
           [--memory MB...] [--beside CHECKOUT] [--kernel LEVEL]

WORDS holds one pre-tokenised sentence per line; by default the words of CoNLL-2000's test set, from
$SENNA_DATA/research/conll2000/test.xz. What is compared takes turns; medians are printed. Wall and
CPU time differ where other programs compute. "Running" is the rate without start-up: that of a
process of one sentence is taken off. With --beside or --scores nothing but ratios is measured.

SENNA_KERNEL or --kernel chooses the level of the compiled kernel, which is printed (see `senna
--version`); another checkout has what it would choose by itself. OPENBLAS_CORETYPE chooses the
kernel of NumPy's products.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import senna
from senna.corpora import find, split_file
from senna.errors import SennaError
from senna.files import open_text
from senna.kernel.library import level
from senna.model.folder import shipped
from senna.text.columns import read_columns

SETS = ("pos", "pos,chunk,ner", "psg", "pos,chunk,ner,srl", "all")
SENTENCE = "Anna Weber flew to Lisbon on Monday .\n"


class Spent(NamedTuple):
    """Seconds that a process took, on the clock and on the CPU, and its largest memory in MiB."""

    wall: float
    cpu: float
    memory: float


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="?", type=Path, help="one tokenised sentence per line")
    parser.add_argument("--runs", type=int, default=5, help="of which the median counts")
    parser.add_argument("--task", action="append", help="measure these tasks only; may be repeated")
    parser.add_argument("--scores", action="store_true", help="--scores against without")
    parser.add_argument("--memory", nargs="+", type=int, default=[], metavar="MB", help="peaks")
    parser.add_argument("--beside", type=Path, help="another release's checkout, to compare with")
    parser.add_argument("--kernel", help="level of this checkout's compiled kernel, or off")
    chosen = parser.parse_args()
    if chosen.kernel is not None:
        os.environ["SENNA_KERNEL"] = chosen.kernel
    sets = chosen.task or SETS
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sentence = written(folder / "sentence.txt", SENTENCE)
        try:
            words = chosen.words or written(folder / "words.txt", conll_words())
            print(f"kernel: {level()}; {os.cpu_count()} processors")
        except (SennaError, OSError) as error:
            sys.exit(f"measure_speed: {error}")
        if chosen.beside:
            theirs = {*shipped(chosen.beside / "senna" / "models"), "all"}
            shared = [tasks for tasks in sets if theirs >= set(tasks.split(","))]
            for file in (words, sentence):
                measure_beside(file, shared, chosen.runs, chosen.beside)
        elif chosen.scores:  # trees have none
            measure_scores(words, [tasks for tasks in sets if tasks != "psg"], chosen.runs)
        else:
            measure_tagging(words, sentence, sets, chosen.runs)
            measure_startup(sentence, sets[-1], chosen.runs)
            for size in chosen.memory:
                measure_memory(words, folder / "big.txt", sets[-1], size)


def written(path: Path, text: str) -> Path:
    """The path of a new file."""
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def conll_words() -> str:
    """The words of CoNLL-2000's test set, one sentence per line."""
    path = split_file(find("research/conll2000"), "test")
    with open_text(path) as lines:
        sentences = (sentence.rows for sentence in read_columns(lines, name=str(path)))
        return "".join(" ".join(row[0] for row in rows) + "\n" for rows in sentences)


def count(path: Path) -> int:
    """Words of a file."""
    return len(path.read_text(encoding="utf-8").split())


# --------------------------------------------------------------------------- processes


def tagging(words: Path, tasks: str, *more: str) -> list[str]:
    """The command that tags a file of words."""
    options = ["--input", "tokens", "--task", tasks, *more]
    return [sys.executable, "-m", "senna", "tag", *options, str(words.resolve())]


def run(command: Sequence[str], checkout: Path | None = None) -> Spent:
    """Run a process of one thread with a checkout's package (this one); its output is thrown away.

    Byte code is kept as for any user.
    """
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    left_out = {"PYTHONDONTWRITEBYTECODE", *(["SENNA_KERNEL"] if checkout else [])}
    variables = {k: v for k, v in os.environ.items() if k not in left_out}
    root = str(checkout.resolve() if checkout else Path(senna.__file__).parents[1])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        env=variables | threads | {"PYTHONPATH": path},
        cwd=checkout,  # the folder at hand stands before PYTHONPATH
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"measure_speed: {' '.join(command)} ended with {process.returncode}")
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Spent(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def in_turns(runs: int, *measures: Callable[[], Spent]) -> list[list[Spent]]:
    """What each measure gives in each run: they take turns, so a busy machine slows all alike."""
    measures[0]()  # fills the disk cache and writes byte code
    spent = [[measure() for measure in measures] for _ in range(runs)]
    return [list(column) for column in zip(*spent, strict=True)]


def medians(runs: int, *commands: Sequence[str]) -> list[Spent]:
    """The medians of each command, in turns."""
    measures = [lambda command=command: run(command) for command in commands]
    every = in_turns(runs, *measures)
    return [Spent(*map(statistics.median, zip(*spent, strict=True))) for spent in every]


# --------------------------------------------------------------------------- measures


def measure_tagging(words: Path, sentence: Path, sets: Sequence[str], runs: int) -> None:
    """Words per second of each set of tasks."""
    n, width = count(words), max(map(len, sets))
    print(f"{n:,} words, median of {runs} runs, whole processes, one thread")
    files = (words, sentence)
    spent = medians(runs, *(tagging(file, tasks) for file in files for tasks in sets))
    for tasks, whole, start in zip(sets, spent[: len(sets)], spent[len(sets) :], strict=True):
        rates = f"{n / whole.wall:9,.0f} words/s ({whole.wall:.3f} s)"
        by_cpu = f"by CPU time {n / whole.cpu:9,.0f} ({whole.cpu:.3f} s)"
        running = f"running {n / (whole.cpu - start.cpu):9,.0f} by CPU time"
        print(f"  {tasks:{width}} {rates}, {by_cpu}  {running}")


def measure_startup(sentence: Path, tasks: str, runs: int) -> None:
    """One sentence, and a bare interpreter that imports NumPy."""
    whole, numpy = medians(runs, tagging(sentence, tasks), [sys.executable, "-c", "import numpy"])
    print(f"start-up on one sentence, {tasks}: {whole.wall:.3f} s (CPU {whole.cpu:.3f} s)")
    print(f"  importing NumPy alone {numpy.wall:.3f} s (CPU {numpy.cpu:.3f} s)")
    print(f"  peak memory {whole.memory:.0f} MiB")


def measure_memory(words: Path, big: Path, tasks: str, size: int) -> None:
    """Peak memory for a file of so many MB of tokens."""
    text = words.read_text(encoding="utf-8")
    written(big, text * (1 + size * 1_000_000 // len(text.encode())))
    print(f"peak memory, {size} MB of tokens, {tasks}: {run(tagging(big, tasks)).memory:.0f} MiB")


def measure_beside(file: Path, sets: Sequence[str], runs: int, checkout: Path) -> None:
    """Time and memory against another checkout's: the median ratio, the least and the most."""
    print(f"{count(file):,} words, {runs} runs in turns: that of {checkout.name} over this one's")
    for tasks in sets:
        command = tagging(file, tasks)
        ours, theirs = in_turns(runs, lambda: run(command), lambda: run(command, checkout))  # noqa: B023
        print(f"  {tasks}:")
        for name in Spent._fields:
            pairs = [
                (getattr(a, name), getattr(b, name)) for a, b in zip(ours, theirs, strict=True)
            ]
            ratios = [other / own for own, other in pairs]
            own, other = map(statistics.median, zip(*pairs, strict=True))
            spread = f"({min(ratios):.2f} to {max(ratios):.2f})"
            print(f"    {name:6} {other / own:.2f} {spread}: {own:.3f} and {other:.3f}")


def measure_scores(words: Path, sets: Sequence[str], runs: int) -> None:
    """The time that probabilities cost, of each set of tasks."""
    print(f"{count(words):,} words, medians of {runs} runs in turns, with --scores over without")
    for tasks in sets:
        plain, scored = medians(runs, tagging(words, tasks), tagging(words, tasks, "--scores"))
        ratio = f"wall {scored.wall / plain.wall:.2f}, CPU {scored.cpu / plain.cpu:.2f}"
        print(f"  {tasks}: {ratio} ({scored.cpu:.2f} s, {plain.cpu:.2f} s)")


if __name__ == "__main__":
    main()
