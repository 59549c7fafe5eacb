"""An ensemble's second kind: a linear layer over the emissions of its members (section 6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from senna.errors import SennaError
from senna.heads.base import read_tags
from senna.heads.tags import TagHead
from senna.model.folder import ModelFolder
from senna.model.schema import AGAIN
from senna.products.exact import Floats, fine_product
from senna.products.workspace import Ints


def in_order(head: TagHead, x: Floats, lengths: Ints, tags: Sequence[str]) -> Floats:
    """The scores of a head's output layer, (n_words, n_tags), in the order of some tags."""
    return head.scores(x, lengths)[:, [head.names.index(tag) for tag in tags]]


class JoinHead(TagHead):
    """One task's emissions, from those of all members side by side, and its transitions."""

    def __init__(self, folder: ModelFolder, task: str, members: Sequence[Any]) -> None:
        tags = read_tags(folder, task)
        for member in members:
            if not isinstance(member, TagHead) or set(member.names) != set(tags):
                what = f"a member does not have its tags of {task}"
                raise SennaError(what, where=str(folder.path), mend=AGAIN)
        super().__init__(folder, task, len(members) * len(tags))
        self.members: list[TagHead] = list(members)

    def scores(self, x: Any, lengths: Ints) -> Floats:
        """See `TagHead.scores`; x is what each member's network gives."""
        emissions = [
            in_order(member, y, lengths, self.tags)
            for member, y in zip(self.members, x, strict=True)
        ]
        joined = fine_product(np.concatenate(emissions, axis=1), self.weights)
        joined += self.bias
        return joined
