"""The main path of training: from a configuration to all that the loop needs.

corpora -> collected (counts, vocabularies) -> numbered -> batches
        -> network, with heads and their criteria -> first weights -> optimisers
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from senna.errors import SennaError
from senna.inference.lookup import load_words
from senna.model.folder import ModelFolder
from senna.registry import (
    CRITERIA,
    LEARNERS,
    NETWORK_SETTINGS,
    OTHER_HEADS,
    SENTENCE_FEATURES,
    STARTS,
)
from senna.tasks import TASKS
from senna.training.config import Config, NetworkConfig
from senna.training.examples.batches import Batches
from senna.training.examples.corpora import TaskCorpus
from senna.training.examples.encode import Numbered, number
from senna.training.examples.vocabularies import Collected, collect
from senna.training.heads.base import NetworkOptions
from senna.training.layers.lookup import Inputs
from senna.training.layers.weights import initialise
from senna.training.networks.base import Network
from senna.training.start_from import collected_of, fill, origin_of
from senna.training.trainer import Trainer


@dataclass(frozen=True)
class Setup:
    """The steps from a configuration to examples, model, criterion and optimiser."""

    corpora: dict[str, TaskCorpus]
    collected: Collected
    numbered: Numbered
    batches: Batches
    model: Network

    @property
    def config(self) -> Config:
        """The configuration, completed."""
        return self.collected.config

    def trainer(self, out: Path, say: Callable[[str], None] = lambda line: None) -> Trainer:
        """The loop over its examples, with fresh optimisers."""
        return Trainer(self.config.train, self.model, self.batches, out, say)


def build(
    config: Config,
    corpora: dict[str, TaskCorpus],
    device: torch.device,
    data_dir: Path | None = None,
) -> Setup:
    """From corpora to a network ready to train, with its first weights."""
    check_names(config)
    train = config.train
    if train.model:
        return build_from(origin_of(train.model), config, corpora, device)
    collected = collect(config, corpora, data_dir)
    if train.encoder:
        features = STARTS["encoder"].encoder_tables(origin_of(train.encoder), collected.features)
        collected = replace(collected, features=features)
    setup = set_up(collected, corpora, device)
    if train.encoder:
        STARTS["encoder"].fill_from_encoder(setup.model.cpu(), origin_of(train.encoder))
    setup.model.to(device)
    return setup


def build_from(
    folder: ModelFolder, config: Config, corpora: dict[str, TaskCorpus], device: torch.device
) -> Setup:
    """The network of a folder, and corpora of some of its tasks numbered for it.

    Raises SennaError for new labels of a parser by levels.
    """
    check_names(config)
    words = load_words(folder, {})
    setup = set_up(collected_of(folder, words, config, corpora), corpora, device)
    fill(setup.model.cpu(), folder)
    rows = setup.numbered.trained, setup.numbered.fixed
    trained, fixed = (torch.from_numpy(words.vectors(numbers)) for numbers in rows)
    setup.model.inputs.set_words(trained, fixed, not config.features.word.fixed)
    setup.model.to(device)
    return setup


def set_up(collected: Collected, corpora: dict[str, TaskCorpus], device: torch.device) -> Setup:
    """Number the corpora, and make the network with random weights and the vectors of words."""
    model = make_network(collected)
    numbered = number(collected, corpora)
    for states in model.inputs.states:  # of a language model
        numbered.ids["states"] = states.ids(list(numbered.forms))
    word = collected.config.features.word
    trained, fixed = (
        torch.from_numpy(np.asarray(collected.table[rows], np.float32))
        for rows in (numbered.trained, numbered.fixed)
    )
    model.inputs.set_words(trained, fixed, word.used and not word.fixed)
    batches = Batches(numbered, device, word.rare)
    return Setup(corpora, collected, numbered, batches, model.to(device))


def make_network(collected: Collected) -> Network:
    """The network with random weights, without vectors of words."""
    config, lists = collected.config, collected.gazetteer
    network, features = config.network, config.features
    torch.manual_seed(config.train.seed)
    n_lists, states = len(lists.types) if lists is not None else 0, None
    if features.states:
        states = SENTENCE_FEATURES["states"].load(Path(features.states))
    inputs = Inputs(features, collected.features, collected.vocabularies, n_lists, states)
    options = NetworkOptions(network, config.train, len(collected.labels))
    model: Network = LEARNERS[network.kind](options, inputs, collected.tags)
    initialise(model, network.initial)
    return model


# --------------------------------------------------------------------------- rules


def check_names(config: Config) -> None:
    """Refuse what no table of criteria or networks has."""
    criterion = config.train.criterion
    if criterion not in CRITERIA:
        raise SennaError(f"train.criterion = {criterion!r} is not one of {', '.join(CRITERIA)}")
    heads = {TASKS[task].head for task in config.tasks}
    _check_criterion(config.train.criterion, config.network, heads)
    _check_transitions(config.train.criterion, config.network, heads)
    for name in (criterion, config.network.transitions):
        if other := OTHER_HEADS.get(name):
            other.check(criterion, config.network, heads)
    if config.features.states:
        SENTENCE_FEATURES["states"].check(Path(config.features.states), config.network.kind)
    kind = config.network.kind
    for head in (TASKS[task].head for task in config.tasks):
        if not carries(kind, head):
            others = [f'"{name}"' for name in NETWORK_SETTINGS if carries(name, head)]
            what = f"the {kind} network does not find {head}"
            remedy = f"Choose network.kind = {' or '.join(others)}."
            raise SennaError(what, where="network.kind", remedy=remedy)
    if kind == "window" and "roles" in heads and config.network.window.hidden:
        what = "a window network with hidden layers does not find roles"
        raise SennaError(what, where="network.window.hidden", remedy="Choose [].")


def carries(kind: str, head: str) -> bool:
    """Whether networks of a kind can have heads of a kind of output, as `Task.head` names it."""
    heads = NETWORK_SETTINGS[kind].HEADS
    return not heads or head in heads


def _check_criterion(name: str, network: NetworkConfig, heads: set[str]) -> None:
    of_words = {"tags", "roles"}
    if not CRITERIA[name].paths and not network.of_nodes:  # whose labels are of nodes
        of_words.add("labels")
    where = f"train.criterion = {name!r}"
    if heads and name not in ("sentence", "word") and not heads & of_words:
        raise SennaError("no task that learns by it", where=where)


def _check_transitions(criterion: str, network: NetworkConfig, heads: set[str]) -> None:
    """Refuse settings of transitions that do not exist."""
    wanted, where = network.transitions, "network.transitions"
    if wanted == "full" and not heads & {"tags", "roles"}:
        raise SennaError("no task with transitions of tags", where=where)
    if not CRITERIA[criterion].paths:
        if wanted != "tied":
            what = f"train.criterion = {criterion!r} learns no transitions"
            raise SennaError(what, where=where)
    elif "roles" in heads and not network.constrained and wanted == "tied":
        what = "transitions that are tied by label are those that IOBES allows"
        remedy = 'Choose network.transitions = "full".'
        raise SennaError(what, where="network.constrained = false", remedy=remedy)
