"""Word vectors in the making: a dictionary after the other, with checkpoints in between."""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tqdm import tqdm

from senna.errors import SennaError
from senna.files import replacing
from senna.lazy import lab_module
from senna.pretraining import processes
from senna.pretraining.config import Job, Pretraining
from senna.pretraining.corpus import check_prepared, prepare, read_dictionary, read_text, remap
from senna.pretraining.leg import Leg, TrainingText, Weights, first_values
from senna.pretraining.objectives import LanguageModel
from senna.pretraining.validation import HeldOut, perplexity, ranks
from senna.text.features import RARE
from senna.training.checkpoints import GO_ON, load_state, log_metrics, save_checkpoint
from senna.training.interruption import Interruption, interruptible
from senna.vectors.read import load_vectors

Say = Callable[[str], None]

SAVE_SECONDS = 120.0  # between checkpoints
REPORTS = 10  # validations of each network
QUICK = 2000  # words of a perplexity on the way


@dataclass
class RunState:
    """The progress of a run; the content of a checkpoint."""

    stage: int = 0  # which dictionary
    part: int = 0  # parts of the text it has seen
    windows: int = 0
    seconds: float = 0.0
    weights: Weights = field(default_factory=dict)  # of the network before
    leg: dict[str, Any] | None = None  # of the network in training
    begun: dict[str, Any] = field(default_factory=dict)  # what a resumed run must have as well


class Pretrainer:
    """Trains a network with one dictionary after the other."""

    def __init__(self, config: Pretraining, job: Job, device: torch.device, say: Say) -> None:
        self.config, self.job, self.device, self.say = config, job, device, say
        self.first = processes.place()[0] == 0
        given = read_dictionary(Path(config.dictionary)) if config.dictionary else []
        folder = job.text or job.out / "text"
        if self.first and job.sources:
            kind, case, jobs = job.kind, job.case, job.jobs
            prepare(job.sources, folder, kind=kind, case=case, jobs=jobs, say=say)
        if not job.sources:
            check_prepared(folder, job.kind, job.case)
        processes.wait()
        self.text = read_text(folder)
        size = config.sizes[-1]
        self.words = given[:size] or self.text.words[:size]
        if len(given) > len(self.words):
            self.say(f"{config.dictionary}: its first {len(self.words):,} words of {len(given):,}")
        _, covered = remap(self.text, self.words)
        if not covered:
            mend = "Words of raw text are lower-cased, and runs of digits are 0."
            raise SennaError("knows no word of the text", where=config.dictionary, mend=mend)
        self.sizes = list(dict.fromkeys(min(size, len(self.words)) for size in config.sizes))
        n = self.text.n_tokens
        self.n_train, n_held = config.parts(n, self.text.n_words)
        if not 0 < n_held <= n // 2:
            what = f"{n:,} tokens are too few: {n_held:,} are held out"
            raise SennaError(what, where="held_out", mend="Give more text.")
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
            self.paths = lab_module("pretraining.ways").read_paths(path, self.words, self.say)
        words = hashlib.sha256("\n".join(self.words).encode()).hexdigest()
        begun = {"tokens": n, "words": words, "processes": processes.place()[1]}
        self.state = RunState(begun=begun)

    def _initial(self) -> Weights:
        """Rows of the largest dictionary from the vectors that the run starts from."""
        if not self.config.initial:
            return {}
        name, size = self.config.initial, self.config.dimension
        vectors = load_vectors(name)
        if vectors.table.shape[1] != size:
            what = f"vectors of {vectors.table.shape[1]} numbers, but dimension is {size}"
            raise SennaError(what, where=name, mend=f"--dimension {vectors.table.shape[1]}")
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
        """Train with all remaining dictionaries."""
        state = self.state
        if state.stage == len(self.sizes):  # over already
            self._write(state.weights)
        with interruptible() as interruption:
            while state.stage < len(self.sizes):
                corpus, held = self._corpus(self.sizes[state.stage])
                leg = self._train(corpus, held, interruption)
                if state.stage == len(self.sizes) - 1:
                    self._finish(leg, corpus, held)
                state.weights, state.leg = leg.weights(), None
                state.stage, state.part = state.stage + 1, 0
                self._save()

    def _corpus(self, size: int) -> tuple[TrainingText, HeldOut]:
        words = self.words[:size]
        table, _ = remap(self.text, words)
        counts = np.bincount(table[1:], self.text.counts, size + RARE + 1).astype(np.int64)
        held = HeldOut.choose(table[self.text.ids[self.held_from :]], len(counts))
        if not len(held.places):
            what = f"contains none of the first {size:,} words of the dictionary"
            raise SennaError(f"the text held out {what}", where="held_out", mend="Hold out more.")
        clusters = None
        if self.paths:
            clusters = lab_module("pretraining.ways").ClusterPaths.of(self.paths, words)
        return TrainingText(self.text.ids[: self.n_train], table, counts, clusters), held

    def _train(self, corpus: TrainingText, held: HeldOut, interruption: Interruption) -> Leg:
        """Train one network to its end."""
        state, config = self.state, self.config
        last = state.stage == len(self.sizes) - 1
        leg = Leg(config, corpus, [self.initial, state.weights], self.device)
        if state.leg is not None:
            leg.load_state(state.leg)
        total = max(round((config.epochs if last else config.warm_up) * leg.rounds), 1)
        report = math.ceil(total / REPORTS)
        saved = time.monotonic()
        losses: list[float] = []
        size = leg.blocks.part * leg.n_processes
        bar: Any = tqdm(
            total=min(total * size, round(total / leg.rounds * self.n_train)),
            initial=state.part * size,
            desc=self._name(),
            unit=" windows",
            unit_scale=True,
            leave=False,
            disable=None if self.first else True,
        )
        with bar:
            while state.part < total:
                started = time.monotonic()
                loss, n = leg.train(state.part, total, last, bar.update)
                state.part += 1
                state.windows += n
                state.seconds += time.monotonic() - started
                losses.append(loss)
                if state.part % report == 0 or state.part == total:
                    self._report(leg, held, state.part / total, losses)
                    losses = []
                stop = processes.any_process(interruption.asked, self.device)
                over = last and state.part == total
                if stop or over or time.monotonic() - saved > SAVE_SECONDS:
                    state.leg = leg.state()
                    self._save()
                    saved = time.monotonic()
                if stop and state.part < total:
                    self._write(leg.weights())
                    self.say(f"vectors as they are: {self.job.out}")
                    raise interruption
        return leg

    # ------------------------------------------------------------------- reports and files

    def _name(self) -> str:
        return f"{self.sizes[self.state.stage]:,} words"

    def _report(self, leg: Leg, held: HeldOut, done: float, losses: list[float]) -> None:
        state, width = self.state, leg.model.width
        rank, log_rank = ranks(leg.model, held, width, self.device)
        loss = round(sum(losses) / len(losses), 5)
        speed = round(state.windows / max(state.seconds, 1e-9))
        line: dict[str, float] = {"size": self.sizes[state.stage], "done": round(done, 3)}
        line["loss"] = loss
        line |= {"rank": round(rank, 2), "log_rank": round(log_rank, 4)}
        shown = ""
        if isinstance(leg.model, LanguageModel):
            value = round(perplexity(leg.model, held, QUICK, width, self.device), 2)
            line["perplexity"], shown = value, f"  perplexity {value:.1f}"
        self._log(line | {"windows_per_second": speed, "seconds": round(state.seconds, 1)})
        shown = f"log-rank {log_rank:.3f}{shown}  {speed:,} windows/s"
        self.say(f"{self._name()}: {done:4.0%}  loss {loss:.4f}  rank {rank:.1f}  {shown}")

    def _log(self, line: dict[str, Any]) -> None:
        if self.first:
            log_metrics(self.job.out, line)

    def _finish(self, leg: Leg, corpus: TrainingText, held: HeldOut) -> None:
        """Write the vectors, then measure the last network.

        The checkpoint says that the run is over only afterwards.
        """
        self._write(leg.weights())
        if isinstance(leg.model, LanguageModel) and self.first:
            value = perplexity(leg.model, held, len(held.likely), leg.model.width, self.device)
            line = {"perplexity": round(value, 2)}
            self.say(f"perplexity {value:.2f} on {len(held.likely):,} words held out")
            if order := self.config.baseline:
                rows = corpus.table[corpus.ids]
                ngram_perplexity = lab_module("pretraining.ngrams").ngram_perplexity
                value = ngram_perplexity(rows, held, len(corpus.counts), order)
                line["ngram_perplexity"] = round(value, 2)
                self.say(f"perplexity {value:.2f} by Kneser-Ney n-grams of order {order}")
            self._log(line)

    def _write(self, weights: Weights) -> None:
        """words.txt and vectors.npy, where `senna train --embeddings` finds them."""
        if not self.first:
            return
        with np.errstate(over="ignore"):
            table = weights["table.words"][RARE + 1 :].numpy().astype(np.float16)
        if not np.isfinite(table).all():
            mend = "Start again with a smaller learning_rate."
            raise SennaError("vectors have grown too large to write", where="pretrain", mend=mend)
        words = "".join(f"{word}\n" for word in self.words[: len(table)])
        out = self.job.out
        with replacing(out / "words.txt", GO_ON) as place:
            place.write_text(words, encoding="utf-8", newline="\n")
        with replacing(out / "vectors.npy", GO_ON) as place, place.open("wb") as file:
            np.save(file, table)
        if self.config.objective == "recurrent":
            lab_module("pretraining.recurrent").write_states(out, weights)

    def _save(self) -> None:
        if self.first:
            save_checkpoint(self.job.out, vars(self.state))

    def load(self) -> None:
        """Go back to the last checkpoint; without one, begin at the beginning."""
        saved = load_state(self.job.out, vars(self.state))
        if saved is None:
            return
        begun, self.state = self.state.begun, RunState(**saved)
        if self.state.begun != begun:
            what = "the run began with another text, dictionary or number of processes"
            raise SennaError(what, where=str(self.job.out), mend="Continue with the same.")
