"""What one entry in a table adds: a feature, a criterion, a network.

Each is written here as it would be in the package, and learns, is written, loaded and tags.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar, Self

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from senna import networks
from senna.config import Config, NetworkConfig, Training
from senna.errors import SennaError
from senna.features.forms import FORM_TABLES, FormTable, Lines, Saved
from senna.features.settings import Features
from senna.model.folder import ModelFolder, read_model
from senna.networks import settings
from senna.networks.base import Network as InferNetwork
from senna.pipeline.pipeline import Pipeline
from senna.products.exact import Floats
from senna.products.lookup import FormEncoder, WordTable, load_words
from senna.products.workspace import Block, Workspace
from senna.text.features import PADDING, RARE, Ids, Spelling, Vocabulary
from senna.toml import SIZE, number
from senna.training.build import Setup, build
from senna.training.examples.corpora import TaskCorpus
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.lookup import Inputs
from senna.training.layers.options import NetworkOptions
from senna.training.layers.weights import Arrays, linear
from senna.training.losses import criteria
from senna.training.losses.criteria import GoldBatch, Paths
from senna.training.networks.base import Network
from senna.training.trainer import Trainer
from tests import toys

LEARNT = 90.0  # F1 on the sentences that a network learnt from


def learnt(config: Config, out: Path) -> tuple[Setup, Path, float]:
    """A network that has learnt twelve sentences by heart, its folder, its best score."""
    corpus = toys.corpus("ner")
    setup = build(
        config, {"ner": TaskCorpus(corpus.train, [("dev", corpus.train)])}, torch.device("cpu")
    )
    trainer = Trainer(setup.learning(), out)
    state = trainer.run()
    path = toys.exported(setup, out / "model")
    sentences = [s.forms for s in corpus.train]
    (task,) = setup.numbered.tasks
    assert Pipeline.load(None, path).tag(sentences)["ner"] == trainer.predict(task, task.dev)
    return setup, path, state.best_score


def config_of(**train: Any) -> Config:
    settings = {"epochs": 60, "batch": 2, "learning_rate": 0.02, "average": 0.0} | train
    return replace(toys.SMALL, train=Training(**settings))


# --------------------------------------------------------------------------- a feature of forms


@dataclass(frozen=True)
class ClusterFeature:
    """Clusters of words, by the beginnings of their paths (Brown et al. 1992)."""

    size: int = number(0, 0, SIZE)
    lengths: tuple[int, ...] = number((2,), 1, 20, empty=True, distinct=True)
    paths: dict[str, str] = field(default_factory=dict)  # of a file, in the package


@dataclass(frozen=True)
class Cluster(FormTable):
    """The first bits of a word's path."""

    paths: dict[str, str] = field(default_factory=dict)  # word to the beginning of its path
    vocabulary: Vocabulary = Vocabulary.of(())

    def rows(self, spelt: Sequence[Spelling]) -> Ids:
        get, paths = self.vocabulary.rows.get, self.paths
        rows = [get(paths.get(s.lower, ""), RARE) if s.form else PADDING for s in spelt]
        return np.array(rows, np.int32)

    def saved(self) -> dict[str, list[str]]:
        return {f"{self.array}.txt": [f"{word}\t{path}" for word, path in self.paths.items()]}

    @classmethod
    def learn(cls, settings: ClusterFeature, forms: Counter[str]) -> Sequence[FormTable]:
        cut = {n: {word: p[:n] for word, p in settings.paths.items()} for n in settings.lengths}
        return [cls.of(f"cluster-{n}", settings.size, paths) for n, paths in cut.items()]

    @classmethod
    def load(cls, name: str, lines: Lines, saved: Saved) -> Self:
        return cls.of(name, 0, dict(tuple(line.split("\t")) for line in lines(f"{name}.txt")))

    @classmethod
    def of(cls, name: str, size: int, paths: dict[str, str]) -> Self:
        vocabulary = Vocabulary.of(sorted(set(paths.values())))
        return cls(name, len(vocabulary), size, paths, vocabulary)


TABLES = {"cluster": Cluster}  # as a module of features has them


@dataclass(frozen=True)
class MoreFeatures(Features):
    """The features and one more."""

    cluster: ClusterFeature = ClusterFeature()


def test_a_feature_of_forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FORM_TABLES, "cluster", ("cluster", __name__))
    paths = {"anna": "0110", "weber": "0111", "walks": "10", "the": "0010"}
    cluster = ClusterFeature(3, (2, 4), paths)
    kept = {name: getattr(toys.SMALL.features, name) for name in ("word", "caps", "characters")}
    features = MoreFeatures(**kept, cluster=cluster)
    setup, path, score = learnt(replace(config_of(), features=features), tmp_path)
    assert score > LEARNT
    folder = read_model(path)
    assert folder.meta["features"]["forms"] == ["caps", "letters", "cluster-2", "cluster-4"]
    encoder = FormEncoder(folder, load_words(folder, {}))
    forms = ["Anna", "Weber", "walks", "The", "x", ""]
    rows = encoder.features.ids(forms)
    assert len(set(rows["cluster-2"][:2])) == 1 < len(set(rows["cluster-4"][:2]))
    ours = encoder.encode(list(map(Spelling.of, forms)))
    tables = setup.model.inputs.forms
    twins = [tables[name](torch.from_numpy(rows[name])) for name in ("cluster-2", "cluster-4")]
    np.testing.assert_array_equal(ours[:, -6:], torch.cat(twins, 1).detach().numpy())


# --------------------------------------------------------------------------- a criterion


class Hinge:
    """The best path but for a margin of 1 a wrong tag, against the gold one."""

    paths = True

    def loss(self, emissions: Tensor, gold: GoldBatch, paths: Paths) -> Tensor:
        mask = mask_of(gold.lengths, emissions.shape[1])
        costs = torch.ones_like(emissions).scatter(2, gold.tags[:, :, None], 0.0)
        best = paths.best(emissions + costs, gold.lengths)
        wrong = ((best != gold.tags) & mask).sum()
        worst = paths.score(emissions, best, gold.lengths)
        return worst + wrong - paths.score(emissions, gold.tags, gold.lengths)


def test_a_criterion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(criteria.CRITERIA, "hinge", Hinge())
    setup, path, score = learnt(config_of(criterion="hinge"), tmp_path)
    assert score > LEARNT
    network = read_model(path).meta["network"]
    assert (network["criterion"], network["paths"]) == ("hinge", True)
    head: Any = Pipeline.load(None, path).networks[0].heads["ner"]
    assert head.paths is not None, "it decodes by paths"
    assert setup.model.head("ner").paths().transitions.abs().max() > 0


@pytest.mark.parametrize("key", ["criterion", "optimiser"])
def test_a_name_that_no_table_has(tmp_path: Path, key: str) -> None:
    with pytest.raises(SennaError, match=f"train.{key} = 'none' is not one of "):
        learnt(config_of(**{key: "none"}), tmp_path)


# --------------------------------------------------------------------------- a network


@dataclass(frozen=True)
class LinearConfig:
    """One linear layer, which sees one word."""

    HEADS: ClassVar[tuple[str, ...]] = ()

    units: int = number(8, 1, SIZE, stored=True)


class LinearNetwork(Network):
    """In PyTorch."""

    def __init__(
        self,
        settings: LinearConfig,
        options: NetworkOptions,
        inputs: Inputs,
        names: dict[str, list[str]],
    ) -> None:
        super().__init__(options, inputs, names)
        self.layer = nn.Linear(inputs.size, settings.units)
        self.add_heads_above(settings.units, settings)

    def encode(self, batch: Batch) -> Tensor:
        units: Tensor = self.layer(self.inputs(batch))
        return units

    def layer_arrays(self) -> Arrays:
        return linear("layer-0", self.layer)


class LinearTwin(InferNetwork):
    """At tagging time."""

    SETTINGS: ClassVar = LinearConfig

    def __init__(self, folder: ModelFolder, words: WordTable, settings: LinearConfig) -> None:
        super().__init__(folder, words, 1, settings.units)
        self.add_heads_above(settings.units, settings)

    def encode(self, block: Block, space: Workspace) -> Floats:
        return self.first(block, space)


@dataclass(frozen=True)
class MoreNetworks(NetworkConfig):
    """The networks and one more."""

    linear: LinearConfig = LinearConfig()


def test_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for home, network in (
        ("senna.networks", LinearTwin),
        ("senna.training.networks", LinearNetwork),
    ):
        module = SimpleNamespace(NETWORK=network)
        monkeypatch.setitem(sys.modules, f"{home}.linear", module)
    monkeypatch.setitem(networks.KINDS, "linear", "senna.networks")
    monkeypatch.setitem(settings.SETTINGS, "linear", LinearConfig)
    config = replace(config_of(), network=MoreNetworks("linear", linear=LinearConfig(12)))
    _, path, score = learnt(config, tmp_path)
    assert score > LEARNT
    assert read_model(path).meta["network"]["linear"] == {"units": 12}
