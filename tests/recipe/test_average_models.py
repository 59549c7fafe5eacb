"""The mean of models that were trained on from one."""

import shutil

import numpy as np

from recipe.ship_model import parts_of
from senna.model.folder import MODELS, read_model
from senna.model.writing import check, write_model
from tests.script import run

BIAS = "pos.output.bias"


def test_weights_are_averaged_and_rows_that_one_has(tmp_path):
    for name in ("base", "pos-chunk"):
        shutil.copytree(MODELS / name, tmp_path / name)
    one = read_model(tmp_path / "pos-chunk")
    meta, arrays, texts = parts_of(one)
    other = arrays | {BIAS: arrays[BIAS] + arrays[BIAS].dtype.type(2)}
    # The other one does not store the first of the rows: there it has that of the base.
    other |= {name: arrays[name][1:] for name in ("words", "words.scale", "words.rows")}
    write_model(tmp_path / "other", meta, other, texts)
    paths = (tmp_path / name for name in ("mean", "pos-chunk", "other"))
    done = run("recipe/average_models.py", *paths)
    assert done.returncode == 0, done.stderr
    assert check(tmp_path / "mean")
    mean, base = (dict(read_model(tmp_path / name).arrays()) for name in ("mean", "base"))
    np.testing.assert_allclose(mean[BIAS], arrays[BIAS] + 1, rtol=1e-2)
    assert np.array_equal(mean["words.rows"], arrays["words.rows"])
    row = int(arrays["words.rows"][0])
    halves = [arrays["words"][0] * arrays["words.scale"][0]]
    halves += [base["words"][row] * base["words.scale"][row]]
    found = mean["words"][0] * mean["words.scale"][0]
    np.testing.assert_allclose(found, np.mean(halves, axis=0), atol=float(mean["words.scale"][0]))
    rest = [one["words"][-50:] * one["words.scale"][-50:, None] for one in (mean, arrays)]
    np.testing.assert_allclose(*rest, atol=float(arrays["words.scale"].max()) / 2)
