"""Make the models in the package again, from corpora and text: the steps of `steps.toml`.

usage: python recipe/make_models.py [STEP...] [--list] [--accept STEP]...

The steps named are done, and those that they need; without names all. A step that is done is
skipped: its record, runs/steps/STEP.json, has its commands and the digests of all that it read and
wrote. One that was interrupted goes on. What it prints is in runs/steps/STEP.log. Paths of steps
are relative to the folder worked in; `{data}/X` is X in the first data folder that has it.
"""

import argparse
import hashlib
import json
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from scripts.common import command, parser_of
from senna.atomic import locked, put_text
from senna.corpora import store
from senna.corpora.catalogue import read_catalogue
from senna.errors import SennaError
from senna.model import writing
from senna.settings import make, read_table
from senna.training.config import default_config, override, read_config

STEPS = Path(__file__).with_name("steps.toml")
RECORDS = "runs/steps"
DATA = "{data}/"
PLACES = ("runs/", "configs/", "senna/models/", DATA)
BESIDE = {"README.md", "LICENCE.txt"}  # of folders: what is for people alone
PROGRAMS = {"senna": [sys.executable, "-P", "-m", "senna"], "python": [sys.executable]}

Record = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """Commands that make files or folders of others.

    Not repeated in `inputs` is what the commands name, nor what the configuration of a `senna
    train` does; nor in `outputs` the model of its --name and the corpora of `senna data get`.
    """

    name: str = ""
    run: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()

    @cached_property
    def commands(self) -> list[list[str]]:
        """The commands in words."""
        return [shlex.split(command) for command in self.run]

    @cached_property
    def products(self) -> list[str]:
        """All that it writes."""
        paths = list(self.outputs)
        for words in self.commands:
            name = training(words).name
            paths += [f"runs/{name}/model"] if name else []
            paths += [DATA + name for name in words[3:] if words[:3] == ["senna", "data", "get"]]
        return paths


@dataclass(frozen=True)
class _File:
    """The table of steps.toml."""

    step: tuple[Step, ...] = ()


class Recipe:
    """The steps in their order, and what is done of them."""

    def __init__(self, path: Path) -> None:
        file = make(_File, read_table(path), where=str(path))
        self.path = path
        self.steps = {step.name: step for step in file.step}
        if len(self.steps) < len(file.step) or "" in self.steps:
            raise SennaError("two steps of one name, or one without", where=str(path))
        self.makers = {product: step for step in file.step for product in step.products}
        self.digests: dict[str, str] = {}

    # ----------------------------------------------------------------------- what needs what

    def step(self, name: str) -> Step:
        """A step by its name."""
        if name in self.steps:
            return self.steps[name]
        raise SennaError(f"no step {name!r}", where=str(self.path), remedy="--list shows them.")

    def inputs(self, step: Step) -> list[str]:
        """All that a step reads; of a folder that others write into, what they write."""
        paths = list(step.inputs)
        for words in step.commands:
            paths += [word for word in words[1:] if word.startswith(PLACES)]
            paths += read_by_training(words)
        kept: list[str] = []
        for path in paths:
            inside = [product for product in self.makers if product.startswith(f"{path}/")]
            is_output = any(_within(product, path) for product in step.products)
            if not is_output and not _within(path, RECORDS):
                kept += inside or [path]
        return list(dict.fromkeys(kept))

    def needs(self, step: Step) -> list[Step]:
        """The steps whose outputs a step reads, in their order."""
        inputs = self.inputs(step)
        names = {
            maker.name
            for product, maker in self.makers.items()
            if any(_within(path, product) for path in inputs)
        }
        order = list(self.steps)
        for name in names:
            if order.index(name) >= order.index(step.name):
                what = f"{step.name} reads what {name} writes, which comes after it"
                raise SennaError(what, where=str(self.path))
        return [self.steps[name] for name in order if name in names]

    def walk(self, names: Iterable[str]) -> list[Step]:
        """The steps that the named ones need, and they, in order; of no names, all.

        What was accepted as it lay needs no other.
        """
        needed: set[str] = set()
        todo = [self.step(name) for name in names] or list(self.steps.values())
        while todo:
            step = todo.pop()
            if step.name in needed:
                continue
            needed.add(step.name)
            if not self.record(step).get("accepted") or self.state(step):
                todo += self.needs(step)
        return [step for step in self.steps.values() if step.name in needed]

    # ----------------------------------------------------------------------- records

    def record(self, step: Step) -> Record:
        """What was recorded of a step; empty for nothing."""
        path = Path(RECORDS, f"{step.name}.json")
        return dict(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else {}

    def write(self, step: Step, record: Record) -> None:
        """Record a step."""
        path = Path(RECORDS, f"{step.name}.json")
        path.parent.mkdir(parents=True, exist_ok=True)
        put_text(path, json.dumps(record, indent=1) + "\n")

    def state(self, step: Step) -> str:
        """Why a step is to be done; nothing where it is done."""
        record = self.record(step)
        if not record:
            return "to do"
        if "outputs" not in record:
            return "interrupted"
        if record["run"] != step.commands:
            return "stale: its command changed"
        for path, digest in record["outputs"].items():
            if self.digest(path) != digest:
                return f"stale: {path} is another or gone"
        known = record["inputs"]
        for path in self.inputs(step):
            if self.digest(path) != known.get(path) and (path in known or "accepted" not in record):
                return f"stale: {path} changed"
        return ""

    def accept(self, name: str) -> None:
        """Take what lies there for what a step makes."""
        step = self.step(name)
        outputs = {path: self.there(path) for path in step.products}
        inputs = {path: digest for path in self.inputs(step) if (digest := self.digest(path))}
        kept = {"run": step.commands, "inputs": inputs, "sources": inputs, "outputs": outputs}
        self.write(step, {**kept, "accepted": True})

    def digest(self, path: str) -> str:
        """The sha256 of a path of the recipe; nothing where there is none."""
        place = located(path)
        if path not in self.digests and place.exists():
            self.digests[path] = digest_of(place)
        return self.digests.get(path, "")

    def there(self, path: str, what: str = "no such file or folder") -> str:
        """The same; SennaError where there is none."""
        if digest := self.digest(path):
            return digest
        remedy = "It belongs into a data folder, as $SENNA_DATA." if path.startswith(DATA) else ""
        raise SennaError(what, where=path, remedy=remedy)

    # ----------------------------------------------------------------------- doing

    def make(self, step: Step) -> None:
        """Do a step, or the rest of one that was interrupted."""
        inputs = {path: self.there(path) for path in self.inputs(step)}
        now = {"run": step.commands, "inputs": inputs}
        before = self.record(step)
        goes_on = "outputs" not in before and all(before.get(key) == now[key] for key in now)
        if not goes_on:
            self._clear(step, before)
            sources = [self.record(other)["sources"] for other in self.needs(step)]
            merged = {path: digest for each in (*sources, inputs) for path, digest in each.items()}
            before = {**now, "sources": merged, "done": 0}
            self.write(step, before)
        done = before["done"]
        log = Path(RECORDS, f"{step.name}.log")
        with locked(log, "Wait for its end."):
            for number, words in enumerate(step.commands[done:], start=done):
                run(step, resumed(words) if goes_on and number == done else words, log)
                self.write(step, before | {"done": number + 1})
        self.digests.clear()
        missing = f"{step.name} did not write it"
        outputs = {path: self.there(path, missing) for path in step.products}
        del before["done"]
        self.write(step, before | {"outputs": outputs})

    def _clear(self, step: Step, before: Record) -> None:
        """Remove what an earlier recipe of a step left; SennaError where no step made that."""
        for product in step.products:
            place = Path(product.removesuffix("/model"))  # a model goes with its run
            if not product.startswith("runs/") or not place.exists():
                continue
            if not before or before.get("accepted"):
                remedy = f"Move it away, or take it as it is: --accept {step.name}"
                raise SennaError("is there, but no step made it", where=str(place), remedy=remedy)
            shutil.rmtree(place) if place.is_dir() else place.unlink()


def training(words: list[str]) -> Any:
    """The options of a `senna train` that begins a run: its name, else "", task, config and set."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for option in ("--name", "--task", "--config"):
        parser.add_argument(option, default="")
    parser.add_argument("--set", action="append", default=[])
    return parser.parse_known_args(words[2:] if words[:2] == ["senna", "train"] else [])[0]


def read_by_training(words: list[str]) -> Iterator[str]:
    """The corpora, models and files that the configuration of a `senna train` names."""
    options = training(words)
    if not options.name:
        return
    tasks = options.task.split(",") if options.task else []
    config = read_config(Path(options.config), tasks) if options.config else default_config(tasks)
    config = override(config, options.set)
    if config.features.word.embeddings == "base":
        yield "senna/models/base"
    for text in _strings(asdict(config)):
        if text.startswith(PLACES):
            yield text
        elif text in read_catalogue():
            yield DATA + text


def _strings(value: Any) -> Iterator[str]:
    """All strings in a table."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _strings(inner)


def located(path: str) -> Path:
    """Where a path of the recipe lies."""
    if not path.startswith(DATA):
        return Path(path)
    name = path.removeprefix(DATA)
    folders = store.folders() or [store.cache_folder()]
    return next((f / name for f in folders if (f / name).exists()), folders[0] / name)


def digest_of(path: Path) -> str:
    """The sha256 of a file, or of a folder's names and files; of TOML without its comments."""
    if path.is_dir():
        inside = sorted(
            inner for inner in path.rglob("*") if inner.is_file() and inner.name not in BESIDE
        )
        lines = (f"{inner.relative_to(path).as_posix()}\0{digest_of(inner)}\n" for inner in inside)
        return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
    if path.suffix == ".toml":
        table = json.dumps(read_table(path), sort_keys=True, default=str)
        return hashlib.sha256(table.encode()).hexdigest()
    return writing.digest(path)


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def resumed(words: list[str]) -> list[str]:
    """The command that goes on with a run, if there is one to go on with."""
    if name := training(words).name:
        out = f"runs/{name}"
    elif words[:2] == ["senna", "pretrain"]:
        out = words[words.index("--out") + 1]
    else:
        return words
    return [*words[:2], "--resume", out] if Path(out, "checkpoint.pt").exists() else words


def run(step: Step, words: list[str], log: Path) -> None:
    """Run a command, whose output goes to the log; Ctrl-C ends it, and waits for it."""
    placed = [str(located(word)) if word.startswith(DATA) else word for word in words[1:]]
    with log.open("ab") as out:
        out.write(f"$ {shlex.join(words)}\n".encode())
        out.flush()
        process = subprocess.Popen(
            [*PROGRAMS.get(words[0], words[:1]), *placed],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C comes from here, once
        )
        try:
            status = process.wait()
        except KeyboardInterrupt:
            process.terminate()
            process.wait()
            raise
    if status:
        lines = log.read_text(encoding="utf-8", errors="replace").replace("\r", "\n").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        what = f"{' '.join(words[:3])} ended with {status}: {last}"
        raise SennaError(what, where=f"{step.name} ({log.as_posix()})")


def made_by(record: Path) -> dict[str, Any]:
    """What the card of a model has of the step that ships it: command, digests of what went in."""
    try:
        sources = json.loads(record.read_text(encoding="utf-8"))["sources"]
    except (OSError, ValueError, KeyError):
        sys.exit(f"{record}: no record of a step")
    inputs = {path.removeprefix(DATA): sources[path] for path in sorted(sources)}
    return {"command": f"python recipe/make_models.py {record.stem}", "inputs": inputs}


@partial(command, continues=True)
def main(arguments: list[str] | None = None) -> None:
    parser = parser_of(__doc__)
    parser.add_argument("name", nargs="*")
    parser.add_argument("--list", action="store_true", help="only show their states")
    parser.add_argument("--accept", action="append", default=[], metavar="STEP")
    chosen = parser.parse_args(arguments)
    recipe = Recipe(STEPS)
    for name in chosen.accept:
        recipe.accept(name)
    for step in recipe.walk(chosen.name):
        state = recipe.state(step)
        print(f"{step.name}: {state or 'done'}", flush=True)
        if state and chosen.list:
            print(*(f"    {shlex.join(words)}" for words in step.commands), sep="\n")
        elif state:
            recipe.make(step)
            print(f"{step.name}: done now", flush=True)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
