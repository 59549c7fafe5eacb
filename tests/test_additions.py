"""What one adds is a file, in a copy of the package: a kind of answer, a network (and their twins
in PyTorch), a format, a scorer. A task that tags words is a line in the table and a configuration,
an option of tagging is a field."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import ROOT
from tests.tiny import SMALL

pytest.importorskip("torch")
pytestmark = pytest.mark.slow

TASKS = """\
    Task("sense", "senses of words", "tags"),
    Task("shout", "senses in capitals", "shouts", head="shouts"),
"""
ADDED = {  # by module; those of PyTorch are twins
    # a kind of answer: what it is, and its head that tags
    "kinds/shouts": """
from senna.kinds.tags.answer import TagOutput
from senna.kinds.tags.head import TagHead

class ShoutOutput(TagOutput):
    def write(self, record, task, line, answer, scheme):
        record["shouts"] = [tag.upper() for tag in answer]

OUTPUTS = {"shouts": ShoutOutput()}

def head(folder, task, units, settings):
    return TagHead(folder, task, units)
""",
    "training/heads/shouts": """
from senna.training.heads.tags import TagHead

def head(place):
    return TagHead(place, is_iobes=False)
""",
    # a network: its settings, and what it computes
    "inference/networks/plain": """
from dataclasses import dataclass
from typing import ClassVar
from senna.inference.networks.window import WindowNetwork
from senna.inference.networks.settings import WindowConfig

@dataclass(frozen=True)
class PlainConfig(WindowConfig):
    pass

class PlainNetwork(WindowNetwork):
    SETTINGS = PlainConfig

SETTINGS, NETWORK = PlainConfig, PlainNetwork
""",
    "training/networks/plain": """
from senna.training.networks.window import WindowNetwork

class PlainNetwork(WindowNetwork):
    pass

NETWORK = PlainNetwork
""",
    # an output format
    "formats/slashed": """
from senna.pipeline.format import Format

def _sentence(line, answers, style):
    return "/".join(line.words) + "\\n"

FORMATS = {"slashed": Format(_sentence, about="words between slashes")}
""",
    # a scorer
    "scoring/right": """
def score(pairs, work):
    return sum(gold == found for gold, found in pairs)
""",
}
OPTION = """\
    loud: Annotated[bool, Option("Tag the words in capitals.")] = False

    def __post_init__(self) -> None:
"""
EVERYWHERE = """
import inspect
import senna
from senna.serve.requests import OPTIONS
assert OPTIONS["loud"].help == "Tag the words in capitals."
assert inspect.signature(senna.load).parameters["loud"].default is False
assert senna.load("pos", loud=True).options.loud
try:
    senna.load("pos", loud="yes")
except senna.SennaError as error:
    assert str(error).startswith("loud = "), error
"""
WORDS = ("bank", "bark", "dogs", "rivers", "money", "trees")


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """The package without its models, with one line and one file more."""
    folder = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("models", "__pycache__", "*.so")
    shutil.copytree(ROOT / "senna", folder / "senna", ignore=ignored)
    for name in ("configs", "data"):
        shutil.copytree(ROOT / name, folder / name)
    table = folder / "senna" / "tasks.py"
    before, after = table.read_text(encoding="utf-8").split("_TABLE = (\n")
    table.write_text(f"{before}_TABLE = (\n{TASKS}{after}", encoding="utf-8")
    options = folder / "senna" / "pipeline" / "options.py"
    before, after = options.read_text(encoding="utf-8").split(OPTION.splitlines(True)[-1], 1)
    options.write_text(f"{before}{OPTION}{after}", encoding="utf-8")
    for name, text in ADDED.items():
        module = folder / "senna" / f"{name}.py"
        module.parent.mkdir(exist_ok=True)
        module.write_text(text, encoding="utf-8")
    chunk = (ROOT / "configs" / "chunk.toml").read_text(encoding="utf-8")
    for task in ("sense", "shout"):
        config = folder / "configs" / f"{task}.toml"
        config.write_text(chunk.replace("chunk", task), encoding="utf-8")
    sentences = [[f"{WORDS[(i + k) % 6]} {'ab'[(i + k) % 2]}" for k in range(3)] for i in range(24)]
    gold = "\n\n".join("\n".join(sentence) for sentence in sentences)
    (folder / "gold.txt").write_text(f"{gold}\n", encoding="utf-8")
    return folder


def python(copy: Path, *arguments: str) -> str:
    """What Python prints with the copy."""
    env = os.environ | {"PYTHONPATH": str(copy)}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=copy, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def senna(copy: Path, *arguments: str) -> str:
    """What the copy's program prints."""
    return python(copy, "-m", "senna", *arguments)


def trained(copy: Path, task: str, name: str = "", *more: str) -> tuple[str, ...]:
    """How two sentences are tagged by the model of a task."""
    sets = [part for s in (*SMALL, "train.epochs=30", "train.batch=4") for part in ("--set", s)]
    files = ("--train", "gold.txt", "--dev", "gold.txt")
    name = name or task
    senna(copy, "train", "--task", task, "--name", name, *files, *sets, *more)
    (copy / "text.txt").write_text("bank bark dogs\nrivers money trees\n", encoding="utf-8")
    return "tag", "--model", f"runs/{name}/model", "--input", "tokens", "text.txt"


def test_a_task_that_tags_words_is_one_line_and_a_configuration(copy):
    tag = trained(copy, "sense")
    (first, _) = senna(copy, *tag, "--format", "jsonl").splitlines()
    assert json.loads(first)["tags"]["sense"] == ["a", "b", "a"]
    report = senna(copy, "eval", "--task", "sense", *tag[1:3], "gold.txt")
    assert "100.00" in report


def test_a_kind_of_answer_is_a_file_and_its_twin(copy):
    (first, _) = senna(copy, *trained(copy, "shout"), "--format", "jsonl").splitlines()
    assert json.loads(first)["shouts"] == ["A", "B", "A"]
    assert "100.00" in senna(
        copy, "eval", "--task", "shout", "--model", "runs/shout/model", "gold.txt"
    )


def test_a_network_is_a_file_and_its_twin(copy):
    sets = ("network.kind=plain", "network.plain.hidden=[16]", "network.plain.widths=[3]")
    kind = [part for s in sets for part in ("--set", s)]
    tag = trained(copy, "sense", "plain", *kind)
    (first, _) = senna(copy, *tag, "--format", "jsonl").splitlines()
    assert json.loads(first)["tags"]["sense"] == ["a", "b", "a"]


def test_a_format_is_a_file(copy):
    tag = trained(copy, "sense", "slashed")
    assert senna(copy, *tag, "--format", "slashed") == "bank/bark/dogs\nrivers/money/trees\n"
    assert "words between slashes" in senna(copy, "tag", "--help")


def test_a_scorer_is_a_file(copy):
    score = "SCORERS['right'].score([(1, 1), (1, 2)], None)"
    code = f"from senna.registry import SCORERS; print({score})"
    assert python(copy, "-c", code) == "1\n"


def test_an_option_of_tagging_is_a_field(copy, monkeypatch):
    monkeypatch.setenv("SENNA_MODELS", str(ROOT / "senna" / "models"))
    shown = senna(copy, "tag", "--help")
    assert "Tag the words in capitals." in shown and "sense" in shown
    (copy / "one.txt").write_text("Dogs bark .\n", encoding="utf-8")
    words = ("tag", "--task", "pos", "--input", "tokens", "one.txt")
    assert senna(copy, *words, "--loud") == senna(copy, *words)
    python(copy, "-c", EVERYWHERE)
    senna(copy, "tag", "--task", "pos", "--loud", "one.txt")
