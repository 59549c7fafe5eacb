"""An ensemble's first kind: each word gets the tag of most members (section 6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from senna.answers import output_of
from senna.errors import SennaError
from senna.heads.base import Head, best_path, name_phrases, read_tags, split_tags
from senna.model.folder import ModelFolder
from senna.paths.confidence import PLAIN, Request, Scored
from senna.paths.marginals import scored
from senna.paths.viterbi import paths_of
from senna.products.workspace import Block, Ints


class VoteHead:
    """The votes on one task's tags.

    Where as many members are for one tag as for another, the first of these members decides. If the
    tags of most are no phrases, the phrases with most votes are chosen.
    """

    def __init__(self, folder: ModelFolder, task: str, members: Sequence[Head]) -> None:
        tags = read_tags(folder, task)
        n = len(tags)
        moves = np.zeros((n, n), np.float32), np.zeros(n, np.float32)
        is_iobes = output_of(task).is_iobes
        paths, final = paths_of(tags, *moves, constrained=is_iobes)
        self.paths = paths if is_iobes else None
        self.names = [tags[i] for i in paths.order]
        self.final = final[paths.order]
        self.numbers = {name: i for i, name in enumerate(self.names)}
        self.members = list(members)

    def __call__(self, x: Any, block: Block, request: Request = PLAIN) -> Sequence[list[str]]:
        """The tags of each sentence; x is what each member gives."""
        lengths, asked = block.lengths, request.asked
        if asked.n_best > 1:
            raise SennaError("an ensemble has one tagging of a sentence", where="--nbest")
        if not lengths.sum():
            return [Scored() if asked else [] for _ in lengths]
        plain = Request(fixed=request.fixed)
        answers = [member(y, block, plain) for member, y in zip(self.members, x, strict=True)]
        votes = self._ballots(answers)
        counts = np.zeros((votes.shape[1], len(self.names)), np.float32)
        words = np.arange(len(counts))
        for tags in votes:
            counts[words, tags] += 1
        most = counts.max(axis=1)
        chosen = votes[-1]
        for tags in votes[::-1]:  # the first comes last, and stays
            chosen = np.where(counts[words, tags] == most, tags, chosen)
        scores = counts.copy()
        scores[words, chosen] += 0.5  # a tie: fewer than a vote
        ends = np.cumsum(lengths)[lengths > 0] - 1
        scores[ends] += self.final
        path = best_path(self.paths, scores, lengths)
        if asked:
            # The share of votes, a little of it for tags that nobody has chosen.
            shares = np.log((counts + 1 / len(self.names)) / (len(votes) + 1))
            shares[ends] += self.final
            answer: Sequence[list[str]]
            answer = scored(self.names, self.paths, shares, lengths, path, asked, 1.0)
        else:
            answer = split_tags([self.names[i] for i in path.tolist()], lengths)
        for tags_, phrases in zip(answer, request.fixed, strict=False):
            name_phrases(tags_, phrases, self.names)
        return answer

    def _ballots(self, answers: Sequence[Sequence[list[str]]]) -> Ints:
        """The numbers of all members' tags, (n_members, n_words)."""
        other = self.numbers.get("O", 0)  # a user's phrases may have types that no member has
        get = self.numbers.get
        rows = [[get(tag, other) for tags in answer for tag in tags] for answer in answers]
        return np.array(rows, np.int64)
