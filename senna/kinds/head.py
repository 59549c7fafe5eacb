"""The base class of the heads that tag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from senna.annotation.schemes import Phrase, all_tags, tags_of
from senna.decoding.requests import PLAIN, Request, Scored
from senna.decoding.viterbi import Dense, Paths
from senna.inference.exact import Floats
from senna.inference.workspace import Block, Ints
from senna.kinds import output_of
from senna.model.folder import ModelFolder
from senna.model.schema import damaged


def read_tags(folder: ModelFolder, task: str) -> list[str]:
    """The tags of a task; SennaError if there are none, or if no model can have them."""
    tags, output = folder.lines(f"{task}.tags.txt"), output_of(task)
    known = output.vocabulary(tags)
    whole = output.kind != "roles" or tags == all_tags(tag[2:] for tag in tags[1::4])
    if not (len(set(tags)) == len(tags) > 0 and {*tags} <= {*known} and whole):
        raise damaged(f"no tags for {output.kind}", folder.path / f"{task}.tags.txt")
    return tags


def best_path(paths: Dense | None, scores: Floats, lengths: Ints) -> Paths:
    """The best paths, or the best tag of each word by itself; scores (n_words, n_tags)."""
    return scores.argmax(axis=1) if paths is None else paths.decode(scores, lengths)


def split_tags(tags: list[str], lengths: Ints) -> list[list[str]]:
    """Tags that lie end to end as those of each sentence."""
    ends = np.cumsum(lengths)
    return [tags[end - n : end] for end, n in zip(ends.tolist(), lengths.tolist(), strict=True)]


def name_phrases(tags: list[str], phrases: Sequence[Phrase], names: Sequence[str]) -> None:
    """Write the fixed phrases whose type the model does not have in the place of their O."""
    paths = tags.paths if isinstance(tags, Scored) else []
    for start, end, label in phrases:
        new = tags_of([Phrase(0, end - start, label)], end - start, "iobes")
        if not set(new) <= set(names):
            for path in (tags, *(path.tags for path in paths)):
                path[start:end] = new


def temperature_of(folder: ModelFolder, task: str) -> float:
    """The temperature of a task: path scores are divided by it to become probabilities."""
    return folder.table.temperature.get(task, 1.0)


class Head(Protocol):
    """The head of one task above a network's last layer."""

    def __call__(self, x: Floats, block: Block, request: Request = PLAIN) -> Sequence[Any]:
        """The answer of the task for each sentence; x is what `Network.encode` gave."""
