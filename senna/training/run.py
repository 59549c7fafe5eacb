"""One training run: its folder, its lock, and the steps from configuration to model folder."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from senna.atomic import locked, unwritable
from senna.errors import SennaError, counted
from senna.kinds import output_of
from senna.kinds.answer import Measure
from senna.model.folder import ModelFolder
from senna.model.writing import add_about
from senna.pipeline.evaluate import pipeline_for
from senna.pipeline.memory import Memory, remembers
from senna.pipeline.pipeline import Pipeline
from senna.registry import CORPORA, CRITERIA, MONITORS, STARTS
from senna.tasks import PARSER, TASKS
from senna.training.build import Setup, build, check_names
from senna.training.config import Config, DataConfig, read_run, with_epochs, write_config
from senna.training.examples.batches import Batches
from senna.training.examples.corpora import Example, TaskCorpus, new_tags, read_corpora
from senna.training.export import base_vectors, export
from senna.training.layers.batch import Batch
from senna.training.loop import device_of, versions
from senna.training.networks.base import Network
from senna.training.start_from import heritage, origin_of
from senna.training.trainer import Trainer

SENTENCES = 2_000  # of each task, to learn from what the network sees
Moment = NDArray[np.float64]


def factorise(model: Network, batches: Batches, rank: int) -> None:
    """Put two factors in place of weights, or of larger factors, in every layer that takes them."""
    layers: list[Any] = [module for module in model.modules() if hasattr(module, "factorise")]
    if not layers:
        return
    moments = second_moments(model, layers, sample(batches))
    for layer, moment in zip(layers, moments, strict=True):
        n_in, n_out = layer.first.in_features, layer.up.out_features
        n_before = n_in * n_out if layer.down is None else layer.up.in_features * (n_in + n_out)
        if rank * (n_in + n_out) < n_before:
            layer.factorise(*factors(layer.product(), moment, rank))


def sample(batches: Batches) -> Iterator[tuple[str, Batch]]:
    """Some training sentences of every task, in batches of like length."""
    for task in batches.numbered.tasks:
        step = max(1, -(-len(task.train) // SENTENCES))
        chosen = sorted(task.train[::step], key=lambda sentence: len(sentence.forms))
        for start in range(0, len(chosen), 32):
            yield task.name, batches.batch(task.name, chosen[start : start + 32])


def second_moments(
    model: Network, layers: Sequence[Any], batches: Iterable[tuple[str, Batch]]
) -> list[Moment]:
    """X'X of what each layer's weights are multiplied with, (n_in, n_in).

    The windows of padding are among it: few, where sentences of a batch are of like length.
    """
    sizes = [layer.first.in_features for layer in layers]
    moments = [torch.zeros(n, n, dtype=torch.float64) for n in sizes]

    def add(i: int, x: Tensor) -> None:
        rows = x.reshape(-1, x.shape[-1])
        moments[i] += (rows.T @ rows).cpu().double()

    hooks = [
        layer.first.register_forward_pre_hook(lambda _, args, i=i: add(i, args[0]))
        for i, layer in enumerate(layers)
    ]
    model.eval()
    with torch.no_grad():
        for task, batch in batches:
            # With the loss, as some layers come after what the network gives.
            model.head(task).loss(model(task, batch), batch)
    for hook in hooks:
        hook.remove()
    return [moment.numpy() for moment in moments]


def factors(
    weights: NDArray[np.float32], moment: Moment, rank: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Two matrices (n_in, rank), (rank, n_out), whose product serves for weights (n_in, n_out)."""
    n = len(moment)
    # A little of the identity: directions that were never seen must not be free.
    ridge = max(1e-3 * float(np.trace(moment)) / n, 1e-12)
    lower = np.linalg.cholesky(moment + ridge * np.eye(n))
    left, values, right = np.linalg.svd(lower.T @ weights.astype(np.float64), full_matrices=False)
    down = np.linalg.solve(lower.T, left[:, :rank] * values[:rank])
    return down.astype(np.float32), right[:rank].astype(np.float32)


Say = Callable[[str], None]
WRITTEN = ("config.toml", "metrics.jsonl", "versions.json")  # by a run before its first epoch


@dataclass(frozen=True)
class Run:
    """Where a run keeps its files, and on what it computes."""

    out: Path  # runs/<name>: config.toml, metrics.jsonl, checkpoint.pt, model/
    data_dir: Path | None = None
    device: str = "cpu"
    command: str = ""  # that began the run, for the model's card
    free: bool = False  # whether few sentences get more epochs than the configuration has
    numbered: bool = False  # where there is an `out`: out-2, out-3, ...


def train(config: Config, run: Run, say: Say, *, resume: bool = False) -> Path:
    """Train, write ``<out>/model`` and return it.

    Interrupted (Ctrl-C), it writes the best model so far and raises KeyboardInterrupt, which says
    what is kept; without one whole epoch nothing is. `resume` goes on from the last whole epoch and
    ends in the same weights as a run that was never interrupted.
    """
    device = device_of(run.device)
    config = read_run(run.out) if resume else config
    with _locked_folder(run, resume) as out:
        return _train(config, replace(run, out=out), device, say, resume)


def _train(config: Config, run: Run, device: torch.device, say: Say, resume: bool) -> Path:
    train = config.train
    if train.encoder:
        features = STARTS["encoder"].with_encoder(config.features, config.network, train.encoder)
        config = replace(config, features=features)
    check_names(config)
    corpora = read_corpora(config.tasks, config.data, run.data_dir, config.features, train.soft)
    report = MONITORS["doubts"]
    lines = [*report.told(config.data, corpora)]
    if run.free and not resume:
        n = min(_size(config.data[task], corpus) for task, corpus in corpora.items())
        train = with_epochs(train, n)
        if train != config.train:
            told = f"{train.epochs} epochs, for only {counted(n, 'sentence')}"
            lines.insert(0, f"{told} (--set train.epochs=N changes it)")
            config = replace(config, train=train)
    if not resume:
        _begin(config, run)
    origin = origin_of(train.model) if train.model else None
    setup = build(config, corpora, device, run.data_dir)
    if config.export.base:
        base_vectors(setup.collected, Path(config.export.base))  # refused before hours of training
    say(_summary(setup))
    # Tasks that share files have the same doubts.
    for line in dict.fromkeys([*lines, *report.doubts(config.data, corpora, setup.collected.tags)]):
        say(line)
    trainer = setup.trainer(run.out, say)
    if origin is not None and not resume:
        _say_start(origin, setup, trainer, say)
    state = trainer.run(resume)
    if state.best is None or not state.epoch:
        trainer.check()
        raise SennaError("expected at least one epoch", where="train.epochs")
    if origin is not None and not state.best_epoch:
        say("no epoch was better on dev than the model it began with: those weights are kept")
    if config.export.rank:
        factorise(setup.model, setup.batches, config.export.rank)
        trainer.tune(config.export.tuned)
    path = run.out / "model"
    about = {"command": _command(run), "epochs": state.epoch, "best_epoch": state.best_epoch}
    about |= decoding(config.tasks, config.network.beam, train.criterion) | versions()
    if trainer.interruption.asked or trainer.diverged:
        about["stopped"] = True
    notes = [*config.notes]
    if train.soft:
        notes.append(f"It learnt the probabilities of tags of {train.soft}.")
    card: dict[str, Any] = {"notes": notes, "data": CORPORA["store"].data_table(config.data)}
    if origin is not None:
        before = heritage(origin)
        card = {"notes": card["notes"] + before["notes"], "data": before["data"] | card["data"]}
    export(setup, path, card | {"made": about})
    scores = score_model(corpora, path, say)
    add_about(path, {"scores": scores})
    trainer.check()
    return path


def _size(settings: DataConfig, corpus: TaskCorpus) -> int:
    """How many sentences a task has to learn from, those held out for dev counted too."""
    if settings.size or settings.dev or not settings.dev_share:
        return len(corpus.train)
    return len(corpus.train) + sum(len(examples) for _, examples in corpus.dev)


def decoding(tasks: Sequence[str], beam: int, criterion: str) -> dict[str, str]:
    """How tags are found, where a task is to find any."""
    if not {TASKS[task].head for task in tasks} & {"tags", "roles"}:
        return {}
    if criterion == "greedy":
        return {"decoding": f"from left to right, keeping {beam} at a time"}
    by_paths = CRITERIA[criterion].paths
    return {"decoding": "by the best path (Viterbi)" if by_paths else "word by word"}


def _summary(setup: Setup) -> str:
    collected, model = setup.collected, setup.model
    n, embeddings = collected.forms.total(), setup.config.features.word.embeddings
    parts = [f"{n:,} words, {len(collected.forms):,} distinct"]
    if embeddings:
        if collected.coverage == 0:
            spaces = all(form[:1] == " " for form in collected.forms)
            remedy = (
                "Do --columns name the word? Words of another language need --set "
                "'features.word.embeddings=\"\"' --set features.word.size=50."
            )
            remedy = "Remove the space before each line." if spaces else remedy
            what = "no word of the training set has a vector"
            raise SennaError(what, where=embeddings, remedy=remedy)
        parts.append(f"{collected.coverage:.1%} of them have a vector")
    parts += [f"{len(names)} {task} tags" for task, names in collected.tags.items()]
    weights = sum(p.numel() for p in model.parameters() if p is not model.inputs.word)
    parts.append(f"{weights:,} weights beside the word table")
    return ", ".join(parts)


def _say_start(origin: ModelFolder, setup: Setup, trainer: Trainer, say: Say) -> None:
    """Tell what the model that is trained on scores, and which tags it gets."""
    for task, corpus in setup.corpora.items():
        new = new_tags(origin.lines(f"{task}.tags.txt"), task, corpus.train)
        if new:
            say(f"{task} tags that {origin.path} lacks: {', '.join(new)}")
    of_sets = trainer.scores()
    trainer.keep_start(of_sets)
    scores = "  ".join(f"{name} {score:.2f}" for name, score in of_sets.items())
    if scores:
        say(f"before training:  dev {scores}")


# --------------------------------------------------------------------------- its folder


@contextmanager
def _locked_folder(run: Run, resume: bool) -> Iterator[Path]:
    """Lock the run's folder. If a new run saves no epoch, what it wrote there is removed."""
    out, new = _make_folder(run)
    before = set(os.listdir(out))
    new = new or ("versions.json" in before and before <= {*WRITTEN})  # one was killed early
    checkpoint, model = out / "checkpoint.pt", out / "model"
    remedy = "Wait for its end, or choose another --name."
    with ExitStack() as held, locked(out / "metrics.jsonl", remedy):
        try:
            if not resume:
                _refuse_used(out, before)
            yield out
        except KeyboardInterrupt as stop:
            kept = (
                f"continue with senna train --resume {out}"
                if checkpoint.exists()
                else "nothing is kept"
            )
            best = f"the best model so far: {model}; " if model.is_dir() else ""
            stop.args = (f"stopped; {best}{kept}",)
            raise
        finally:
            if not resume and not checkpoint.exists():
                own = [out / name for name in WRITTEN if new or name not in before]
                own += [out] * new
                _remove(own)
                # Windows removes no file that is open, as the locked one is.
                held.callback(_remove, [path for path in own if path.exists()])


def _refuse_used(out: Path, before: set[str]) -> None:
    """A run writes over no files but those of a run that was killed before its first epoch."""
    if (out / "checkpoint.pt").exists():
        remedy = "Use --resume, or choose another --name."
        raise SennaError("already contains a run", where=str(out), remedy=remedy)
    others = () if "versions.json" in before else ("config.toml", "metrics.jsonl")
    for name in ("model", *others):
        if name in before and (name == "model" or (out / name).stat().st_size):
            what = f"already contains a {name}, which training would replace"
            raise SennaError(what, where=str(out), remedy="Choose another --name.")


def _remove(paths: Sequence[Path]) -> None:
    for path in paths:
        with suppress(OSError):  # a folder may hold files of the user
            path.rmdir() if path.is_dir() else path.unlink()


def _make_folder(run: Run) -> tuple[Path, bool]:
    """The run's folder, and whether it was not there before."""
    out, number = run.out, 1
    while True:
        try:
            out.mkdir(parents=True)
            return out, True
        except OSError as error:
            if not isinstance(error, FileExistsError):
                raise unwritable(out, error) from None
            if not run.numbered:
                if not out.is_dir():
                    raise unwritable(out, error) from None
                return out, False
        number += 1
        out = run.out.with_name(f"{run.out.name}-{number}")


def _begin(config: Config, run: Run) -> None:
    """Write down what the run is, for those who resume or repeat it."""
    # What a resumed run must know of its beginning: the card says the same as without a break.
    about = versions() | {"seed": config.train.seed, "command": run.command}
    try:
        text = json.dumps(about, indent=1) + "\n"
        (run.out / "versions.json").write_text(text, encoding="utf-8", newline="\n")
        os.truncate(run.out / "metrics.jsonl", 0)
    except OSError as error:
        raise unwritable(run.out, error) from None
    write_config(run.out / "config.toml", config)


def _command(run: Run) -> str:
    with suppress(OSError, ValueError, KeyError):  # only the card needs it
        return str(json.loads((run.out / "versions.json").read_text(encoding="utf-8"))["command"])
    return run.command


def score_model(
    corpora: dict[str, TaskCorpus], path: Path, say: Callable[[str], None]
) -> dict[str, Any]:
    """Score a model folder on every dev and test set of its tasks."""
    scores: dict[str, Any] = {}
    for task, corpus in corpora.items():
        pipeline = pipeline_for(path, task, "given")
        sets = [(f"{name} dev" if name != "dev" else name, s) for name, s in corpus.dev]
        for name, sentences in [*sets, *corpus.test]:
            value, more = _score(pipeline, task, sentences)
            scores.setdefault(task, {"measure": value.name})[name] = round(value.percent, 2)
            say(f"{task:10} {value.name:8} {value.percent:6.2f}  {name}{more}")
    return scores


def _score(pipeline: Pipeline, task: str, sentences: list[Example]) -> tuple[Measure, str]:
    forms = [s.forms for s in sentences]
    given: dict[str, Any] = {
        name: [s.tags.get(name, []) for s in sentences] for name in pipeline.missing
    }
    output = output_of(task)
    if output.kind == "labels" and all(s.tree for s in sentences):
        given[PARSER] = [s.tree for s in sentences]
    about = output.kind == "roles"
    places = [[place for place, _ in s.gold] for s in sentences] if about else None
    found, gold = pipeline.annotate(forms, given, places), [s.gold for s in sentences]
    value = output.measure(gold, found[task])
    if not (TASKS[task].names and remembers(pipeline.labels(task))):
        return value, ""
    Memory().recall(forms, [s.opens for s in sentences], found)
    recalled = output.measure(gold, found[task]).percent
    return value, f" ({recalled:.2f} with the memory of names)"
