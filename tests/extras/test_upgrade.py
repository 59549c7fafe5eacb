"""Model folders of earlier releases, rewritten in the newest format."""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from senna.errors import SennaError
from senna.extras.upgrade import upgrade
from senna.inference.networks.settings import SentenceConfig
from senna.model.folder import read_model
from senna.model.schema import FORMAT_VERSION
from senna.model.writing import check
from senna.pipeline.pipeline import Pipeline
from senna.settings import to_toml
from senna.training.config import NetworkConfig
from senna.training.start_from import config_of
from tests import toys

# Random weights, written and used by release 0.2; no tag of these sentences is a close decision.
FORMER = Path(__file__).parent.parent / "data" / "format-1"
TAGS = json.loads((FORMER / "tags.json").read_text(encoding="utf-8"))
# The same of format 2, with `features.case`; exact arithmetic gives these tags too.
SECOND = FORMER.parent / "format-2"
SECOND_TAGS = json.loads((SECOND / "tags.json").read_text(encoding="utf-8"))


def upgraded(folder: Path, tmp_path: Path) -> Path:
    """A copy of a folder of an earlier release, in the newest format."""
    path = Path(shutil.copytree(folder, tmp_path / folder.name))
    assert upgrade(path) == [path]
    assert read_model(path).meta["format"] == FORMAT_VERSION
    assert check(path) == len(read_model(path).meta["files"])
    return path


def test_a_window_model_of_format_1_gives_the_tags_it_gave(tmp_path):
    own, made = TAGS["window"], Pipeline.load(None, upgraded(FORMER / "window", tmp_path))
    assert len({tag for tags in own["tags"]["chunk"] for tag in tags}) > 6
    assert made.annotate(own["sentences"]) == own["tags"]


def test_a_gated_model_of_format_1_gives_the_roles_it_gave(tmp_path):
    path = upgraded(FORMER / "srl", tmp_path)
    own, made = TAGS["srl"], Pipeline.load(None, path, predicates="given")
    assert made.missing == {"pt0"}, "the feature that its files tell of"
    found = made.annotate(
        own["sentences"], predicates=own["predicates"], given={"pt0": own["pt0"]}
    )["srl"]
    assert [[predicate.tags for predicate in line] for line in found] == own["tags"]["srl"]
    assert len({tag for line in own["tags"]["srl"] for tags in line for tag in tags}) > 10


def annotated(folder: Path, stored: dict[str, Any]) -> dict[str, Any]:
    """What a model says of the stored sentences, as `tags.json` has it."""
    pipeline = Pipeline.load(None, folder, predicates="given")
    given = {"pos": stored["pos"]}
    answers = pipeline.annotate(stored["sentences"], given, stored.get("predicates"))
    if "srl" in answers:
        answers["srl"] = [[p.tags for p in sentence] for sentence in answers["srl"]]
    return answers


@pytest.mark.parametrize("name", ["window", "gated"])
def test_a_model_of_format_2_with_a_usual_case_gives_the_tags_it_gave(tmp_path, name):
    stored, without = SECOND_TAGS[name], tmp_path / "without" / name
    assert annotated(upgraded(SECOND / name, tmp_path), stored) == stored["tags"]
    shutil.copytree(SECOND / name, without)
    np.save(without / "case.npy", np.zeros_like(np.load(SECOND / name / "case.npy")))
    toys.seal(without)
    upgrade(without)
    assert annotated(without, stored)["ner"] != stored["tags"]["ner"], "the case decides tags"


@pytest.mark.parametrize("folder", [FORMER / "window", SECOND / "gated"])
def test_loading_says_how_to_upgrade(senna, folder, tmp_path):
    path = Path(shutil.copytree(folder, tmp_path / "run" / "model"))
    error = senna("tag", "--model", path, data=b"Hi.").error
    assert error.endswith(f"of an earlier release. Run: senna models upgrade {path}"), error
    done = senna("models", "upgrade", path.parent)
    assert (done.code, done.out.decode()) == (0, f"{path}: format {FORMAT_VERSION}\n")
    assert "not a model folder" in senna("models", "upgrade", tmp_path / "none").error


def change(path: Path, name: str, old: str, new: str) -> None:
    text = (path / name).read_text(encoding="utf-8")
    assert old in text
    (path / name).write_text(text.replace(old, new), encoding="utf-8")


def test_its_configuration_loses_what_was_removed(tmp_path):
    path = toys.model(tmp_path / "model")
    expected = config_of(read_model(path))
    change(path, "model.toml", f"format = {FORMAT_VERSION}", "format = 2")
    change(path, "about.toml", "[config.network.tree]\n", "[config.network.tree]\nwidest = 10\n")
    change(path, "about.toml", "[config.features]", "[config.later]\nkey = 1\n[config.features]")
    upgrade(path)
    assert config_of(read_model(path)) == expected
    change(path, "model.toml", f"format = {FORMAT_VERSION}", "format = 2")
    change(path, "about.toml", "[config.network.tree]\n", "[config.network.tree]\nwidest = 7\n")
    upgrade(path)
    with pytest.raises(SennaError, match="does not say how it was trained"):
        config_of(read_model(path))


def test_a_hidden_unit_that_was_removed_is_refused(tmp_path):
    path = toys.model(tmp_path / "model")
    change(path, "model.toml", f"format = {FORMAT_VERSION}", "format = 2")
    change(path, "model.toml", "[network.window]\n", '[network.window]\nunit = "tanh"\n')
    with pytest.raises(SennaError, match="its hidden unit is 'tanh', and was removed"):
        upgrade(path)


def former(meta: dict[str, Any]) -> dict[str, Any]:
    """A model.toml as release 0.2 would have written it."""
    network = dict(meta["network"])
    own = network.pop(network["kind"])
    if network["kind"] == "sentence":
        names = {"width": "window", "units": "units", "hidden": "hidden"}
        own = {new: [own[o]] if new in ("window", "hidden") else own[o] for o, new in names.items()}
    elif network["kind"] == "window":
        own["window"] = own.pop("widths")
        del network["kind"]
    features = {name: value for name, value in meta["features"].items() if name != "tags"}
    return meta | {"format": 1, "network": network | own, "features": features}


@pytest.mark.parametrize(
    "network",
    [
        toys.window((3, 1), (8, 7)),
        NetworkConfig(kind="sentence", sentence=SentenceConfig(3, 9, 8, distance=4)),
        toys.gated(9, 1, 2),
    ],
    ids=lambda own: own.kind,
)
def test_the_keys_of_all_networks_in_one_table(tmp_path, network):
    path = toys.model(tmp_path / "model", network=network)
    forms = [["Anna", "walks", "x"], ["unknown", "12", ".", "McKay"]]
    expected = Pipeline.load(None, path).annotate(forms)
    meta = tomllib.loads((path / "model.toml").read_text(encoding="utf-8"))
    (path / "model.toml").write_text(to_toml(former(meta)), encoding="utf-8")
    upgrade(path)
    assert Pipeline.load(None, path).annotate(forms) == expected
