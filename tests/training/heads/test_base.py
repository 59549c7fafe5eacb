"""The last layers of a task: what IOBES rules out."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from senna.annotation.schemes import all_tags
from senna.decoding.viterbi import FORBIDDEN
from senna.training.config import NetworkConfig
from senna.training.criteria import GoldBatch, best_tags
from senna.training.heads.base import NetworkOptions, Place
from senna.training.heads.roles import FullRoleHead
from senna.training.heads.tags import TagHead
from tests import oracles

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
