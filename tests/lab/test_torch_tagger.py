"""Models that only PyTorch computes: an exported folder finds what its network predicts."""

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
from senna.inference.networks.base import load_network
from senna.model.folder import read_model
from senna.pipeline.pipeline import Pipeline
from senna.tasks import TASKS
from senna.training.build import Setup
from senna.training.config import Config
from tests import toys
from tests.inference.networks.exact import without_rounding
from tests.inference.networks.test_twins import use_stored_words
from tests.inference.networks.texts import words


def recurrent(tasks: str, table: str, *more: str) -> Config:
    cells = f"network.recurrent={{units=7, {table}}}"
    return toys.small(tasks, "network.kind=recurrent", cells, *more)


def of_labels(kind: str, table: str, *more: str) -> Config:
    return toys.small("label", f"network.kind={kind}", f"network.{kind}={{{table}}}", *more)


MAX = "network.label.pooling=['max']"
MLP = "network.mlp={unit='tanh-cube', widths=[3,1], hidden=[9,7]}"
CELLS = ("standard", "matrix-vector", "tensor", "gru", "lstm", "lstm-sum", "labels", "untied")
CONFIGS = {
    **{
        cell: recurrent("ner,pos", f"cell='{cell}'")
        for cell in ("irnn", "lstm", "lstm-peephole", "lstm-tied", "scrn")
    },
    "skip": recurrent("chunk", "cell='gru', layers=3, skip=true"),
    "roles": recurrent("predicates,srl", "cell='gru', layers=2"),
    "trees": recurrent("psg", "cell='gru'"),
    "arcs": recurrent("dep", "cell='elman'"),
    "ends": recurrent(
        "pos,label", "cell='elman', layers=2", "network.label.pooling=['ends','mean']"
    ),
    "spans": recurrent("label", "cell='gru', spans=true", "network.label.pooling=['ends']"),
    **{
        f"tree-{cell}": of_labels("recursive", f"cell='{cell}', units=9", *toys.UNREAD)
        for cell in CELLS
    },
    "mlp": toys.small("pos,label", MAX, "network.kind=mlp", MLP),
    "filters": of_labels("convolution", "widths=[1,2,5], units=6", MAX),
    "wide": of_labels("convolution", "widths=[1,2,5], units=6, wide=true", MAX),
    "pools": of_labels("convolution", "widths=[2,3], units=8, pools=[3,2]", MAX),
    "bag": of_labels("bag", "weights='alike', units=9"),
    "tf-idf": of_labels("bag", "weights='tf-idf', units=9"),
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
QUICK = "lstm roles trees arcs ends spans tree-gru tree-untied filters tf-idf mlp".split()


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in QUICK else pytest.mark.exhaustive) for n in CONFIGS]
)
def test_a_folder_finds_what_its_network_predicts(name, tmp_path):
    setup, path = written(CONFIGS[name], tmp_path)
    assert_alike(setup, path, tmp_path)


def test_letters_and_features_of_sentences(tmp_path):
    (tmp_path / "per.txt").write_text("Anna Weber\nMcKay\nthe walks quickly\n", encoding="utf-8")
    features = (
        "features.characters={filters=6, kind='recurrent'}",
        "features.tags.pos={size=3, source='column'}",
        f"features.gazetteer={{size=2, files=['{tmp_path}']}}",
    )
    assert_alike(*written(recurrent("ner", "cell='gru'", *features), tmp_path), tmp_path)
    gated = toys.small("ner", *toys.GATED, *features)
    assert_alike(*written(gated, tmp_path / "gated"), tmp_path)


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
