"""How much of the package a command imports: what a reader of its path has to read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.processes import python

TAGGING = 11_000  # lines at most, of `senna tag` with the default tasks; release 0.3 had 14,154
TRAINING = 15_895  # the same of `senna train --task ner`; release 0.3 had 23,266

COUNT = """
import sys
from pathlib import Path
from senna.__main__ import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
files = {m.__file__ for n, m in sys.modules.items() if n.partition(".")[0] == "senna"}
print(sum(len(Path(f).read_text("utf-8").splitlines()) for f in files if f), file=sys.stderr)
"""


def imported(folder: Path, *arguments: str, text: str = "") -> int:
    """The lines of the modules that a command has imported when it ends."""
    done = python("-c", COUNT, *arguments, data=text.encode(), cwd=folder, check=True)
    return int(done.stderr.splitlines()[-1])


def test_lines_that_tagging_imports(tmp_path: Path) -> None:
    assert imported(tmp_path, "tag", text="Anna flew to Rome.\n") <= TAGGING


@pytest.mark.slow
def test_lines_that_training_imports(tmp_path: Path) -> None:
    options = ("--corpus", "demo", "--name", "first", "--set", "train.epochs=1")
    assert imported(tmp_path, "train", "--task", "ner", *options) <= TRAINING
