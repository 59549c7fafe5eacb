"""scripts/breed_vectors.py: the best of each dictionary goes on."""

import json

import numpy as np

from senna.pretraining.config import Job
from tests.pretraining import toytext


def test_the_best_child_goes_on(tmp_path, capsys):
    from breed_vectors import breed, log_rank

    text = toytext.write_text(tmp_path / "toy.txt", 150)
    job = Job(tmp_path / "bred", (text,), text=tmp_path / "ids", jobs=1)
    settings = ["dimension=6", "batch=64", "hidden=5", "held_out=0.1", "epochs=0.5"]
    bred = ("learning_rate", "network_rate")
    last = breed(job, "ranking", settings, (8, 12), 2, bred)
    runs = {run.name: run for run in job.out.iterdir() if run.is_dir()}
    assert set(runs) == {"8-1", "8-2", "12-1", "12-2"}
    best = min(("8-1", "8-2"), key=lambda name: log_rank(runs[name]))
    for name in ("12-1", "12-2"):
        assert f'initial = "{runs[best]}"' in (runs[name] / "config.toml").read_text()
    assert last == min((runs["12-1"], runs["12-2"]), key=log_rank)
    rates = [(run / "config.toml").read_text() for run in runs.values()]
    assert len(set(rates)) == 4
    assert "the best of 2 is" in capsys.readouterr().out
    assert np.load(last / "vectors.npy").shape[1] == 6
    assert json.loads((last / "metrics.jsonl").read_text().splitlines()[-1])
