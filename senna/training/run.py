"""One training run from configuration to model folder."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from senna import corpora
from senna.config import Config, DataConfig, Source, TagFeature, TreeFeature, read_config
from senna.corpora.catalogue import read_catalogue
from senna.errors import SennaError
from senna.evaluation import score
from senna.files import locked, unwritable
from senna.infer.pipeline import Pipeline
from senna.model.card import model_card
from senna.model.folder import add_about
from senna.outputs import output_of
from senna.tasks import TASKS
from senna.text.constituents import constituents
from senna.text.trees import Tree
from senna.toml import write_config
from senna.training import data
from senna.training.build import Corpus, Setup, build, coverage, read_corpora
from senna.training.data import Example
from senna.training.export import export
from senna.training.factors import factorise
from senna.training.loop import Trainer
from senna.version import __version__

DEMO_NOTICE = "Trained on the demonstration corpus, not on real text"
Say = Callable[[str], None]


@dataclass(frozen=True)
class Run:
    """Where a run keeps its things, and on what it computes."""

    out: Path  # runs/<name>: config.toml, metrics.jsonl, checkpoint.pt, model/
    data_dir: Path | None = None
    device: str = "cpu"
    command: str = ""  # what made the model, for its card
    numbered: bool = False  # where there is an `out`: out-2, out-3, ...


def train(config: Config, run: Run, say: Say, *, resume: bool = False) -> Path:
    """Train, write ``<out>/model`` and return it.

    Interrupted (Ctrl-C), it writes the best model so far and raises KeyboardInterrupt, which tells
    what is kept; without one whole epoch nothing is. `resume` goes on from the last whole epoch and
    ends in the same weights as a run that was never interrupted.
    """
    device = device_of(run.device)
    config = read_run(run.out) if resume else config
    with _own_folder(run, resume) as out:
        return _train(config, replace(run, out=out), device, say, resume)


def _train(config: Config, run: Run, device: torch.device, say: Say, resume: bool) -> Path:
    if not resume:
        _begin(config, run)
    sets = read_corpora(config, run.data_dir)
    tests = {task: _read_tests(config.data[task], task, run.data_dir) for task in sets}
    for feature in config.features.used_tags:
        sets = with_tags(config, sets, feature)
    if config.features.tree.used:
        sets = with_trees(config, sets)
    sets = {task: _without_fold(config.data[task], corpus) for task, corpus in sets.items()}
    setup = build(config, sets, device, run.data_dir)
    say(_summary(setup))
    trainer = Trainer(config, setup.model, setup.encoder, setup.tasks, run.out)
    state = trainer.run(resume)
    if state.best is None:
        trainer.interruption.check()
        raise SennaError("not one epoch to train", where="train.epochs")
    if config.export.rank:
        factorise(setup.model, setup.encoder, setup.tasks, config.export.rank)
        trainer.tune(config.export.tuned)
    path = run.out / "model"
    made = {"command": _command(run), "epochs": state.epoch, "best_epoch": state.best_epoch}
    notes = list(config.notes)
    export(setup, path, {"notes": notes, "made": made | versions(), "data": data_table(config)})
    add_about(path, {"scores": evaluate_model(sets, tests, path, say)}, model_card)
    trainer.interruption.check()
    return path


# --------------------------------------------------------------------------- its folder


@contextmanager
def _own_folder(run: Run, resume: bool) -> Iterator[Path]:
    """The run's folder, for it alone; a new one goes again where no epoch is kept."""
    out = _make(run)
    checkpoint, model = out / "checkpoint.pt", out / "model"
    mend = "Wait for its end, or choose another --name."
    with ExitStack() as held, locked(out / "metrics.jsonl", mend):
        if checkpoint.exists() and not resume:
            mend = "--resume it, or choose another --name."
            raise SennaError("holds a run already", where=str(out), mend=mend)
        rest = {"config.toml", "metrics.jsonl", "versions.json"}  # of one that was killed early
        new = not resume and set(os.listdir(out)) <= rest
        try:
            yield out
        except KeyboardInterrupt as stop:
            kept = f"--resume {out} goes on" if checkpoint.exists() else "nothing is kept"
            best = f"the best model so far: {model}; " if model.is_dir() else ""
            stop.args = (f"stopped; {best}{kept}",)
            raise
        finally:
            if new and not checkpoint.exists():
                shutil.rmtree(out, ignore_errors=True)
                if out.exists():  # Windows removes no file that is open, as the locked one is
                    held.callback(shutil.rmtree, out, ignore_errors=True)


def _make(run: Run) -> Path:
    out, number = run.out, 1
    while True:
        try:
            out.mkdir(parents=True, exist_ok=not run.numbered)
            return out
        except OSError as error:
            if not (run.numbered and isinstance(error, FileExistsError)):
                raise unwritable(out, error) from None
        number += 1
        out = run.out.with_name(f"{run.out.name}-{number}")


def read_run(out: Path) -> Config:
    """The configuration of a run that is to go on."""
    if not (out / "config.toml").exists():
        raise SennaError("no run to resume", where=str(out), mend="`ls runs` lists them.")
    return read_config(out / "config.toml")


def _begin(config: Config, run: Run) -> None:
    """Write down what the run is, for those who resume or repeat it."""
    # What a resumed run must know of its beginning: the card says the same as without a break.
    about = versions() | {"seed": config.train.seed, "command": run.command}
    write_config(run.out / "config.toml", config)
    try:
        os.truncate(run.out / "metrics.jsonl", 0)
        text = json.dumps(about, indent=1) + "\n"
        (run.out / "versions.json").write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise unwritable(run.out, error) from None


def _command(run: Run) -> str:
    """What began the run."""
    with suppress(OSError, ValueError, KeyError):  # only the card needs it
        return str(json.loads((run.out / "versions.json").read_text(encoding="utf-8"))["command"])
    return run.command


def versions() -> dict[str, str]:
    """What a run's results may depend on."""
    return {
        "senna": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__,
    }


def device_of(name: str) -> torch.device:
    """The device of a name, as cpu or cuda:1; SennaError where there is none."""
    try:
        device = torch.device(name)
        torch.zeros(1, device=device).item()
    except Exception as error:  # each kind of device fails in its own way
        reason = str(error).partition("\n")[0]
        raise SennaError(f"not usable here: {reason}", where="--device") from None
    return device


def _summary(setup: Setup) -> str:
    forms = data.count_forms([s for c in setup.corpora.values() for s in c.train])
    words = sum(forms.values())
    parts = [f"{words:,} words, {len(forms):,} distinct"]
    word = setup.config.features.word
    if word.embeddings:
        share = coverage(setup.features, forms, setup.n_vectors)
        if share == 0:
            raise SennaError("no word of the training set has a vector", where=word.embeddings)
        parts.append(f"{share:.1%} of them have a vector")
    parts += [f"{len(names)} {task} tags" for task, names in setup.tags.items()]
    weights = sum(p.numel() for p in setup.model.parameters() if p is not setup.model.inputs.word)
    parts.append(f"{weights:,} weights beside the word table")
    return ", ".join(parts)


# --------------------------------------------------------------------------- corpora


def obtain(config: Config, data_dir: Path | None, say: Say) -> None:
    """Find or download every corpus of the catalogue that a configuration names."""
    for own in config.data.values():
        for source in (*own.train, *own.dev, *own.test):
            if not Path(source.corpus).is_file():
                corpora.get(source.corpus, data_dir, say=say, progress=True)


def demo_data(task: str, folder: Path) -> DataConfig:
    """The demonstration corpus as the data of a task."""
    name = TASKS[task].data or task
    if not (folder / name).is_dir():
        raise SennaError(f"the demonstration corpus has nothing for {task}", where=str(folder))
    suffix = output_of(task).suffix
    train, dev, test = (
        (Source(str(folder / name / f"{split}.{suffix}")),) for split in ("train", "dev", "test")
    )
    return DataConfig(train, dev, test)


def data_table(config: Config) -> dict[str, Any]:
    """What a model learnt from: licence and attribution of each corpus."""
    catalogue = read_catalogue()
    found: dict[str, Any] = {}
    for own in config.data.values():
        for source in own.train:
            entry = catalogue.get(source.corpus)
            name = data.label(source)
            found.setdefault(name, {"splits": []})["splits"].append(source.split or "train")
            if entry is not None:
                found[name] |= {"licence": entry.licence, "attribution": entry.attribution}
    return found


def fold_of(forms: Sequence[str], n: int) -> int:
    """Which of n parts a sentence belongs to, by its words alone."""
    key = " ".join(forms).lower().encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(key).digest()[:8], "big") % n


def _without_fold(own: DataConfig, corpus: Corpus) -> Corpus:
    if not own.fold:
        return corpus
    try:
        part, n = map(int, own.fold.split("/"))
        if not 0 <= part < n:
            raise ValueError(own.fold)
    except ValueError:
        raise SennaError(f"{own.fold!r} is not of the form 2/5", where="data.fold") from None
    return Corpus([s for s in corpus.train if fold_of(s.forms, n) != part], corpus.dev)


# --------------------------------------------------------------------------- tags as features


def with_tags(config: Config, sets: dict[str, Corpus], feature: str) -> dict[str, Corpus]:
    """Give every sentence the tags of a task that it will have in tagging, as a feature."""
    own = config.features.tags[feature]
    if own.source == "column":
        return sets

    def given(example: Example, tags: list[str]) -> Example:
        return replace(example, tags=example.tags | {feature: tags})

    return _annotated(sets, feature, own, given)


def with_trees(config: Config, sets: dict[str, Corpus]) -> dict[str, Corpus]:
    """The same for trees."""

    def given(example: Example, tree: Tree) -> Example:
        return replace(example, tree=tuple(constituents(tree)))

    return _annotated(sets, "psg", config.features.tree, given)


def _annotated(
    sets: dict[str, Corpus],
    task: str,
    own: TagFeature | TreeFeature,
    given: Callable[[Example, Any], Example],
) -> dict[str, Corpus]:
    """Sentences `given` what models find of a task in them.

    With folds, in a training sentence by the model that has not seen it.
    """
    folds = fold_models(Path(own.folds)) if own.folds else []
    taggers = [Pipeline.load([task], path) for path in folds]
    final = Pipeline.load([task], Path(own.model) if own.model else None)

    def annotated(sentences: list[Example], models: list[Pipeline]) -> list[Example]:
        made = list(sentences)
        for part, model in enumerate(models):
            rows = [i for i, s in enumerate(sentences) if fold_of(s.forms, len(models)) == part]
            found = model.annotate([sentences[i].forms for i in rows])[task]
            for i, answer in zip(rows, found, strict=True):
                made[i] = given(sentences[i], answer)
        return made

    return {
        name: Corpus(
            annotated(corpus.train, taggers or [final]),
            [(label, annotated(sentences, [final])) for label, sentences in corpus.dev],
        )
        for name, corpus in sets.items()
    }


def fold_models(folder: Path) -> list[Path]:
    """The models fold-0, fold-1, ... in a folder, each a run or a model folder."""
    found: list[Path] = []
    while (path := folder / f"fold-{len(found)}").is_dir():
        found.append(path / "model" if (path / "model").is_dir() else path)
    if not found:
        raise SennaError("no fold-0 in it", where=str(folder))
    return found


# --------------------------------------------------------------------------- scores


Sets = dict[str, list[Example]]  # by name, as "pos/ewt test"


def _read_tests(own: DataConfig, task: str, data_dir: Path | None) -> Sets:
    """The test sets of a task: read before it is trained, so that no run fails at its end."""
    return {
        f"{data.label(s)} {s.split or 'test'}": data.read_source(s, "test", task, own, data_dir)
        for s in own.test
    }


def evaluate_model(
    sets: dict[str, Corpus], tests: dict[str, Sets], path: Path, say: Say
) -> dict[str, Any]:
    """Score the written model, as it will tag, on every dev and test set of its tasks."""
    found: dict[str, Any] = {}
    for task, corpus in sets.items():
        pipeline = Pipeline.load([task], path, "given")
        measured = {f"{name} dev" if name != "dev" else name: s for name, s in corpus.dev}
        measured |= tests[task]
        measure = output_of(task).measure
        for name, sentences in measured.items():
            value = _score_tagging(pipeline, task, sentences)
            found.setdefault(task, {"measure": measure})[name] = round(value, 2)
            say(f"{task:10} {measure:8} {value:6.2f}  {name}")
    return found


def _score_tagging(pipeline: Pipeline, task: str, sentences: list[Example]) -> float:
    """Score of what a pipeline finds; roles are those of the gold predicates."""
    forms = [s.forms for s in sentences]
    given = {name: [s.tags.get(name, []) for s in sentences] for name in pipeline.missing}
    output = output_of(task)
    places = [output.places(s.gold) for s in sentences] if output.finders else None
    found = pipeline.annotate(forms, given, places)
    return score(task, [s.gold for s in sentences], found[task])
