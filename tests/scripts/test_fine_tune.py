"""scripts/experiments/fine_tune.py: training on from a model, and weights part of the way."""

import subprocess
import sys
from pathlib import Path

import numpy as np

from senna.model.folder import read_model
from tests.tiny import train_small

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "experiments" / "fine_tune.py"


def test_shares_and_card(tmp_path: Path) -> None:
    model = train_small("pos", tmp_path / "run", "train.epochs=1")
    out = tmp_path / "on"
    command = [sys.executable, str(SCRIPT), str(model), "--out", str(out)]
    more = tmp_path / "more.txt"
    more.write_text("Dogs NNS\nbark VBP\n. .\n\nIt PRP\nrains VBZ\n. .\n", encoding="utf-8")
    options = ["--share", "0", "--share", "1", "--set", "train.epochs=1"]
    options += ["--set", f'data.pos.train=["{more}"]']
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "before:" in done.stdout
    first, start, end = (read_model(x) for x in (model, out / "model-0.0", out / "model-1.0"))
    was, same, other = (dict(x.arrays())["pos.output.weight"] for x in (first, start, end))
    assert np.array_equal(was, same)
    assert not np.array_equal(was, other)
    card = (out / "model-1.0" / "README.md").read_text(encoding="utf-8")
    assert "Tags are found by the best path (Viterbi)." in card
    assert end.about["data"].keys() == {*first.about["data"], more.name}
