"""Measures tagging as whole processes of one thread, start-up included: speed, start-up, memory.

usage: python scripts/measure_speed.py [WORDS] [--runs 5] [--task TASKS]... [--scores]
           [--memory MB...] [--beside OTHER] [--kernel LEVEL] [--parts] [--kinds]
           [--threads] [--input NAME] [--format NAME] [--model DIR]

WORDS holds one pre-tokenised sentence per line; by default the words of CoNLL-2000's test set, from
$SENNA_DATA/research/conll2000/test.xz. What is compared takes turns; medians are printed. Wall and
CPU time differ where other programs compute. "Running" is the rate without start-up: that of a
process of one sentence is taken off. With --beside or --scores nothing but ratios is measured; with
--parts, where the CPU time of one process goes, in words of the tokenizer. OTHER is a checkout, or
the Python of an environment with another release. --model is a folder of models for this checkout.

--kinds measures every kind of input: short texts, one text after another, lines, tokens, running
text, a list for the server, and start-up; of $SENNA_DATA/tokenization (ewt-train), --task twice
(pos and pos,chunk,ner). Texts are tagged by warm models in CPU seconds, files by whole processes.

--threads divides the wall time of one thread that calls nlp.pipe by that of two, each with half of
the texts: documents of 200 sentences.

SENNA_KERNEL or --kernel chooses the level of the compiled kernel, which is printed (see `senna
--version`); another checkout has what it would choose by itself, and so has this one beside itself
(--kernel vnni --beside .). OPENBLAS_CORETYPE chooses the kernel of NumPy's products.
"""

from __future__ import annotations

import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeVar

from common import OURS, Program, command, lines_of, parser_of, table_head, table_row, tokenized
from measure_serve import cpu_of, line_of, running

from senna.formats.columns import read_columns
from senna.inference.kernel.library import level

T = TypeVar("T")
SETS = ("pos", "pos,chunk,ner", "psg", "pos,chunk,ner,srl", "all")
SENTENCE = "Anna Weber flew to Lisbon on Monday .\n"
# CPU seconds by the part of the work, each without those of the parts inside it.
PARTS = """
import resource, sys, time
from collections import Counter
from senna.pipeline import files, pipeline
from senna.pipeline.memory import Memory
from senna.pipeline.options import Options
from senna.inference.workspace import Workspace

file, input, format, model, tasks = sys.argv[1:]
named = tuple(tasks.split(","))
reading = Options(input=input, format=format, model=model or None, tasks=named)
models = pipeline.Pipeline.of(reading)
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
pipeline.lines_of = timed("splitting", pipeline.lines_of)
Workspace.number = timed("numbering", Workspace.number)
Memory.recall = timed("memory", Memory.recall)
pipeline.Tagged.write = timed("writing", pipeline.Tagged.write)
memory = pipeline.new_memory(reading) if reading.remembers else None
pieces, n = files.read_files([file], reading), 0
next_piece = timed("reading", lambda: next(pieces, None))
begun = time.process_time()
while piece := next_piece():
    tagged = pipeline.tag_piece(models, piece, reading)
    if memory is not None:
        tagged = tagged.remembering(memory)
    tagged.write(reading)
    n += sum(len(line.words) for line in tagged.lines)
spent = time.process_time() - begun
seconds["other"] = spent - seconds.total()
rest = spent - sum(seconds[part] for part in ("networks", "decoding", "memory"))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
peak /= 1024 if sys.platform == "darwin" else 1
print(f"{n:,} words of {input} to {format}, {tasks}: {n / spent:,.0f} per second without start-up")
for part, time_ in seconds.most_common():
    print(f"  {part:9} {time_:7.2f} s {time_ / spent:4.0%}")
print(f"  all {spent:.2f} s, outside networks, decoding and memory {rest:.2f}; peak {peak:.0f} MiB")
"""

AS_JSON = "`nlp.pipe` and `to_json`, 10,000 texts of three words"
SERVED = "`senna serve`, the same list in one request"
LISTED = (AS_JSON, SERVED)
BARE = ["-c", "import numpy"]
KINDS = ("pos", "pos,chunk,ner")
# CPU seconds of warm models for texts: all together, one after another, or as JSON. Some warm them.
TEXTS = """
import json, sys, time
import senna

kind, file, tasks = sys.argv[1:]
with open(file, encoding="utf-8") as lines:
    first, texts = json.load(lines)
nlp = senna.load(tasks.split(","))
work = {
    "pipe": lambda texts: [doc for doc in nlp.pipe(texts)],
    "one": lambda texts: [nlp(text) for text in texts],
    "json": lambda texts: [doc.to_json() for doc in nlp.pipe(texts)],
}[kind]
work(first)
start = time.process_time()
work(texts)
print(time.process_time() - start)
"""

# Wall seconds of warm models in one thread over those in two.
THREADS = """
import json, sys, threading, time
import senna

file, tasks, runs = sys.argv[1:]
with open(file, encoding="utf-8") as lines:
    texts = json.load(lines)
nlp = senna.load(tasks.split(","))

def seconds(n_threads):
    work = lambda texts: [doc for doc in nlp.pipe(texts)]
    parts = [texts[i::n_threads] for i in range(n_threads)]
    threads = [threading.Thread(target=work, args=[part]) for part in parts]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - start

seconds(2)
print(json.dumps([seconds(1) / seconds(2) for _ in range(int(runs))]))
"""


class Tagging(NamedTuple):
    """Formats in and out, and the models of this checkout, if not its own."""

    input: str
    format: str
    model: str

    def command(self, words: Path, tasks: str, *more: str) -> list[str]:
        """The arguments of a Python that tags a file of words."""
        own = ["--model", self.model] if self.model else []
        options = ["--input", self.input, "--format", self.format, "--task", tasks, *own, *more]
        return ["-m", "senna", "tag", *options, str(words.resolve())]


class Spent(NamedTuple):
    """Seconds that a process took, on the clock and on the CPU, and its largest memory in MiB."""

    wall: float
    cpu: float
    memory: float


@command
def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("words", nargs="?", type=Path, help="one tokenised sentence per line")
    parser.add_argument("--runs", type=int, default=5, help="of which the median counts")
    parser.add_argument("--task", action="append", help="measure these tasks only; may be repeated")
    parser.add_argument("--scores", action="store_true", help="--scores against without")
    parser.add_argument("--memory", nargs="+", type=int, default=[], metavar="MB", help="peaks")
    parser.add_argument("--beside", type=Path, help="another release's checkout, or its Python")
    parser.add_argument("--kinds", action="store_true", help="every kind of input")
    parser.add_argument("--threads", action="store_true", help="two threads over one")
    parser.add_argument("--kernel", help="level of this checkout's compiled kernel, or off")
    parser.add_argument("--parts", action="store_true", help="where the time goes")
    parser.add_argument("--input", default="tokens", help="format of the words")
    parser.add_argument("--format", default="columns", help="format of the output")
    parser.add_argument("--model", default="", help="folder of models for this checkout")
    chosen = parser.parse_args()
    if chosen.kernel is not None:
        os.environ["SENNA_KERNEL"] = chosen.kernel
    sets = chosen.task or (KINDS if chosen.kinds else SETS)
    other = Program.of(chosen.beside) if chosen.beside else None
    model = str(Path(chosen.model).resolve()) if chosen.model else ""
    tag = Tagging(chosen.input, chosen.format, model)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if chosen.kinds:
            print(f"kernel: {level()}; {os.cpu_count()} processors")
            measure_kinds(folder, sets, chosen.runs, other)
            return
        sentence = written(folder / "sentence.txt", SENTENCE)
        words = chosen.words or written(folder / "words.txt", conll_words())
        if chosen.threads:
            measure_threads(words, folder, chosen.task or [SETS[1], SETS[3]], chosen.runs)
            return
        print(f"kernel: {level()}; {os.cpu_count()} processors")
        if chosen.parts:
            for tasks in sets:
                values = [str(words.resolve()), *tag, tasks]
                subprocess.run([sys.executable, "-c", PARTS, *values], check=True)
        elif other:
            for file in (words, sentence):
                measure_beside(tag, file, sets, chosen.runs, other)
        elif chosen.scores:  # trees have none
            measure_scores(tag, words, [tasks for tasks in sets if tasks != "psg"], chosen.runs)
        else:
            measure_tagging(tag, words, sentence, sets, chosen.runs)
            measure_startup(tag, sentence, sets[-1], chosen.runs)
            for size in chosen.memory:
                measure_memory(tag, words, folder / "big.txt", sets[-1], size)


def written(path: Path, text: str) -> Path:
    """The path of a new file."""
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def conll_words() -> str:
    """The words of CoNLL-2000's test set, one sentence per line."""
    sentences = read_columns(lines_of("research/conll2000", "test"), name="conll2000")
    return "".join(" ".join(row[0] for row in one.rows) + "\n" for one in sentences)


def count(path: Path) -> int:
    """Words of a file."""
    return len(path.read_text(encoding="utf-8").split())


# --------------------------------------------------------------------------- processes


def run(arguments: Sequence[str], program: Program = OURS) -> Spent:
    """Run a process of one thread; its output is thrown away. Byte code is kept as for any user."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [program.python, *arguments],
        stdout=subprocess.DEVNULL,
        env=program.environment,
        cwd=program.folder,
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"measure_speed: {' '.join(arguments)} ended with {process.returncode}")
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Spent(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)


def read(arguments: Sequence[str], program: Program) -> str:
    """What a process of one thread prints."""
    called = [program.python, *arguments]
    done = subprocess.run(
        called, stdout=subprocess.PIPE, env=program.environment, cwd=program.folder, text=True
    )
    if done.returncode:
        sys.exit(f"measure_speed: {program.name} ended with {done.returncode}")
    return done.stdout


def in_turns(runs: int, *measures: Callable[[], T]) -> list[list[T]]:
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


def measure_tagging(
    tag: Tagging, words: Path, sentence: Path, sets: Sequence[str], runs: int
) -> None:
    """Words per second of each set of tasks."""
    n, width = count(words), max(map(len, sets))
    print(f"{n:,} words, median of {runs} runs, whole processes, one thread")
    files = (words, sentence)
    spent = medians(runs, *(tag.command(file, tasks) for file in files for tasks in sets))
    for tasks, whole, start in zip(sets, spent[: len(sets)], spent[len(sets) :], strict=True):
        rates = f"{n / whole.wall:9,.0f} words/s ({whole.wall:.3f} s)"
        by_cpu = f"by CPU time {n / whole.cpu:9,.0f} ({whole.cpu:.3f} s)"
        running = f"running {n / (whole.cpu - start.cpu):9,.0f} by CPU time"
        print(f"  {tasks:{width}} {rates}, {by_cpu}  {running}")


def measure_startup(tag: Tagging, sentence: Path, tasks: str, runs: int) -> None:
    """One sentence, and a bare interpreter that imports NumPy."""
    whole, numpy = medians(runs, tag.command(sentence, tasks), BARE)
    print(f"start-up on one sentence, {tasks}: {whole.wall:.3f} s (CPU {whole.cpu:.3f} s)")
    print(f"  importing NumPy alone {numpy.wall:.3f} s (CPU {numpy.cpu:.3f} s)")
    print(f"  peak memory {whole.memory:.0f} MiB")


def measure_threads(words: Path, folder: Path, sets: Sequence[str], runs: int) -> None:
    """Two threads over one, each with half of the texts."""
    lines = words.read_text(encoding="utf-8").splitlines()
    texts = [" ".join(lines[i : i + 200]) for i in range(0, len(lines), 200)]
    file = written(folder / "texts.json", json.dumps(texts * 4))
    for tasks in sets:
        ratios = json.loads(read(["-c", THREADS, str(file), tasks, str(runs)], OURS))
        spread = f"({min(ratios):.2f} to {max(ratios):.2f})"
        print(f"two threads over one, {tasks}: {statistics.median(ratios):.2f} {spread}")


def measure_memory(tag: Tagging, words: Path, big: Path, tasks: str, size: int) -> None:
    """Peak memory for a file of so many MB of tokens."""
    text = words.read_text(encoding="utf-8")
    written(big, text * (1 + size * 1_000_000 // len(text.encode())))
    peak = run(tag.command(big, tasks)).memory
    print(f"peak memory, {size} MB of {tag.input}, {tasks}: {peak:.0f} MiB")


def measure_beside(
    tag: Tagging, file: Path, sets: Sequence[str], runs: int, beside: Program
) -> None:
    """Time and memory against another release's: the median ratio, the least and the most."""
    print(f"{count(file):,} words, {runs} runs in turns: that of {beside.name} over this one's")
    for tasks in sets:
        own, other = (way.command(file, tasks) for way in (tag, tag._replace(model="")))
        ours, theirs = in_turns(runs, lambda: run(own), lambda: run(other, beside))  # noqa: B023
        print(f"  {tasks}:")
        for name in Spent._fields:
            pairs = [
                (getattr(a, name), getattr(b, name)) for a, b in zip(ours, theirs, strict=True)
            ]
            ratios = [b / a for a, b in pairs]
            a, b = map(statistics.median, zip(*pairs, strict=True))
            spread = f"({min(ratios):.2f} to {max(ratios):.2f})"
            print(f"    {name:6} {b / a:.2f} {spread}: {a:.3f} and {b:.3f}")


class Kind(NamedTuple):
    """A kind of input: its words, and the CPU seconds that a release takes to tag them."""

    words: int
    seconds: Callable[[Program, str], float]


def measure_kinds(folder: Path, sets: Sequence[str], runs: int, other: Program | None) -> None:
    """A row for each kind of input: words per second, or another release's seconds over ours."""
    of = f"seconds of {other.name} over this one's" if other else "words per second"
    print(f"CPU, one thread, medians of {runs} runs in turns: {of}\n")
    print(table_head("", *sets))
    programs = [OURS] if other is None else [OURS, other]
    kinds = kinds_of(folder)
    for name, kind in kinds.items():
        cells = []
        for tasks in sets:
            works = [lambda program=program: kind.seconds(program, tasks) for program in programs]  # noqa: B023
            ours, *theirs = in_turns(runs, *works)
            rate = f"{kind.words / statistics.median(ours):,.0f}"
            cells.append(over(ours, theirs[0]) if theirs else rate)
        print(table_row(name, *cells), flush=True)
    pairs = [
        in_turns(runs, *(lambda name=name: kinds[name].seconds(OURS, tasks) for name in LISTED))  # noqa: B023
        for tasks in sets
    ]
    print(table_row("the last over the one before, in seconds", *(over(*pair) for pair in pairs)))
    sentence = written(folder / "sentence.txt", SENTENCE)
    way = Tagging("tokens", "columns", "")
    starts = [
        lambda program=program: run(way.command(sentence, "all"), program).wall
        for program in programs
    ]
    numpy, *walls = in_turns(runs, lambda: run(BARE).wall, *starts)
    print(
        "\none sentence, all tasks, over importing NumPy, wall:", *(over(numpy, w) for w in walls)
    )


def over(below: Sequence[float], above: Sequence[float]) -> str:
    """The ratio of two medians, the least and the most of the runs."""
    ratios = [a / b for a, b in zip(above, below, strict=True)]
    ratio = statistics.median(above) / statistics.median(below)
    return f"{ratio:.2f} ({min(ratios):.2f} to {max(ratios):.2f})"


def kinds_of(folder: Path) -> dict[str, Kind]:
    """Every kind of input, by name, from texts of the English Web Treebank."""
    texts, lines, tokens = [], [], []
    for document in tokenized("ewt-train"):
        text, places = document["text"], document["sentences"]
        starts, n = [], 0
        while n < len(places):  # of short texts: one sentence, then two
            starts.append(places[n][0])
            n += 1 + len(starts) % 2
        texts += [text[i:k].strip() for i, k in pairwise([*starts, len(text)])]
        for start, end in places:
            lines.append(" ".join(text[start:end].split()))
            tokens.append(" ".join(text[i:k] for i, k in document["tokens"] if start <= i < end))
    three = [" ".join(text.split()[:3]) for text in texts * 2]
    running = "\n\n".join(document["text"] for document in tokenized("ewt-train"))

    def of_texts(kind: str, first: list[str], texts: list[str]) -> Kind:
        path = written(folder / f"{kind}.json", json.dumps([first, texts]))

        def seconds(program: Program, tasks: str) -> float:
            return float(read(["-c", TEXTS, kind, str(path), tasks], program))

        return Kind(sum(len(text.split()) for text in texts), seconds)

    def of_file(name: str, text: str) -> Kind:
        path = written(folder / f"{name}.txt", text)
        way = Tagging(name, "columns", "")
        return Kind(count(path), lambda program, tasks: run(way.command(path, tasks), program).cpu)

    return {
        "`nlp.pipe`, texts of one or two sentences": of_texts(
            "pipe", texts[:500], texts[500:2_500]
        ),
        "`nlp(text)`, the same texts": of_texts("one", texts[:200], texts[200:1_000]),
        "`senna tag --input lines`": of_file("lines", "\n".join(lines[:3_000])),
        "`senna tag --input tokens`": of_file("tokens", "\n".join(tokens[:3_000])),
        "`senna tag`, running text": of_file("text", running),
        AS_JSON: of_texts("json", three[:100], three[100:10_100]),
        SERVED: Kind(30_000, partial(served, three[:100], three[100:10_100])),
    }


def served(first: list[str], texts: list[str], program: Program, tasks: str) -> float:
    """CPU seconds of a server for one request of a list of texts, after one of others."""
    request, seconds = {"tasks": tasks.split(",")}, list[float]()
    with running(
        "-m", "senna", "serve", "--port", "0", "--quiet", "--timeout", "600", program=program
    ) as process:
        port = int(line_of(process).rpartition(":")[2])
        for some in (first, texts):
            body = json.dumps({"text": some, **request})
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("POST", "/v1/tag", body, {"content-type": "application/json"})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200:
                sys.exit(f"measure_speed: {program.name} answers {answer.status}: {text[:200]!r}")
            seconds.append(cpu_of(process.pid))
    return seconds[1] - seconds[0]


def measure_scores(tag: Tagging, words: Path, sets: Sequence[str], runs: int) -> None:
    """The time that probabilities cost, of each set of tasks."""
    print(f"{count(words):,} words, medians of {runs} runs in turns, with --scores over without")
    for tasks in sets:
        commands = tag.command(words, tasks), tag.command(words, tasks, "--scores")
        plain, scored = medians(runs, *commands)
        ratio = f"wall {scored.wall / plain.wall:.2f}, CPU {scored.cpu / plain.cpu:.2f}"
        print(f"  {tasks}: {ratio} ({scored.cpu:.2f} s, {plain.cpu:.2f} s)")


if __name__ == "__main__":
    sys.exit(main())
