"""Make the models in the package again, from corpora and text: the steps of `steps.toml`.

usage: python scripts/make_models.py [NAME...] [--list] [--jobs 2] [--accept STEP]...

NAME is a model of the package (base, lemma-upos-feats-pt0-predicates-psg-dep, ner, pos-chunk,
srl) or any other step; without one all are made. A step that is done is skipped: its record,
runs/steps/STEP.json, has the command and the digests of all that it read and wrote. One that was
interrupted goes on. What it says is in runs/steps/STEP.log.
"""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import BinaryIO

from steps import RECORDS, Recipe, Step, training

import senna
from senna.errors import SennaError
from senna.files import locked

STEPS = Path(__file__).with_name("steps.toml")


class Runner:
    """Does steps, some side by side, each with its commands one after the other."""

    def __init__(self, recipe: Recipe, jobs: int) -> None:
        self.recipe, self.jobs = recipe, jobs
        self.processes: set[subprocess.Popen[bytes]] = set()
        self.stopped = False
        self.lock = threading.Lock()  # of the two above

    def make(self, steps: list[Step]) -> None:
        """Do what is not done of some steps, given in order.

        Where one fails those at work come to their end, and none follows. Ctrl-C ends all.
        """
        waiting = list(steps)
        at_work: dict[Future[None], Step] = {}
        pool = ThreadPoolExecutor(self.jobs)
        try:
            while waiting or at_work:
                if len(at_work) < self.jobs and (step := self._ready(waiting, at_work.values())):
                    waiting.remove(step)
                    state = self.recipe.state(step)
                    tell(f"{step.name}: {state or 'done'}")
                    if state:
                        at_work[pool.submit(self._do, step)] = step
                    continue
                done, _ = wait(at_work, return_when=FIRST_COMPLETED)
                for future in done:
                    step = at_work.pop(future)
                    if future.exception():
                        wait(at_work)
                    future.result()
                    tell(f"{step.name}: done now")
        except KeyboardInterrupt:
            self._stop(signal.SIGTERM)
            try:
                wait(at_work)
            except KeyboardInterrupt:
                self._stop(getattr(signal, "SIGKILL", signal.SIGTERM))
            raise
        finally:
            pool.shutdown()

    def _ready(self, waiting: list[Step], at_work: Collection[Step]) -> Step | None:
        """The first of the waiting steps that needs none of the others."""
        for step in waiting:
            needs = self.recipe.needs(step)
            if not any(other in needs for other in (*waiting, *at_work)):
                return step
        return None

    def _do(self, step: Step) -> None:
        recipe = self.recipe
        log = recipe.root / RECORDS / f"{step.name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with locked(log, "Wait for its end."):
            done = recipe.begin(step)
            for number, words in enumerate(step.commands):
                if number >= (done or 0):
                    self._run(step, self._resumed(words) if number == done else words, log)
                    recipe.passed(step, number + 1)
            recipe.finish(step)

    def _resumed(self, words: list[str]) -> list[str]:
        """The command that goes on with a run, if it has one to go on with."""
        if name := training(words).name:
            run = f"runs/{name}"
        elif words[:2] == ["senna", "pretrain"]:
            run = words[words.index("--out") + 1]
        else:
            return words
        kept = (self.recipe.root / run / "checkpoint.pt").exists()
        return [*words[:2], "--resume", run] if kept else words

    def _run(self, step: Step, words: list[str], log: Path) -> None:
        with log.open("ab") as out:
            out.write(f"$ {shlex.join(words)}\n".encode())
            out.flush()
            process = self._start(words, out)
            status = process.wait()
        with self.lock:
            self.processes.discard(process)
        if status:
            what = f"{' '.join(words[:3])} ended with {status}: {last_line(log)}"
            raise SennaError(what, where=f"{step.name} ({RECORDS}/{log.name})")

    def _start(self, words: list[str], out: BinaryIO) -> subprocess.Popen[bytes]:
        programs = {"senna": [sys.executable, "-P", "-m", "senna"], "python": [sys.executable]}
        with self.lock:
            if self.stopped:
                raise SennaError("stopped", where=shlex.join(words))
            process = subprocess.Popen(
                [*programs.get(words[0], words[:1]), *map(self._placed, words[1:])],
                cwd=self.recipe.root,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C comes from here, once
            )
            self.processes.add(process)
        return process

    def _placed(self, word: str) -> str:
        """A word of a command; where it is a path that lies elsewhere, that."""
        place = self.recipe.located(word)
        return word if place == self.recipe.root / word else str(place)

    def _environment(self) -> dict[str, str]:
        paths = [str(Path(senna.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
        threads = {"OMP_NUM_THREADS": "1"} if self.jobs > 1 else {}
        return os.environ | threads | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}

    def _stop(self, number: int) -> None:
        with self.lock:
            self.stopped = True
            for process in self.processes:
                with suppress(ProcessLookupError):
                    if hasattr(os, "killpg"):
                        os.killpg(process.pid, number)
                    else:
                        process.send_signal(number)


def last_line(log: Path) -> str:
    """The last line that a command said."""
    lines = log.read_text(encoding="utf-8", errors="replace").replace("\r", "\n").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


def show(recipe: Recipe, steps: list[Step]) -> None:
    """The state of each step, and the commands of those to be done."""
    open_steps: set[str] = set()
    for step in steps:
        state = recipe.state(step)
        waits = [other.name for other in recipe.needs(step) if other.name in open_steps]
        if state or waits:
            open_steps.add(step.name)
        later = f"after {', '.join(waits)}" if waits else ""
        print(f"{step.name}\t{'; '.join(filter(None, (state, later))) or 'done'}")
        for words in step.commands if state else ():
            print(f"    {shlex.join(words)}")


def tell(line: str) -> None:
    print(line, flush=True)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", nargs="*")
    parser.add_argument("--list", "--dry-run", action="store_true", help="only show their state")
    parser.add_argument("--accept", action="append", default=[], metavar="STEP")
    parser.add_argument("--jobs", type=int, default=1, help="steps side by side, a thread each")
    parser.add_argument("--root", type=Path, default=Path(), help="where runs lies")
    parser.add_argument("--steps", type=Path, default=STEPS)
    chosen = parser.parse_args(arguments)
    try:
        with _stoppable():
            recipe = Recipe(chosen.steps, chosen.root.resolve())
            for name in chosen.accept:
                recipe.accept(name)
            steps = recipe.walk(chosen.name)
            if chosen.list:
                show(recipe, steps)
            else:
                Runner(recipe, max(1, chosen.jobs)).make(steps)
    except SennaError as error:
        print(f"make_models: {error.of_command()}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("make_models: stopped; the same command continues", file=sys.stderr)
        return 130
    return 0


@contextmanager
def _stoppable() -> Iterator[None]:
    """SIGTERM and SIGHUP as Ctrl-C; what is ignored, as under nohup, stays so."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    names = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    plain = [number for number in names if signal.getsignal(number) == signal.SIG_DFL]
    for number in plain:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in plain:
            signal.signal(number, signal.SIG_DFL)


if __name__ == "__main__":
    sys.exit(main())
