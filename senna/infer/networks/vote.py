"""An ensemble: the members tag, and each word gets the tag of most of them (section 6.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from senna.errors import SennaError
from senna.infer.confidence import PLAIN, Request, scored
from senna.infer.decode.paths import paths_of
from senna.infer.heads import best_path, name_phrases, read_tags, split_tags
from senna.infer.network import Head, Network
from senna.infer.workspace import Block, Ints, Workspace
from senna.model.folder import ModelFolder, read_model
from senna.model.schema import AGAIN
from senna.outputs import output_of
from senna.outputs.scored import Scored
from senna.tasks import TASKS
from senna.toml import build, text


def _is_plain(name: str) -> bool:
    return name.isalnum()  # a folder in the ensemble's, no path


@dataclass(frozen=True)
class VoteConfig:
    """The members of an ensemble."""

    members: tuple[str, ...] = text(fits=_is_plain, wanted="is no name of a member", distinct=True)


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


class VoteNetwork(Network):
    """The members, each with its features, over the same words."""

    SETTINGS: ClassVar = VoteConfig

    def __init__(self, folder: ModelFolder, members: Sequence[Network]) -> None:
        """The members are loaded; they have the tasks and tags of the folder."""
        self.folder, self.tasks, self.members = folder, folder.tasks, list(members)
        self.first = members[0].first
        self.margin = max(member.margin for member in members)
        self.reads = tuple(dict.fromkeys(name for member in members for name in member.reads))
        self.reads_marks = any(member.reads_marks for member in members)
        self.heads = {}
        for task in self.tasks:
            if not TASKS[task].is_tagging or any(task not in m.heads for m in members):
                what = f"its members cannot vote on the task {task}"
                raise SennaError(what, where=str(folder.path), mend=AGAIN)
            self.heads[task] = VoteHead(folder, task, [member.heads[task] for member in members])

    @property
    def first_layers(self) -> list[Any]:
        return [member.first for member in self.members]

    def read(self, block: Block, space: Workspace) -> Block:
        return block

    def encode(self, block: Block, space: Workspace) -> Any:
        """What each member's heads read."""
        return [member.encode(member.read(block, space), space) for member in self.members]


def members_of(folder: ModelFolder) -> list[ModelFolder]:
    """The members of an ensemble; none of another model."""
    network = folder.meta["network"]
    if network["kind"] != "vote":
        return []
    where = str(folder.path / "model.toml")
    settings = build(VoteConfig, network.get("vote"), where=where, key="network.vote", strict=False)
    members = [read_model(folder.path / name) for name in settings.members]
    for member in members:
        if member.meta["network"]["kind"] == "vote":
            raise SennaError("an ensemble as a member", where=str(member.path), mend=AGAIN)
    return members
