"""The steps of a recipe (`steps.toml`): what each reads and writes, and whether it is done.

Paths are relative to the folder worked in, and what it lacks of the checkout is the checkout's;
``{data}/X`` is X in the first data folder that has it.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import shlex
import shutil
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from senna import toml
from senna.config import Config, default_config, override, read_config
from senna.corpora import store
from senna.errors import SennaError
from senna.files import replacing
from senna.model import folder as model_folder
from senna.tasks import TASKS

RECORDS = "runs/steps"  # NAME.json: what a step was, read and wrote; NAME.log: what it said
DATA = "{data}/"
CHECKOUT = Path(__file__).parents[1]
PLACES = ("runs/", "configs/", "senna/models/", DATA)
BESIDE = {"README.md", "LICENCE.txt"}  # of folders: what is for people alone

Digests = dict[str, str]
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

    @property
    def leavings(self) -> list[str]:
        """What goes before the step is done anew; a model goes with its run."""
        paths = (path.removesuffix("/model") for path in self.products)
        return [path for path in paths if path.startswith("runs/")]


@dataclass(frozen=True)
class _File:
    """The table of steps.toml."""

    step: tuple[Step, ...] = ()


class Recipe:
    """The steps in their order, in a folder where `runs` lies."""

    def __init__(self, path: Path, root: Path) -> None:
        file = toml.build(_File, toml.read_table(path), where=str(path))
        self.path, self.root = path, root
        self.steps = {step.name: step for step in file.step}
        if len(self.steps) < len(file.step) or "" in self.steps:
            raise SennaError("two steps of one name, or one without", where=str(path))
        self.makers = {product: step for step in file.step for product in step.products}
        self._digests: dict[str, str] = {}

    # ----------------------------------------------------------------------- what needs what

    def inputs(self, step: Step) -> list[str]:
        """All that a step reads; of a folder that others write into, what they write."""
        paths = list(step.inputs)
        for words in step.commands:
            paths += [word for word in words[1:] if word.startswith(PLACES)]
            paths += self._read_by(words)
        kept: list[str] = []
        for path in paths:
            inside = [product for product in self.makers if product.startswith(f"{path}/")]
            is_output = any(_within(product, path) for product in step.products)
            if not is_output and not _within(path, RECORDS):
                kept += inside or [path]
        return list(dict.fromkeys(kept))

    def _read_by(self, words: list[str]) -> Iterator[str]:
        """What the configuration of a `senna train` names."""
        options = training(words)
        if not options.name:
            return
        tasks = options.task.split(",") if options.task else []
        if options.config:
            config = read_config(self.located(options.config), tasks)
            yield from self._builds_on(options.config)
        else:
            config = default_config(tasks)
            yield from _defaults(tasks)
        config = override(config, options.set)
        for data in (config.data[task] for task in config.tasks):
            yield from (_place(s.corpus) for s in (*data.train, *data.dev, *data.test))
        yield from map(_place, config.features.gazetteer.files)
        vectors = config.features.word.embeddings
        yield from ["senna/models/base" if vectors == "base" else _place(vectors)] * bool(vectors)
        train = config.train
        yield from filter(None, (train.start, train.encoder, config.export.base))
        yield from self._models_of(config)

    def _builds_on(self, name: str) -> Iterator[str]:
        """A configuration and those that it extends."""
        yield name
        table = toml.read_table(self.located(name))
        extends = table.get("extends", ",".join(table.get("tasks", ())))
        if extends and set(extends.split(",")) <= set(TASKS):
            yield from _defaults(extends.split(","))
        elif extends:
            yield from self._builds_on(f"{name.rpartition('/')[0]}/{extends}")

    def _models_of(self, config: Config) -> Iterator[str]:
        """The models whose tags or trees are features."""
        for task, source in config.features.of_models.items():
            shipped = (product for product in self.makers if product.startswith("senna/models/"))
            ours = (product for product in shipped if task in product.rpartition("/")[2].split("-"))
            if not (model := source.model or next(ours, "")):
                raise SennaError(f"no step ships a model of {task}", where=str(self.path))
            yield from filter(None, (model, source.folds))

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

    def step(self, name: str) -> Step:
        """A step by its name."""
        if name in self.steps:
            return self.steps[name]
        near = difflib.get_close_matches(name, self.steps, n=1)
        mend = f"Did you mean {near[0]}?" if near else "--list shows them."
        raise SennaError(f"no step {name!r}", where=str(self.path), mend=mend)

    # ----------------------------------------------------------------------- what is done

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

    def begin(self, step: Step) -> int | None:
        """Make ready for a step; where it goes on, how many of its commands are done, else None.

        What an earlier recipe of it left in `runs` goes; SennaError where no step made that.
        """
        inputs = {path: self._there(path) for path in self.inputs(step)}
        before, now = self.record(step), {"run": step.commands, "inputs": inputs}
        goes_on = "outputs" not in before and all(before.get(key) == now[key] for key in now)
        if goes_on:
            return int(before.get("done", 0))
        for path in step.leavings:
            place = self.located(path)
            if place.exists() and (not before or before.get("accepted")):
                mend = f"Move it away, or take it as it is: --accept {step.name}"
                raise SennaError("is there, but no step made it", where=path, mend=mend)
            shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
        self._write(step, {**now, "sources": self._sources(step) | inputs})
        return None

    def passed(self, step: Step, n: int) -> None:
        """Record that the first n commands of a step are done."""
        self._write(step, self.record(step) | {"done": n})

    def finish(self, step: Step) -> None:
        """Record a step as done; SennaError where it did not write what it should."""
        self._digests.clear()
        missing = f"{step.name} did not write it"
        outputs = {path: self._there(path, missing) for path in step.products}
        record = self.record(step)
        del record["done"]
        self._write(step, record | {"outputs": outputs})

    def accept(self, name: str) -> None:
        """Take what lies there for what a step makes."""
        step = self.step(name)
        outputs = {path: self._there(path) for path in step.products}
        digests = {path: self.digest(path) for path in self.inputs(step)}
        inputs = {path: digest for path, digest in digests.items() if digest}
        kept = {"run": step.commands, "inputs": inputs, "outputs": outputs, "accepted": True}
        self._write(step, {**kept, "sources": inputs})

    def record(self, step: Step) -> Record:
        """What was recorded of a step; empty for nothing."""
        path = self.root / RECORDS / f"{step.name}.json"
        try:
            return dict(json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError):
            mend = "Remove it: the step is done again."
            raise SennaError("no record of a step", where=str(path), mend=mend) from None

    def _write(self, step: Step, record: Record) -> None:
        path = self.root / RECORDS / f"{step.name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as place:
            text = json.dumps(record, indent=1) + "\n"
            place.write_text(text, encoding="utf-8", newline="\n")

    def _sources(self, step: Step) -> Digests:
        """The digests of all that went into what a step reads."""
        merged: Digests = {}
        for other in self.needs(step):
            merged |= self.record(other)["sources"]
        return merged

    # ----------------------------------------------------------------------- files

    def located(self, path: str) -> Path:
        """Where a path of the recipe lies."""
        if not path.startswith(DATA):
            ours = path.partition("/")[0] in ("configs", "docs", "scripts", "senna")
            lacking = ours and not (self.root / path).exists()
            return (CHECKOUT if lacking else self.root) / path
        name = path.removeprefix(DATA)
        folders = store.folders() or [store.cache_folder()]
        return next((f / name for f in folders if (f / name).exists()), folders[0] / name)

    def digest(self, path: str) -> str:
        """The sha256 of a path of the recipe; nothing where there is none."""
        if path not in self._digests:
            place = self.located(path)
            if not place.exists():
                return ""
            self._digests[path] = digest_of(place)
        return self._digests[path]

    def _there(self, path: str, what: str = "no such file or folder") -> str:
        digest = self.digest(path)
        if not digest:
            mend = "It belongs into a data folder, as $SENNA_DATA." if path.startswith(DATA) else ""
            raise SennaError(what, where=path, mend=mend)
        return digest


def made_by(record: Path) -> dict[str, Any]:
    """What the card of a model says of the step that ships it: command, digests of what went in."""
    try:
        sources = json.loads(record.read_text(encoding="utf-8"))["sources"]
    except (OSError, ValueError, KeyError):
        sys.exit(f"{record}: no record of a step")
    inputs = {path.removeprefix(DATA): sources[path] for path in sorted(sources)}
    return {"command": f"python scripts/make_models.py {record.stem}", "inputs": inputs}


def training(words: list[str]) -> Any:
    """The options of a `senna train` that begins a run: its name, else "", task, config and set."""
    parser = ArgumentParser(add_help=False, allow_abbrev=False)
    for option in ("--name", "--task", "--config"):
        parser.add_argument(option, default="")
    parser.add_argument("--set", action="append", default=[])
    return parser.parse_known_args(words[2:] if words[:2] == ["senna", "train"] else [])[0]


def digest_of(path: Path) -> str:
    """The sha256 of a file, or of a folder's names and files.

    TOML counts by what it says, not by its comments.
    """
    if path.is_dir():
        inside = sorted(
            inner for inner in path.rglob("*") if inner.is_file() and inner.name not in BESIDE
        )
        lines = (f"{inner.relative_to(path).as_posix()}\0{digest_of(inner)}\n" for inner in inside)
        return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()
    if path.suffix == ".toml":
        said = json.dumps(toml.read_table(path), sort_keys=True, default=str)
        return hashlib.sha256(said.encode()).hexdigest()
    return model_folder.digest(path)


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def _place(name: str) -> str:
    """A corpus, list or vectors of a configuration: of a step, or of the data folder."""
    return name if name.startswith(PLACES) else DATA + name


def _defaults(tasks: list[str]) -> list[str]:
    shared = ["configs/multitask.toml"] if len(tasks) > 1 else []
    return [*shared, *(f"configs/{task}.toml" for task in tasks)]
