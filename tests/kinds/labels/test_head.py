"""Labels at tagging time: pooling against loops, the same for any batch, probabilities."""

from pathlib import Path

import numpy as np
import pytest

from senna.decoding.requests import Asked
from senna.errors import SennaError
from senna.model.folder import read_model
from senna.pipeline.pipeline import Pipeline
from senna.registry import POOLING
from tests import toys
from tests.inference.networks.texts import words


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    network = toys.gated(12, 1, 2)
    folder = tmp_path_factory.mktemp("model") / "model"
    return toys.model(folder, "label", network=network, seed=2)


def test_pooling_is_that_of_each_sentence():
    lengths = np.array([3, 1, 7])
    x = np.random.default_rng(0).normal(size=(11, 4)).astype(np.float32)
    parts = np.split(x, np.cumsum(lengths)[:-1])
    starts = np.cumsum(lengths) - lengths
    means, maxima = (POOLING[name](x, starts, lengths) for name in ("mean", "max"))
    np.testing.assert_allclose(means, [part.mean(axis=0) for part in parts], atol=2**-14)
    np.testing.assert_array_equal(maxima, [part.max(axis=0) for part in parts])
    last, ends = (POOLING[name](x, starts, lengths) for name in ("last", "ends"))
    np.testing.assert_array_equal(last, [part[-1] for part in parts])
    np.testing.assert_array_equal(ends, [[*part[-1, :2], *part[0, 2:]] for part in parts])


def test_labels_and_probabilities_do_not_depend_on_the_batch(model):
    sentences = words(1, [1, 12, 3, 0, 40, 7, *range(2, 30)])
    pipeline = Pipeline.load(["label"], model, asked=Asked(scores=True))
    together = pipeline.annotate(sentences)["label"]
    alone = [pipeline.annotate([forms])["label"][0] for forms in sentences]
    assert together == alone
    assert [label.scores for label in together] == [label.scores for label in alone]
    assert len(set(together)) == len(toys.LABELS)
    for label in together:
        assert label.scores[label] == max(label.scores.values())
        assert sum(label.scores.values()) == pytest.approx(1)
    plain = Pipeline.load(["label"], model).annotate(sentences)["label"]
    assert plain == together and {label.score for label in plain} == {None}


def test_a_sentence_that_was_cut_has_the_label_of_most_parts(model):
    [sentence] = words(2, [5_000])
    pipeline = Pipeline.load(["label"], model)
    parts = [sentence[:2048], sentence[2048:4096], sentence[4096:]]
    labels = pipeline.annotate(parts)["label"]
    assert pipeline.annotate([sentence])["label"] == [max(labels, key=labels.count)]


@pytest.mark.parametrize("pooling", [[], ["median"], "mean", ["mean"]])
def test_a_damaged_table_is_told(model, monkeypatch, pooling):
    folder = read_model(model)
    folder.meta["network"]["label"] = {"pooling": pooling}
    monkeypatch.setattr("senna.pipeline.models.read_model", lambda path: folder)
    with pytest.raises(SennaError) as error:
        Pipeline.load(["label"], model)
    assert "network.label.pooling" in str(error.value) or "does not fit" in str(error.value)
