"""The last layers of a task: what IOBES rules out."""

from __future__ import annotations

import dataclasses

import torch

from senna.config import NetworkConfig
from senna.text.iobes import FORBIDDEN
from senna.training.heads import TagHead
from tests import oracles, toys


def test_close_rules_out_open_phrases_at_the_last_word_only() -> None:
    names = ["O", "B-X", "S-X"]
    head = TagHead(toys.SMALL, "ner", names, torch.nn.ModuleList(), 2)
    found = head(torch.zeros(2, 3, 2), torch.tensor([3, 1]))
    where = (found == FORBIDDEN).nonzero().tolist()
    assert where == [[0, 2, 1], [1, 0, 1]]
    free = dataclasses.replace(toys.SMALL, network=NetworkConfig(constrained=False))
    for config, task in ((toys.SMALL, "pos"), (free, "ner")):
        head = TagHead(config, task, names, torch.nn.ModuleList(), 2)
        assert not head.forbidden.any()


def test_path_scores_rule_out_what_iobes_does() -> None:
    made = toys.setup(toys.SMALL)
    transitions, initial = made.model.head("ner").path_scores()
    names = made.tags["ner"]
    assert initial[names.index("E-PER")] == FORBIDDEN
    assert initial[names.index("B-PER")] > -10
    for i, left in enumerate(names):
        for j, right in enumerate(names):
            assert (transitions[i, j] != FORBIDDEN) == oracles.follows(left, right)
