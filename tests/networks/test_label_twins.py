"""Labels of sentences: the head at tagging time and its twin in PyTorch, on random weights."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from senna.config import Export, NetworkConfig
from senna.heads.settings import LabelConfig
from senna.kernel.library import OFF
from senna.lab.networks.bag.tag import BagHead
from senna.lab.networks.recurrent.tag import SpanLabels
from senna.lab.networks.recurrent.train import RecurrentNetwork
from senna.lab.networks.settings import BagConfig, ConvolutionConfig, RecurrentConfig
from senna.networks.base import Network
from senna.networks.settings import GatedConfig, SentenceConfig, WindowConfig
from senna.products.workspace import Workspace
from senna.text.english import span_lengths
from senna.text.features import without_digits
from senna.training.build import Setup
from senna.training.factors import factorise
from senna.training.loop import Trainer
from tests import oracles, toys
from tests.kernel.twins import at
from tests.networks.exact import assert_same, without_rounding
from tests.networks.test_twins import Compare, Twin, assert_near, use_stored_words
from tests.networks.texts import LENGTHS, Text, load, words

SIGNS = (",", ".", ";", ":", "!", "?", "...", "--", "-", ")", "]", "\u2013", "\u2014", "\u2026")


@pytest.mark.parametrize("rank", [0, 2])
@pytest.mark.parametrize("tasks", [("label",), ("pos", "label")])
@pytest.mark.parametrize("pooling", [("mean",), ("max",), ("mean", "max"), ("max", "mean")])
def test_equal_to_torch(
    tmp_path: Path, pooling: tuple[str, ...], tasks: tuple[str, ...], rank: int
) -> None:
    """As `test_twins.test_equal_to_torch`."""
    network = NetworkConfig("gated", gated=GatedConfig(10, dilations=(1, 3)))
    compare_twins(tmp_path, network, pooling, tasks, rank)


@pytest.mark.parametrize("unit", ["hardtanh", "tanh"])
@pytest.mark.parametrize("tasks", [("label",), ("pos", "label")])
@pytest.mark.parametrize("kind", ["window", "sentence"])
def test_networks_of_the_paper_are_equal_to_torch(
    tmp_path: Path, kind: str, tasks: tuple[str, ...], unit: str
) -> None:
    """Of the window network a layer is shared by the tasks, and one is the task's."""
    window = WindowConfig((3, 3), (12, 9), 1, unit)
    network = NetworkConfig(kind, window=window, sentence=SentenceConfig(3, 12, 9, 2, unit=unit))
    compare_twins(tmp_path, network, ("mean", "max", "2-regions"), tasks)


@pytest.mark.parametrize(
    ("pooling", "n_directions", "layers"),
    [(("last",), 1, 1), (("last", "max"), 2, 1), (("ends",), 2, 3), (("mean", "ends"), 2, 1)],
)
def test_an_acceptor_is_equal_to_torch(
    tmp_path: Path, pooling: tuple[str, ...], n_directions: int, layers: int
) -> None:
    """The last state, or the last states of both directions, read the whole sentence."""
    settings = RecurrentConfig("elman", 5, n_directions, layers=layers, skip=layers > 1)
    network = NetworkConfig("recurrent", recurrent=settings)
    compare_twins(tmp_path, network, pooling, ("label",))


@pytest.mark.parametrize(
    ("cell", "pooling", "n_directions", "layers", "skip"),
    [
        ("elman", ("last",), 1, 2, False),
        ("elman", ("ends",), 2, 1, False),
        ("lstm", ("mean", "max"), 2, 1, False),
        ("gru", ("ends", "max"), 2, 1, False),
        ("gru", ("ends",), 2, 3, True),
        ("elman", ("last",), 1, 2, True),
    ],
)
def test_spans_between_punctuation_are_read_first(
    tmp_path: Path, cell: str, pooling: tuple[str, ...], n_directions: int, layers: int, skip: bool
) -> None:
    """Both twins, and against the layers on one span after the other."""
    settings = RecurrentConfig(cell, 12, n_directions, layers=layers, skip=skip, spans=True)
    network = NetworkConfig("recurrent", recurrent=settings, label=LabelConfig(pooling))
    setup = compare_twins(tmp_path, network, pooling, ("label",))
    model, sentences = setup.model, setup.numbered.tasks[0].train
    assert isinstance(model, RecurrentNetwork) and model.above is not None
    for example, sentence in zip(setup.corpora["label"].train, sentences, strict=True):
        batch = setup.batches.batch("label", [sentence])
        with torch.no_grad():
            words, scores = model.inputs(batch), model("label", batch)
            states, start = [], 0
            for n in slow_spans(example.forms):
                x, seen = words[:, start : start + n], []
                for layer in model.layers:
                    if skip and seen:
                        x = torch.cat([words[:, start : start + n], x], 2)
                    x = layer(x, torch.tensor([n]))
                    seen.append(x[0])
                read = seen if skip else seen[-1:]
                lasts = [x[-1, :12] for x in read] + [x[0, 12:] for x in read]
                states.append(torch.cat(lasts))
                start += n
            above = model.above(torch.stack(states)[None], torch.tensor([len(states)]))
            head: Any = model.head("label")
            expected = head.of_inputs([(above, torch.tensor([len(states)]))])
        torch.testing.assert_close(scores, expected, atol=1e-5, rtol=0)


def test_spans_of_a_sentence_do_not_depend_on_the_batch(tmp_path: Path) -> None:
    network = NetworkConfig("recurrent", recurrent=RecurrentConfig("gru", 6, spans=True))
    config = dataclasses.replace(toys.SMALL, tasks=("label",), network=network)
    loaded = load(toys.exported(toys.setup(config), tmp_path / "model"))
    forms = words(1, LENGTHS)
    together = Text(loaded, forms)
    alone = [Text(loaded, [sentence]) for sentence in forms]
    assert together.x.tobytes() == b"".join(text.x.tobytes() for text in alone)
    labels = [label for text in alone for label in text.annotate("label")]
    assert together.annotate("label") == labels
    with at(OFF):
        assert Text(load(tmp_path / "model"), forms).x.tobytes() == together.x.tobytes()


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
def test_spans_between_punctuation(forms: list[str]) -> None:
    assert span_lengths(forms) == slow_spans(forms)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize(
    "pooling", [("max",), ("mean", "2-max"), ("3-regions",), ("9-max", "2-regions", "max")]
)
def test_convolutions_are_equal_to_torch(
    tmp_path: Path, pooling: tuple[str, ...], wide: bool
) -> None:
    """Sentences of 1 to 9 words, some shorter than the filters."""
    network = NetworkConfig("convolution", convolution=ConvolutionConfig((1, 2, 5), 6, wide))
    compare_twins(tmp_path, network, pooling, ("label",))


@pytest.mark.parametrize("weights", ["alike", "tf-idf"])
@pytest.mark.parametrize("kind", ["mean", "sum"])
def test_bags_are_equal_to_torch_and_to_the_slow_way(
    tmp_path: Path, kind: str, weights: str
) -> None:
    network = NetworkConfig("bag", bag=BagConfig(kind, weights, 9))
    compare_twins(tmp_path, network, ("mean", "max"), ("label",))
    with without_rounding():
        loaded = load(tmp_path / "model")
        space = Workspace()
        text = Text(loaded, words(1, LENGTHS), space=space)
        head: Any = loaded.heads["label"]
        scores = head.scores(text.x)
        x, bias = loaded.first(text.block, space), loaded.folder.array("layer-0.bias", None)
        output = loaded.folder.array("label.output.weight", None, None)
        idf = slow_idf() if weights == "tf-idf" else None
        ends = np.cumsum(text.lengths)
        sentences = words(1, LENGTHS)
        for row, end, n, forms in zip(scores, ends, text.lengths, sentences, strict=True):
            each = [1.0 if idf is None else idf(form) for form in forms]
            of_words = (x[end - n : end] - bias).T.astype(np.float64) @ np.array(each)
            hidden = np.maximum(of_words / ((sum(each) or 1) if kind == "mean" else 1) + bias, 0)
            np.testing.assert_allclose(row, hidden @ output + head.bias, rtol=1e-3, atol=1e-3)
    loaded = load(tmp_path / "model")
    together = Text(loaded, words(1, LENGTHS)).x
    alone = [Text(loaded, [sentence]).x for sentence in words(1, LENGTHS)]
    assert together.tobytes() == b"".join(x.tobytes() for x in alone)


def slow_idf() -> Callable[[str], float]:
    """Inverse document frequencies in the corpus that `compare_twins` trains on."""
    examples = toys.corpus("label", 30).train
    sentences = [[without_digits(form).lower() for form in one.forms] for one in examples]

    def idf(form: str) -> float:
        word = without_digits(form).lower()
        return 1 + math.log((1 + 30) / (1 + sum(word in sentence for sentence in sentences)))

    assert len({round(idf(form), 6) for sentence in sentences for form in sentence}) > 5
    return idf


@pytest.mark.parametrize("pooling", [("2-max",), ("4-regions", "mean")])
def test_more_pooling_of_encoders_is_equal_to_torch(
    tmp_path: Path, pooling: tuple[str, ...]
) -> None:
    network = NetworkConfig("gated", gated=GatedConfig(10, dilations=(1, 3)))
    compare_twins(tmp_path, network, pooling, ("pos", "label"))


@pytest.mark.parametrize("pools", [(2,), (3, 2)])
def test_stages_of_convolutions_are_equal_to_torch(tmp_path: Path, pools: tuple[int, ...]) -> None:
    convolution = ConvolutionConfig((2, 3), 8, pools=pools)
    network = NetworkConfig("convolution", convolution=convolution)
    compare_twins(tmp_path, network, ("max", "mean"), ("label",))


@pytest.mark.parametrize("pools", [(), (2,), (3, 2)])
@pytest.mark.parametrize("wide", [False, True])
def test_convolutions_are_those_of_plain_loops_for_any_batch(
    tmp_path: Path, wide: bool, pools: tuple[int, ...]
) -> None:
    convolution = ConvolutionConfig((3, 1, 4), 5, wide, pools)
    network = NetworkConfig("convolution", convolution=convolution)
    network = dataclasses.replace(network, label=LabelConfig(("max",)))
    config = dataclasses.replace(toys.SMALL, tasks=("label",), network=network)
    with without_rounding():
        loaded = load(toys.exported(toys.setup(config, n=30), tmp_path / "model"))
        forms = words(1, LENGTHS)
        text = Text(loaded, forms)
        head: Any = loaded.heads["label"]
        scores = text.scores("label")
        weights = loaded.folder.array("label.output.weight", 15, None)
        for row, (start, n) in enumerate(
            zip(np.cumsum(text.lengths) - text.lengths, text.lengths, strict=True)
        ):
            if n:
                x = text.x[start : start + n]
                outputs = oracles.convolved(x, (3, 1, 4), 5, wide)
                for i, pool in enumerate(pools, start=1):  # the primer's section 9.2
                    for w, width in enumerate((3, 1, 4)):
                        y, name = outputs[w], f"stage-{i}.{width}"
                        largest = [y[k : k + pool].max(axis=0) for k in range(0, len(y), pool)]
                        x = np.array(largest) @ loaded.folder.array(f"{name}.weight", None, None)
                        x += loaded.folder.array(f"{name}.bias", None)
                        [outputs[w]] = oracles.convolved(x, (width,), 5, wide)
                pooled = np.concatenate([rows.max(axis=0) for rows in outputs])
                expected = pooled @ weights + head.bias
                np.testing.assert_allclose(scores[row], expected, rtol=1e-4, atol=1e-4)
            else:
                np.testing.assert_array_equal(scores[row], head.bias)
    loaded = load(tmp_path / "model")
    together = Text(loaded, forms).scores("label")
    alone = [Text(loaded, [sentence]).scores("label") for sentence in forms]
    assert together.tobytes() == b"".join(row.tobytes() for row in alone)


def compare_twins(
    tmp_path: Path,
    network: NetworkConfig,
    pooling: tuple[str, ...],
    tasks: tuple[str, ...],
    rank: int = 0,
) -> Setup:
    """Scores and labels of a random network by both twins."""
    network = dataclasses.replace(network, label=LabelConfig(pooling))
    config = dataclasses.replace(toys.SMALL, tasks=tasks, network=network, export=Export(rank=rank))
    setup = toys.setup(config, seed=rank, n=30)
    if rank:
        factorise(setup.model, setup.batches, rank)
    path = toys.exported(setup, tmp_path / "model")
    use_stored_words(setup, path)
    trainer = Trainer(setup.config.train, setup.model, setup.batches, tmp_path)
    twin = Twin(setup, trainer, setup.numbered.tasks[-1])
    with without_rounding():
        labels = compare(twin, load(path), assert_same)
    assert labels == twin.predicted
    assert len(set(labels)) > 1
    compare(twin, load(path), assert_near)
    return setup


def compare(twin: Twin, network: Network, assert_equal: Compare) -> list[str]:
    """The scores of the twins are equal, and the labels those of the scores."""
    text, names = twin.text(network), twin.task.names
    head: Any = network.heads["label"]
    is_bag = isinstance(head, BagHead)
    if isinstance(head, SpanLabels):
        text.lengths = np.array([len(slow_spans([*forms])) for forms in text.block.forms])
    scores, expected = head.scores(text.x) if is_bag else text.scores("label"), twin.scores.numpy()
    assert_equal(scores, expected)
    assert np.ptp(expected, axis=0).min() > 0.1  # sentences differ
    assert [names[i] for i in expected.argmax(axis=1)] == twin.predicted
    labels = text.annotate("label")
    assert [names[i] for i in scores.argmax(axis=1)] == labels
    return labels
