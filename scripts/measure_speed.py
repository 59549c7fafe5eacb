"""Measures tagging as whole processes, start-up included: speed, start-up, memory.

usage: python scripts/measure_speed.py [WORDS] [--runs 5] [--jobs] [--scores] [--memory [MB ...]]
                                       [--model DIR] [--beside CHECKOUT] [--kernel LEVEL]
                                       [--task TASKS] [--parts] [--input NAME] [--format NAME]

WORDS holds one pre-tokenised sentence per line; by default the words of CoNLL-2000's test set, from
$SENNA_DATA/research/conll2000/test.xz. Every process runs one BLAS thread. Beside the words per
second stands what no machine changes: the CPU time of NumPy's matrix products of one gated layer of
the parser (768 inputs, 192 units in between, 512 outputs) for the same words, over the CPU time of
the whole process. What is compared takes turns; the medians are printed, with --beside also the
smallest and the largest. Wall and CPU time differ where other programs compute. "Running" is the
rate without start-up: that of a process of one sentence is taken off.

SENNA_KERNEL chooses the level of the compiled kernel, which is printed (see `senna --version`);
OPENBLAS_CORETYPE the kernel of NumPy's products. `--parts` prints where the CPU time of one process
goes, in words of the tokenizer; then WORDS is raw text, or what `--input` says. `--kernel` names
the level of what is measured here; the other checkout then has what it would choose by itself.
"""

from __future__ import annotations

import argparse
import lzma
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
from senna.errors import SennaError
from senna.kernel.library import level
from senna.model.folder import shipped

SETS = ("pos", "pos,chunk,ner", "psg", "pos,chunk,ner,srl", "all")
INPUTS, RANK, OUTPUTS, ROWS = 768, 192, 512, 1_024  # of the layer to compare with; words a product
SENTENCE = "Anna Weber flew to Lisbon on Monday .\n"
PRODUCTS = f"""
import numpy as np, sys, time
x = np.ones(({ROWS}, {INPUTS}), np.float32)
down, up = np.ones(({INPUTS}, {RANK}), np.float32), np.ones(({RANK}, {OUTPUTS}), np.float32)
x @ down @ up
start, started = time.perf_counter(), time.process_time()
for _ in range(int(sys.argv[1]) // {ROWS}):
    x @ down @ up
print(time.perf_counter() - start, time.process_time() - started)
"""
# CPU seconds by the part of the work, each without those of the parts inside it.
PARTS = """
import resource, sys, time
from collections import Counter
from senna.formats.base import Style
from senna.pipeline import pipeline, stream
from senna.pipeline.memory import Memory
from senna.pipeline.options import Conversion
from senna.products.workspace import Workspace

file, input, format, option, value = sys.argv[1:]
chosen = {"tasks": tuple(value.split(","))} if option == "--task" else {"model": value}
reading = Conversion(input=input, **chosen)
models = reading.pipeline()
seconds, inner = Counter(), [0.0]

def timed(part, work):
    def call(*arguments, **options):
        start = time.process_time()
        inner.append(0.0)
        result = work(*arguments, **options)
        result = list(result) if part == "decoding" else result
        spent = time.process_time() - start
        seconds[part] += spent - inner.pop()
        inner[-1] += spent
        return result
    return call

for network in models.networks:
    network.read, network.encode = (
        timed("networks", f) for f in (network.read, network.encode)
    )
    network.heads = {task: timed("decoding", head) for task, head in network.heads.items()}
pipeline.lines_of = timed("splitting", stream.lines_of)
Workspace.number = timed("numbering", Workspace.number)
Memory.recall = timed("memory", Memory.recall)
stream.Tagged.write = timed("writing", stream.Tagged.write)
memory = stream.new_memory(reading) if reading.remembers else None
pieces, n = stream.read_files([file], "strict", reading), 0
next_piece = timed("reading", lambda: next(pieces, None))
begun = time.process_time()
while piece := next_piece():
    tagged = pipeline.tag_piece(models, piece, reading)
    if memory is not None:
        tagged = tagged.remembering(memory)
    tagged.write(format, Style())
    n += sum(len(line.words) for line in tagged.lines)
spent = time.process_time() - begun
seconds["other"] = spent - seconds.total()
rest = spent - sum(seconds[part] for part in ("networks", "decoding", "memory"))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
peak /= 1024 if sys.platform == "darwin" else 1
print(f"{n:,} words of {input} to {format}, {value}: {n / spent:,.0f} per second without start-up")
for part, time_ in seconds.most_common():
    print(f"  {part:9} {time_:7.2f} s {time_ / spent:4.0%}")
print(f"  all {spent:.2f} s, outside networks, decoding and memory {rest:.2f}; peak {peak:.0f} MiB")
"""


def main() -> None:
    """Measure what the options ask for, and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="?", type=Path, help="one tokenised sentence per line")
    parser.add_argument("--runs", type=int, default=5, help="of which the median counts")
    parser.add_argument("--jobs", action="store_true", help="also --jobs 2 against 1, 1M words")
    parser.add_argument(
        "--memory", nargs="*", type=int, metavar="MB", help="also the peak, for 10 and 100 MB"
    )
    parser.add_argument("--scores", action="store_true", help="--scores against without, no more")
    parser.add_argument("--model", type=Path, help="measure this model folder only")
    parser.add_argument(
        "--beside", type=Path, help="measure another release's checkout too, in turns, and no more"
    )
    parser.add_argument(
        "--parts", action="store_true", help="where the time of one process goes, and no more"
    )
    parser.add_argument("--input", default="text", help="format of the input, with --parts")
    parser.add_argument("--format", default="columns", help="that of the output, with --parts")
    parser.add_argument("--kernel", help="level of this checkout's compiled kernel, or off")
    parser.add_argument("--task", action="append", help="measure these tasks only; may be repeated")
    chosen = parser.parse_args()
    if chosen.kernel is not None:
        os.environ["SENNA_KERNEL"] = chosen.kernel
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            words = (chosen.words or conll_words(folder)).resolve()
            sets = task_sets(chosen.model, chosen.task or SETS)
            print(f"kernel: {level()}; {os.cpu_count()} processors")
        except (SennaError, OSError) as error:
            sys.exit(f"measure_speed: {error}")
        if chosen.parts:
            for options in sets:
                command = [sys.executable, "-c", PARTS, str(words), chosen.input, chosen.format]
                subprocess.run([*command, *options], check=True, env=environment())
            return
        if chosen.beside is not None:
            measure_beside(words, folder, sets, chosen.runs, chosen.beside)
            return
        if chosen.scores:
            # Trees have no scores.
            measure_scores(
                words, [chosen_set for chosen_set in sets if chosen_set[-1] != "psg"], chosen.runs
            )
            return
        measure_tagging(words, folder, sets, chosen.runs)
        measure_startup(folder, sets[-1], chosen.runs)
        if chosen.jobs:
            measure_jobs(words, folder, sets[-1], chosen.runs)
        if chosen.memory is not None:
            measure_memory(words, folder, sets[-1], chosen.memory or [10, 100])


def conll_words(folder: Path) -> Path:
    """The words of CoNLL-2000's test set, one sentence per line."""
    if "SENNA_DATA" not in os.environ:
        raise SennaError("which words?", mend="Name a file, or set SENNA_DATA.")
    source = Path(os.environ["SENNA_DATA"]) / "research" / "conll2000" / "test.xz"
    with lzma.open(source, "rt", encoding="utf-8") as file:
        sentences = [block for block in file.read().split("\n\n") if block.strip()]
    path = folder / "words.txt"
    lines = (" ".join(r.split()[0] for r in s.strip().split("\n")) + "\n" for s in sentences)
    path.write_text("".join(lines), encoding="utf-8", newline="\n")
    return path


def task_sets(model: Path | None, chosen: Sequence[str]) -> list[list[str]]:
    """The options of `senna tag` to measure: the tasks chosen that the package has models for."""
    if model is not None:
        return [["--model", str(model)]]
    ready = shipped().keys()
    sets = [["--task", tasks] for tasks in chosen if ready >= set(tasks.split(",")) - {"all"}]
    if not sets:
        raise SennaError("no models ship with this package", mend="Name one with --model.")
    return sets


# --------------------------------------------------------------------------- processes


def environment(checkout: Path | None = None) -> dict[str, str]:
    """One BLAS thread, a checkout's package (this one), byte code kept as for any user."""
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")}
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    root = str(checkout.resolve() if checkout else Path(senna.__file__).parents[1])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    if checkout:
        variables.pop("SENNA_KERNEL", None)
    return variables | threads | {"PYTHONPATH": path}


def tag_command(options: Sequence[str], words: Path | None = None) -> list[str]:
    """The command that tags a file of words."""
    command = [sys.executable, "-m", "senna", "tag", "--input", "tokens", *options]
    return command if words is None else [*command, str(words)]


class Spent(NamedTuple):
    """Seconds that a process took, on the clock and on the CPU, and its largest memory in MiB."""

    wall: float
    cpu: float
    memory: float = 0.0


def run(command: Sequence[str], checkout: Path | None = None) -> Spent:
    """Run a process whose output is thrown away."""
    start = time.perf_counter()
    process = subprocess.Popen(
        # The folder at hand stands before PYTHONPATH.
        command,
        stdout=subprocess.DEVNULL,
        env=environment(checkout),
        cwd=checkout,
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"measure_speed: {' '.join(command)} ended with {process.returncode}")
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Spent(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def products(n_words: int) -> Spent:
    """The plain matrix products for so many words, in a process of one thread."""
    command = [sys.executable, "-c", PRODUCTS, str(n_words)]
    done = subprocess.run(command, check=True, capture_output=True, env=environment())
    wall, cpu = map(float, done.stdout.split())
    return Spent(wall, cpu)


def in_turns(runs: int, *measures: Callable[[], Spent]) -> list[list[Spent]]:
    """What each measure gives in each run: they take turns, so a busy machine slows all alike."""
    measures[0]()  # fills the disk cache and writes byte code
    spent = [[measure() for measure in measures] for _ in range(runs)]
    return [list(column) for column in zip(*spent, strict=True)]


def median(spent: Sequence[Spent]) -> Spent:
    """The medians of some runs."""
    return Spent(*map(statistics.median, zip(*spent, strict=True)))


def medians(runs: int, *measures: Callable[[], Spent]) -> list[Spent]:
    """The medians of each measure, in turns."""
    return list(map(median, in_turns(runs, *measures)))


# --------------------------------------------------------------------------- measures


def one_sentence(folder: Path) -> Path:
    """A file of one sentence: what it takes is start-up."""
    path = folder / "sentence.txt"
    path.write_text(SENTENCE, encoding="utf-8", newline="\n")
    return path


def measure_tagging(words: Path, folder: Path, sets: list[list[str]], runs: int) -> None:
    """Words per second of each set of tasks, and the time against plain matrix products."""
    n, sentence = count(words), one_sentence(folder)
    print(f"{n:,} words, median of {runs} runs, whole processes, one thread")
    *spent, plain = medians(
        runs,
        *(lambda options=options: run(tag_command(options, words)) for options in sets),
        *(lambda options=options: run(tag_command(options, sentence)) for options in sets),
        lambda: products(n),
    )
    width = max(len(options[-1]) for options in sets)
    for options, whole, start in zip(sets, spent[: len(sets)], spent[len(sets) :], strict=True):
        running = n / (whole.cpu - start.cpu)
        line = f"products/all {plain.cpu / whole.cpu:.2f}  running {running:9,.0f} by CPU time"
        print(f"  {options[-1]:{width}} {rates(n, whole)}  {line}")
    print(f"  products {INPUTS}x{RANK}x{OUTPUTS} {rates(n, plain)}")


def measure_beside(
    words: Path, folder: Path, sets: list[list[str]], runs: int, checkout: Path
) -> None:
    """Time and memory against another checkout's, in turns: of each set, and of one sentence."""
    sentence = one_sentence(folder)
    print(f"rate over that of {checkout.name}, {runs} runs in turns: median (least to most)")
    theirs = shipped(checkout / "senna" / "models").keys()
    shared = [
        options
        for options in sets
        if options[0] != "--task" or set(options[-1].split(",")) - {"all"} <= theirs
    ]
    for file, what in ((words, f"{count(words):,} words"), (sentence, "one sentence")):
        for options in shared:
            command = tag_command(options, file)
            here, there = in_turns(
                runs,
                lambda command=command: run(command),
                lambda command=command: run(command, checkout),
            )
            print(f"  {what}, {options[-1]}:")
            for name in ("wall", "cpu", "memory"):
                ours, others = ([getattr(spent, name) for spent in each] for each in (here, there))
                ratios = [other / one for one, other in zip(ours, others, strict=True)]
                middle = statistics.median(others) / statistics.median(ours)
                spread = f"({min(ratios):.2f} to {max(ratios):.2f})"
                figures = f"{statistics.median(ours):.3f} and {statistics.median(others):.3f}"
                print(f"    {name:6} {middle:.2f} {spread}: {figures}")


def measure_scores(words: Path, sets: list[list[str]], runs: int) -> None:
    """The time that probabilities cost, of each set of tasks."""
    print(f"{count(words):,} words, medians of {runs} runs in turns, with --scores over without")
    for options in sets:
        plain, scored = medians(
            runs,
            lambda options=options: run(tag_command(options, words)),
            lambda options=options: run(tag_command([*options, "--scores"], words)),
        )
        ratio = f"wall {scored.wall / plain.wall:.2f}, CPU {scored.cpu / plain.cpu:.2f}"
        print(f"  {options[-1]}: {ratio} ({scored.cpu:.2f} s, {plain.cpu:.2f} s)")


def rates(n: int, spent: Spent) -> str:
    """Words per second, and seconds, by both clocks."""
    wall, cpu = spent.wall, spent.cpu
    return f"{n / wall:9,.0f} words/s ({wall:.3f} s), by CPU time {n / cpu:9,.0f} ({cpu:.3f} s)"


def measure_startup(folder: Path, options: list[str], runs: int) -> None:
    """One sentence, beside a bare interpreter that imports NumPy."""
    sentence = one_sentence(folder)
    tagging, numpy, bare = medians(
        runs,
        lambda: run(tag_command(options, sentence)),
        lambda: run([sys.executable, "-c", "import numpy"]),
        lambda: run([sys.executable, "-c", "pass"]),
    )
    print(
        f"start-up on one sentence, {options[-1]}: {tagging.wall:.3f} s (CPU {tagging.cpu:.3f} s)"
    )
    print(f"  importing NumPy alone {numpy.wall:.3f} s (CPU {numpy.cpu:.3f} s)")
    print(f"  Python alone {bare.wall:.3f} s (CPU {bare.cpu:.3f} s)")
    print(f"  all/NumPy {tagging.cpu / numpy.cpu:.1f}; peak memory {tagging.memory:.0f} MiB")


def measure_jobs(words: Path, folder: Path, options: list[str], runs: int) -> None:
    """One process against two over a million words."""
    big = repeated(words, folder / "million.txt", n_words=1_000_000)
    one, two = medians(
        runs,
        lambda: run(tag_command(options, big)),
        lambda: run(tag_command([*options, "--jobs", "2"], big)),
    )
    n = count(big)
    print(f"{n:,} words, {options[-1]}, on {os.cpu_count()} cores")
    for name, spent in (("--jobs 1", one), ("--jobs 2", two)):
        print(f"  {name} {rates(n, spent)}")
    print(f"  wall time 1/2 {one.wall / two.wall:.2f}")


def measure_memory(words: Path, folder: Path, options: list[str], sizes: list[int]) -> None:
    """Peak memory for sizes of input in MB, of tokens and of raw text."""
    for kind in ("tokens", "text"):
        for size in sizes:
            big = repeated(words, folder / "big.txt", n_bytes=size * 1_000_000)
            command = [*tag_command(options, big), "--input", kind]
            print(
                f"peak memory, {size:3} MB of {kind}, {options[-1]}: {run(command).memory:.0f} MiB"
            )
            big.unlink()


def count(path: Path) -> int:
    """Words of a file."""
    with path.open(encoding="utf-8", newline="\n") as file:
        return sum(len(line.split(" ")) if line.strip() else 0 for line in file)


def repeated(words: Path, path: Path, *, n_words: int = 0, n_bytes: int = 0) -> Path:
    """The file again and again, until it has so many words or bytes."""
    text = words.read_bytes()
    times = -(-n_words // max(count(words), 1)) if n_words else -(-n_bytes // max(len(text), 1))
    with path.open("wb") as out:
        for _ in range(times):
            out.write(text)
    return path


if __name__ == "__main__":
    main()
