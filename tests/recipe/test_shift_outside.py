"""The score of O of a model of names is raised in its folder."""

import shutil

import numpy as np
import pytest
import shift_outside as script

from senna.kinds.answer import Gold
from senna.model.folder import MODELS, read_model

FLEW = "Ann Weber flew to Lisbon .".split(), "B-PER E-PER O O S-LOC O".split()
NAMES = [Gold(*FLEW, {}, opens=True), Gold(["Weber", "slept", "."], ["S-PER", "O", "O"], {})]


def test_names_are_found_unless_o_is_far_more_likely():
    model = script.Shifted(MODELS / "ner")
    assert model.f1(NAMES, 0.0) == 100
    assert model.f1(NAMES, 50.0) == 0


@pytest.mark.parametrize("best", [0.0, 0.8])
def test_the_best_shift_is_written(tmp_path, monkeypatch, best):
    for name in ("base", "ner"):
        shutil.copytree(MODELS / name, tmp_path / name)
    monkeypatch.setattr(script, "read", lambda task, corpus: NAMES)
    monkeypatch.setattr(script.Shifted, "f1", lambda *given: 80 - abs(given[2] - best))
    monkeypatch.setattr("sys.argv", ["shift_outside.py", str(tmp_path / "ner"), "--write"])
    script.main()
    before, after = (read_model(folder) for folder in (MODELS / "ner", tmp_path / "ner"))
    old, new = (dict(folder.arrays()) for folder in (before, after))
    changed = [name for name in old if not np.array_equal(old[name], new[name])]
    assert changed == ([script.BIAS] if best else [])
    if best:
        shift = new[script.BIAS] - old[script.BIAS]
        place = before.lines("ner.tags.txt").index("O")
        assert np.flatnonzero(shift).tolist() == [place]
        assert shift[place] == pytest.approx(best, abs=0.01)
        assert after.about["notes"][:-1] == before.about["notes"]
        assert set(after.about["scores"]["ner"].values()) == {"F1", 80.0}
