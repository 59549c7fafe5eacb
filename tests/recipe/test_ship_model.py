"""A trained model goes into a folder of models that share a base table."""

import json
import lzma
import shutil
from pathlib import Path

import numpy as np
import pytest

import senna
from senna.files import resource
from senna.model.folder import MODELS, read_model
from senna.model.writing import add_about, check
from senna.pipeline.pipeline import Pipeline
from senna.settings import to_toml
from tests.script import run


@pytest.fixture
def models(tmp_path) -> Path:
    """A folder of models with the base table alone."""
    shutil.copytree(MODELS / "base", tmp_path / "models" / "base")
    return tmp_path / "models"


def ship(*options: object) -> str:
    """What the program says where all goes well."""
    done = run("recipe/ship_model.py", *options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_model_lies_beside_the_base_that_it_reads(models):
    said = ship(MODELS / "ner", "--name", "mine", "--models", models)
    assert said == f"{models / 'mine'}: {check(models / 'mine')} files\n"
    shipped_model, ner = read_model(models / "mine"), read_model(MODELS / "ner")
    assert shipped_model.used("base") == models / "base"
    assert shipped_model.meta == ner.meta | {"use": {**ner.meta["use"], "base": "../base"}}
    assert shipped_model.about == ner.about
    for name in ("README.md", *ner.meta["files"]):
        assert (shipped_model.path / name).read_bytes() == (ner.path / name).read_bytes()
    pipelines = (Pipeline.load(None, models / "mine"), Pipeline.load(["ner"]))
    found, expected = (one.annotate([["Anna", "saw", "Paris", "."]]) for one in pipelines)
    assert found == expected


def test_the_card_has_what_went_in(models):
    record = models.with_name("ner.json")
    digests = {"{data}/ner/gum": "0" * 64, "configs/shipped/ner.toml": "1" * 64}
    record.write_text(json.dumps({"sources": digests}))
    ship(MODELS / "ner", "--models", models, "--record", record)
    before, after = (read_model(place / "ner").about["made"] for place in (MODELS, models))
    inputs = {"configs/shipped/ner.toml": "1" * 64, "ner/gum": "0" * 64}
    added = {"command": "python recipe/make_models.py ner", "inputs": inputs}
    assert after == before | added
    card = (models / "ner" / "README.md").read_text(encoding="utf-8")
    assert "\n    python recipe/make_models.py ner\n" in card
    assert f"| ner/gum | {'0' * 64} |" in card
    record.write_text("")
    done = run("recipe/ship_model.py", MODELS / "ner", "--models", models, "--record", record)
    assert (done.returncode, done.stderr) == (1, f"{record}: no record of a step\n")


def test_labels_of_a_teacher_are_credited(models):
    bare = models.with_name("bare")
    for place in (models / "ner", bare):
        shutil.copytree(MODELS / "ner", place)
    labels, about = "runs/silver/ner.xz", read_model(MODELS / "ner").about
    assert {"licence", "attribution"} < about["data"][labels].keys()
    bare_about = about | {"data": about["data"] | {labels: {"splits": ["train"]}}}
    (bare / "about.toml").write_text(to_toml(bare_about), encoding="utf-8")
    text = (bare / "model.toml").read_text(encoding="utf-8")
    (bare / "model.toml").write_text(text.replace("../base", "models/base"), encoding="utf-8")
    ship(bare, "--models", models)
    assert read_model(models / "ner").about == about


def test_a_model_whose_features_no_shipped_model_gives_is_refused(tmp_path):
    done = run("recipe/ship_model.py", MODELS / "srl", "--models", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("ship_model: it reads p")
    assert list(tmp_path.iterdir()) == []


def test_scores_are_those_of_the_command_that_evaluates(tmp_path, monkeypatch):
    """Of parsing too, whose model tags the other tasks of its file along with it."""
    path, file = tmp_path / "dep", resource("data/demo/ud/dev.conllu")
    shutil.copytree(MODELS / "base", tmp_path / "base")
    shutil.copytree(MODELS / "lemma-upos-feats-pt0-predicates-psg-dep", path)
    corpus = tmp_path / "data" / "ud" / "ewt"
    corpus.mkdir(parents=True)
    for split in ("train", "dev", "test"):
        (corpus / f"{split}.conllu.xz").write_bytes(lzma.compress(file.read_bytes()))
    monkeypatch.setenv("SENNA_DATA", str(tmp_path / "data"))
    add_about(path, {"scores": {"dep": {"measure": "LAS", "ud/ewt dev": 1.0}}})
    ship(path, "--models", tmp_path, "--name", "dep", "--score")
    scores = read_model(path).about["scores"]["dep"]
    las = senna.evaluate("dep", file, model=path).types["LAS"].f1
    assert scores == {"measure": "LAS", "ud/ewt dev": round(las, 2)}


def test_factors_are_cut_to_the_largest_singular_values(models):
    name = "lemma-upos-feats-pt0-predicates-psg-dep"
    shutil.copytree(MODELS / name, models / name)
    ship(MODELS / "srl", "--models", models, "--rank", "srl.gated=10")
    before, after = (dict(read_model(place / "srl").arrays()) for place in (MODELS, models))
    for name, array in after.items():
        assert name.startswith("srl.gated-") or np.array_equal(array, before[name])
    down, up = "srl.gated-1.down.weight", "srl.gated-1.up.weight"
    assert (after[down].shape, after[up].shape) == ((600, 10), (10, 400))
    products = [np.float64(one[down]) @ np.float64(one[up]) for one in (before, after)]
    lost = np.linalg.svd(products[0], compute_uv=False)[10:]
    error = np.linalg.norm(products[0] - products[1])
    np.testing.assert_allclose(error, np.linalg.norm(lost), rtol=1e-3)
