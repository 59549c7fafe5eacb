"""The loop of all trainings: rounds of steps, progress, checkpoints, interruption; their device.

It knows no configuration. Taggers (`senna.training.trainer`), encoders and word vectors
(`senna.pretraining`) are each a `Trainable`.
"""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

import numpy as np
import torch
from torch import Tensor
from tqdm import tqdm

from senna.atomic import replacing, unwritable
from senna.errors import SennaError
from senna.training.interruption import Interruption, interruptible
from senna.version import __version__

GO_ON = "Free some space, then --resume."
WITHIN = 60.0  # seconds after which a round that can be continued is saved before its end
B = TypeVar("B")


class Round(NamedTuple, Generic[B]):
    """A part of a training, with what the progress bar shows of it."""

    batches: Iterator[B]
    name: str
    done: int  # words, or as `Trainable.UNIT` has it
    total: int


class Trainable(Protocol[B]):
    """A training as the loop sees it: a network, its examples, and its progress."""

    UNIT: ClassVar[str] = " words"
    # An interrupted round is dropped, not ended; but long ones are saved, and told of, within.
    WHOLE_ROUNDS: ClassVar[bool] = False
    say: Callable[[str], None]
    out: Path  # the folder of checkpoint.pt and metrics.jsonl
    pause: float = 0.0  # seconds between checkpoints; 0: one after each round
    status: str = ""  # shown at the end of the progress bar
    interruption: Interruption

    def is_over(self) -> bool:
        """Whether no round is left."""

    def next_round(self) -> Round[B]:
        """The batches of the next round."""

    def step(self, batch: B) -> int:
        """Learn from a batch; returns how much further the progress bar is."""

    def end_round(self, seconds: float) -> None:
        """Count the round, which took so long; score and report where it is time to."""

    def checkpoint(self) -> dict[str, Any]:
        """Everything that an exact continuation needs."""

    def restore(self, saved: dict[str, Any]) -> None:
        """Go back to a checkpoint; any exception refuses it."""


def fit(training: Trainable[B]) -> None:
    """Train to the end or until a signal; checkpoints are written between rounds (see `WITHIN`)."""
    saved, shown = time.monotonic(), None
    bar: Any = tqdm(unit=training.UNIT, unit_scale=True, leave=False, disable=None)
    with interruptible() as training.interruption, bar:
        while not training.is_over():
            started = time.monotonic()
            batches, name, done, total = training.next_round()
            if name != shown:
                shown = name
                bar.reset(total)
                bar.initial = bar.n = bar.last_print_n = done
                bar.set_description(name)
            for batch in batches:
                if training.WHOLE_ROUNDS and training.interruption.asked:
                    return
                n = training.step(batch)
                done += n
                bar.update(n)
                bar.set_postfix_str(training.status, refresh=False)
                if training.WHOLE_ROUNDS and time.monotonic() - saved >= WITHIN:
                    if bar.disable:
                        training.say(f"{name}: {done / max(total, 1):.0%}, {training.status}")
                    save(training)
                    saved = time.monotonic()
            if training.WHOLE_ROUNDS and training.interruption.asked:
                return
            training.end_round(time.monotonic() - started)
            stopped = training.interruption.asked
            if stopped or training.is_over() or time.monotonic() - saved >= training.pause:
                save(training)
                saved = time.monotonic()
            if stopped:
                return


def take_in(
    average: dict[str, Tensor], weights: Mapping[str, Tensor], decay: float, step: int, every: int
) -> None:
    """Take weights into their running mean, as of every so many steps; `decay` is of one step."""
    # Early on the mean must not cling to the first weights.
    decay = min(decay**every, step / (step + 10 * every))
    for name, value in weights.items():
        if value.is_floating_point():
            average[name].lerp_(value, 1 - decay)


# --------------------------------------------------------------------------- files


def _mend(out: Path) -> str:
    names = ("checkpoint.pt", "run.json")  # a run of senna pretrain needs the second alone
    goes_on = any((out / name).exists() for name in names)
    return GO_ON if goes_on else "Free some space, then begin again: nothing is kept."


def log_metrics(out: Path, line: dict[str, Any]) -> None:
    """Add a line to a run's metrics.jsonl."""
    path = out / "metrics.jsonl"
    try:
        with path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(line) + "\n")
    except OSError as error:
        raise unwritable(path, error, _mend(out)) from None


def save(training: Trainable[Any]) -> None:
    """Write a run's checkpoint.pt in one step: an earlier one is there until the new one is."""
    path, metrics = training.out / "checkpoint.pt", training.out / "metrics.jsonl"
    remedy = _mend(training.out)
    size = metrics.stat().st_size if metrics.exists() else 0
    with replacing(path, remedy) as place:
        try:
            with place.open("wb") as file:
                torch.save(training.checkpoint() | {"metrics": size}, file)
        except RuntimeError as error:  # what torch makes of a full disk
            raise unwritable(path, error, remedy) from None


def resume(training: Trainable[Any], remedy: str) -> bool:
    """Go back to the last checkpoint; False where there is none.

    Lines of metrics.jsonl that are newer are removed. SennaError, with `remedy`, for a checkpoint
    that is damaged, of another version or of another run.
    """
    path = training.out / "checkpoint.pt"
    if not path.exists():
        return False
    with load_checkpoint(path, remedy) as saved:
        size = saved.pop("metrics", None)
        if size is None or saved.keys() != training.checkpoint().keys():
            raise ValueError("it has other entries than a checkpoint of this version")
        training.restore(saved)
    with (training.out / "metrics.jsonl").open("ab") as file:
        file.truncate(size)
    return True


@contextmanager
def load_checkpoint(path: Path, remedy: str) -> Iterator[dict[str, Any]]:
    """Read a checkpoint; one line says that it is damaged, or that the block finds no fit."""
    try:
        yield torch.load(path, weights_only=True, map_location="cpu")
    except SennaError:
        raise
    except Exception as error:  # a damaged file makes the unpickler raise almost anything
        reason = (str(error).splitlines() or [""])[0]
        if not reason or "zip archive" in reason:  # how PyTorch says that it is cut
            reason = "it is damaged"
        raise SennaError(
            f"does not fit this run: {reason}", where=str(path), remedy=remedy
        ) from None


def versions() -> dict[str, str]:
    """The versions that a run's results may depend on."""
    return {
        "senna": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__,
    }


def device_of(name: str) -> torch.device:
    """The device of a name, for example cpu or cuda:1; SennaError if it is missing."""
    try:
        device = torch.device(name)
        torch.zeros(1, device=device).item()
    except Exception as error:  # each kind of device fails in its own way
        reason = str(error).partition("\n")[0]
        what, remedy = f"cannot be used here: {reason}", "Choose --device cpu."
        raise SennaError(what, where="--device", remedy=remedy) from None
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")  # TF32, of 19 bits, where the GPU has it
    return device
