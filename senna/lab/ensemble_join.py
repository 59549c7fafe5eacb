"""A joined ensemble: a linear layer on the emissions of the members, and new transitions.

The members stay as they are (section 6.4). What they give for the sentences is computed once, by
NumPy as in tagging; the layer begins as the mean of the members, and learns by the sentence
criterion.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from senna.atomic import make_folder, replacing
from senna.corpora.store import data_table, obtain
from senna.errors import SennaError
from senna.kinds import output_of
from senna.lab.ensembles import check_members, in_order, write_members
from senna.lab.soft_labels import of_words
from senna.model.folder import ModelFolder
from senna.model.writing import add_about
from senna.pipeline.pipeline import Pipeline
from senna.text.vocabulary import Ids
from senna.training.config import Training
from senna.training.examples.batches import Batches
from senna.training.examples.corpora import Example, TaskCorpus, read_corpora
from senna.training.examples.encode import Numbered, TaskSets
from senna.training.heads.base import NetworkOptions
from senna.training.layers.batch import Batch, Encoded
from senna.training.layers.weights import Arrays
from senna.training.networks.base import Network
from senna.training.run import score_model
from senna.training.start import Files, own_data
from senna.training.start_from import config_of
from senna.training.trainer import Trainer

LEARNING = Training(criterion="sentence", epochs=5, batch=16, patience=2)
# Members are surer of the sentences they learnt from than of others, so that a high rate loses what
# the mean has; a low one learns nothing from a small file. The best epoch on dev decides.
RATES = (0.00005, 0.0005, 0.005)

Rows = NDArray[np.float32]


def write_join(
    models: Sequence[ModelFolder],
    out: Path,
    command: str,
    *,
    train: Files | None = None,
    dev: Files | None = None,
    test: Files | None = None,
    columns: str = "",
    data: Path | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> None:
    """Learn the layer and write the ensemble.

    It learns from files, as `senna.train` does, or without them from the first member's own data,
    which `data` may have. Raises SennaError as `check_members` does, for members whose tags are
    not found by emissions and paths, and for training data with tags that the members lack.
    """
    check_members(models, out)
    for model in models:
        if model.table.network.beam:
            what = "it tags from left to right: its scores depend on its tags"
            raise SennaError(what, where=str(model.path))
    tasks = tuple(models[0].tasks)
    given = {"train": train or (), "dev": dev or (), "test": test or ()}
    sets = own_data(given, columns, tasks, {}, out.parent)
    if not sets:
        learnt = config_of(models[0]).data
        sets = {task: replace(learnt[task], fold="") for task in tasks}
        obtain(sets, data, say)
    corpora = read_corpora(tasks, sets, data)
    arrays: Arrays = {}
    for task in tasks:
        arrays |= _learnt(task, models, corpora[task], say)
    note = f"Tags by a linear layer over the scores of {len(models)} models."
    make_folder(out.parent)
    with replacing(out) as place:
        write_members(models, place, "join", note, command, arrays, data_table(sets))
        add_about(place, {"scores": score_model(corpora, place, say)})


# --------------------------------------------------------------------------- what members give


def _rows(
    models: Sequence[ModelFolder], task: str, tags: list[str], sentences: Sequence[Example]
) -> Rows:
    """The scores of all members for words, (n_words, n_members * n_tags), tags in their order."""
    read = partial(in_order, tags=tags)
    columns = [
        np.concatenate(of_words(Pipeline.load([task], model.path), task, read, sentences))
        for model in models
    ]
    return np.concatenate(columns, axis=1)


def _encoded(task: str, tags: Sequence[str], sentences: Sequence[Example]) -> list[Encoded]:
    """Sentences whose forms are the numbers of their words, from 1, in `_rows`."""
    numbers = {tag: i for i, tag in enumerate(tags)}
    encoded, start = [], 1
    for s in sentences:
        [gold], _ = output_of(task).targets(s.gold, len(s.forms))
        ids: Ids = np.arange(start, start + len(s.forms), dtype=np.int32)
        rows = np.array([[numbers.get(tag, -1) for tag in gold]], np.int64)
        encoded.append(Encoded(ids, rows, {}, None, s.unlabelled, s.weight))
        start += len(s.forms)
    return encoded


# --------------------------------------------------------------------------- the layer


@dataclass(frozen=True)
class _EmissionBatches(Batches):
    """Batches whose only feature is what the members give."""

    rows: Tensor  # (1 + n_words, n_members * n_tags); the first is padding

    def _forms(
        self, rows: NDArray[np.int64], random: np.random.Generator | None
    ) -> dict[str, Tensor]:
        return {"emissions": self.rows[torch.from_numpy(rows)]}


class _NoWords(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size
        self.word = nn.Parameter(torch.zeros(0), requires_grad=False)


class _JoinedNetwork(Network):
    def __init__(self, train: Training, task: str, tags: list[str], n_members: int) -> None:
        options = NetworkOptions(train=train)
        words: Any = _NoWords(n_members * len(tags))
        super().__init__(options, words, {task: tags})

    def add_layers(self) -> None:
        self.add_heads_above(self.inputs.size)

    def encode(self, batch: Batch) -> Tensor:
        """The emissions of all members, (n_sentences, n_steps, n_members * n_tags)."""
        return batch.forms["emissions"][batch.tokens]


def _learnt(
    task: str, models: Sequence[ModelFolder], corpus: TaskCorpus, say: Callable[[str], None]
) -> Arrays:
    """The arrays of the layer and its transitions, learnt on one task's sentences."""
    tags = models[0].lines(f"{task}.tags.txt")
    dev = [s for _, sentences in corpus.dev for s in sentences]
    sentences = [*corpus.train, *dev]
    encoded = _encoded(task, tags, sentences)
    n = len(corpus.train)
    for sentence, example in zip(encoded[:n], corpus.train, strict=True):
        if (sentence.gold < 0).any():
            [gold], _ = output_of(task).targets(example.gold, len(example.forms))
            tag = next(tag for tag in gold if tag not in tags)
            raise SennaError(f"a tag of {task} in the training data that the members lack: {tag}")
    say(f"{task}: {sum(len(s.forms) for s in sentences):,} words through {len(models)} models")
    rows = _rows(models, task, tags, sentences)
    sets = TaskSets(
        task,
        tags,
        encoded[:n],
        encoded[n:],
        [s.gold for s in dev],
        [(name, len(part)) for name, part in corpus.dev],
    )
    none = np.zeros(0, np.int32)
    numbered = Numbered([sets], {}, {}, 0, np.zeros(0, np.bool_), none, none)
    padded = torch.from_numpy(np.concatenate([np.zeros_like(rows[:1]), rows]))
    batches = _EmissionBatches(numbered, torch.device("cpu"), 0.0, padded)
    found: list[tuple[float, Arrays]] = []
    for rate in RATES:
        say(f"rate {rate:g}:")
        train = replace(LEARNING, learning_rate=rate)
        torch.manual_seed(train.seed)
        network = _JoinedNetwork(train, task, tags, len(models))
        _start_as_mean(network, task, models)
        with tempfile.TemporaryDirectory() as folder:
            trainer = Trainer(train, network, batches, Path(folder), say)
            state = trainer.run()
            trainer.check()
        found.append((state.best_score, network.head(task).arrays(task)))
    return max(found, key=lambda of_rate: of_rate[0])[1]


def _start_as_mean(network: _JoinedNetwork, task: str, models: Sequence[ModelFolder]) -> None:
    """Let a network begin as the mean of its members: of their emissions and transitions."""
    tags, n = network.names[task], len(models)
    moves = []
    for model in models:
        names = model.lines(f"{task}.tags.txt")
        order = [names.index(tag) for tag in tags]
        transitions = model.array(f"{task}.transitions", len(tags), len(tags))
        initial = model.array(f"{task}.initial", len(tags))
        moves.append((transitions[np.ix_(order, order)], initial[order]))
    with torch.no_grad():
        for name, weights in network.head(task).named_parameters():
            if name == "output.weight":
                weights.copy_(torch.eye(len(tags)).repeat(1, n) / n)
            elif name == "output.bias":
                weights.zero_()
            else:
                place = ("transitions", "initial").index(name)
                weights.copy_(torch.from_numpy(np.mean([move[place] for move in moves], axis=0)))
