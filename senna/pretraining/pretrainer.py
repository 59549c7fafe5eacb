"""Training of word vectors: one network after the other, each with a larger dictionary."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from senna.atomic import put_text, replacing
from senna.errors import SennaError
from senna.formats.vectors import load_vectors
from senna.pretraining.blocks import PART, TextBlocks, keep_chances
from senna.pretraining.config import Job, Pretraining
from senna.pretraining.corpus import read_dictionary, remap, text_of
from senna.pretraining.network import Weights, copies_of, first_values, make_model, start_from
from senna.pretraining.ngrams import ngram_perplexity
from senna.pretraining.objectives import LanguageModel
from senna.pretraining.recurrent import write_states
from senna.pretraining.softmaxes import ClusterPaths, read_paths
from senna.pretraining.validation import HeldOut, perplexity, ranks
from senna.text.vocabulary import PADDING, RARE
from senna.training.interruption import Interruption
from senna.training.loop import GO_ON, Round, Trainable, fit, log_metrics, save

Say = Callable[[str], None]

SAVE_SECONDS = 120.0  # between checkpoints
REPORTS = 10  # validations of each network
QUICK = 2000  # words of a perplexity on the way
LAST_SHARE = 0.01  # of the learning rates, when they have fallen


@dataclass
class RunState:
    """The progress of a run; the content of a checkpoint."""

    stage: int = 0  # which dictionary
    part: int = 0  # parts of the text it has seen
    windows: int = 0
    seconds: float = 0.0
    weights: Weights = field(default_factory=dict)  # of the network before
    network: dict[str, Any] | None = None  # the one in training
    begun: dict[str, Any] = field(default_factory=dict)  # what a resumed run must have as well


class Pretrainer(Trainable[tuple[Tensor, float]]):
    """Trains a network with one dictionary after the other; a round is a part of the text.

    Its weights start from those before, where names and shapes agree: a smaller dictionary's rows
    become the first of a larger one's (section 4.3).
    """

    UNIT = " windows"

    def __init__(self, config: Pretraining, job: Job, device: torch.device, say: Say) -> None:
        self.config, self.job, self.device, self.say = config, job, device, say
        self.out, self.pause, self.interruption = job.out, SAVE_SECONDS, Interruption()
        given = read_dictionary(Path(config.dictionary)) if config.dictionary else []
        self.text = text_of(job, say)
        size = config.sizes[-1]
        self.words = given[:size] or self.text.words[:size]
        if len(given) > len(self.words):
            self.say(f"{config.dictionary}: its first {len(self.words):,} words of {len(given):,}")
        _, covered = remap(self.text, self.words)
        if not covered:
            remedy = "Words of raw text are lower-cased, and runs of digits are 0."
            raise SennaError("knows no word of the text", where=config.dictionary, remedy=remedy)
        self.sizes = list(dict.fromkeys(min(size, len(self.words)) for size in config.sizes))
        n = self.text.n_tokens
        self.n_train, n_held = config.parts(n, self.text.n_words)
        if not 0 < n_held <= n // 2:
            what = f"{n:,} tokens are too few: {n_held:,} are held out"
            raise SennaError(what, where="held_out", remedy="Give more text.")
        self.held_from = n - n_held
        share = self.text.n_words / n  # of tokens that are words, everywhere alike
        n_words = round(self.n_train * share)
        self.say(f"{n_words:,} words to train on, {covered:.1%} of them known")
        if len(self.words) < size:
            source = config.dictionary or "the text"
            self.say(f"{source} has only {len(self.words):,} words for a dictionary of {size:,}")
        self.initial = self._initial()
        self.paths: dict[str, str] = {}
        if path := config.clusters:
            self.paths = read_paths(path, self.words, self.say)
        words = hashlib.sha256("\n".join(self.words).encode()).hexdigest()
        self.state = RunState(begun={"tokens": n, "words": words})

    def _initial(self) -> Weights:
        if not self.config.initial:
            return {}
        name, size = self.config.initial, self.config.dimension
        vectors = load_vectors(name)
        if vectors.table.shape[1] != size:
            what = f"vectors of {vectors.table.shape[1]} numbers, but dimension is {size}"
            raise SennaError(what, where=name, remedy=f"--dimension {vectors.table.shape[1]}")
        rows = {word: row for row, word in enumerate(vectors.words)}
        known = [(row, rows[word]) for row, word in enumerate(self.words, RARE + 1) if word in rows]
        if not known:
            raise SennaError("shares no word with the dictionary", where=name)
        share = len(known) / len(self.words)
        self.say(f"{share:.1%} of the dictionary start from {name}")
        torch.manual_seed(self.config.seed)
        table = first_values(self.config, len(self.words) + RARE + 1)
        ours, theirs = np.array(known).T
        table[ours] = torch.from_numpy(np.asarray(vectors.table[theirs], np.float32))
        return {"table.words": table}

    # ------------------------------------------------------------------- training

    def train(self) -> None:
        """Train with all remaining dictionaries; raise the interruption that ends it early."""
        state = self.state
        if self.is_over():
            self._write(state.weights)
            return
        self._begin_stage()
        if state.network is not None:
            start_from(self.model, state.network["weights"])
            if self.optimiser:
                self.optimiser.load_state_dict(state.network["optimiser"])
        if state.part == self.total:  # cut off when it was at the end
            self._end_stage()
            save(self)
        fit(self)
        if not self.is_over():
            self._write(copies_of(self.model) if state.part else state.weights)
            self.say(f"vectors as they are: {self.job.out}")
            raise self.interruption

    def _begin_stage(self) -> None:
        size, config = self.sizes[self.state.stage], self.config
        words = self.words[:size]
        table, _ = remap(self.text, words)
        counts = np.bincount(table[1:], self.text.counts, size + RARE + 1).astype(np.int64)
        self.held = HeldOut.choose(table[self.text.ids[self.held_from :]], len(counts))
        if not len(self.held.places):
            what = f"contains none of the first {size:,} words of the dictionary"
            raise SennaError(f"the text held out {what}", where="held_out", remedy="Hold out more.")
        clusters = ClusterPaths.of(self.paths, words) if self.paths else None
        torch.manual_seed(config.seed)
        self.model = make_model(config, counts, clusters, self.device)
        for weights in (self.initial, self.state.weights):
            start_from(self.model, weights)
        layers = list(self.model.parameters())
        self.optimiser = torch.optim.Adam(layers, lr=config.network_rate) if layers else None
        ids, length = self.text.ids[: self.n_train], self.model.length
        part = min(PART, max(len(ids) // 8, 4 * length))  # a short text has several, too
        keep, margin = keep_chances(counts, config.threshold), config.window // 2
        self.blocks = TextBlocks(ids, table, margin, length, part, keep)
        self.is_last = self.state.stage == len(self.sizes) - 1
        passes = config.epochs if self.is_last else config.warm_up
        self.total = max(round(passes * self.blocks.n_parts), 1)
        self.losses: list[float] = []

    def is_over(self) -> bool:
        return self.state.stage == len(self.sizes)

    def next_round(self) -> Round[tuple[Tensor, float]]:
        """The batches of the next part of the text, with their shares of the rates."""
        size, n_parts = self.blocks.part, self.blocks.n_parts
        total = min(self.total * size, round(self.total / n_parts * self.n_train))
        return Round(self.batches(), self._name(), self.state.part * size, total)

    def batches(self) -> Iterator[tuple[Tensor, float]]:
        """Those batches alone: with the last dictionary the rates fall."""
        config, number = self.config, self.state.part
        epoch, place = divmod(number, self.blocks.n_parts)
        part = int(self.blocks.order([config.seed, epoch])[place])
        seed = [config.seed, epoch, part]
        torch.manual_seed(int(np.random.default_rng(seed).integers(1 << 31)))
        cut = self.blocks.streams if self.model.streaming else self.blocks.batches
        batches = cut(part, config.batch, seed, self.device)
        self.model.begin()
        self.loss = torch.zeros((), device=self.device)
        self.n_steps, self.n_windows = 0, torch.zeros((), dtype=torch.int64, device=self.device)
        for step, rows in enumerate(batches):
            done = (number + step / len(batches)) / self.total
            yield rows, max(1 - done, LAST_SHARE) if self.is_last else 1.0

    def step(self, batch: tuple[Tensor, float]) -> int:
        rows, share = batch
        loss = self.model.loss(rows)
        loss.backward()  # type: ignore[no-untyped-call]
        for table in self.model.tables.values():
            table.step(self.config.learning_rate * share)
        if self.optimiser:
            for group in self.optimiser.param_groups:
                group["lr"] = self.config.network_rate * share
            self.optimiser.step()
            self.optimiser.zero_grad(set_to_none=True)
        self.loss += loss.detach()
        self.n_steps += 1
        self.n_windows += (self.model.centres(rows) != PADDING).sum()
        return len(rows) * self.blocks.length

    def end_round(self, seconds: float) -> None:
        state, loss = self.state, self.loss.item() / max(self.n_steps, 1)
        if not math.isfinite(loss):
            remedy = "Try a smaller learning_rate."
            raise SennaError("the loss is no longer a number", where="pretrain", remedy=remedy)
        state.part += 1
        state.windows += int(self.n_windows)
        state.seconds += seconds
        self.losses.append(loss)
        if state.part % math.ceil(self.total / REPORTS) == 0 or state.part == self.total:
            self._report()
        optimiser = self.optimiser.state_dict() if self.optimiser else {}
        state.network = {"weights": copies_of(self.model), "optimiser": optimiser}
        if state.part == self.total:
            self._end_stage()

    def _end_stage(self) -> None:
        """Begin the next dictionary; after the last one write the vectors."""
        state = self.state
        if self.is_last:
            save(self)  # it says that the run is over only when the vectors are written
            self._finish()
        state.weights, state.network = copies_of(self.model), None
        state.stage, state.part = state.stage + 1, 0
        if not self.is_over():
            self._begin_stage()

    # ------------------------------------------------------------------- reports and files

    def _name(self) -> str:
        return f"{self.sizes[self.state.stage]:,} words"

    def _report(self) -> None:
        state, held, model = self.state, self.held, self.model
        rank, log_rank = ranks(model, held, model.width, self.device)
        loss = round(sum(self.losses) / len(self.losses), 5)
        self.losses = []
        speed, done = round(state.windows / max(state.seconds, 1e-9)), state.part / self.total
        line: dict[str, float] = {"size": self.sizes[state.stage], "done": round(done, 3)}
        line["loss"] = loss
        line |= {"rank": round(rank, 2), "log_rank": round(log_rank, 4)}
        shown = ""
        if isinstance(model, LanguageModel):
            value = round(perplexity(model, held, QUICK, model.width, self.device), 2)
            line["perplexity"], shown = value, f"  perplexity {value:.1f}"
        seconds = round(state.seconds, 1)
        log_metrics(self.job.out, line | {"windows_per_second": speed, "seconds": seconds})
        shown = f"log-rank {log_rank:.3f}{shown}  {speed:,} windows/s"
        self.say(f"{self._name()}: {done:4.0%}  loss {loss:.4f}  rank {rank:.1f}  {shown}")

    def _finish(self) -> None:
        """Write the vectors, then measure the last network."""
        self._write(copies_of(self.model))
        held, model = self.held, self.model
        if isinstance(model, LanguageModel):
            value = perplexity(model, held, len(held.likely), model.width, self.device)
            line = {"perplexity": round(value, 2)}
            self.say(f"perplexity {value:.2f} on {len(held.likely):,} words held out")
            if order := self.config.baseline:
                rows = self.blocks.table[self.blocks.ids]
                value = ngram_perplexity(rows, held, len(model.words.weight), order)
                line["ngram_perplexity"] = round(value, 2)
                self.say(f"perplexity {value:.2f} by Kneser-Ney n-grams of order {order}")
            log_metrics(self.job.out, line)

    def _write(self, weights: Weights) -> None:
        """words.txt and vectors.npy, where `senna train --embeddings` finds them."""
        with np.errstate(over="ignore"):
            table = weights["table.words"][RARE + 1 :].numpy().astype(np.float16)
        if not np.isfinite(table).all():
            remedy = "Start again with a smaller learning_rate."
            raise SennaError(
                "vectors have grown too large to write", where="pretrain", remedy=remedy
            )
        words = "".join(f"{word}\n" for word in self.words[: len(table)])
        out = self.job.out
        put_text(out / "words.txt", words, GO_ON)
        with replacing(out / "vectors.npy", GO_ON) as place, place.open("wb") as file:
            np.save(file, table)
        if self.config.objective == "recurrent":
            write_states(out, weights)

    def checkpoint(self) -> dict[str, Any]:
        return vars(self.state)

    def restore(self, saved: dict[str, Any]) -> None:
        begun, self.state = self.state.begun, RunState(**saved)
        if self.state.begun != begun:
            what = "the run began with another text, dictionary or release"
            raise SennaError(what, where=str(self.job.out), remedy="Continue with the same.")
