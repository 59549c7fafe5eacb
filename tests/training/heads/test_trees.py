"""The parser by spans: its scores, its likelihood and its best trees, against all trees."""

import math

import pytest
import torch
from torch import Tensor

from senna.annotation.schemes import NO_LABEL, Phrase
from senna.annotation.trees import constituents
from senna.training.build import Setup
from senna.training.heads.trees import TreeHead, log_trees
from senna.training.layers.batch import Batch
from tests import oracles, toys

LENGTHS = [6, 1, 4, 2, 5, 3]


def random_scores(n: int, seed: int = 3) -> Tensor:
    torch.manual_seed(seed)
    return torch.randn(len(LENGTHS), n, n, dtype=torch.float64)


def all_trees(scores: Tensor, lengths: list[int]) -> Tensor:
    """`log_trees` by adding up every tree."""
    total = scores.new_zeros(())
    for own, n in zip(scores, lengths, strict=True):
        trees = oracles.binary_trees(0, n - 1)
        each = [oracles.tree_score(own, tree) + own.new_zeros(()) for tree in trees]
        total = total + torch.stack(each).logsumexp(0)
    return total


@pytest.mark.parametrize("n", [6, 8])
def test_the_sum_over_all_trees_and_its_gradient(n):
    scores = random_scores(n).requires_grad_()
    found = log_trees(scores, torch.tensor(LENGTHS))
    expected = all_trees(scores, LENGTHS)
    torch.testing.assert_close(found, expected)
    (gradient,) = torch.autograd.grad(3 * found, scores)
    torch.testing.assert_close(gradient, 3 * torch.autograd.grad(expected, scores)[0])


def test_sentences_of_one_word_have_one_tree():
    scores = torch.ones(2, 1, 1, requires_grad=True)
    total = log_trees(scores, torch.tensor([1, 1]))
    assert total.item() == 0
    assert torch.autograd.grad(total, scores)[0].abs().sum().item() == 0


def test_large_scores_do_not_overflow():
    scores = 1e4 * random_scores(6).float()
    assert math.isfinite(log_trees(scores, torch.tensor(LENGTHS)).item())


# --------------------------------------------------------------------------- a whole network


@pytest.fixture(scope="module")
def parser() -> tuple[Setup, Batch, Tensor, Tensor]:
    """A network for trees, a batch of sentences of 1 to 6 words, its emissions, scores of spans."""
    made = toys.setup(toys.TREES)
    head = made.model.head("psg")
    sentences = [one for one in made.numbered.tasks[0].train if len(one.forms) < 7]
    batch = made.batches.batch("psg", sentences)
    emissions = made.model("psg", batch)
    return made, batch, emissions, head.layers.spans(emissions)


def label_scores(head: TreeHead, x: Tensor, first: int, last: int) -> Tensor:
    """The scores of the labels of one span of one sentence, (n_labels,)."""
    own = head.layers
    y = own.begin(x[first]) + own.end(x[last])
    scores: Tensor = head.output(torch.relu(y))
    return scores


def test_scores_of_spans_are_of_their_first_and_last_words(parser):
    made, _, emissions, scores = parser
    own = made.model.head("psg").layers
    for i, j in ((0, 0), (0, 3), (2, 1)):
        x = emissions[1]
        left = own.both(torch.relu(own.first(x[i])))
        torch.testing.assert_close(scores[1, i, j], left @ torch.relu(own.last(x[j])))


def test_the_loss_of_trees_is_that_of_all_trees_and_of_labels(parser):
    made, batch, emissions, scores = parser
    head = made.model.head("psg")
    assert isinstance(head, TreeHead) and batch.brackets is not None
    expected = torch.zeros(())
    for row, n in enumerate(batch.lengths.tolist()):
        trees = list(oracles.binary_trees(0, n - 1))
        each = [oracles.tree_score(scores[row], tree) + torch.zeros(()) for tree in trees]
        gold = [(i, j, k) for s, i, j, k in batch.brackets.tolist() if s == row]
        spans = [(i, j) for i, j, _ in gold]
        assert spans in trees
        expected = expected + torch.stack(each).logsumexp(0) - each[trees.index(spans)]
        for i, j, k in gold:
            expected = expected - label_scores(head, emissions[row], i, j).log_softmax(0)[k]
    torch.testing.assert_close(head.loss(emissions, batch), expected)


def test_what_is_found_is_the_best_tree_with_the_best_labels(parser):
    made, batch, emissions, scores = parser
    head = made.model.head("psg")
    assert isinstance(head, TreeHead)
    with torch.no_grad():
        every = head.predict(emissions, batch)
    for row, found in enumerate(every):
        n = int(batch.lengths[row])
        trees = oracles.binary_trees(0, n - 1)
        own = scores[row].detach()
        best = max(trees, key=lambda tree: float(oracles.tree_score(own, tree)))
        names = [
            head.names[int(label_scores(head, emissions[row], *span).argmax())] for span in best
        ]
        spans = [Phrase(i, j + 1, name) for (i, j), name in zip(best, names, strict=True)]
        assert constituents(found) == [one for one in spans if one.label != NO_LABEL]
