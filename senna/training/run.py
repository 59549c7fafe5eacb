"""One training run from configuration to model folder."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

import senna
from senna import corpora
from senna.config import Config, DataConfig, Source, read_config
from senna.corpora.catalogue import read_catalogue
from senna.errors import SennaError
from senna.evaluation import score
from senna.infer.model_card import model_card
from senna.infer.model_folder import add_about
from senna.infer.pipeline import Pipeline
from senna.tasks import TASKS
from senna.toml import write_config
from senna.training import data
from senna.training.build import Corpus, Setup, build, coverage, read_corpora
from senna.training.data import Example
from senna.training.export import export
from senna.training.factors import factorise
from senna.training.loop import Trainer

DEMO_NOTICE = "trained on the demonstration corpus, not on real text"
Say = Callable[[str], None]


@dataclass(frozen=True)
class Run:
    """Where a run keeps its things, and on what it computes."""

    out: Path  # runs/<name>: config.toml, metrics.jsonl, checkpoint.pt, model/
    data_dir: Path | None = None
    device: str = "cpu"
    command: str = ""  # what made the model, for its card


def train(config: Config, run: Run, say: Say, *, resume: bool = False) -> Path:
    """Train, write ``<out>/model`` and return it.

    Interrupted (Ctrl-C), it keeps the best model so far; `resume` goes on from the last whole
    epoch and ends in the same weights as a run that was never interrupted.
    """
    device = device_of(run.device)
    config = prepare_run(config, run, resume)
    beginning = _beginning(run)
    sets = read_corpora(config, run.data_dir)
    for feature in config.features.used_tags:
        sets = with_tags(config, sets, feature)
    sets = {task: _without_fold(config.data[task], corpus) for task, corpus in sets.items()}
    setup = build(config, sets, device, run.data_dir)
    say(_summary(setup))
    trainer = Trainer(config, setup.model, setup.encoder, setup.tasks, run.out)
    state = trainer.run(resume)
    if state.best is None:
        raise SennaError("stopped before the first epoch was over", where=str(run.out))
    if config.export.rank:
        factorise(setup.model, setup.encoder, setup.tasks, config.export.rank)
    path = run.out / "model"
    about = {
        "notes": list(config.notes),
        "made": _made(beginning.get("command", run.command), state.epoch, state.best_epoch),
        "data": data_table(config),
    }
    export(setup, path, about)
    scores = evaluate_model(config, sets, path, run.data_dir)
    add_about(path, {"scores": scores}, model_card)
    if trainer.stopped:
        say(f"stopped; the best epoch so far is kept (--resume {run.out} goes on)")
    return path


def prepare_run(config: Config, run: Run, resume: bool) -> Config:
    """Make the run's folder with its resolved configuration, or read it back."""
    path = run.out / "config.toml"
    if resume:
        if not path.exists():
            raise SennaError("no run to resume", where=str(run.out), mend="`ls runs` lists them.")
        return read_config(path)
    try:
        run.out.mkdir(parents=True, exist_ok=True)
        if (run.out / "checkpoint.pt").exists():
            mend = "--resume it, or choose another --name."
            raise SennaError("holds a run already", where=str(run.out), mend=mend)
        write_config(path, config)
        (run.out / "metrics.jsonl").write_text("", encoding="utf-8")
        # What a resumed run must know of its beginning: the card says the same as without a break.
        about = {"seed": config.train.seed, "command": run.command}
        text = json.dumps(versions() | about, indent=1) + "\n"
        (run.out / "versions.json").write_text(text, encoding="utf-8")
    except OSError as error:
        raise SennaError(f"cannot write: {error.strerror}", where=str(run.out)) from None
    return config


def _beginning(run: Run) -> dict[str, Any]:
    """What `prepare_run` wrote when the run began."""
    try:
        found: dict[str, Any] = json.loads((run.out / "versions.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # only the card needs it
    return found


def versions() -> dict[str, str]:
    """What a run's results may depend on."""
    return {
        "senna": senna.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__,
    }


def device_of(name: str) -> torch.device:
    """The device of a name, as cpu or cuda:1; SennaError where there is none."""
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise SennaError(
            f"not usable here: {str(error).splitlines()[0]}", where="--device"
        ) from None
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
    name = "srl" if task == "predicates" else task
    if not (folder / name).is_dir():
        raise SennaError(f"the demonstration corpus has nothing for {task}", where=str(folder))
    train, dev, test = (
        (Source(str(folder / name / f"{split}.txt")),) for split in ("train", "dev", "test")
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
                found[name] |= {
                    "licence": entry.licence,
                    "attribution": entry.attribution,
                }
    return found


def _made(command: str, epochs: int, best: int) -> dict[str, Any]:
    return {"command": command, "epochs": epochs, "best_epoch": best, **versions()}


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
    """Give every sentence the tags of a task that it will have in tagging, as a feature.

    With folds, a training sentence is tagged by the model that has not seen it.
    """
    own = config.features.tags[feature]
    if own.source == "column":
        return sets
    folds = fold_models(Path(own.folds)) if own.folds else []
    taggers = [Pipeline.load([feature], path) for path in folds]
    final = Pipeline.load([feature], Path(own.model) if own.model else None)
    return {
        task: Corpus(
            _tag_folds(corpus.train, taggers or [final], feature),
            [(name, _tag_folds(sentences, [final], feature)) for name, sentences in corpus.dev],
        )
        for task, corpus in sets.items()
    }


def fold_models(folder: Path) -> list[Path]:
    """The models fold-0, fold-1, ... in a folder, each a run or a model folder."""
    found: list[Path] = []
    while (path := folder / f"fold-{len(found)}").is_dir():
        found.append(path / "model" if (path / "model").is_dir() else path)
    if not found:
        raise SennaError("no fold-0 in it", where=str(folder))
    return found


def _tag_folds(sentences: list[Example], taggers: list[Pipeline], feature: str) -> list[Example]:
    made = list(sentences)
    for part, tagger in enumerate(taggers):
        rows = [i for i, s in enumerate(sentences) if fold_of(s.forms, len(taggers)) == part]
        tags = tagger.tag([sentences[i].forms for i in rows])[feature]
        for i, own in zip(rows, tags, strict=True):
            made[i] = replace(sentences[i], tags=sentences[i].tags | {feature: own})
    return made


# --------------------------------------------------------------------------- scores


def evaluate_model(
    config: Config, sets: dict[str, Corpus], path: Path, data_dir: Path | None
) -> dict[str, Any]:
    """Score the written model, as it will tag, on every dev and test set of its tasks."""
    found: dict[str, Any] = {}
    for task, corpus in sets.items():
        own = config.data[task]
        pipeline = Pipeline.load([task], path, "given")
        measured = {f"{name} dev" if name != "dev" else name: s for name, s in corpus.dev}
        for source in own.test:
            name = f"{data.label(source)} {source.split or 'test'}"
            measured[name] = data.read_source(source, "test", task, own, data_dir)
        for name, sentences in measured.items():
            value = _score_tagging(pipeline, task, sentences)
            measure = "accuracy" if TASKS[task].output == "tags" else "F1"
            found.setdefault(task, {"measure": measure})[name] = round(value, 2)
    return found


def _score_tagging(pipeline: Pipeline, task: str, sentences: list[Example]) -> float:
    """Score of what a pipeline finds; roles are those of the gold predicates."""
    forms = [s.forms for s in sentences]
    given = {name: [s.tags.get(name, []) for s in sentences] for name in pipeline.missing}
    is_roles = TASKS[task].output == "roles"
    places = [[own.position for own in s.gold] for s in sentences] if is_roles else None
    found = pipeline.annotate(forms, given, places)
    return score(task, [s.gold for s in sentences], found[task])
