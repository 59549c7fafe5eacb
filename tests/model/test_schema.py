"""Tables of model folders: those of older releases, and files that are none."""

from __future__ import annotations

import json
import os
import shutil
import tomllib
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from senna.errors import SennaError
from senna.inference.networks.settings import GatedConfig, SentenceConfig
from senna.model.folder import read_model
from senna.model.schema import BYTES, FORMAT_VERSION, LINE, read_table
from senna.model.writing import check, write_model
from senna.pipeline.pipeline import Pipeline
from senna.settings import to_toml
from senna.training.config import NetworkConfig
from tests import toys

# Random weights, written and used by release 0.2; no tag of these sentences is a close decision.
FORMER = Path(__file__).parent.parent / "data" / "format-1"
TAGS = json.loads((FORMER / "tags.json").read_text(encoding="utf-8"))
# The same of format 2, with `features.case`; exact arithmetic gives these tags too.
SECOND = FORMER.parent / "format-2"
SECOND_TAGS = json.loads((SECOND / "tags.json").read_text(encoding="utf-8"))


def test_a_description_that_is_much_too_large_is_not_read_whole(tmp_path: Path) -> None:
    with (tmp_path / "model.toml").open("wb") as file:
        file.truncate(1 << 26)
    tracemalloc.start()
    try:
        with pytest.raises(SennaError, match="too large"):
            read_table(tmp_path / "model.toml")
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "line", [b"a." * 300, b"a" * 9_000, b'a = "', b"a = 'b", b'a = """b', b'\\"' * 100_000]
)
def test_a_line_that_keeps_its_reader_busy_is_not_read(line: bytes, tmp_path: Path) -> None:
    """The last one takes minutes if it is looked at again from each of its quotes."""
    path = tmp_path / "model.toml"
    path.write_bytes(b"b = 1 # it's\n" + line + b"\n")
    with pytest.raises(SennaError, match="too large"):
        read_table(path)


def test_a_window_model_of_format_1_gives_the_tags_it_gave() -> None:
    own, made = TAGS["window"], Pipeline.load(None, FORMER / "window")
    assert read_model(FORMER / "window").meta["format"] == FORMAT_VERSION
    assert len({tag for tags in own["tags"]["chunk"] for tag in tags}) > 6
    assert made.annotate(own["sentences"]) == own["tags"]


def test_a_gated_model_of_format_1_gives_the_roles_it_gave() -> None:
    own, made = TAGS["srl"], Pipeline.load(None, FORMER / "srl", predicates="given")
    assert made.missing == {"pt0"}, "the feature that its files tell of"
    found = made.annotate(
        own["sentences"], predicates=own["predicates"], given={"pt0": own["pt0"]}
    )["srl"]
    assert [[predicate.tags for predicate in line] for line in found] == own["tags"]["srl"]
    assert len({tag for line in own["tags"]["srl"] for tags in line for tag in tags}) > 10


@pytest.mark.parametrize("name", ["window", "srl"])
def test_what_a_model_of_format_1_says_of_itself(name: str) -> None:
    content = tomllib.loads((FORMER / name / "model.toml").read_text(encoding="utf-8"))
    assert content["format"] == 1
    assert "about.toml" not in os.listdir(FORMER / name)
    about = read_model(FORMER / name).about
    assert about == {"config": content["config"]}
    assert check(FORMER / name) == len(content["files"])


def annotated(folder: Path, stored: dict[str, Any]) -> dict[str, Any]:
    """What a model of format 2 says of the stored sentences, as `tags.json` has it."""
    pipeline = Pipeline.load(None, folder, predicates="given")
    given = {"pos": stored["pos"]}
    answers = pipeline.annotate(stored["sentences"], given, stored.get("predicates"))
    if "srl" in answers:
        answers["srl"] = [[p.tags for p in sentence] for sentence in answers["srl"]]
    return answers


@pytest.mark.parametrize("name", ["window", "gated"])
def test_a_model_of_format_2_with_a_usual_case_gives_the_tags_it_gave(
    tmp_path: Path, name: str
) -> None:
    stored, folder = SECOND_TAGS[name], SECOND / name
    content = tomllib.loads((folder / "model.toml").read_text(encoding="utf-8"))
    assert content["format"] == 2 and content["network"]["kind"] == name
    assert check(folder) == len(content["files"])
    assert annotated(folder, stored) == stored["tags"]
    without = Path(shutil.copytree(folder, tmp_path / "model"))
    np.save(without / "case.npy", np.zeros_like(np.load(folder / "case.npy")))
    assert annotated(without, stored)["ner"] != stored["tags"]["ner"], "the case decides tags"


def former(meta: dict[str, Any]) -> dict[str, Any]:
    """A model.toml of format 2 as release 0.2 would have written it."""
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
        NetworkConfig(kind="gated", gated=GatedConfig(9, dilations=(1, 2))),
    ],
    ids=lambda own: own.kind,
)
def test_the_keys_of_all_networks_in_one_table(tmp_path: Path, network: NetworkConfig) -> None:
    path = toys.model(tmp_path / "model", network=network)
    forms = [["Anna", "walks", "x"], ["unknown", "12", ".", "McKay"]]
    expected = Pipeline.load(None, path).annotate(forms)
    meta = tomllib.loads((path / "model.toml").read_text(encoding="utf-8"))
    (path / "model.toml").write_text(to_toml(former(meta)), encoding="utf-8")
    assert Pipeline.load(None, path).annotate(forms) == expected


# --------------------------------------------------------------------------- no table at all

NONE = {
    "large": b"# " + b"x\n# " * (BYTES // 4),
    "one long line": b"x = " + b"0" * LINE,
    "nested lists": b"x = " + b"[" * (LINE - 10),
    "many nested lists": b"x = [\n" * 10_000,
    "closed lists": b"x = " + b"[" * 4_000 + b"]" * 4_000,
    "nested tables": b"x = " + b"{a = " * 1_500,
    "dotted keys": b"a" + b".a" * 4_000 + b" = 1",
    "dotted tables": b"[a" + b".a" * 4_000 + b"]\nx = 1",
    "many dotted keys": b"".join(b"k%d%s = 1\n" % (i, b".a" * 400) for i in range(300)),
    "keys of a deep table": b"[a%s]\n" % (b".a" * 4_000) + b"k.k = 1\n" * 20_000,
    "keys after strings": b'x = {a = """\n" """, b%s = 1, c = " "}' % (b".b" * 4_000),
    "a large number": b"format = " + b"9" * 1_000_000,
    "a number as long as a line": b"format = " + b"9" * (LINE - 20),
    "a number of many digits": b"x = " + b"9" * 5_000,
    "a date that is none": b"x = 2020-99-99",
    "bytes": bytes(range(256)),
    "nothing": b"",
    "not UTF-8": b"x = '\xff'",
    "half": b"format = ",
    "twice": b"format = 1\nformat = 1",
    "a carriage return": b"x = 1\r",
}


@pytest.mark.parametrize("content", NONE.values(), ids=NONE)
def test_a_model_toml_that_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model.toml").write_bytes(content)
    with pytest.raises(SennaError) as error:
        read_model(tmp_path)
    said = str(error.value)
    assert said.startswith(str(tmp_path))
    assert len(said) < 400
    assert "\n" not in said


@pytest.mark.parametrize("name", ["model.toml", "about.toml", "words.txt", "caps.npy"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["a FIFO", "a folder"])
def test_no_file(tmp_path: Path, name: str, make: Callable[[Path], None]) -> None:
    """A pipe would be waited for, for ever."""
    path = Path(shutil.copytree(FORMER / "window", tmp_path / "model"))
    (path / name).unlink(missing_ok=True)
    make(path / name)
    said = "not a regular file" if name.endswith("toml") else r".* bytes, model\.toml says"
    with pytest.raises(SennaError, match=f"{name}: {said}"):
        _ = read_model(path).about


@pytest.mark.parametrize(
    "text", ["...", 'a"b', "don't", "'''", '"""', "# x", "a\\", '\\"', "\n" * 99, "'", '"', "''"]
)
def test_what_a_maker_says_may_hold_anything(tmp_path: Path, text: str) -> None:
    notes = [text * 50, text, f"{text} = {text}"]
    write_model(tmp_path / "model", {"tasks": [], "notes": notes, "made": {text: text}}, {}, {})
    assert read_model(tmp_path / "model").about == {"notes": notes, "made": {text: text}}
