"""Models that only PyTorch computes, at tagging time; NumPy's heads read what their network gives.

The states of words are rounded as PyTorch rounds them, so that their last digits, unlike those of
the networks of the core, may depend on the processor and on which sentences come together.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import torch
from torch import Tensor

from senna.annotation.dependencies import Arc
from senna.annotation.trees import leaves_of, tree_of
from senna.decoding.requests import PLAIN, Request
from senna.errors import SennaError
from senna.inference.exact import Floats
from senna.inference.lookup import FormEncoder, WordTable, load_words
from senna.inference.networks.base import Network
from senna.inference.workspace import Block, Workspace
from senna.kinds.head import read_tags, temperature_of
from senna.kinds.labels.answer import Label
from senna.kinds.labels.head import labels_of
from senna.model.folder import ModelFolder
from senna.tasks import PARSER, TASKS
from senna.text.lemmas import Lemma
from senna.training.build import make_network
from senna.training.examples.batches import Batches
from senna.training.examples.corpora import Example, TaskCorpus
from senna.training.examples.encode import number
from senna.training.layers.batch import mask_of
from senna.training.start_from import collected_of, config_of, fill

SENTENCES = 64  # computed together
_lock = Lock()  # a network holds the vectors of the words at hand


class TorchNetwork(Network):
    """The network of a model folder in PyTorch."""

    def __init__(self, folder: ModelFolder, words: WordTable) -> None:
        FormEncoder(folder, words)  # refuses tables that do not fit each other
        for task in folder.tasks:
            read_tags(folder, task)  # and lists of no tags
        config = replace(config_of(folder), tasks=tuple(folder.tasks))
        nothing = {task: TaskCorpus([], []) for task in folder.tasks}
        collected = collected_of(folder, words, config, nothing)
        self.collected = replace(collected, table=collected.table[:, :0])
        self.gazetteer = collected.gazetteer  # to which a user's phrases may be added
        self.model = make_network(self.collected)
        fill(self.model, folder)
        self.model.eval()
        self.connect(folder, words, list(collected.vocabularies), collected.features.marks)
        self.margin = 0
        if self.model.of_sentences:
            if PARSER not in self.reads and config.network.of_nodes:
                self.reads = (*self.reads, PARSER)
            nodes = config.network.of_nodes
            self.heads = {
                task: ScoredLabels(folder, task, self.model.head(task).output.bias, nodes)
                for task in self.tasks
            }
            return
        if not self.model.units:
            what = f"a {config.network.kind} network that only PyTorch computes"
            raise SennaError(what, where=str(folder.path), remedy="Train a gated network.")
        self.add_heads_above(self.model.units, config.network.settings)

    @classmethod
    def load(cls, folder: ModelFolder, bases: dict[Path, WordTable]) -> TorchNetwork:
        return cls(folder, load_words(folder, bases))

    @property
    def lists(self) -> list[TorchNetwork]:
        return [self]

    def read(self, block: Block, space: Workspace) -> Block:
        """The block with the levels of trees, if the network reads these."""
        return block._replace(earlier=self.with_levels(block))

    def encode(self, block: Block, space: Workspace) -> Floats | list[Floats]:
        """The units of words, (n_words, units), or the scores of labels of each sentence."""
        task = self.tasks[0]
        examples = self._examples(task, block)
        rows = [i for i, n in enumerate(block.lengths.tolist()) if n]
        rows.sort(key=lambda i: -len(block.forms[i]))
        collected = replace(self.collected, gazetteer=self.gazetteer)
        corpus = TaskCorpus([], [("text", [examples[i] for i in rows])])
        found: list[Floats] = [np.zeros((0, 0), np.float32)] * len(examples)
        with _lock, one_thread(), torch.no_grad():
            numbered, inputs = number(collected, {task: corpus}), self.model.inputs
            for states in inputs.states:
                numbered.ids["states"] = states.ids(list(numbered.forms))
            rows_of = numbered.trained, numbered.fixed
            trained, fixed = (torch.from_numpy(self.words.vectors(ids)) for ids in rows_of)
            inputs.set_words(trained, fixed, False)
            batches, [sets] = Batches(numbered, torch.device("cpu"), 0.0), numbered.tasks
            for start in range(0, len(rows), SENTENCES):
                batch = batches.batch(task, sets.dev[start : start + SENTENCES])
                if self.model.of_sentences:
                    scores, n = self.model(task, batch), batch.lengths
                    of_nodes = len(scores) > len(n)  # of their trees
                    parts = torch.split(scores, (2 * n - 1).tolist() if of_nodes else 1)
                else:
                    x = self.model.encode(batch)
                    inside = mask_of(batch.lengths, x.shape[1])
                    parts = torch.split(x[inside], batch.lengths.tolist())
                for i, part in zip(rows[start:], parts, strict=False):
                    found[i] = part.numpy()
        if self.model.of_sentences:
            return found
        nothing = np.zeros((0, self.model.units), np.float32)
        return np.concatenate([nothing, *(found[i] for i in sorted(rows))])

    def _examples(self, task: str, block: Block) -> list[Example]:
        """Sentences with what the network reads of other tasks, and answers that nobody reads."""
        names, earlier = self.folder.lines(f"{task}.tags.txt"), block.earlier
        examples = []
        for i, forms in enumerate(block.forms):
            tags = {name: list(earlier[name][i]) for name in self.collected.vocabularies}
            tree = tuple(earlier[PARSER][i]) if PARSER in self.reads else ()
            answer = _blank(task, names[0], forms)
            examples.append(Example(list(forms), answer, tags, tree=tree))
        return examples


def _blank(task: str, name: str, forms: Sequence[str]) -> Any:
    """An answer that nobody reads; it has no predicates, and words have one of a model's tags."""
    kind = TASKS[task].head
    if kind == "roles":
        return []
    if kind == "trees":
        return tree_of([], leaves_of(forms, [name] * len(forms)))
    if kind == "labels":
        return Label(name)
    if kind == "dependencies":
        return [Arc(i, name) for i in range(len(forms))]
    if kind == "lemmas":
        return list(map(Lemma.of, forms, forms))
    return [name] * len(forms)


class ScoredLabels:
    """Labels of sentences, and of the nodes of their trees, of scores that a network gives."""

    def __init__(self, folder: ModelFolder, task: str, bias: Tensor, nodes: bool) -> None:
        """bias (n_labels,): the scores of a sentence without words; nodes: trees have labels."""
        self.nodes = nodes
        self.names, self.temperature = read_tags(folder, task), temperature_of(folder, task)
        self.bias = bias.detach().numpy()

    def __call__(self, x: Any, block: Block, request: Request = PLAIN) -> Sequence[Label]:
        """The label of each sentence; x (n, n_labels) of each: its own, then those of nodes."""
        first = [rows[0] if len(rows) else self.bias for rows in x]
        labels = labels_of(np.array(first), self.names, self.temperature, request)
        for label, rows in zip(labels, x, strict=True):
            if self.nodes and len(rows):
                label.nodes = [self.names[i] for i in rows.argmax(axis=1).tolist()]
        return labels


def _new_lock() -> None:
    """Make the lock anew in a process that was forked while a thread held it."""
    global _lock
    _lock = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_new_lock)


NETWORK = TorchNetwork


@contextmanager
def one_thread() -> Iterator[None]:
    """Have PyTorch use one thread: results do not depend on the number, and forks do not wait."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
