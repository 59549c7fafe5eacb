"""The network of a run, from what was collected and numbered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from senna.config import HEAD_TABLES, Config, NetworkConfig, Training
from senna.errors import SennaError
from senna.networks import KINDS, carries, learner_of
from senna.tasks import TASKS
from senna.training.descent.optimisers import OPTIMISERS
from senna.training.examples.batches import Batches
from senna.training.examples.collect import Collected, collect
from senna.training.examples.corpora import TaskCorpus
from senna.training.examples.numbers import Numbered, number
from senna.training.layers.lookup import Inputs
from senna.training.layers.options import NetworkOptions
from senna.training.layers.weights import initialise
from senna.training.losses.criteria import CRITERIA
from senna.training.networks.base import Network
from senna.training.origin import origin_of

if TYPE_CHECKING:
    from senna.training.layers.states import LanguageStates


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


def check_names(config: Config) -> None:
    """Refuse what no table of criteria, optimisers or networks has."""
    for key, name, table in (
        ("train.criterion", config.train.criterion, CRITERIA),
        ("train.optimiser", config.train.optimiser, OPTIMISERS),
    ):
        if name not in table:
            raise SennaError(f"{key} = {name!r} is not one of {', '.join(table)}")
    learnt = [config.data[task] for task in config.tasks if task in config.data]
    no_dev = learnt and not any(data.dev or data.dev_share for data in learnt)
    if config.train.schedule == "plateau" and no_dev:
        what = "there is no dev set, whose score tells when to halve the rate"
        raise SennaError(what, where="train.schedule = 'plateau'")
    heads = {TASKS[task].head for task in config.tasks}
    _check_criterion(config.train.criterion, config.network, heads)
    _check_transitions(config.train.criterion, config.network, heads)
    if config.features.states:
        from senna.training.layers.states import check_folder

        check_folder(Path(config.features.states))
    kind = config.network.kind
    for head in (TASKS[task].head for task in config.tasks):
        if not carries(kind, head):
            others = [f'"{name}"' for name in KINDS if carries(name, head)]
            what = f"the {kind} network does not find {head}"
            mend = f"Choose network.kind = {' or '.join(others)}."
            raise SennaError(what, where="network.kind", mend=mend)
    if kind == "window" and "roles" in heads and config.network.window.hidden:
        what = "a window network with hidden layers does not find roles"
        raise SennaError(what, where="network.window.hidden", mend="Choose [].")


def _check_criterion(name: str, network: NetworkConfig, heads: set[str]) -> None:
    """Refuse a margin where no task has scores for it: trees and their nodes learn likelihoods."""
    of_words = {"tags", "roles"}
    if not CRITERIA[name].paths and network.kind != "recursive":  # whose labels are of nodes
        of_words.add("labels")
    where = f"train.criterion = {name!r}"
    if heads and name not in ("sentence", "word") and not heads & of_words:
        raise SennaError("no task that learns by it", where=where)
    if name == "greedy" and heads != {"tags"}:
        raise SennaError("it is for tasks that give words tags", where=where)


def _check_transitions(criterion: str, network: NetworkConfig, heads: set[str]) -> None:
    """Refuse settings of transitions that do not exist."""
    wanted, where = network.transitions, "network.transitions"
    if wanted == "full" and not heads & {"tags", "roles"}:
        raise SennaError("no task with transitions of tags", where=where)
    if wanted == "state" and criterion == "greedy":
        raise SennaError("those of states are for criteria of whole paths", where=where)
    if wanted == "state" and heads != {"tags"}:
        raise SennaError("those of states are for tasks that give words tags", where=where)
    if wanted == "state" and network.kind == "window" and not network.window.hidden:
        what = "a linear network has no last layer, on whose states they could depend"
        raise SennaError(what, where=where)
    if not CRITERIA[criterion].paths:
        if wanted != "tied":
            what = f"train.criterion = {criterion!r} learns no transitions"
            raise SennaError(what, where=where)
    elif "roles" in heads and not network.constrained and wanted == "tied":
        what = "transitions that are tied by label are those that IOBES allows"
        mend = 'Choose network.transitions = "full".'
        raise SennaError(what, where="network.constrained = false", mend=mend)


def build(
    config: Config,
    corpora: dict[str, TaskCorpus],
    device: torch.device,
    data_dir: Path | None = None,
) -> Setup:
    """From corpora to a network ready to train."""
    check_names(config)
    collected = collect(config, corpora, data_dir)
    if not config.train.encoder:
        return set_up(collected, corpora, device)
    from senna.training.encoder import encoder_tables, fill_encoder

    encoder = origin_of(config.train.encoder)
    features = encoder_tables(encoder, collected.features)
    setup = set_up(replace(collected, features=features), corpora, device)
    fill_encoder(setup.model.cpu(), encoder)
    setup.model.to(device)
    return setup


def set_up(collected: Collected, corpora: dict[str, TaskCorpus], device: torch.device) -> Setup:
    """Number the corpora, and make the network with its first weights."""
    numbered, states, features = number(collected, corpora), None, collected.config.features
    if features.states:
        from senna.training.layers.states import LanguageStates

        states = LanguageStates.load(Path(features.states))
        numbered.ids["states"] = states.ids(list(numbered.forms))
    model = make_network(collected, numbered, states).to(device)
    batches = Batches(numbered, device, features.word.rare)
    return Setup(corpora, collected, numbered, batches, model)


def options_of(network: NetworkConfig, train: Training, n_labels: int = 0) -> NetworkOptions:
    """The options of networks in the settings; n_labels: of the trees that are a feature."""
    return NetworkOptions(
        train.criterion,
        network.constrained,
        network.transitions,
        network.history,
        network.beam,
        train.dropout_input,
        train.dropout_hidden,
        n_labels,
        {name: getattr(network, name) for name in HEAD_TABLES},
    )


def make_network(
    collected: Collected, numbered: Numbered, states: LanguageStates | None = None
) -> Network:
    """The network with its first weights, and in its word table the rows that sets use."""
    config, lists = collected.config, collected.gazetteer
    network, features = config.network, config.features
    torch.manual_seed(config.train.seed)
    n_lists = len(lists.types) if lists is not None else 0
    inputs = Inputs(features, collected.features, collected.vocabularies, n_lists, states)
    options = options_of(network, config.train, len(collected.labels))
    settings, kind = getattr(network, network.kind), learner_of(network.kind)
    model: Network = kind(settings, options, inputs, collected.tags)
    initialise(model, network.initial)
    trained, fixed = (
        torch.from_numpy(np.asarray(collected.table[rows], np.float32))
        for rows in (numbered.trained, numbered.fixed)
    )
    inputs.set_words(trained, fixed, features.word.used and not features.word.fixed)
    return model
