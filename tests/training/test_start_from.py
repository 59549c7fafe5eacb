"""A model folder is trained on."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch

from senna.errors import SennaError
from senna.model.folder import ModelFolder, read_model
from senna.pipeline.pipeline import Pipeline
from senna.training.build import Setup, build_from
from senna.training.config import Config, override
from senna.training.export import export
from senna.training.layers.lookup import Table
from senna.training.run import Run, factorise, train
from senna.training.start_from import config_of
from senna.training.trainer import Trainer
from tests import toys
from tests.training.test_joined_tables import NGRAMS, ONE_HOT, SUM

CPU = torch.device("cpu")
WORDS = [["Mara", "opens", "the", "bridge", "."], ["Unseen", "zebras", "sleep"]]


SIZES = (
    "network.gated={units=10, dilations=[1,2], pair=8, pair_dilations=[1]}",
    "train.epochs=1",
    "train.batch=16",
    "train.learning_rate=0.01",
)


def trained(out: Path, tasks: str, *settings: str) -> ModelFolder:
    config = toys.small(tasks, "network.kind=gated", *SIZES, *settings)
    data = {task: toys.demo_part(task, 24, 8) for task in config.tasks}
    return read_model(train(dataclasses.replace(config, data=data), Run(out), str))


@pytest.fixture(scope="module")
def gated(tmp_path_factory) -> ModelFolder:
    out = tmp_path_factory.mktemp("gated") / "run"
    return trained(out, "pos,psg", "export.rank=3")


def built(folder: ModelFolder, config: Config | None = None) -> Setup:
    """What a run begins with that trains a model on: with its own configuration, or another."""
    config = config or config_of(folder)
    return build_from(folder, config, toys.corpora_of(config), CPU)


def written(setup: Setup, tmp_path: Path) -> ModelFolder:
    export(setup, tmp_path / "again", {})
    return read_model(tmp_path / "again")


def assert_same_arrays(one: ModelFolder, other: ModelFolder) -> None:
    """All but the list of which words were seen in training."""
    before, after = dict(one.arrays()), dict(other.arrays())
    assert set(before) == set(after)
    for name in before.keys() - {"words.trained"}:
        assert np.array_equal(before[name], after[name]), name


def test_a_model_goes_out_as_it_came_in(gated, tmp_path):
    again = written(built(gated), tmp_path)
    assert_same_arrays(gated, again)
    for name in ("features", "network", "tasks"):
        assert again.meta[name] == gated.meta[name]
    first, second = (Pipeline.load(None, folder.path) for folder in (gated, again))
    assert str(first.annotate(WORDS)) == str(second.annotate(WORDS))


CONFIGS = {
    "window": ("pos",),
    "sentence": ("pos", "network.kind=sentence"),
    "roles": ("srl", "network.kind=sentence"),
    "trees": ("lemma,upos,dep", *toys.GATED),
    "recurrent": (
        *("pos", "network.kind=recurrent", "features.characters.kind=recurrent"),
        "network.recurrent={cell='lstm', units=6, layers=2, skip=true}",
    ),
    # With one tag of history, its array of pairs of earlier tags holds no number.
    "greedy": ("ner", *toys.GATED, "train.criterion=greedy"),
    "sums": ("chunk", *SUM, "features.characters.filters=0"),
    "levels": ("chunk", *NGRAMS, "features.levels={size=3, source='column'}"),
    "one-hot": ("chunk", *ONE_HOT, "features.characters.filters=0"),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_other_networks_and_outputs_train_on(tmp_path, name):
    tasks, *settings = CONFIGS[name]
    setup = toys.setup(toys.small(tasks, "features.characters.filters=6", *settings))
    folder = read_model(toys.exported(setup, tmp_path / "model"))
    again = build_from(folder, setup.config, setup.corpora, CPU)
    assert_same_arrays(folder, written(again, tmp_path))
    tables = [t for t in again.model.modules() if isinstance(t, Table)]
    assert tables
    assert all(t.weight.requires_grad == (name != "one-hot") for t in tables)


def test_lists_of_the_first_model_stay(tmp_path):
    folder = trained(tmp_path / "run", "lemma,upos")
    before = {name: folder.lines(name) for name in ("lemma.table.txt", "upos.prior.txt")}
    config = config_of(folder)
    corpora = toys.corpora_of(config).items()
    few = {task: dataclasses.replace(corpus, train=corpus.train[:1]) for task, corpus in corpora}
    config = override(config, [f"train.model={folder.path}"])
    again = written(build_from(folder, config, few, CPU), tmp_path)
    for name, lines in before.items():
        keys = {tuple(line.split("\t")[:2]) for line in again.lines(name)}
        assert {tuple(line.split("\t")[:2]) for line in lines} <= keys, name


def test_a_model_that_training_makes_worse_is_kept_as_it_was(gated, tmp_path, monkeypatch):
    real = Trainer.scores

    def falling(self: Trainer) -> dict[str, float]:
        return dict.fromkeys(real(self), 99.0 - self.state.epoch)

    monkeypatch.setattr(Trainer, "scores", falling)
    once = ("train.learning_rate=0.1", "export.rank=0", f"train.model={gated.path}")
    config = override(config_of(gated), once)
    lines: list[str] = []
    folder = read_model(train(config, Run(tmp_path / "run"), lines.append))
    assert "no epoch was better on dev than the model it began with" in "\n".join(lines)
    assert folder.about["made"]["best_epoch"] == 0
    before, after = dict(gated.arrays()), dict(folder.arrays())
    assert np.array_equal(before["pos.output.weight"], after["pos.output.weight"])


def test_a_model_stopped_while_the_models_it_reads_are_copied_leaves_no_folder(
    tmp_path, monkeypatch
):
    """Half a folder would be called the best model so far."""
    setup = toys.setup(toys.small("chunk", "features.tags.pos.size=3"))

    def stopped(source: Path, target: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("senna.training.export.copy_complete", stopped)
    with pytest.raises(KeyboardInterrupt):
        export(setup, tmp_path / "model", {})
    assert not (tmp_path / "model").exists()


def learning_from(config: Config, task: str, path: Path) -> Config:
    return override(config, [f"tasks=['{task}']", f"data.{task}.train=['{path}']"])


def test_one_of_the_tasks_with_tags_that_the_model_lacks(gated, tmp_path):
    """What the model knew scores as before, and what is new 0, whatever the sentence."""
    path = tmp_path / "new.txt"
    path.write_text("Mara\tNEW\nran\tVBD\n\n", encoding="utf-8")
    config = learning_from(config_of(gated), "pos", path)
    setup = built(gated, config)
    assert setup.collected.tags == {"pos": [*gated.lines("pos.tags.txt"), "NEW"]}
    before, after = dict(gated.arrays()), dict(written(setup, tmp_path).arrays())
    assert not any(name.startswith("psg.") for name in after)
    n = len(gated.lines("pos.tags.txt"))
    for name in ("output.weight", "output.bias", "transitions", "initial"):
        old, new = before[f"pos.{name}"], after[f"pos.{name}"]
        corner = tuple(map(slice, old.shape))
        assert np.array_equal(new[corner], old), name
        new[corner] = 0
        assert new.shape[-1] == n + 1 and not new.any(), name


def test_sentences_in_other_cases_are_new_to_a_model(gated, tmp_path):
    """Their capitals have new values, which begin at 0; other sentences score as before."""
    setup = built(gated, override(config_of(gated), ["features.caps.caseless=0.5"]))
    again = written(setup, tmp_path)
    assert (gated.meta["features"]["marks"], again.meta["features"]["marks"]) == (False, True)
    old, new = (dict(folder.arrays())["caps"] for folder in (gated, again))
    assert np.array_equal(new[: len(old)], old)
    assert len(new) == len(old) + 2 and not new[len(old) :].any()
    first, second = (Pipeline.load(None, folder.path) for folder in (gated, again))
    assert str(first.annotate(WORDS)) == str(second.annotate(WORDS))
    setup.trainer(tmp_path).run()
    assert setup.model.arrays()["caps"][-1].any()


def test_new_roles_are_whole_kinds_after_those_known(tmp_path):
    folder = trained(tmp_path / "run", "srl")
    path = tmp_path / "new.props"
    path.write_text("Mara\t-\t(NEW*)\nran\trun\t(V*)\n\n", encoding="utf-8")
    config = learning_from(config_of(folder), "srl", path)
    setup = built(folder, config)
    known = folder.lines("srl.tags.txt")
    assert setup.collected.tags["srl"] == [*known, "B-NEW", "I-NEW", "E-NEW", "S-NEW"]
    arrays = setup.model.arrays()
    for name in ("between", "within", "initial"):
        old = folder.array(f"srl.{name}", *[None] * arrays[f"srl.{name}"].ndim)
        assert np.array_equal(arrays[f"srl.{name}"][tuple(map(slice, old.shape))], old), name
    again = Pipeline.load(["srl"], written(setup, tmp_path).path, "given")
    assert again.annotate(WORDS[:1], predicates=[[1]])["srl"]


def test_a_parser_by_levels_keeps_its_labels(tmp_path):
    folder = trained(tmp_path / "run", "psg", "network.tree.parser=levels")
    path = tmp_path / "new.mrg"
    path.write_text("(S (NEW (NN Mara)) (VP (VBD ran)))\n", encoding="utf-8")
    config = learning_from(config_of(folder), "psg", path)
    with pytest.raises(SennaError, match="levels cannot learn a new label, for example 'NEW'"):
        built(folder, config)


def test_factors_become_smaller_factors(gated):
    setup = built(gated)
    before = {name: array.copy() for name, array in setup.model.arrays().items()}
    factorise(setup.model, setup.batches, 3)  # no smaller than they are
    assert all(np.array_equal(before[name], array) for name, array in setup.model.arrays().items())
    factorise(setup.model, setup.batches, 2)
    after = setup.model.arrays()
    down, up = after["gated-0.down.weight"], after["gated-0.up.weight"]
    assert (down.shape[1], up.shape[0]) == (2, 2)
    whole = before["gated-0.down.weight"] @ before["gated-0.up.weight"]
    assert 0 < np.linalg.norm(down @ up - whole) < np.linalg.norm(whole)


def test_a_folder_that_does_not_say_how_it_was_trained(gated):
    silent = gated._replace(path=gated.path / "nowhere")
    with pytest.raises(SennaError, match="does not say how it was trained"):
        config_of(silent)
