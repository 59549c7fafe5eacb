"""Training of taggers: epochs, dev scores, early stopping."""

from __future__ import annotations

import copy
import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from senna.errors import SennaError, counted
from senna.kinds import output_of
from senna.registry import MONITORS
from senna.training import loop
from senna.training.config import Training
from senna.training.examples.batches import Batches, Examples, OtherTaskBatches
from senna.training.examples.encode import TaskSets
from senna.training.interruption import Interruption, interruptible
from senna.training.layers.batch import Batch, Encoded
from senna.training.loop import Round, Trainable, fit, log_metrics
from senna.training.networks.base import Network
from senna.training.optimisers import Descent

NO_PART = (0.0, 0, 0)
STEP = 0.5  # dev-score gain (points) that counts as progress, not noise


@dataclass
class State:
    """Where a run stands; all of it goes into the checkpoint."""

    epoch: int = 0
    step: int = 0
    best_score: float = -1.0
    best_epoch: int = 0
    best: dict[str, Any] | None = None  # the network's weights at the best epoch
    average: dict[str, Any] | None = None  # running mean of the weights
    means: list[float] = field(default_factory=list)  # the mean dev score after each epoch


class DivergedError(Exception):
    """The loss or a weight is no longer finite."""


Step = tuple[str, Batch, OtherTaskBatches]  # a task, its batch, and those of other tasks


class Trainer(Trainable[Step]):
    """Trains one network for one task or several; `run` leaves the best weights in it.

    A round is an epoch.
    """

    UNIT = "tok"
    WHOLE_ROUNDS = True
    DESCENT = Descent

    def __init__(
        self,
        train: Training,
        model: Network,
        batches: Batches,
        out: Path,
        say: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.train, self.model, self.out, self.say = train, model, out, say
        self.examples, self.descent = Examples(train, batches), self.DESCENT(train, model)
        self.tasks = self.examples.tasks
        self.random = np.random.default_rng(train.seed)
        self.began = self.random.bit_generator.state  # before the epoch at hand
        self.loss, self.n_words, self.n_batches = NO_PART  # of the epoch at hand, so far
        self.part = NO_PART  # the same of the epoch that a resumed run is in
        self.state, self.epochs = State(), train.epochs
        self.total_steps = self.examples.steps(self.epochs)
        self.interruption = Interruption()
        self.warned = False  # of units that are saturated or dead
        self.silent_tasks: list[str] = []  # whose dev sets got no right phrase in the last epoch
        self.diverged = 0  # the epoch in which the loss or a weight was no longer finite

    # ------------------------------------------------------------------- epochs

    def run(self, resume: bool = False) -> State:
        """Train until the last epoch, the end of patience or an interruption."""
        if resume and not loop.resume(self, "Train without --resume, under another --name."):
            where, remedy = str(self.out / "checkpoint.pt"), "Train without --resume."
            raise SennaError("there is nothing to resume", where=where, remedy=remedy)
        try:
            fit(self)
        except DivergedError:
            self.diverged = self.state.epoch + 1
        self.descent.release()
        if not (self.interruption.asked or self.diverged):
            for hint in self._hints():
                self.say(hint)
        if self.state.best is not None:
            self.model.load_state_dict(self.state.best)
        return self.state

    def is_over(self) -> bool:
        state, patience = self.state, self.train.patience
        return state.epoch >= self.epochs or 0 < patience <= state.epoch - state.best_epoch

    def next_round(self) -> Round[Step]:
        """The batches of an epoch, those of all tasks mixed, without those already learnt."""
        self.loss, self.n_words, self.n_batches = self.part
        epoch, self.before, self.part = self.state.epoch, self.n_words, NO_PART
        self.worked, self.began = time.process_time(), self.random.bit_generator.state
        self.descent.thaw(epoch)
        self.model.train()
        drawn, make = self.examples.drawn(self.random), self.examples.batch
        batches = ((task.name, *make(task.name, rows, self.random, epoch)) for task, rows in drawn)
        total = sum(len(sentence.forms) for _, rows in drawn for sentence in rows)
        rest = islice(batches, self.n_batches, None)
        return Round(rest, f"epoch {epoch + 1}/{self.epochs}", self.n_words, total)

    def step(self, batch: Step) -> int:
        """Learn from a batch of a task, and from the batches of other tasks of its sentences."""
        state, (task, first, others) = self.state, batch
        done = min(state.step / max(self.total_steps, 1), 1.0)
        self.descent.prepare(done, state.step)
        loss = self._loss(task, first, others)
        self.descent.step(loss, len(first.lengths))
        state.step += 1
        state.average = self.descent.averaged(state.average, state.step)
        words = int(first.lengths.sum())
        self.loss, self.n_words = self.loss + float(loss.detach()), self.n_words + words
        self.n_batches += 1
        if not math.isfinite(self.loss):
            raise DivergedError
        best = max(state.best_score, 0)
        self.status = f"loss={self.loss / self.n_words:.3f}, dev={best:.2f}"
        return words

    def end_round(self, seconds: float) -> None:
        """Score the epoch on the dev sets; keep its weights if they are the best so far."""
        self._check_weights()
        state = self.state
        state.epoch += 1
        scores = self.scores()
        self._keep_best(scores)
        flat = self._flat_units()
        loss, rate = self.loss / max(self.n_words, 1), (self.n_words - self.before) / seconds
        self.loss, self.n_words, self.n_batches = NO_PART
        line = {
            "epoch": state.epoch,
            "loss": round(loss, 5),
            "dev": {name: round(value, 3) for name, value in scores.items()},
            "tokens_per_second": round(rate),
            "seconds": round(seconds, 1),
            "cpu_seconds": round(time.process_time() - self.worked, 1),  # of all threads, dev too
            **({} if flat is None else {"flat_units": round(flat, 4)}),
        }
        log_metrics(self.out, line)
        shown = "  ".join(f"{name} {value:.2f}" for name, value in scores.items())
        self.say(f"epoch {state.epoch:3d}  loss {loss:.4f}  dev {shown}  {rate:,.0f} tokens/s")

    def _hints(self) -> Iterator[str]:
        """Hints about the number of epochs, from the dev scores."""
        means, epochs = self.state.means, self.epochs
        if self.state.epoch < epochs:
            n = self.train.patience
            yield f"stopped after {counted(n, 'epoch')} without a better dev score (train.patience)"
        for task in self.silent_tasks:
            remedy = f"try more epochs (--set train.epochs={4 * epochs}) or a higher learning rate"
            yield f"hint: the model predicts only O for {task} on dev, or nothing right: {remedy}"
        if not self.silent_tasks and len(means) == epochs and is_rising(means):
            remedy = f"more epochs may help (--set train.epochs={2 * epochs})"
            yield f"hint: the dev score still rose in the last two epochs: {remedy}"

    def tune(self, epochs: int) -> None:
        """Continue at half the rate with weights that have become products of factors.

        No dev scores are computed, and no checkpoint is written: --resume does it anew.
        """
        if self.interruption.asked or self.diverged:
            return
        untuned, before = copy.deepcopy(self.model.state_dict()), self.state
        self.descent.begin(share=0.5)
        self.state, self.total_steps = State(before.epoch), self.examples.steps(epochs)
        try:
            with interruptible() as self.interruption:
                while self.state.epoch < before.epoch + epochs and not self.interruption.asked:
                    for batch in self.next_round().batches:
                        if not self.interruption.asked:
                            self.step(batch)
                    self._check_weights()
                    self.state.epoch += 1
        except DivergedError:
            self.diverged = self.state.epoch + 1
        tuned = untuned if self.diverged else self.state.average
        if tuned is not None:
            self.model.load_state_dict(tuned)
        self.state = before

    def _check_weights(self) -> None:
        if not all(torch.isfinite(p).all() for p in self.model.parameters()):
            raise DivergedError

    def check(self) -> None:
        """Raise what ended the training early: an interruption, or a SennaError where it diverged.

        What is kept of the epochs before is the caller's to write first.
        """
        self.interruption.check()
        if self.diverged:
            train, best = self.train, self.state.best_epoch
            kept = f"; the model of epoch {best} is kept" if best else ""
            lower = (
                "train.learning_rate" if train.clip else "train.learning_rate, or set train.clip"
            )
            raise SennaError(
                f"the training diverged in epoch {self.diverged} (the loss is not a number){kept}",
                where=f"train.learning_rate = {train.learning_rate:g}",
                remedy=f"Lower {lower}.",
            )

    def _loss(self, task: str, batch: Batch, others: OtherTaskBatches) -> Tensor:
        if not others or not self.model.units:
            batches = {task: batch} | {name: other for name, (_, other) in others.items()}
            every = (self.model.head(t).loss(self.model(t, b), b) for t, b in batches.items())
            return torch.stack(list(every)).sum()
        x, head = self.model.encode(batch), self.model.head(task)
        losses = [head.loss(head(x, batch), batch)]
        for name, (rows, other) in others.items():
            head = self.model.head(name)
            units = x[rows, : other.n_steps] if len(rows) < len(x) else x
            losses.append(head.loss(head(units, other), other))
        return torch.stack(losses).sum()

    # ------------------------------------------------------------------- dev scores

    def scores(self) -> dict[str, float]:
        """Dev score of each task and of each of its sets, in percent."""
        latest = None
        if self.state.average is not None:
            latest = copy.deepcopy(self.model.state_dict())
            self.model.load_state_dict(self.state.average)
        scores: dict[str, float] = {}
        self.silent_tasks = []
        for task in self.tasks:
            if not task.dev:
                continue
            guesses, output = self.predict(task, task.dev), output_of(task.name)
            start, parts = 0, []
            for name, n in task.sets:
                rows = slice(start, start + n)
                parts.append(output.measure(task.dev_gold[rows], guesses[rows]).percent)
                if len(task.sets) > 1:
                    scores[f"{task.name}:{name}"] = parts[-1]
                start += n
            scores[task.name] = sum(parts) / len(parts)
            if not any(parts) and output.kind == "phrases":
                self.silent_tasks.append(task.name)
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
                batch = self.examples.batches.batch(task.name, [sentences[row] for row in rows])
                emissions = self.model(task.name, batch)
                of_rows = self.model.head(task.name).predict(emissions, batch)
                for row, prediction in zip(rows, of_rows, strict=True):
                    predictions[row] = prediction
        return predictions

    def _flat_units(self) -> float | None:
        """The share of `flat_units` in the first dev sentences; a warning where most are."""
        chosen = [(task.name, task.dev[:64]) for task in self.tasks if task.dev]
        batches = ((name, self.examples.batches.batch(name, some)) for name, some in chosen)
        monitor = MONITORS["units"]
        share: float | None = monitor.flat_units(self.model, batches)
        if (hint := monitor.warning(share)) and not self.warned:
            self.warned = True
            self.say(hint)
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

    def checkpoint(self) -> dict[str, Any]:
        return {
            "model": self.model.state_dict(),
            "optimisers": [optimiser.state_dict() for optimiser in self.descent.optimisers],
            "state": vars(self.state),
            "random": json.dumps(self.began if self.n_batches else self.random.bit_generator.state),
            "round": [self.loss, self.n_words, self.n_batches],
            "torch": torch.get_rng_state(),
            "cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
        }

    def restore(self, saved: dict[str, Any]) -> None:
        self.model.load_state_dict(saved["model"])
        for optimiser, state in zip(self.descent.optimisers, saved["optimisers"], strict=True):
            optimiser.load_state_dict(state)
        self.state = State(**saved["state"])
        self.random.bit_generator.state = json.loads(saved["random"])
        self.part = saved["round"]
        torch.set_rng_state(saved["torch"])
        if saved["cuda"] and len(saved["cuda"]) == torch.cuda.device_count():
            torch.cuda.set_rng_state_all(saved["cuda"])


def is_rising(means: Sequence[float]) -> bool:
    """Whether the last two of at least three dev scores are the best two, by a visible step."""
    if len(means) < 3:
        return False
    *before, last_but_one, last = means
    return max(before) < last_but_one < last and last - max(before) >= STEP
