"""scripts/average_runs.py: the mean of runs' best weights."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from senna.training.run import Run, train
from tests.tiny import small_config, train_small

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "average_runs.py"


def average(*options: object) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(SCRIPT), *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def best(run: Path) -> dict[str, torch.Tensor]:
    weights: dict[str, torch.Tensor] = torch.load(run / "checkpoint.pt")["state"]["best"]
    return weights


def test_the_mean_is_a_run_to_resume(tmp_path: Path) -> None:
    runs = [tmp_path / name for name in "ab"]
    for seed, run in enumerate(runs):
        train_small("pos", run, "train.epochs=2", f"train.seed={seed}")
    out = tmp_path / "mean"
    done = average(*runs, "--out", out)
    assert done.returncode == 0, done.stderr
    one, other, mean = map(best, (*runs, out))
    assert one.keys() == mean.keys()
    for name, value in mean.items():
        assert torch.allclose(value, (one[name] + other[name]) / 2), name
    config = small_config("pos")
    path = train(config, Run(out), lambda line: None, resume=True)
    assert (path / "model.toml").is_file()
    assert all(torch.equal(best(out)[name], value) for name, value in mean.items())


def test_runs_that_do_not_go_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*options: object) -> str:
        monkeypatch.setattr(sys, "argv", ["average_runs.py", *map(str, options)])
        with pytest.raises(SystemExit) as end:
            runpy.run_path(str(SCRIPT), run_name="__main__")
        return str(end.value.code)

    train_small("pos", tmp_path / "a", "train.epochs=1")
    train_small("pos", tmp_path / "b", "train.epochs=1", "features.characters.filters=0")
    said = refused(tmp_path / "a", tmp_path / "b", "--out", tmp_path / "mean")
    assert "different networks" in said
    assert not (tmp_path / "mean").exists()
    assert "is there already" in refused(tmp_path / "a", "--out", tmp_path / "b")
