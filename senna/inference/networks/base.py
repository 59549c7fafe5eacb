"""The base class of the networks that tag, and how they are loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from senna.errors import SennaError
from senna.inference.first_layer import FirstLayer
from senna.inference.lookup import WordTable, load_words
from senna.inference.workspace import Block, Ints, Workspace
from senna.kinds.head import Head
from senna.model.folder import ModelFolder
from senna.model.schema import damaged
from senna.registry import HEADS, NETWORKS, TRIMMED
from senna.settings import make
from senna.tasks import PARSER, TASKS, TREE_LEVELS
from senna.text.vocabulary import RARE, Vocabulary

MakeHead = Callable[[ModelFolder, str], Head]


class Network:
    """One loaded model folder: form numbers, and context features, to what its tasks find.

    It never changes: what else a call needs comes with the call.
    """

    SETTINGS: ClassVar[type[Any]]  # its table, in a configuration and in model.toml
    heads: dict[str, Head]

    def __init__(
        self, folder: ModelFolder, words: WordTable, window: int, units: int | Mapping[str, int]
    ) -> None:
        """units: of "layer-0", or by name of several linear layers that are the first together."""
        layers = {"layer-0": units} if isinstance(units, int) else units
        self.first = FirstLayer(folder, words, window, layers)
        self.margin = window // 2  # paddings between sentences
        marks = self.first.encoder.features.marks
        self.connect(folder, words, list(self.first.vocabularies), marks)

    @classmethod
    def load(cls, folder: ModelFolder, bases: dict[Path, WordTable]) -> Network:
        """The network of a folder; `bases` as in `load_network`."""
        table, where = folder.meta["network"], str(folder.path / "model.toml")
        kind = table["kind"]
        settings = make(
            cls.SETTINGS, table.get(kind), where=where, key=f"network.{kind}", strict=False
        )
        return cls(folder, load_words(folder, bases), settings)  # type: ignore[call-arg]

    def connect(
        self, folder: ModelFolder, words: WordTable, names: Sequence[str], marks: bool
    ) -> None:
        """Set its folder and words, and the tasks whose answers it reads.

        names: of its features of sentences; marks: whether it reads those of `text.capitals`.
        Trees are read too if they are a feature; levels of trees are computed from these, or must
        come with the input.
        """
        self.folder, self.tasks, self.words, self.reads_marks = folder, folder.tasks, words, marks
        features = folder.table.features
        self.levels = [name for name in names if name in TREE_LEVELS and features.levels == "model"]
        trees = (PARSER,) if features.tree or self.levels else ()
        self.reads = (*(name for name in names if name not in self.levels), *trees)

    def add_heads_above(self, units: int, settings: Any) -> None:
        """A head for each task, of any kind: each reads the `units` that a word has."""
        self.heads = {
            task: HEADS[TASKS[task].head](self.folder, task, units, settings) for task in self.tasks
        }
        for head in self.heads.values():
            if hasattr(head, "words"):  # it looks words up
                head.words = self.words.words

    def add_heads(self, **kinds: MakeHead) -> None:
        """A head for each task, of the network's own kinds alone."""
        self.heads = {}
        for task in self.tasks:
            make = kinds.get(TASKS[task].head)
            if make is None:
                what = f"a network of this kind cannot have the task {task}"
                raise damaged(what, self.folder.path)
            self.heads[task] = make(self.folder, task)

    @property
    def lists(self) -> list[Any]:
        """The parts that have phrase lists, each as its `gazetteer`."""
        return [] if self.first.phrases is None else [self.first.phrases]

    def read(self, block: Block, space: Workspace) -> Block:
        """The block with the features that the first layer takes in addition to forms."""
        first, earlier = self.first, self.with_levels(block)
        ids = {
            name: tag_ids(known, earlier[name], block.flat, block.places)
            for name, known in first.vocabularies.items()
        }
        marks = None
        if first.phrases is not None:
            marks = first.phrases.marks(block.forms, block.flat, block.places)
        return block._replace(tags=ids, marks=marks)

    def with_levels(self, block: Block) -> dict[str, Any]:
        """The answers of earlier tasks, and the levels of trees that it reads."""
        earlier = dict(block.earlier)
        if self.levels:
            pairs = zip(earlier[PARSER], block.lengths.tolist(), strict=True)
            rows = [TRIMMED["levels"].levels_of(tree, n, len(self.levels)) for tree, n in pairs]
            earlier |= {name: [row[name] for row in rows] for name in self.levels}
        return earlier

    def encode(self, block: Block, space: Workspace) -> Any:
        """The input of all heads, (n_words, units): computed once, whatever tasks are asked for."""
        raise NotImplementedError


def tag_ids(known: Vocabulary, tags: Sequence[Sequence[str]], flat: Ints, places: Ints) -> Ints:
    """Rows of the tags of a feature laid out like `flat`; padding between sentences."""
    get = known.rows.get
    ids = np.zeros(len(flat), np.int64)
    ids[places] = [get(tag, RARE) for row in tags for tag in row]
    return ids


# --------------------------------------------------------------------------- loading


def load_network(folder: ModelFolder, bases: dict[Path, WordTable]) -> Network:
    """The network of a model folder, of the kind that its model.toml names.

    bases: the base tables that are loaded already; one that the folder needs is added.
    """
    kind = folder.table.network.kind
    if kind not in NETWORKS:
        what, where = f"network.kind = {kind!r:.60} is not known", str(folder.path / "model.toml")
        raise SennaError(what, where=where, remedy="Install a newer senna.")
    if folder.table.features.states:
        kind = "states"  # their network computes them
    network: Network = NETWORKS[kind].load(folder, bases)
    return network
