"""A task that tags words is one line in the table and a configuration, in a copy of the package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tiny import SMALL

pytest.importorskip("torch")

ROOT = Path(__file__).parent.parent
LINE = '    Task("sense", "senses of words", "tags"),\n'
WORDS = ("bank", "bark", "dogs", "rivers", "money", "trees")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package without its models, with one line and one file more."""
    folder = tmp_path_factory.mktemp("copy")
    ignored = shutil.ignore_patterns("models", "__pycache__", "*.so")
    shutil.copytree(ROOT / "senna", folder / "senna", ignore=ignored)
    for name in ("configs", "data"):
        shutil.copytree(ROOT / name, folder / name)
    table = folder / "senna" / "tasks.py"
    before, after = table.read_text(encoding="utf-8").split("_TABLE = (\n")
    table.write_text(f"{before}_TABLE = (\n{LINE}{after}", encoding="utf-8")
    shutil.copy(ROOT / "configs" / "chunk.toml", folder / "configs" / "sense.toml")
    config = folder / "configs" / "sense.toml"
    config.write_text(config.read_text(encoding="utf-8").replace("chunk", "sense"), "utf-8")
    sentences = [[f"{WORDS[(i + k) % 6]} {'AB'[(i + k) % 2]}" for k in range(3)] for i in range(24)]
    gold = "\n\n".join("\n".join(sentence) for sentence in sentences)
    (folder / "gold.txt").write_text(f"{gold}\n", encoding="utf-8")
    return folder


def senna(copy: Path, *arguments: str) -> str:
    """What the copy's program prints."""
    env = os.environ | {"PYTHONPATH": str(copy)}
    command = [sys.executable, "-m", "senna", *arguments]
    done = subprocess.run(command, cwd=copy, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_task_that_tags_words_is_one_line_and_a_configuration(copy: Path) -> None:
    sets = [part for s in (*SMALL, "train.epochs=30", "train.batch=4") for part in ("--set", s)]
    files = ("--train", "gold.txt", "--dev", "gold.txt")
    senna(copy, "train", "--task", "sense", *files, *sets)
    model = ("--model", "runs/sense/model")
    (copy / "text.txt").write_text("bank bark dogs\nrivers money trees\n", encoding="utf-8")
    tag = ("tag", *model, "--input", "tokens", "text.txt")
    assert senna(copy, *tag) == "bank\tA\nbark\tB\ndogs\tA\n\nrivers\tB\nmoney\tA\ntrees\tB\n\n"
    (first, _) = senna(copy, *tag, "--format", "jsonl").splitlines()
    assert json.loads(first)["tags"]["sense"] == ["A", "B", "A"]
    report = senna(copy, "eval", "--task", "sense", *model, "gold.txt")
    assert "100.00" in report
    assert "sense" in senna(copy, "tag", "--help")
