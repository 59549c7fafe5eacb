"""The training loop: epochs, dev scores, early stopping, checkpoints, interruption."""

from __future__ import annotations

import copy
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from senna.answers import output_of
from senna.config import Training
from senna.errors import SennaError
from senna.training.checkpoints import GO_ON, log_metrics, save_checkpoint
from senna.training.descent.optimisers import OPTIMISERS, clip_gradients, make_optimisers
from senna.training.descent.schedules import SCHEDULES, Progress
from senna.training.examples.batches import Batches, drawn_batches, in_one_pass
from senna.training.examples.numbers import TaskSets
from senna.training.interruption import Interruption, interruptible
from senna.training.layers.batch import Batch, Encoded
from senna.training.layers.weights import regularised
from senna.training.monitor import flat_units
from senna.training.networks.base import Network

# Of other tasks, by name: which sentences of a batch they learn from too, and their batch.
Beside = Mapping[str, tuple[list[int], Batch]]
NONE: Beside = MappingProxyType({})
STEP = 0.5  # points of the dev score that are more than the ups and downs of an epoch


@dataclass
class State:
    """Where a run stands; all of it goes into the checkpoint."""

    epoch: int = 0
    step: int = 0
    best_score: float = -1.0
    best_epoch: int = 0
    best: dict[str, Any] | None = None  # the network's weights at the best epoch
    average: dict[str, Any] | None = None  # running mean of the weights
    halvings: int = 0  # of the rate, by the schedule "plateau"
    halved: int = 0  # the epoch after which it was last halved
    means: list[float] = field(default_factory=list)  # the mean dev score after each epoch


class Trainer:
    """Trains one network for one task or several; `run` leaves the best weights in it."""

    def __init__(
        self,
        train: Training,
        model: Network,
        batches: Batches,
        out: Path,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.settings, self.model, self.batches, self.say = train, model, batches, say
        self.tasks, self.out = batches.numbered.tasks, out
        self.passes = in_one_pass(self.tasks) if train.draw == "together" else self.tasks
        self.random = np.random.default_rng(train.seed)
        self._optimise(train)
        self.state = State()
        self.interruption = Interruption()
        self.warned = False  # of units that are saturated or dead
        self.silent: list[str] = []  # tasks whose dev sets got no right phrase in the last epoch
        self.diverged = 0  # the epoch in which the loss or a weight was no longer finite

    def _optimise(self, train: Training) -> None:
        """Begin with fresh optimisers, at these rates."""
        self.optimisers = make_optimisers(train, self.model, self.model.inputs.word)
        self.regularised = regularised(self.model) if train.l2 else []
        self.rates = [[g["lr"] for g in o.param_groups] for o in self.optimisers]

    # ------------------------------------------------------------------- epochs

    def run(self, resume: bool = False) -> State:
        """Train until the last epoch, the end of patience or an interruption."""
        if resume:
            self.load_checkpoint()
        elif self.settings.start:
            self.load_start(Path(self.settings.start))
        train, state = self.settings, self.state
        self.total_steps = self._steps(train.epochs)
        learnt = [weights for weights in self.model.parameters() if weights.requires_grad]
        with interruptible() as self.interruption:
            while state.epoch < train.epochs and not self._patience_over():
                started, worked = time.monotonic(), time.process_time()
                if train.thaw:
                    from senna.training.descent.thawing import thaw

                    thaw(self.model, train, state.epoch, learnt)
                loss, n_words = self._epoch()
                if self.interruption.asked or not self._is_finite(loss):
                    break
                state.epoch += 1
                seconds = time.monotonic() - started
                scores = self.scores()
                self._keep_best(scores)
                self._halve()
                flat = self._flat_units()
                cpu = time.process_time() - worked  # of all threads, dev scores too
                self._log(loss, n_words / seconds, scores, seconds, cpu, flat)
                self.save_checkpoint()
        for weights in learnt:
            weights.requires_grad_(True)
        if not (self.interruption.asked or self.diverged):
            for hint in self._hints():
                self.say(hint)
        if state.best is not None:
            self.model.load_state_dict(state.best)
        return state

    def _hints(self) -> Iterator[str]:
        """A hint about the number of epochs from the dev scores."""
        means, epochs = self.state.means, self.settings.epochs
        for task in self.silent:
            mend = f"try more epochs (--set train.epochs={4 * epochs}) or a higher learning rate"
            yield f"hint: the model predicts only O for {task} on dev, or nothing right: {mend}"
        if not self.silent and len(means) == epochs and is_rising(means):
            mend = f"more epochs may help (--set train.epochs={2 * epochs})"
            yield f"hint: the dev score still rose in the last two epochs: {mend}"

    def tune(self, epochs: int) -> None:
        """Continue at half the rate with weights that have become products of factors.

        No dev scores are asked for, and no checkpoint is written: --resume does it anew.
        """
        if self.interruption.asked or self.diverged:
            return
        untuned = copy.deepcopy(self.model.state_dict())
        train, before = self.settings, self.state
        self._optimise(replace(train, learning_rate=train.learning_rate / 2))
        self.state, self.total_steps = State(before.epoch), self._steps(epochs)
        with interruptible() as self.interruption:
            while self.state.epoch < before.epoch + epochs and not self.interruption.asked:
                loss, _ = self._epoch()
                if not self._is_finite(loss):
                    break
                self.state.epoch += 1
        tuned = untuned if self.diverged else self.state.average
        if tuned is not None:
            self.model.load_state_dict(tuned)
        self.state = before

    def check(self) -> None:
        """Raise what ended the training early: an interruption, or a SennaError where it diverged.

        What is kept of the epochs before is the caller's to write first.
        """
        self.interruption.check()
        if self.diverged:
            train, best = self.settings, self.state.best_epoch
            kept = f"; the model of epoch {best} is kept" if best else ""
            lower = (
                "train.learning_rate" if train.clip else "train.learning_rate, or set train.clip"
            )
            raise SennaError(
                f"the training diverged in epoch {self.diverged} (the loss is not a number){kept}",
                where=f"train.learning_rate = {train.learning_rate:g}",
                mend=f"Lower {lower}.",
            )

    def _is_finite(self, loss: float) -> bool:
        """Whether an epoch has left a loss and weights to go on with."""
        weights = (torch.isfinite(p).all() for p in self.model.parameters())
        if not self.interruption.asked and not (math.isfinite(loss) and all(weights)):
            self.diverged = self.state.epoch + 1
        return not self.diverged

    def _steps(self, epochs: int) -> int:
        sizes = [sum(s.weight for s in task.train) / self.settings.batch for task in self.passes]
        steps, n = sum(map(math.ceil, sizes)), len(sizes)
        return epochs * (n * math.ceil(steps / n) if self.settings.draw == "alike" else steps)

    def _patience_over(self) -> bool:
        patience = self.settings.patience
        return bool(patience) and self.state.epoch - self.state.best_epoch >= patience

    def _epoch(self) -> tuple[float, int]:
        """One pass over all tasks, their batches in turn: mean loss per word, number of words."""
        self.model.train()
        train = self.settings
        total, n_words = 0.0, 0
        batches = drawn_batches(self.passes, train.batch, train.draw == "alike", self.random)
        with tqdm(
            total=sum(len(s.forms) for _, batch in batches for s in batch),
            desc=f"epoch {self.state.epoch + 1}/{self.settings.epochs}",
            unit="tok",
            unit_scale=True,
            leave=False,
            disable=None,
        ) as bar:
            for task, sentences in batches:
                if self.interruption.asked or not math.isfinite(total):
                    break
                batch = self._batch(task.name, sentences, self.random)
                total += self._step(task.name, batch, self._beside(sentences))
                words = int(batch.lengths.sum())
                n_words += words
                bar.update(words)
                bar.set_postfix(
                    loss=f"{total / n_words:.3f}",
                    dev=f"{max(self.state.best_score, 0):.2f}",
                    refresh=False,
                )
        return total / max(n_words, 1), n_words

    def _batch(
        self, task: str, sentences: Sequence[Encoded], random: np.random.Generator | None = None
    ) -> Batch:
        """A batch to learn from; with `train.own_tags`, some of its history is own tags."""
        batch, train = self.batches.batch(task, sentences, random), self.settings
        if train.own_tags:
            own = import_module("senna.lab.criteria.free_running")
            share = own.share_in(self.state.epoch, train.epochs, train.own_tags)
            batch = own.with_own(batch, share, self.random)
        return batch

    def _beside(self, sentences: Sequence[Encoded]) -> dict[str, tuple[list[int], Batch]]:
        """For other tasks, the rows of the sentences that they share, and their batch."""
        beside = {}
        for name in dict.fromkeys(name for sentence in sentences for name in sentence.beside):
            rows = [i for i, sentence in enumerate(sentences) if name in sentence.beside]
            others = [sentences[i].beside[name] for i in rows]
            beside[name] = rows, self._batch(name, others)
        return beside

    def _step(self, task: str, batch: Batch, beside: Beside = NONE) -> float:
        """Learn from a batch of a task, and from other tasks' batches of its sentences."""
        train, state, n = self.settings, self.state, len(batch.lengths)
        share = self._schedule()
        for optimiser, rates in zip(self.optimisers, self.rates, strict=True):
            for group, rate in zip(optimiser.param_groups, rates, strict=True):
                group["lr"] = rate * share
            optimiser.zero_grad(set_to_none=True)
        loss = self._loss(task, batch, beside)
        goal = loss
        for weights in self.regularised:
            goal = goal + n * train.l2 / 2 * weights.square().sum()
        goal = goal / n if OPTIMISERS[train.optimiser].by_mean else goal
        if goal.requires_grad:  # not where the only layer that learns is not the task's
            goal.backward()  # type: ignore[no-untyped-call]
            if train.clip:
                clip_gradients(self.model.parameters(), train.clip)
        for optimiser in self.optimisers:
            optimiser.step()
        state.step += 1
        if train.average and state.step % 8 == 0:
            self._update_average()
        return float(loss.detach())

    def _loss(self, task: str, batch: Batch, beside: Beside) -> Tensor:
        """The summed losses of the tasks; their sentences are encoded once."""
        if not beside:
            return self.model.head(task).loss(self.model(task, batch), batch)
        x, head = self.model.encode(batch), self.model.head(task)
        losses = [head.loss(head(x, batch), batch)]
        for name, (rows, other) in beside.items():
            head = self.model.head(name)
            units = x[rows, : other.n_steps] if len(rows) < len(x) else x
            losses.append(head.loss(head(units, other), other))
        return torch.stack(losses).sum()

    def _schedule(self) -> float:
        """Share of the learning rate at this step."""
        train, state = self.settings, self.state
        done = min(state.step / max(self.total_steps, 1), 1.0)
        progress = Progress(done, state.epoch, state.step, state.halvings)
        return SCHEDULES[train.schedule](train, progress)

    def _update_average(self) -> None:
        state = self.state
        weights = self.model.state_dict()
        if state.average is None:
            state.average = {name: value.clone() for name, value in weights.items()}
            return
        # Early on the mean must not cling to the first weights.
        decay = min(self.settings.average**8, state.step / (state.step + 80))
        for name, value in weights.items():
            if value.is_floating_point():
                state.average[name].lerp_(value, 1 - decay)

    # ------------------------------------------------------------------- dev scores

    def scores(self) -> dict[str, float]:
        """Dev score of each task and of each of its sets, in percent."""
        latest = None
        if self.state.average is not None:
            latest = copy.deepcopy(self.model.state_dict())
            self.model.load_state_dict(self.state.average)
        scores: dict[str, float] = {}
        self.silent = []
        for task in self.tasks:
            if not task.dev:
                continue
            guesses, output = self.predict(task, task.dev), output_of(task.name)
            start, parts = 0, []
            for name, n in task.sets:
                rows = slice(start, start + n)
                parts.append(output.percent(task.dev_gold[rows], guesses[rows]))
                if len(task.sets) > 1:
                    scores[f"{task.name}:{name}"] = parts[-1]
                start += n
            scores[task.name] = sum(parts) / len(parts)
            if not any(parts) and output.is_iobes:
                self.silent.append(task.name)
        self._current = copy.deepcopy(self.model.state_dict())
        if latest is not None:
            self.model.load_state_dict(latest)
        return scores

    def predict(self, task: TaskSets, sentences: Sequence[Encoded]) -> list[Any]:
        """The predictions of the current network for encoded sentences, as `Example.gold`."""
        self.model.eval()
        predictions: list[Any] = [[] for _ in sentences]
        order = [i for i, s in enumerate(sentences) if s.positions is None or len(s.positions)]
        order.sort(key=lambda i: -len(sentences[i].forms))
        with torch.no_grad():
            for start in range(0, len(order), 64):
                rows = order[start : start + 64]
                batch = self.batches.batch(task.name, [sentences[row] for row in rows])
                emissions = self.model(task.name, batch)
                of_rows = self.model.head(task.name).predict(emissions, batch)
                for row, prediction in zip(rows, of_rows, strict=True):
                    predictions[row] = prediction
        return predictions

    def _flat_units(self) -> float | None:
        """The share of `flat_units` in the first dev sentences; a warning where most are."""
        chosen = [(task.name, task.dev[:64]) for task in self.tasks if task.dev]
        share = flat_units(self.model, ((n, self.batches.batch(n, s)) for n, s in chosen))
        if share is not None and share > 0.5 and not self.warned:
            self.warned = True
            self.say(
                f"warning: {share:.0%} of the hidden units are saturated or dead: they pass no "
                "gradient on (lower train.learning_rate, or choose another network.initial)"
            )
        return share

    def keep_start(self, scores: dict[str, float]) -> None:
        """Take the weights to begin with for the best so far, if there are dev `scores` of them."""
        if any(task.dev for task in self.tasks):
            self._keep_best(scores)

    def _keep_best(self, scores: dict[str, float]) -> None:
        state = self.state
        mean = sum(scores.get(task.name, 0.0) for task in self.tasks) / len(self.tasks)
        if not any(task.dev for task in self.tasks):
            mean = float(state.epoch)  # nothing to choose by: the last epoch counts
        elif state.epoch:
            state.means.append(mean)
        if mean > state.best_score:
            state.best_score, state.best_epoch = mean, state.epoch
            state.best = self._current

    def _halve(self) -> None:
        """Note for the schedule "plateau" that the dev score has not risen for long."""
        state, epochs = self.state, self.settings.plateau
        if epochs and state.epoch - max(state.best_epoch, state.halved) >= epochs:
            state.halvings, state.halved = state.halvings + 1, state.epoch

    # ------------------------------------------------------------------- files

    def _log(
        self,
        loss: float,
        rate: float,
        scores: dict[str, float],
        seconds: float,
        cpu: float,
        flat: float | None = None,
    ) -> None:
        line = {
            "epoch": self.state.epoch,
            "loss": round(loss, 5),
            "dev": {name: round(value, 3) for name, value in scores.items()},
            "tokens_per_second": round(rate),
            "seconds": round(seconds, 1),
            "cpu_seconds": round(cpu, 1),
            **({} if flat is None else {"flat_units": round(flat, 4)}),
        }
        log_metrics(self.out, line, self._mend())
        shown = "  ".join(f"{name} {value:.2f}" for name, value in scores.items())
        self.say(f"epoch {self.state.epoch:3d}  loss {loss:.4f}  dev {shown}  {rate:,.0f} tokens/s")

    def _mend(self) -> str:
        anew = "Free some space, then begin again: nothing is kept."
        return GO_ON if (self.out / "checkpoint.pt").exists() else anew

    def save_checkpoint(self) -> None:
        """Write everything that an exact continuation needs into one file."""
        bits = {
            "model": self.model.state_dict(),
            "optimisers": [optimiser.state_dict() for optimiser in self.optimisers],
            "state": vars(self.state),
            "random": json.dumps(self.random.bit_generator.state),
            "torch": torch.get_rng_state(),
            "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
        }
        save_checkpoint(self.out, bits, self._mend())

    def load_checkpoint(self) -> None:
        """Restore the state at the end of the last complete epoch."""
        path = self.out / "checkpoint.pt"
        if not path.exists():
            raise SennaError(
                "there is nothing to resume", where=str(path), mend="Train without --resume."
            )
        with _fitting(path, "Train without --resume, under another --name."):
            bits = torch.load(path, weights_only=True, map_location="cpu")
            self.model.load_state_dict(bits["model"])
            for optimiser, saved in zip(self.optimisers, bits["optimisers"], strict=True):
                optimiser.load_state_dict(saved)
            self.state = State(**bits["state"])
            self.random.bit_generator.state = json.loads(bits["random"])
            torch.set_rng_state(bits["torch"])
            if bits["cuda"] and len(bits["cuda"]) == torch.cuda.device_count():
                torch.cuda.set_rng_state_all(bits["cuda"])
        path = self.out / "metrics.jsonl"
        with path.open("a+b") as file:  # an epoch after the checkpoint comes once more
            file.seek(0)
            file.truncate(sum(map(len, islice(file, self.state.epoch))))

    def load_start(self, run: Path) -> None:
        """Take the best weights of another run, of the same network and the same words."""
        path = run / "checkpoint.pt"
        if not path.exists():
            what = "not a run (it has no checkpoint.pt)"
            raise SennaError(what, where=f"train.start = {str(run)!r}")
        with _fitting(path, "It must have the same network, features and training words."):
            bits = torch.load(path, weights_only=True, map_location="cpu")
            self.model.load_state_dict(bits["state"]["best"])


def is_rising(means: Sequence[float]) -> bool:
    """Whether the last two of at least three dev scores are the best two, by a visible step."""
    if len(means) < 3:
        return False
    *before, last_but_one, last = means
    return max(before) < last_but_one < last and last - max(before) >= STEP


@contextmanager
def _fitting(path: Path, mend: str) -> Iterator[None]:
    """Say in one line that a checkpoint is damaged, or another network's."""
    try:
        yield
    except Exception as error:  # a damaged file makes the unpickler raise almost anything
        reason = (str(error).splitlines() or [""])[0]
        if not reason or "zip archive" in reason:  # how PyTorch says that it is cut
            reason = "it is damaged"
        raise SennaError(f"does not fit this run: {reason}", where=str(path), mend=mend) from None
