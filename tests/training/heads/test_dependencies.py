"""The parser by arcs at tagging time and its twin in PyTorch, on random weights."""

from typing import Any

import numpy as np
import pytest
import torch

from senna.decoding.best_trees import are_trees
from senna.decoding.requests import Asked, Request
from senna.kinds.dependencies.head import arc_scores
from senna.lab.heads import log_arborescences
from senna.training.build import build
from senna.training.examples.corpora import TaskCorpus
from tests import toys
from tests.inference.networks.exact import assert_same, without_rounding
from tests.inference.networks.test_twins import assert_near, use_stored_words
from tests.inference.networks.texts import Text, load
from tests.oracles import all_dependency_trees, arcs_score

SIZES = ("network.dependencies.units=9", "network.dependencies.relations=7")
CONFIG = toys.small("dep", *toys.GATED, *SIZES)


def test_equal_to_torch(tmp_path):
    """Scores of arcs and relations are the twin's; with rounding, they are near."""
    made = toys.setup(CONFIG, seed=3)
    path = toys.exported(made, tmp_path / "model")
    use_stored_words(made, path)
    (task,) = made.numbered.tasks
    batch = made.batches.batch("dep", task.dev)
    predicted = made.trainer(tmp_path).predict(task, task.dev)
    layers: Any = made.model.head("dep").layers
    with torch.no_grad():
        x = made.model("dep", batch)
        expected = layers.arcs(x).numpy()
    lengths = batch.lengths.numpy()
    starts = np.cumsum(lengths) - lengths
    n = expected.shape[1]
    words, heads = np.arange(n)[:, None], np.arange(n + 1)
    inside = (words < lengths[:, None, None]) & (heads <= lengths[:, None, None])
    forms = [s.forms for s in made.corpora["dep"].dev[0][1]]
    with without_rounding():
        text = Text(load(path), forms)
        head: Any = text.network.heads["dep"]
        scores = arc_scores(head.project(text.x), starts, lengths)
        assert_same(scores[inside], expected[inside])
        assert text.annotate("dep") == predicted
    text = Text(load(path), forms)
    rounded: Any = text.network.heads["dep"]
    scores = arc_scores(rounded.project(text.x), starts, lengths)
    assert_near(scores[inside], expected[inside])
    for arcs in text.annotate("dep"):
        heads = np.array([[arc.head for arc in arcs]])
        assert are_trees(heads, np.array([len(arcs)])).all()


def test_probabilities_of_arcs_are_their_shares_of_all_trees(tmp_path):
    network = load(toys.exported(toys.setup(CONFIG), tmp_path / "model"))
    random = np.random.default_rng(2)
    sentences = [[toys.WORDS[i] for i in random.integers(0, len(toys.WORDS), n)] for n in (0, 1, 5)]
    text = Text(network, sentences)
    head: Any = text.network.heads["dep"]
    head.temperature = 0.5
    answers = head(text.x, text.block, Request(Asked(scores=True)))
    assert [list(answer) for answer in answers] == text.annotate("dep")
    assert answers[0].scores == [] and answers[1].scores == [1.0]
    [scores] = head.arcs(head.project(text.x), np.array([1]), np.array([5]), [])
    trees = all_dependency_trees(5)
    shares = np.exp([arcs_score(scores.astype(float), tree) / 0.5 for tree in trees])
    for i, (arc, chance) in enumerate(zip(answers[2], answers[2].scores, strict=True)):
        expected = shares[[tree[i] == arc.head for tree in trees]].sum() / shares.sum()
        assert chance == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("loss", ["heads", pytest.param("trees", marks=pytest.mark.slow)])
def test_a_small_set_is_learnt_by_heart(tmp_path, loss):
    sizes = ("gated.units=24", "dependencies.units=24", "dependencies.relations=16")
    settings = (f"network.dependencies.loss={loss}", "train.epochs=15", "train.learning_rate=0.015")
    config = toys.small("dep", *toys.GATED, *(f"network.{size}" for size in sizes), *settings)
    sentences = toys.corpus("dep").train
    made = build(config, {"dep": TaskCorpus(sentences, [("dev", sentences)])}, torch.device("cpu"))
    trainer = made.trainer(tmp_path)
    trainer.run()
    (task,) = made.numbered.tasks
    gold = [arc for s in sentences for arc in s.gold]
    found = [arc for arcs in trainer.predict(task, task.train) for arc in arcs]
    assert np.mean([a == b for a, b in zip(gold, found, strict=True)]) > 0.9


def test_the_sum_over_all_trees_and_its_gradient():
    torch.manual_seed(1)
    lengths = torch.tensor([5, 1, 3])
    scores = (3 * torch.randn(3, 5, 6)).requires_grad_()
    expected = torch.zeros(())
    for rows, n in zip(scores, lengths.tolist(), strict=True):
        trees = [arcs_score(rows, tree) for tree in all_dependency_trees(n)]
        expected = expected + torch.stack(trees).logsumexp(0)
    total = log_arborescences(scores, lengths)
    assert total.item() == pytest.approx(expected.item(), rel=1e-5)
    gradients = [torch.autograd.grad(loss, scores)[0] for loss in (total, expected)]
    assert torch.allclose(*gradients, atol=1e-4)


def test_the_size_of_scores_does_not_matter():
    scores = torch.zeros(1, 3, 4)
    scores[0, :, 0] = 2000
    assert log_arborescences(scores, torch.tensor([3])).item() == pytest.approx(2000 + 2.1972, 1e-6)
