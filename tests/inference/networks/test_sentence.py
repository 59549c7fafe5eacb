"""The sentence network: its maxima against loops, in both its twins."""

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest
import torch

from senna.decoding.viterbi import FORBIDDEN
from senna.errors import SennaError
from senna.inference.networks.sentence import Maxima, distances, maxima
from senna.inference.networks.settings import SentenceConfig
from senna.training.build import Setup
from senna.training.config import NetworkConfig
from senna.training.examples.batches import Encoded
from senna.training.networks.sentence import maxima as torch_maxima
from tests import oracles, toys
from tests.inference.kernel.twins import folder_of
from tests.inference.networks.exact import without_rounding
from tests.inference.networks.test_twins import use_stored_words
from tests.inference.networks.texts import Text, load


@pytest.mark.parametrize("reach", [1, 2, 5])
@pytest.mark.parametrize("n", [1, 2, 3, 6, 14])
def test_maxima_against_loops(reach, n):
    random = np.random.default_rng(n)
    near = random.normal(size=(2 * reach + 1, 3)).astype(np.float32)
    lengths = [n, max(1, n - 2), 1]
    rows = [random.normal(size=(length, 3)).astype(np.float32) for length in lengths]
    padded = np.full((n, len(rows), 3), FORBIDDEN, np.float32)
    for i, row in enumerate(rows):
        padded[: len(row), i] = row
    found = maxima(padded.copy(), near)
    turned = torch.from_numpy(padded.transpose(1, 0, 2).copy())
    by_torch = torch_maxima(turned, torch.from_numpy(near)).numpy()
    for i, row in enumerate(rows):
        expected = oracles.sentence_maxima(row, near)
        np.testing.assert_allclose(found[: len(row), i], expected, atol=1e-6)
        np.testing.assert_allclose(by_torch[i, : len(row)], expected, atol=1e-6)


@pytest.mark.parametrize("reach", [1, 3, 9])
def test_gradients_of_maxima(reach):
    generator = torch.Generator().manual_seed(reach)
    x = torch.randn(2, 7, 2, generator=generator, dtype=torch.float64, requires_grad=True)
    shape = (2 * reach + 1, 2)
    near = torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(torch_maxima, (x, near))


@pytest.mark.parametrize("lengths", [[1], [9], [3, 1, 0, 2, 9], [2, 200, 1, 30], []])
def test_the_hidden_layer_against_loops(tmp_path, lengths):
    random = np.random.default_rng(len(lengths))
    near, weights, bias = (random.normal(0, 0.5, size) for size in ((7, 3), (3, 4), 4))
    arrays = {"near": near, "ner.layer-1.weight": weights, "ner.layer-1.bias": bias}
    folder = folder_of(
        {name: array.astype(np.float32) for name, array in arrays.items()}, tmp_path / "model"
    )
    x = random.normal(size=(sum(lengths), 3)).astype(np.float32)
    found = Maxima(folder, "ner", SentenceConfig(1, 3, 4))(x.copy(), np.array(lengths, np.int64))
    parts = np.split(x, np.cumsum(lengths)[:-1]) if lengths else []
    highest = [oracles.sentence_maxima(own, near) for own in parts if len(own)]
    rows = np.concatenate(highest) if highest else np.zeros((0, 3))
    expected = np.clip(rows @ weights + bias, -1, 1)
    np.testing.assert_allclose(found, expected, atol=0.02)


def test_an_even_number_of_distances_or_too_few(tmp_path):
    for n in (0, 1, 2, 4):
        folder = folder_of({"near": np.zeros((n, 3), np.float32)}, tmp_path / "model")
        with pytest.raises(SennaError, match=rf"near\.npy: {n} distances, expected an odd"):
            distances(folder, "near", 3)


@pytest.mark.parametrize(("width", "hidden"), [(1, 5), (3, 5), (3, 0)])
@pytest.mark.parametrize("task", ["pos", "srl"])
def test_both_networks_against_the_equations_of_the_paper(tmp_path, task, width, hidden):
    """Equations 6 to 17, written out: emissions, the criterion and the best path."""
    own = SentenceConfig(width, 6, hidden, distance=3, distance_size=2)
    network = NetworkConfig(kind="sentence", sentence=own, constrained=False, transitions="full")
    setup = toys.setup(dataclasses.replace(toys.SMALL, tasks=(task,), network=network), seed=5)
    path = toys.exported(setup, tmp_path / "model")
    use_stored_words(setup, path)
    sentences = setup.corpora[task].dev[0][1]
    assert max(len(sentence.forms) for sentence in sentences) > 2 * own.distance + 1
    expected = [
        row
        for sentence in setup.numbered.tasks[0].dev
        for row in by_equations(setup, task, sentence)
    ]
    assert len(expected) > 8
    with torch.no_grad():
        emissions = setup.model(
            task, setup.batches.batch(task, setup.numbered.tasks[0].dev)
        ).numpy()
    for found, scores in zip(emissions, expected, strict=True):
        np.testing.assert_allclose(found[: len(scores)], scores, atol=1e-5)
    with without_rounding():
        tagged = load(path)
        text = Text(tagged, [sentence.forms for sentence in sentences])
        places = [[p.position for p in s.gold] for s in sentences] if task == "srl" else None
        answers = text.annotate(task, places)
    rows = [tags for answer in answers for tags in answer] if task == "srl" else answers
    predicted = setup.trainer(tmp_path).predict(
        setup.numbered.tasks[0], setup.numbered.tasks[0].dev
    )
    by_torch = [p.tags for s in predicted for p in s] if task == "srl" else predicted
    assert rows == by_torch
    if task == "pos":
        check_paths(setup, expected, rows)


def check_paths(setup: Setup, emissions: list[np.ndarray], tags: list[list[str]]) -> None:
    """The criterion and the best paths of sentences short enough to try all paths."""
    (task,) = setup.numbered.tasks
    head, short = setup.model.head(task.name), [i for i, row in enumerate(tags) if len(row) < 6]
    assert {len(tags[i]) for i in short} == {1, 2, 3, 4, 5}
    batch, paths = (
        setup.batches.batch(task.name, [task.dev[i] for i in short]),
        (head.transitions, head.initial),
    )
    total = torch.zeros(())
    for i, gold in zip(short, batch.gold, strict=True):
        best = oracles.best_path(emissions[i], *(own.detach().numpy() for own in paths))
        assert tags[i] == [task.names[k] for k in best]  # eq. 17
        scores = torch.from_numpy(emissions[i])
        [score] = oracles.path_scores(scores, *paths, [gold.tolist()[: len(scores)]])
        total = total + oracles.log_partition(scores, *paths) - score  # eqs. 12 to 16
    with torch.no_grad():
        loss = head.loss(setup.model(task.name, batch), batch)
    torch.testing.assert_close(loss, total)


def by_equations(setup: Setup, task: str, sentence: Encoded) -> Iterator[np.ndarray]:
    """The emissions of one sentence for each of its predicates, or for none."""
    model, head = setup.model, setup.model.head(task)

    def layer(linear: torch.nn.Linear) -> tuple[np.ndarray, np.ndarray]:
        bias = linear.bias if linear.bias is not None else torch.zeros(linear.out_features)
        return linear.weight.detach().numpy().T, bias.detach().numpy()

    batch = setup.batches.batch(task, [sentence])
    with torch.no_grad():
        x = model.inputs(batch, setup.config.network.sentence.width // 2).numpy()[0]
    for place in [None] if batch.pairs is None else batch.pairs[:, 1].tolist():
        measured = [(model.near, None), *([] if place is None else [(model.predicate, place)])]
        distances = [
            (of.table.weight.detach().numpy(), layer(of.convolution)[0], origin)
            for of, origin in measured
        ]
        hidden = layer(head.layers[0].linear) if len(head.layers) else None
        layers = layer(model.convolution), distances, hidden, layer(head.output)
        yield oracles.sentence_network(x, *layers)
