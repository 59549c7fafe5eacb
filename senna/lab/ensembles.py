"""Ensembles: the members compute, and one head per task joins their answers (section 6.4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np

from senna.atomic import make_folder, replacing
from senna.decoding.marginals import scored
from senna.decoding.requests import PLAIN, Request, Scored
from senna.decoding.viterbi import paths_of
from senna.errors import SennaError
from senna.inference.exact import BLOCK, LEVELS, Floats, Weights, whole
from senna.inference.lookup import WordTable
from senna.inference.networks.base import Network, load_network
from senna.inference.workspace import Block, Ints, Workspace
from senna.kinds import output_of
from senna.kinds.head import Head, best_path, name_phrases, read_tags, split_tags
from senna.kinds.tags.head import TagHead
from senna.model.folder import Array, ModelFolder, read_model
from senna.model.schema import damaged
from senna.model.writing import add_about, copy_complete, write_model
from senna.settings import make, text
from senna.tasks import TAGGING, TASKS
from senna.training.start_from import heritage
from senna.version import __version__


class VoteHead:
    """The votes on one task's tags.

    Where as many members are for one tag as for another, the first of these members decides. If the
    tags of most are no phrases, the phrases with most votes are chosen.
    """

    def __init__(self, folder: ModelFolder, task: str, members: Sequence[Head]) -> None:
        tags = read_tags(folder, task)
        n = len(tags)
        moves = np.zeros((n, n), np.float32), np.zeros(n, np.float32)
        is_iobes = output_of(task).kind == "phrases"
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
        other = self.numbers.get("O", 0)  # a user's phrases may have types that no member has
        rows = [[self.numbers.get(t, other) for tags in own for t in tags] for own in answers]
        votes = np.array(rows, np.int64)
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


@dataclass(frozen=True)
class EnsembleConfig:
    """The members of an ensemble."""

    # folders in the ensemble's, no paths
    members: Annotated[
        tuple[str, ...], text(test=str.isalnum, said="is not a member's name", distinct=True)
    ]


class EnsembleNetwork(Network):
    """The members, each with its features, over the same words."""

    SETTINGS: ClassVar = EnsembleConfig

    @classmethod
    def load(cls, folder: ModelFolder, bases: dict[Path, WordTable]) -> EnsembleNetwork:
        return cls(folder, [load_network(member, bases) for member in members_of(folder)])

    def __init__(self, folder: ModelFolder, members: Sequence[Network]) -> None:
        """The members are loaded; they have the tasks and tags of the folder."""
        self.folder, self.tasks, self.members = folder, folder.tasks, list(members)
        self.words = members[0].words
        self.margin = max(member.margin for member in members)
        self.reads = tuple(dict.fromkeys(name for member in members for name in member.reads))
        self.reads_marks = any(member.reads_marks for member in members)
        self.heads = {}
        kind = folder.table.network.kind
        for task in self.tasks:
            if not TASKS[task].is_tagging or any(task not in m.heads for m in members):
                raise damaged(f"its members cannot {kind} on the task {task}", folder.path)
            heads = [member.heads[task] for member in members]
            self.heads[task] = ENSEMBLE_HEADS[kind](folder, task, heads)

    @property
    def lists(self) -> list[Any]:
        return [part for member in self.members for part in member.lists]

    def read(self, block: Block, space: Workspace) -> Block:
        return block

    def encode(self, block: Block, space: Workspace) -> Any:
        """The inputs of each member's heads."""
        return [member.encode(member.read(block, space), space) for member in self.members]


def members_of(folder: ModelFolder) -> list[ModelFolder]:
    """The members of an ensemble; those of a folder whose network.kind is "vote" or "join"."""
    network = folder.meta["network"]
    kind = network["kind"]
    settings = make(
        EnsembleConfig,
        network.get(kind),
        where=str(folder.path / "model.toml"),
        key=f"network.{kind}",
        strict=False,
    )
    members = [read_model(folder.path / name) for name in settings.members]
    for member in members:
        if member.table.network.kind in ENSEMBLE_HEADS:
            raise damaged("an ensemble as a member", member.path)
    return members


def in_order(head: TagHead, x: Floats, lengths: Ints, tags: Sequence[str]) -> Floats:
    """The scores of a head's output layer, (n_words, n_tags), in the order of some tags."""
    return head.scores(x, lengths)[:, [head.names.index(tag) for tag in tags]]


class JoinHead(TagHead):
    """One task's emissions, from those of all members side by side, and its transitions."""

    def __init__(self, folder: ModelFolder, task: str, members: Sequence[Any]) -> None:
        tags = read_tags(folder, task)
        for member in members:
            if not isinstance(member, TagHead) or set(member.names) != set(tags):
                raise damaged(f"a member does not have its tags of {task}", folder.path)
        super().__init__(folder, task, len(members) * len(tags))
        self.members: list[TagHead] = list(members)

    def scores(self, x: Any, lengths: Ints) -> Floats:
        emissions = [
            in_order(member, y, lengths, self.tags)
            for member, y in zip(self.members, x, strict=True)
        ]
        joined = fine_product(np.concatenate(emissions, axis=1), self.weights)
        joined += self.bias
        return joined


def fine_product(x: Floats, weights: Weights) -> Floats:
    """`product` of x in 17 bits: whole numbers, and what is left of each in parts of 2 `LEVELS`."""
    out = np.empty((len(x), weights.shape[1]), np.float32)
    for start in range(0, len(x), BLOCK):
        part, rows = x[start : start + BLOCK], out[start : start + BLOCK]
        numbers, worth = whole(part)
        rest = part / worth
        rest -= numbers
        rest *= 2 * LEVELS
        np.rint(rest, out=rest)
        np.clip(rest, -LEVELS, LEVELS, out=rest)
        weights.apply(rest, rows)
        rows /= 2 * LEVELS
        rows += weights.apply(numbers)
        rows *= worth
    return out


MakeHead = Callable[[ModelFolder, str, Sequence[Any]], Head]
ENSEMBLE_HEADS: dict[str, MakeHead] = {"vote": VoteHead, "join": JoinHead}  # by `network.kind`


# --------------------------------------------------------------------------- the folder


def write_vote(models: Sequence[ModelFolder], out: Path, command: str) -> None:
    """Write an ensemble that tags by the vote of its members.

    Raises SennaError as `check_members` does.
    """
    check_members(models, out)
    note = f"Tags by the vote of {len(models)} models."
    make_folder(out.parent)
    with replacing(out) as place:
        write_members(models, place, "vote", note, command)


def write_members(
    models: Sequence[ModelFolder],
    path: Path,
    kind: str,
    note: str,
    command: str,
    arrays: Mapping[str, Array] | None = None,
    data: Mapping[str, Any] | None = None,
) -> None:
    """Write an ensemble of a kind; arrays: its own layers; data: what these learnt from."""
    first, names = models[0], [str(i) for i in range(1, len(models) + 1)]
    cards = [heritage(model) for model in models]
    learnt: dict[str, Any] = {}
    for card in (*cards, {"data": data or {}}):
        learnt |= card["data"]
    notes = dict.fromkeys(note for card in cards for note in card["notes"][1:])
    meta = {
        "senna": __version__,
        "tasks": first.tasks,
        "use": {name: f"{names[0]}/{name}" for name in TASKS if first.used(name) is not None},
        "features": {"forms": [], "longest": 1, "tags": [], "marks": False},
        "network": {"kind": kind, "constrained": True, "paths": True, kind: {"members": names}},
        "notes": [note, *notes],
        "made": {"command": command, "senna": __version__},
        "data": learnt,
    }
    texts = {f"{task}.tags.txt": first.lines(f"{task}.tags.txt") for task in first.tasks}
    write_model(path, meta, dict(arrays or {}), texts)
    for name, model in zip(names, models, strict=True):
        copy_complete(model.path, path / name)
    add_about(path, {})


def check_members(models: Sequence[ModelFolder], out: Path) -> None:
    """Raise SennaError for models that make no ensemble, or a folder that is there already.

    They are of other tasks or tags, one comes twice, or their tasks do not give words tags.
    """
    if len(models) < 2:
        raise SennaError("an ensemble needs several models", remedy="Give two or more.")
    first = models[0]
    for task in first.tasks:
        if task not in TAGGING:
            what = f"{task} does not tag words; an ensemble is of tasks that do"
            raise SennaError(what, where=str(first.path))
    if out.exists():
        raise SennaError(
            "the folder already exists", where=str(out), remedy="Choose another --out."
        )
    digests: dict[str, Path] = {}
    for model in models:
        where = str(model.path)
        if model.table.network.kind in ENSEMBLE_HEADS:
            raise SennaError("this is already an ensemble", where=where, remedy="Give its members.")
        if model.tasks != first.tasks:
            there, here = ", ".join(model.tasks) or "none", ", ".join(first.tasks) or "none"
            what = f"it has the tasks {there}, but {first.path} has {here}"
            raise SennaError(what, where=where)
        same = digests.setdefault(_digest(model), model.path)
        if same != model.path or [m.path for m in models].count(same) > 1:
            raise SennaError(f"the same model twice, as {same}", where=where)
        for task in model.tasks:
            tags, others = (set(m.lines(f"{task}.tags.txt")) for m in (model, first))
            if tags != others:
                what = f"tags of {task} differ from those of {first.path}: {min(tags ^ others)}"
                raise SennaError(what, where=where)
        for name in TASKS:
            used = (m.used(name) for m in (model, first))
            if len({path and _digest(read_model(path)) for path in used}) > 1:
                what = f"it reads another model of {name} than {first.path}"
                raise SennaError(what, where=where)


def _digest(model: ModelFolder) -> str:
    """A key that is the same for equal models, wherever they are."""
    return str(sorted((name, file["sha256"]) for name, file in model.meta["files"].items()))


NETWORK = EnsembleNetwork
