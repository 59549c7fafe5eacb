"""Measures Apache Spark against `senna tag --jobs 2`: words per second without start-up. On Linux.

usage: python scripts/measure_spark.py WORDS [--task pos,chunk,ner] [--words 1000000] [--runs 3]

WORDS holds one tokenised sentence per line; twenty of them are a document, and they are repeated
until there are so many words. Spark, local[2], reads them as Parquet and writes Parquet; the
command reads them as one text and writes JSON lines. Start-up is a tenth as many documents before
them: Spark tags these first, by themselves, and from the command's time with them is taken what
they take alone. Both take turns, and the medians are printed, of wall time and of the CPU time of
all processes, Java's too, which other programs change less. Needs the extra `spark`, and Java.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from pyspark.sql import DataFrame, SparkSession

import senna.spark

SENTENCES = 20  # a document


def main() -> None:
    """Measure, and print."""
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path, metavar="WORDS")
    parser.add_argument("--task", default="pos,chunk,ner")
    parser.add_argument("--words", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3)
    chosen = parser.parse_args()
    first, texts = (documents(chosen.file, n) for n in (chosen.words // 10, chosen.words))
    n = sum(len(text.split()) for text in texts)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
        session = spark.getOrCreate()
        rows = as_parquet(session, folder, texts)
        small, big = as_text(folder, first), as_text(folder, [*first, *texts])
        by_spark(as_parquet(session, folder, first), chosen.task, folder)
        turns = []
        for _ in range(chosen.runs):
            whole, start = by_command(big, chosen.task), by_command(small, chosen.task)
            command = Spent(whole.wall - start.wall, whole.cpu - start.cpu)
            turns.append((by_spark(rows, chosen.task, folder), command))
        session.stop()
    print(f"{n:,} words in {len(texts):,} documents, {chosen.task}, medians of {chosen.runs} turns")
    for clock in Spent._fields:
        pairs = [(getattr(here, clock), getattr(there, clock)) for here, there in turns]
        here, there = (statistics.median(column) for column in zip(*pairs, strict=True))
        each = ", ".join(f"{command / spark:.2f}" for spark, command in pairs)
        print(f"  {clock}: Spark, local[2]    {n / here:9,.0f} words/s ({here:.1f} s)")
        print(f"  {clock}: senna tag --jobs 2 {n / there:9,.0f} words/s ({there:.1f} s)")
        print(f"  {clock}: Spark/command {there / here:.2f} (turn by turn: {each})")


class Spent(NamedTuple):
    """Seconds on the clock, and of the CPU in all processes."""

    wall: float
    cpu: float


@contextmanager
def spending() -> Iterator[list[Spent]]:
    """Append the time spent meanwhile to a list."""
    spendings: list[Spent] = []
    start, used = time.perf_counter(), cpu_time()
    yield spendings
    spendings.append(Spent(time.perf_counter() - start, cpu_time() - used))


def cpu_time() -> float:
    """CPU seconds of this process's descendants: those that live, and those that have ended."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            pid = int(path.parent.name)
            parents[pid], ticks[pid] = int(fields[1]), sum(map(int, fields[11:15]))
    mine = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in mine} - mine:
        mine |= more
    return sum(ticks[pid] for pid in mine) / os.sysconf("SC_CLK_TCK")


def documents(path: Path, n_words: int) -> list[str]:
    """The sentences of a file as documents, again and again until there are so many words."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    texts: list[str] = []
    source = cycle(lines)
    n = 0
    while n < n_words:
        block = list(islice(source, SENTENCES))
        n += sum(len(line.split()) for line in block)
        texts.append("\n".join(block))
    return texts


def as_parquet(spark: SparkSession, folder: Path, texts: list[str]) -> DataFrame:
    """Documents in a file of Parquet for each task of Spark, four."""
    lines, path = folder / f"{len(texts)}.jsonl", str(folder / f"{len(texts)}.parquet")
    with lines.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(json.dumps({"text": text}) + "\n" for text in texts)
    spark.read.json(str(lines)).repartition(4).write.parquet(path)
    return spark.read.parquet(path)


def as_text(folder: Path, texts: list[str]) -> Path:
    """Documents in one file, a blank line after each."""
    path = folder / f"{len(texts)}.txt"
    path.write_text("\n\n".join(texts) + "\n", encoding="utf-8", newline="\n")
    return path


def by_spark(df: DataFrame, tasks: str, folder: Path) -> Spent:
    """Tag a data frame and write it."""
    with spending() as spent:
        tagged = senna.spark.tag(df, "text", tasks)
        tagged.write.mode("overwrite").parquet(str(folder / "tagged.parquet"))
    return spent[0]


def by_command(path: Path, tasks: str) -> Spent:
    """A process that tags a file and writes it."""
    options = ("--task", tasks, "--format", "jsonl", "--jobs", "2")
    command = [sys.executable, "-m", "senna", "tag", *options, str(path)]
    with spending() as spent:
        subprocess.run([*command, "--output", str(path.with_suffix(".out"))], check=True)
    return spent[0]


if __name__ == "__main__":
    main()
