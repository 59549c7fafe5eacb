"""Labels of sentences: the head at tagging time and its twin in PyTorch, on random weights."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.inference.networks.base import Network
from senna.inference.networks.settings import SentenceConfig, WindowConfig
from senna.kinds.settings import LabelConfig
from senna.lab.networks.recurrent import span_lengths
from senna.training.config import Export, NetworkConfig
from senna.training.run import factorise
from tests import toys
from tests.inference.networks.exact import assert_same, without_rounding
from tests.inference.networks.test_twins import Compare, Twin, assert_near, use_stored_words
from tests.inference.networks.texts import load

SIGNS = (",", ".", ";", ":", "!", "?", "...", "--", "-", ")", "]", "\u2013", "\u2014", "\u2026")


GATED = toys.gated(10, 1, 3)
WINDOW = NetworkConfig(window=WindowConfig((3, 3), (12, 9), 1))  # one layer is shared
SENTENCE = NetworkConfig("sentence", sentence=SentenceConfig(3, 12, 9, 2))


@pytest.mark.parametrize(
    ("network", "pooling", "tasks", "rank"),
    [
        (GATED, ("mean", "max"), ("label",), 2),
        (GATED, ("max", "mean"), ("pos", "label"), 0),
        (GATED, ("2-max",), ("pos", "label"), 0),
        (GATED, ("4-regions", "mean"), ("pos", "label"), 0),
        (WINDOW, ("mean", "max", "2-regions"), ("pos", "label"), 0),
        (SENTENCE, ("mean", "max", "2-regions"), ("label",), 0),
    ],
)
def test_equal_to_torch(tmp_path, network, pooling, tasks, rank):
    """As `test_twins.test_equal_to_torch`."""
    network = dataclasses.replace(network, label=LabelConfig(pooling))
    config = dataclasses.replace(toys.SMALL, tasks=tasks, network=network, export=Export(rank=rank))
    setup = toys.setup(config, seed=rank, n=30)
    if rank:
        factorise(setup.model, setup.batches, rank)
    path = toys.exported(setup, tmp_path / "model")
    use_stored_words(setup, path)
    trainer = setup.trainer(tmp_path)
    twin = Twin(setup, trainer, setup.numbered.tasks[-1])
    with without_rounding():
        labels = compare(twin, load(path), assert_same)
    assert labels == twin.predicted
    assert len(set(labels)) > 1
    compare(twin, load(path), assert_near)


def slow_spans(forms: list[str]) -> list[int]:
    """Words of each span, counted one by one."""
    lengths, before = [], "."
    for form in forms:
        if (before in SIGNS and form not in SIGNS and lengths) or not lengths:
            lengths.append(0)
        lengths[-1] += 1
        before = form
    return lengths


@given(st.lists(st.sampled_from([*SIGNS, "a", "b"]), max_size=9))
def test_spans_between_punctuation(forms):
    assert span_lengths(forms) == slow_spans(forms)


def compare(twin: Twin, network: Network, assert_equal: Compare) -> list[str]:
    """The scores of the twins are equal, and the labels those of the scores."""
    text, names = twin.text(network), twin.task.names
    scores, expected = text.scores("label"), twin.scores.numpy()
    assert_equal(scores, expected)
    assert np.ptp(expected, axis=0).min() > 0.1  # sentences differ
    assert [names[i] for i in expected.argmax(axis=1)] == twin.predicted
    labels = text.annotate("label")
    assert [names[i] for i in scores.argmax(axis=1)] == labels
    return labels
