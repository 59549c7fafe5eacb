"""Models that only PyTorch computes: an exported folder finds what its network predicts."""

import dataclasses
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
import torch

from senna.annotation.schemes import Phrase
from senna.annotation.trees import constituents
from senna.decoding.requests import Asked
from senna.errors import SennaError
from senna.inference.features.settings import (
    CharacterFeature,
    GazetteerFeature,
    TagFeature,
    TreeFeature,
)
from senna.inference.networks.base import load_network
from senna.inference.networks.settings import GatedConfig
from senna.kinds.settings import LabelConfig
from senna.lab.networks.settings import (
    BagConfig,
    ConvolutionConfig,
    MlpConfig,
    RecurrentConfig,
    RecursiveConfig,
)
from senna.model.folder import read_model
from senna.pipeline.pipeline import Pipeline
from senna.tasks import TASKS
from senna.training.build import Setup
from senna.training.config import Config, NetworkConfig
from tests import toys
from tests.inference.networks.exact import without_rounding
from tests.inference.networks.test_twins import use_stored_words
from tests.inference.networks.texts import words

TREES = TreeFeature(True, model="unread")


def of(kind: str, *tasks: str, pooling: tuple[str, ...] = ("max",), **settings: Any) -> Config:
    label = LabelConfig() if kind in ("recursive", "bag") else LabelConfig(pooling)
    features = toys.SMALL.features
    if kind == "recursive":
        features = dataclasses.replace(features, tree=TREES)
    network = NetworkConfig(kind, label=label, **settings)
    return dataclasses.replace(toys.SMALL, tasks=tasks, network=network, features=features)


def recurrent(cell: str, **settings: Any) -> dict[str, Any]:
    return {"recurrent": RecurrentConfig(cell, 7, **settings)}


CELLS = ("standard", "matrix-vector", "tensor", "gru", "lstm", "lstm-sum", "labels", "untied")
CONFIGS = {
    **{
        cell: of("recurrent", "ner", "pos", **recurrent(cell))
        for cell in ("irnn", "lstm", "lstm-peephole", "lstm-tied", "scrn")
    },
    "skip": of("recurrent", "chunk", **recurrent("gru", layers=3, skip=True)),
    "roles": of("recurrent", "predicates", "srl", **recurrent("gru", layers=2)),
    "trees": of("recurrent", "psg", **recurrent("gru")),
    "arcs": of("recurrent", "dep", **recurrent("elman")),
    "ends": of(
        "recurrent", "pos", "label", pooling=("ends", "mean"), **recurrent("elman", layers=2)
    ),
    "spans": of("recurrent", "label", pooling=("ends",), **recurrent("gru", spans=True)),
    **{
        f"tree-{cell}": of("recursive", "label", recursive=RecursiveConfig(cell, 9))
        for cell in CELLS
    },
    "mlp": of("mlp", "pos", "label", mlp=MlpConfig("tanh-cube", (3, 1), (9, 7))),
    "filters": of("convolution", "label", convolution=ConvolutionConfig((1, 2, 5), 6)),
    "wide": of("convolution", "label", convolution=ConvolutionConfig((1, 2, 5), 6, True)),
    "pools": of("convolution", "label", convolution=ConvolutionConfig((2, 3), 8, pools=(3, 2))),
    "bag": of("bag", "label", bag=BagConfig(weights="alike", units=9)),
    "tf-idf": of("bag", "label", bag=BagConfig(weights="tf-idf", units=9)),
}


def written(config: Config, folder: Path) -> tuple[Setup, Path]:
    setup = toys.setup(config, n=24)
    path = toys.exported(setup, folder / "model")
    use_stored_words(setup, path)
    return setup, path


def assert_alike(setup: Setup, path: Path, folder: Path) -> None:
    """The folder finds in the dev sentences what the network in training predicts."""
    trainer = setup.trainer(folder)
    for sets in setup.numbered.tasks:
        task, dev = sets.name, setup.corpora[sets.name].dev[0][1]
        pipeline = Pipeline.load([task], path, "given")
        given: dict[str, Any] = {t: [s.tags.get(t, []) for s in dev] for t in pipeline.missing}
        if setup.config.features.tree.used:
            given["psg"] = [s.tree for s in dev]
        is_roles = TASKS[task].about_predicates
        places = [[p.position for p in s.gold] for s in dev] if is_roles else None
        heads = "senna.kinds.dependencies.head"  # whose rules tagging alone keeps
        with (
            without_rounding(),
            mock.patch(f"{heads}.Mending", return_value=lambda arcs, negations: arcs),
            mock.patch(f"{heads}.BEHIND", ()),
        ):
            pipeline = Pipeline.load([task], path, "given")
            found = pipeline.annotate([s.forms for s in dev], given, places)[task]
        predicted = trainer.predict(sets, sets.dev)
        if TASKS[task].head == "trees":
            predicted = [list(constituents(tree)) for tree in predicted]
            found = [list(constituents(tree)) for tree in found]
        if is_roles:
            found = [[p.position for p in row] for row in found]
            predicted = [[p.position for p in row] for row in predicted]
        assert [list(x) for x in found] == [list(x) for x in predicted], task
        assert len({str(answer) for answer in found}) > 1, "so that the test can fail"


# Each kind of network and head; other cells of the same network are slow.
QUICK = (
    "lstm",
    "roles",
    "trees",
    "arcs",
    "ends",
    "spans",
    "tree-gru",
    "tree-untied",
    "filters",
    "tf-idf",
    "mlp",
)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in QUICK else pytest.mark.exhaustive) for n in CONFIGS]
)
def test_a_folder_finds_what_its_network_predicts(name, tmp_path):
    setup, path = written(CONFIGS[name], tmp_path)
    assert_alike(setup, path, tmp_path)


def test_letters_and_features_of_sentences(tmp_path):
    (tmp_path / "per.txt").write_text("Anna Weber\nMcKay\nthe walks quickly\n", encoding="utf-8")
    config = of("recurrent", "ner", **recurrent("gru"))
    features = dataclasses.replace(
        config.features,
        characters=CharacterFeature(6, 4, kind="recurrent"),
        tags={"pos": TagFeature(3, "column")},
        gazetteer=GazetteerFeature(size=2, files=(str(tmp_path),)),
    )
    assert_alike(*written(dataclasses.replace(config, features=features), tmp_path), tmp_path)
    gated = NetworkConfig("gated", gated=GatedConfig(10, dilations=(1, 2)))
    config = dataclasses.replace(config, features=features, network=gated)
    assert_alike(*written(config, tmp_path / "gated"), tmp_path)


@pytest.mark.parametrize("name", ["lstm", "spans", "tree-gru", "tree-untied", "filters", "tf-idf"])
def test_sentences_do_not_change_each_other(name, tmp_path):
    """Together and one by one, among them some without words; probabilities to six digits."""
    _, path = written(CONFIGS[name], tmp_path)
    [task, *_] = CONFIGS[name].tasks
    pipeline = Pipeline.load([task], path, asked=Asked(scores=True))
    forms = words(1, [3, 0, 17, 1, 0, 60])
    trees = [[Phrase(0, len(words), "S")] if words else [] for words in forms]
    given = {"psg": trees} if "psg" in pipeline.networks[-1].reads else {}
    together = pipeline.annotate(forms, given)[task]
    for i, (one, answer) in enumerate(zip(forms, together, strict=True)):
        [alone] = pipeline.annotate([one], {name: [of[i]] for name, of in given.items()})[task]
        assert alone == answer
        chances = [*alone.scores.values()] if task == "label" else alone.scores
        others = [*answer.scores.values()] if task == "label" else answer.scores
        np.testing.assert_allclose(chances, others, atol=1e-4)
    assert pipeline.annotate([], {name: [] for name in given})[task] == []
    assert len(pipeline.annotate([[]], {name: [[]] for name in given})[task]) == 1


def test_threads_of_the_caller_stay(tmp_path):
    _, path = written(CONFIGS["skip"], tmp_path)
    before = torch.get_num_threads()
    Pipeline.load(["chunk"], path).annotate([["Anna", "walks"]])
    assert torch.get_num_threads() == before


def test_without_pytorch_one_line_says_how_to_install_it(tmp_path, monkeypatch):
    _, path = written(CONFIGS["skip"], tmp_path)
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "senna.lab.torch_tagger", raising=False)
    with pytest.raises(SennaError, match="PyTorch, which is not installed") as error:
        load_network(read_model(path), {})
    assert "pip install torch -i https://download.pytorch.org/whl/cpu" in str(error.value)
    assert "\n" not in str(error.value)
