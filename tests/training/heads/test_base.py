"""The last layers of a task: what IOBES rules out, and trees."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch
from torch import Tensor

from senna.annotation.schemes import NO_LABEL, Phrase, all_tags
from senna.annotation.trees import constituents
from senna.decoding.viterbi import FORBIDDEN
from senna.training.build import Setup
from senna.training.config import NetworkConfig
from senna.training.criteria import GoldBatch, best_tags
from senna.training.heads.base import NetworkOptions, Place
from senna.training.heads.roles import FullRoleHead
from senna.training.heads.tags import TagHead
from senna.training.heads.trees import TreeHead
from senna.training.layers.batch import Batch
from tests import oracles, toys

NAMES = all_tags(["A0", "V"])


def test_close_rules_out_open_phrases_at_the_last_word_only():
    names = ["O", "B-X", "S-X"]
    head = TagHead(Place("ner", names, 2, NetworkOptions()))
    found = head(torch.zeros(2, 3, 2), rows(torch.tensor([3, 1])))
    where = (found == FORBIDDEN).nonzero().tolist()
    assert where == [[0, 2, 1], [1, 0, 1]]
    free = NetworkOptions(NetworkConfig(constrained=False))
    for options, is_iobes in ((NetworkOptions(), False), (free, True)):
        head = TagHead(Place("ner", names, 2, options), is_iobes)
        assert not head.forbidden.any()


def rows(lengths: torch.Tensor) -> Any:
    """All that a head asks of a batch whose rows have these lengths."""
    return SimpleNamespace(gold_lengths=lengths, pairs=None)


def test_path_scores_rule_out_what_iobes_does():
    made = toys.setup(toys.SMALL)
    transitions, initial = made.model.head("ner").paths()
    names = made.collected.tags["ner"]
    assert initial[names.index("E-PER")] == FORBIDDEN
    assert initial[names.index("B-PER")] > -10
    for i, left in enumerate(names):
        for j, right in enumerate(names):
            assert (transitions[i, j] != FORBIDDEN) == oracles.follows(left, right)


@pytest.mark.parametrize("constrained", [True, False])
def test_roles_with_a_score_for_each_two_tags(constrained):
    """The criterion and the best path over all paths, or over those that IOBES allows."""
    options = NetworkOptions(NetworkConfig(constrained=constrained))
    head = FullRoleHead(Place("srl", NAMES, 2, options))
    torch.manual_seed(2)
    with torch.no_grad():
        for weights in head.parameters():
            weights.copy_(torch.randn_like(weights))
    lengths = torch.tensor([4, 1, 3])
    emissions = head(torch.randn(3, 4, 2), rows(lengths)).detach()
    gold = [["B-A0", "E-A0", "O", "S-V"], ["S-V"], ["O", "S-A0", "S-V"]]
    tags = torch.zeros(3, 4, dtype=torch.long)
    expected, best = torch.zeros(()), []
    own = [head.transitions.detach(), head.initial.detach()]
    for row, names in enumerate(gold):
        n = len(names)
        tags[row, :n] = torch.tensor([NAMES.index(name) for name in names])
        paths = [
            path
            for path in oracles.all_paths(n, len(NAMES))
            if not constrained or oracles.is_valid(path, NAMES)
        ]
        scores = oracles.path_scores(emissions[row], *own, paths)
        right = scores[paths.index(tuple(tags[row, :n].tolist()))]
        expected = expected + scores.logsumexp(0) - right
        best.append([NAMES[i] for i in paths[int(scores.argmax())]])
    loss = head.criterion.loss(emissions, GoldBatch(tags, lengths), head.paths())
    torch.testing.assert_close(loss, expected)
    found = best_tags(emissions, lengths, head.paths())
    assert [NAMES[i] for i in found] == [name for names in best for name in names]


# --------------------------------------------------------------------------- trees


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
