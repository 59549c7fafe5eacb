"""Training of an encoder."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from multiprocessing.sharedctypes import RawValue
from multiprocessing.util import Finalize
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from senna.errors import SennaError
from senna.inference.features.forms import FormFeatures
from senna.model.folder import ModelFolder
from senna.pipeline.workers import SIGNALS, signals_held
from senna.pretraining.config import EncoderPretraining, Job
from senna.pretraining.corpus import Text, cores, text_of
from senna.pretraining.encoder_start import encoder_tables, fill_from_encoder, with_encoder
from senna.pretraining.towers import (
    EncoderModel,
    Reader,
    Rows,
    SentenceBatch,
    Sentences,
    Targets,
)
from senna.text.vocabulary import Vocabulary
from senna.training.build import set_up
from senna.training.examples.vocabularies import Collected, first_table, first_vectors, sized
from senna.training.export import export
from senna.training.interruption import Interruption
from senna.training.layers.lookup import Inputs
from senna.training.loop import Round, Trainable, fit, log_metrics, take_in
from senna.training.start_from import origin_of

SAVE_SECONDS = 600.0  # between checkpoints
REPORT_SECONDS = 300.0  # between validations
AVERAGED = 4  # steps between two that the running mean of the weights takes in
LARGEST = 5.0  # norm of the gradients
TARGETS = 40_000  # words that are predicted: the most frequent ones
FALL = 0.2  # of the words, the last, over which the rates fall to zero
VECTOR_RATE = 0.05  # of the vectors of the words predicted (Adagrad)
Weights = dict[str, Tensor]
MOST = 8  # processes; one makes some 300,000 words per second
AHEAD = 4  # batches that each has ready
Drawn = tuple[Rows, list[int]]  # sentences, and the seed of what is drawn when they are read
Made = tuple[Rows, SentenceBatch]


# --------------------------------------------------------------------------- batches


@dataclass(frozen=True)
class _Batches(Dataset[Made]):
    reader: Reader

    def __getitem__(self, drawn: Any) -> Made:
        rows, seed = drawn
        return rows, self.reader.batch(rows, np.random.default_rng(seed))


def made(reader: Reader, drawn: Iterable[Drawn], jobs: int) -> Iterator[Made]:
    """The batches of drawn sentences in their order, made by `jobs` processes; 0: by this one."""
    batches = _Batches(reader)
    if not jobs:
        return map(batches.__getitem__, drawn)
    over = RawValue("b", 0)
    Finalize(None, setattr, (over, "value", 1), exitpriority=0)  # before they get SIGTERM
    loader = DataLoader(
        batches,
        batch_size=None,
        sampler=drawn,
        num_workers=jobs,
        prefetch_factor=AHEAD,
        collate_fn=lambda batch: batch,
        worker_init_fn=partial(_stand_apart, over),
        multiprocessing_context="fork",  # they share the text, which is not copied
    )
    with signals_held():
        return iter(loader)


def processes_for(device: str, jobs: int) -> int:
    """How many processes make batches for a device, at most `MOST`; jobs 0: one less than cores.

    0 for the processor, as it is busy itself, and where processes cannot share what is in memory.
    """
    if device == "cpu" or "fork" not in multiprocessing.get_all_start_methods():
        return 0
    return min(jobs or max(cores() - 1, 1), MOST)


def _stand_apart(over: Any, number: int) -> None:
    """Leave Ctrl-C and `timeout`, which reach all processes of a group, to the first process.

    It can still end this one by SIGTERM, as it does where it ends before its batches do. `over`
    says that it ends, for a SIGTERM that has come too early to be known from one to the group.
    """
    os.setpgid(0, 0)
    for name in SIGNALS:
        signal.signal(name, signal.SIG_IGN)  # what has reached the group before is dropped
    signal.signal(signal.SIGTERM, lambda number, frame: os._exit(0))
    signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    if over.value:
        os._exit(0)


# --------------------------------------------------------------------------- training


@dataclass
class Progress:
    """Where a run stands."""

    epoch: int = 0
    batch: int = 0  # of the epoch
    step: int = 0
    words: int = 0
    seconds: float = 0.0
    begun: dict[str, int] = field(default_factory=dict)  # what a resumed run must have as well


def collected_of(settings: EncoderPretraining, text: Text) -> Collected:
    """The features of the forms of a text, and the word vectors of its configuration.

    The tables of forms are those of an encoder to start from.
    """
    word, initial = settings.features.word, settings.initial
    vectors = first_vectors(word)
    assert vectors is not None  # the configuration wants them
    if initial:
        origin = _encoder(initial)
        chosen = with_encoder(settings.features, settings.as_training().network, initial)
        settings = replace(settings, features=replace(chosen, word=word))
    config = replace(settings, features=sized(settings.features, vectors)).as_training()
    forms = Counter(dict(zip(text.words, text.counts.tolist(), strict=True)))
    features = FormFeatures.learn(config.features, forms, vectors.words)
    words = Vocabulary.of(vectors.words)  # those that have none stay unknown
    features = FormFeatures(words, features.tables, features.marks)
    if initial:
        features = encoder_tables(origin, features)
    table = first_table(config.features.word, config.train.seed, features, vectors)
    n = len(vectors.words)
    return Collected(config, Counter(), features, {}, None, [], {}, table, n, {})


class EncoderTrainer(Trainable[Made]):
    """Trains one encoder, in one process; a round is a batch."""

    def __init__(
        self, config: EncoderPretraining, job: Job, device: torch.device, say: Callable[[str], None]
    ) -> None:
        self.config, self.job, self.say = config, job, say
        self.out, self.pause, self.interruption = job.out, SAVE_SECONDS, Interruption()
        self.text = text_of(replace(job, case="keep"), say)  # it learns of capitals, too
        self.sentences = Sentences(self.text, config.words, config.held_out)
        self.collected = collected_of(config, self.text)
        chosen, features = self.collected.config.features, self.collected.features
        targets = Targets.choose(self.text, features, TARGETS)
        self.reader = Reader(self.text, self.sentences, features, targets, chosen.caps)
        self.device, self.jobs = device, processes_for(device.type, job.jobs)
        torch.manual_seed(config.seed)
        inputs = Inputs(chosen, features, {}, 0)
        table = torch.from_numpy(np.asarray(self.collected.table, np.float32))
        model = EncoderModel(config, inputs, table.to(device), targets)
        if config.initial:  # what predicts words begins anew
            setup = set_up(self.collected, {}, torch.device("cpu"))
            fill_from_encoder(setup.model, origin_of(config.initial))
            model.towers.fill(setup.model.arrays())
        self.model = model.to(device)
        self.learnt = [p for p in self.model.parameters() if p.requires_grad]
        self.adam = torch.optim.Adam(self.learnt, config.learning_rate, betas=(0.9, 0.98))
        self.average = {name: weight.clone() for name, weight in self._learnt().items()}
        n = self.text.n_tokens
        self.state = Progress(begun={"tokens": n, "train": self.sentences.n_words})
        self.total = round(config.epochs * self.sentences.n_words)
        share = targets.counts.sum() / self.text.n_words
        self.say(
            f"{self.sentences.n_words:,} words to train on in {len(self.sentences.train):,} "
            f"sentences; {share:.1%} of all words are predicted"
        )

    # ------------------------------------------------------------------- training

    def train(self) -> None:
        """Train to the end, then write the encoder as a model folder without tasks."""
        self.made, self.reported = self._batches(), time.monotonic()
        fit(self)
        del self.made
        if not self.is_over():
            self._write()
            self.say(f"the encoder as it is: {self.job.out}")
            raise self.interruption
        self._report()
        self._write()

    def is_over(self) -> bool:
        return self.state.words >= self.total

    def next_round(self) -> Round[Made]:
        """The next batch."""
        batch = next(self.made, None)
        if batch is None:
            self.state.epoch, self.state.batch = self.state.epoch + 1, 0
            self.made = self._batches()
            batch = next(self.made)
        return Round(iter([batch]), "", self.state.words, self.total)

    def _batches(self) -> Iterator[Made]:
        seed, first = [self.config.seed, self.state.epoch], self.state.batch
        batches = enumerate(self.sentences.batches(seed, self.config.batch))
        drawn = ((rows, [*seed, number]) for number, rows in batches if number >= first)
        return made(self.reader, drawn, self.jobs)

    def step(self, batch: Made) -> int:
        state, config, (rows, sentences) = self.state, self.config, batch
        random = np.random.default_rng([config.seed, state.epoch, state.batch, 1])
        torch.manual_seed(int(random.integers(1 << 31)))
        # Rates grow at first and fall at the end.
        falling = (1 - state.words / self.total) / FALL
        share = min(1.0, (state.step + 1) / max(config.warm_up, 1), falling)
        for group in self.adam.param_groups:
            group["lr"] = config.learning_rate * share
        loss = self.model.loss(sentences.to(self.device))
        if not torch.isfinite(loss):
            remedy = "Try a smaller learning_rate."
            raise SennaError("the loss is no longer a number", where="pretrain", remedy=remedy)
        self.adam.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.learnt, LARGEST)
        self.adam.step()
        self.model.softmax.table.step(VECTOR_RATE * share)
        words = int(self.sentences.lengths[rows].sum())
        state.step, state.batch, state.words = state.step + 1, state.batch + 1, state.words + words
        if state.step % AVERAGED == 0:
            take_in(self.average, self._learnt(), config.average, state.step, AVERAGED)
        return words

    def end_round(self, seconds: float) -> None:
        self.state.seconds += seconds
        if time.monotonic() - self.reported > REPORT_SECONDS:
            self._report()
            self.reported = time.monotonic()

    def _learnt(self) -> Weights:
        """All weights that learn, but the vectors of the words predicted."""
        return {n: w.detach() for n, w in self.model.named_parameters() if w.requires_grad}

    @contextmanager
    def _averaged(self) -> Iterator[None]:
        """The model with the mean of its weights in their place."""
        latest = {name: weight.clone() for name, weight in self._learnt().items()}
        self.model.load_state_dict(self.average, strict=False)
        try:
            yield
        finally:
            self.model.load_state_dict(latest, strict=False)

    # ------------------------------------------------------------------- reports and files

    def held_out_loss(self) -> tuple[float, float]:
        """The mean loss of held-out words, and of their capitals, with the mean of the weights."""
        torch.manual_seed(0)  # the sample is the same each time
        held = list(self.sentences.by_length(self.sentences.held, self.config.batch))
        sizes = np.array([self.sentences.lengths[rows].sum() for rows in held])
        with self._averaged(), torch.no_grad():
            batches = (self.reader.batch(rows).to(self.device) for rows in held)
            losses = [[float(x) for x in self.model.losses(batch)] for batch in batches]
        words, capitals = (sizes @ np.array(losses) / sizes.sum()).tolist()
        return words, capitals

    def _report(self) -> None:
        state = self.state
        words, capitals = self.held_out_loss()
        speed = round(state.words / max(state.seconds, 1e-9))
        line = {"words": state.words, "held_out": round(words, 4), "capitals": round(capitals, 4)}
        log_metrics(self.job.out, line | {"words_per_second": speed})
        done = state.words / max(self.total, 1)
        loss = f"held-out loss {words:.4f}, of capitals {capitals:.4f}"
        self.say(f"{done:4.0%}  {state.words:,} words  {loss}  {speed:,} words/s")

    def _write(self) -> None:
        """The folder `model`, which `senna train --set train.encoder` reads."""
        setup = set_up(self.collected, {}, torch.device("cpu"))
        with self._averaged():
            arrays = self.model.towers.arrays()
            for name, place in setup.model.arrays().items():
                place[...] = arrays[name]
        notes = ["An encoder that has learnt to predict words from those before and after."]
        words, state = self.text.n_words, self.state
        made = {"pretraining": {"words": words, "trained": state.words, "step": state.step}}
        export(setup, self.job.out / "model", {"notes": notes, "made": made})

    def checkpoint(self) -> dict[str, Any]:
        table = self.model.softmax.table
        return {
            "progress": asdict(self.state),
            "weights": self._learnt(),
            "average": self.average,
            "adam": self.adam.state_dict(),
            "vectors": table.weight,
            "squares": table.squares,
        }

    def restore(self, saved: dict[str, Any]) -> None:
        state = Progress(**saved["progress"])
        if state.begun != self.state.begun:
            what = "begun with another text"
            raise SennaError(what, where=str(self.job.out), remedy="Continue with the same.")
        self.state, table = state, self.model.softmax.table
        self.model.load_state_dict(saved["weights"], strict=False)
        for name, weight in saved["average"].items():
            self.average[name].copy_(weight)
        self.adam.load_state_dict(saved["adam"])
        table.weight.copy_(saved["vectors"])
        table.squares.copy_(saved["squares"])


def _encoder(name: str) -> ModelFolder:
    origin = origin_of(name)
    if "pretraining" not in origin.about.get("made", {}):
        remedy = "Name a run of senna pretrain --objective encoder."
        raise SennaError("it is not an encoder alone", where=str(origin.path), remedy=remedy)
    return origin
