"""A pipeline: the models of the tasks asked for, and those that they need, run in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from senna.errors import SennaError
from senna.infer.confidence import TAGS_ALONE, Asked, certain
from senna.infer.decode.trees import TreeHead
from senna.infer.lookup import WordTable, load_words
from senna.infer.network import Network
from senna.infer.networks import load_network
from senna.infer.parts import Parts
from senna.infer.phrases import Lists, with_phrases
from senna.infer.threads import one_thread
from senna.infer.workspace import Block, Ints, Workspace
from senna.model.folder import ModelFolder, model_path, read_model, shipped
from senna.model.schema import AGAIN
from senna.outputs import output_of
from senna.tasks import TAGGING, TASKS, in_order
from senna.text.capitals import as_read
from senna.text.constituents import tree_of
from senna.text.features import RARE, Vocabulary
from senna.text.gazetteer import Gazetteer
from senna.text.roles import Predicate, regular, verbal
from senna.text.schemes import Phrase
from senna.text.trees import leaves_of

FINDERS = ("auto", "pos", "given")  # of predicates
BLOCK_WORDS = 4_096  # words tagged together
BLOCK_SENTENCES = 512

Tags = dict[str, list[list[str]]]  # task -> sentence -> tags
Given = Mapping[str, Sequence[Sequence[str]]]  # the same, of columns that come with the input
# What is found of sentences, by task in the table's order: for each sentence its tags (IOBES, or
# plain), or for roles its predicates.
Annotation = dict[str, list[Any]]


class Pipeline:
    """Loaded models; `annotate` takes tokenised sentences. Several threads may call it at once.

    `finder` says how the predicates of srl are found: "auto" by a model, "pos" by parts of speech,
    "given": they come with the sentences. With `asked` tags are `Scored`. `fixed` are names that
    are so wherever they stand.
    """

    def __init__(
        self,
        tasks: Sequence[str],
        networks: Sequence[Network],
        finder: str = "auto",
        asked: Asked = TAGS_ALONE,
        fixed: Gazetteer | None = None,
    ) -> None:
        self.tasks = tuple(tasks)
        self.networks = list(networks)
        self.finder, self.asked, self.fixed = finder, asked, fixed
        # Of two models that know a task the later one serves: the first is there for its tags,
        # which some model reads.
        self.owners = {task: network for network in networks for task in network.tasks}
        self.margin = max(network.margin for network in networks)
        self.marks = any(network.reads_marks for network in networks)
        self._wire()
        # What calls have used and the next ones may use again; each belongs to one call at a time.
        self._idle: deque[Workspace] = deque()

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: the models alone."""
        return {**self.__dict__, "_idle": deque()}

    def _wire(self) -> None:
        """Which tasks each model is run for, and from which model each takes its features."""
        place = {id(network): i for i, network in enumerate(self.networks)}
        leaves = ["pos"] if needs(self.tasks, "pos") else []  # what stands on the leaves of trees
        wanted = in_order([*self.tasks, *leaves])
        self.output = {t: place[id(self.owners[t])] for t in wanted if t in self.owners}
        self.serves: list[set[str]] = [set() for _ in self.networks]
        for task, i in self.output.items():
            self.serves[i].add(task)
        self.sources: list[dict[str, int]] = []
        self.missing: set[str] = set()  # features that must come with the input
        for i, network in enumerate(self.networks):
            before = {t: k for k, other in enumerate(self.networks[:i]) for t in other.tasks}
            features = [*network.first.vocabularies, *(["psg"] if network.reads_trees else [])]
            self.sources.append({name: before[name] for name in features if name in before})
            self.missing.update(name for name in features if name not in before)
            for name, k in self.sources[i].items():
                self.serves[k].add(name)
        self.found_by: int | None = None
        needed = {"auto": "predicates", "pos": "pos"}.get(self.finder)
        if needs(self.tasks, "predicates") and needed is not None:
            makers = [i for i, network in enumerate(self.networks) if needed in network.tasks]
            if not makers:
                raise _no_finder(needed)
            self.found_by = makers[0]  # the finder that was asked for stands first
            self.serves[self.found_by].add(needed)

    @classmethod
    def load(
        cls,
        tasks: Sequence[str] | None = None,
        model: Path | None = None,
        predicates: str | Path = "auto",
        asked: Asked = TAGS_ALONE,
        lists: Lists = MappingProxyType({}),
        force: bool = False,
    ) -> Pipeline:
        """Load the package's models for `tasks` (all by default), or one's own model folder.

        `predicates` is a finder (see the class), or the folder of a model that finds them. `lists`
        are phrases that models know beside their own lists, or (`force`) that are names.
        """
        if model is not None:
            folder = read_model(model)
            chosen, folders = _chosen(tasks, folder.tasks, str(model)), [folder]
        else:
            ready = shipped()
            chosen = _chosen(tasks, list(ready), "the package")
            folders = [read_model(path) for path in dict.fromkeys(ready[t] for t in chosen)]
        finder = "auto" if isinstance(predicates, Path) else predicates
        if needs(chosen, "predicates"):
            folders = _with_finder(folders, predicates)
        if needs(chosen, "pos"):
            folders = _with_pos(folders)
        networks = cls._networks(folders, finder)
        fixed = with_phrases(networks, lists, force) if lists or force else None
        return cls(chosen, networks, finder, asked, fixed)

    @classmethod
    def _networks(cls, folders: list[ModelFolder], finder: str) -> list[Network]:
        """The models of some folders, each after those whose tags it reads."""
        bases = dict[Path, WordTable]()
        loaded: dict[Path, Network] = {}

        def add(folder: ModelFolder, users: tuple[Path, ...]) -> None:
            path = folder.path.resolve()
            if path in loaded:
                return
            if path in users:
                what = "models that need each other, in a circle"
                raise SennaError(what, where=str(folder.path), mend=AGAIN)
            for name in TASKS:
                need = folder.used(name)
                if need is not None and (name != "predicates" or finder == "auto"):
                    add(read_model(need), (*users, path))
            loaded[path] = _network(folder, bases)

        for folder in folders:
            add(folder, ())
        return list(loaded.values())

    @property
    def needs_pos_column(self) -> bool:
        """Whether a model wants the input's own part-of-speech column."""
        return "pos" in self.missing

    def known_words(self, task: str) -> frozenset[str]:
        """The normalised words that the model of a task saw in training."""
        table = self.owners[task].first.encoder.words
        entries = table.words.entries
        rows = table.trained if table.trained is not None else range(len(entries))
        return frozenset(entries[row] for row in rows if row > 1)

    def tag(
        self, sentences: Sequence[Sequence[str]], pos: Sequence[Sequence[str]] | None = None
    ) -> Tags:
        """Tag tokenised sentences: tags of each task in IOBES, parts of speech plain.

        `pos` is the input's own part-of-speech column, for models trained on one. The tags do
        not depend on which sentences are tagged together. Roles are left out: see `roles`.
        """
        found = self.annotate(sentences, {} if pos is None else {"pos": pos})
        return {task: found[task] for task in TAGGING if task in found}

    def roles(
        self,
        sentences: Sequence[Sequence[str]],
        predicates: Sequence[Sequence[int]] | None = None,
        given: Given = MappingProxyType({}),
    ) -> list[list[Predicate]]:
        """The predicates of tokenised sentences with their roles.

        `predicates` are the tokens, from 0, that are predicates; without them they are found.
        """
        found = self.annotate(sentences, given, predicates)
        if "srl" not in found:
            raise SennaError("no model for task 'srl' is loaded", mend=f"Has {self.tasks}.")
        return found["srl"]

    def annotate(
        self,
        sentences: Sequence[Sequence[str]],
        given: Given = MappingProxyType({}),
        predicates: Sequence[Sequence[int]] | None = None,
    ) -> Annotation:
        """What each task finds in tokenised sentences; for predicates see `roles`.

        It does not depend on which sentences come together. Very long ones are tagged part by
        part (see `Parts`), and no predicates are looked for in them.
        """
        self._check(sentences, given, predicates)
        parts = Parts(sentences)
        given = {name: parts.cut(tags) for name, tags in given.items()}
        if predicates is not None:
            predicates = parts.cut_places(predicates)
        found: Annotation = {task: [] for task in self.output}
        try:
            space = self._idle.pop()
        except IndexError:
            space = Workspace()
        # Weights of a damaged folder may be too large; that is seen in what it finds.
        with one_thread(), np.errstate(over="ignore", invalid="ignore"):
            for block in blocks(parts.sentences):
                own = {name: tags[block] for name, tags in given.items()}
                places = None if predicates is None else predicates[block]
                made = self._annotate_block(parts.sentences[block], own, places, space)
                for task, i in self.output.items():
                    found[task] += made[i][task]
        self._idle.append(space)
        for task, rows in found.items():
            if output_of(task).gives == "roles":
                found[task] = parts.join_roles(rows, predicates is not None)
            elif output_of(task).gives == "trees":
                leaves = map(leaves_of, sentences, found["pos"])
                found[task] = list(map(tree_of, parts.join_phrases(rows), leaves))
            else:
                found[task] = parts.join_tags(rows)
            if self.asked.least:
                found[task] = [certain(own, self.asked.least) for own in found[task]]
        return {task: found[task] for task in self.tasks}

    def _check(
        self,
        sentences: Sequence[Sequence[str]],
        given: Given,
        predicates: Sequence[Sequence[int]] | None,
    ) -> None:
        for i, forms in enumerate(sentences):
            if isinstance(forms, str):
                what = f"sentence {i + 1} is a text, {forms[:40]!r}, not a list of words"
                raise SennaError(what, mend="Split it, or call nlp(text).")
        for name, column in given.items():
            if list(map(len, column)) != list(map(len, sentences)):
                raise SennaError(f"as many {TASKS[name].about} are needed as there are words")
        for name in sorted(self.missing - set(given)):
            raise SennaError(
                f"the model was trained with a column of {TASKS[name].about}, the input has none",
                where="input",
                mend="Give columns word, part of speech with --input columns."
                if name == "pos"
                else f"Train with features.tags.{name}.source=model.",
            )
        if not needs(self.tasks, "predicates"):
            return
        if predicates is None:
            if self.finder == "given":
                raise SennaError("no predicates are given for the sentences")
            return
        if len(predicates) != len(sentences):
            what = f"predicates of {len(predicates)} sentences, but there are {len(sentences)}"
            raise SennaError(what)
        for forms, places in zip(sentences, predicates, strict=True):
            if any(not 0 <= place < len(forms) for place in places):
                raise SennaError(
                    f"predicate {max(places) + 1} in a sentence of {len(forms)} tokens: "
                    f"{' '.join(forms[:8])}"
                )

    def _annotate_block(
        self,
        sentences: Sequence[Sequence[str]],
        given: Given,
        predicates: Sequence[Sequence[int]] | None,
        space: Workspace,
    ) -> list[Annotation]:
        """What each model finds, by task."""
        read = list(map(as_read, sentences)) if self.marks else sentences
        flat, places = space.number(read, self.margin)
        lengths = np.array([len(forms) for forms in sentences], np.int64)
        made: list[Annotation] = []
        for i, network in enumerate(self.networks):
            found: Annotation = {}
            made.append(found)
            if not self.serves[i]:
                continue
            own = {name: made[k][name] for name, k in self.sources[i].items()}
            first = network.first
            ids = {
                name: tag_ids(known, own[name] if name in own else given[name], flat, places)
                for name, known in first.vocabularies.items()
            }
            trees = own.get("psg", ())
            fixed = self._fixed(sentences, space) if "ner" in self.serves[i] else []
            marks = first.marks(sentences, flat, places, space)
            x = network.encode(Block(flat, places, lengths, ids, marks), space)
            for task in in_order(self.serves[i]):
                head = network.heads[task]
                asked = self.asked if task in self.tasks else TAGS_ALONE
                if isinstance(head, TreeHead):
                    found[task] = head.parse(x, sentences)
                    continue
                if not needs([task], "predicates"):
                    own_fixed = fixed if task == "ner" else ()
                    found[task] = list(head(x, lengths, asked=asked, fixed=own_fixed))
                    continue
                chosen = self._places(sentences, made) if predicates is None else predicates
                ordered = [sorted(set(own)) for own in chosen]
                roles = head(x, lengths, ordered, trees, asked)
                pairs = zip(ordered, roles, strict=True)
                found[task] = [list(map(regular, *pair)) for pair in pairs]
        return made

    def _fixed(self, sentences: Sequence[Sequence[str]], space: Workspace) -> list[list[Phrase]]:
        """The names of each sentence that the user's own lists fix."""
        if self.fixed is None:
            return []
        known = space.beginnings.setdefault(id(self.fixed), {})
        return [self.fixed.find(forms, known) for forms in sentences]

    def _places(
        self, sentences: Sequence[Sequence[str]], made: list[Annotation]
    ) -> list[list[int]]:
        """The predicates of sentences, by a model's tags or by parts of speech."""
        assert self.found_by is not None
        tags = made[self.found_by]
        if self.finder == "pos":
            return [verbal(*both) for both in zip(sentences, tags["pos"], strict=True)]
        return [[i for i, tag in enumerate(own) if tag != "O"] for own in tags["predicates"]]


def finder_of(predicates: str) -> tuple[str | Path, str]:
    """What --predicates says: a finder for `Pipeline.load`, and a file that lists them, or ""."""
    if predicates in ("auto", "pos"):
        return predicates, ""
    path = model_path(predicates)
    if path.is_dir():
        return path, ""
    if not path.exists():
        mend = "Choose auto, pos, a file or the folder of a model."
        raise SennaError("no such file or folder", where=f"--predicates {predicates}", mend=mend)
    return "given", predicates


def _no_finder(task: str) -> SennaError:
    if task == "pos":
        return SennaError("no model for parts of speech", where="--predicates pos")
    return SennaError(
        "no model that finds predicates is in the package",
        where="--predicates auto",
        mend="Use --predicates pos, a file of them, or the folder of your own model.",
    )


def _with_finder(folders: list[ModelFolder], predicates: str | Path) -> list[ModelFolder]:
    """The folders, after that of the model that tells the predicates, where they have none."""
    if isinstance(predicates, Path):
        folder = read_model(predicates)
        if "predicates" not in folder.tasks:
            raise SennaError("no model for task 'predicates'", where=str(predicates))
        return [folder, *(own for own in folders if own.path != folder.path)]
    needed = {"auto": "predicates", "pos": "pos"}.get(predicates)
    if needed is None or any(needed in own.tasks or own.used(needed) for own in folders):
        return folders
    ready = shipped()
    return [read_model(ready[needed]), *folders] if needed in ready else folders


def _with_pos(folders: list[ModelFolder]) -> list[ModelFolder]:
    """The folders, after that of the package's parts of speech where none of them has these."""
    if any("pos" in own.tasks for own in folders):
        return folders
    ready = shipped()
    if "pos" not in ready:
        what = "no model for parts of speech, which the words of trees have, is in the package"
        raise SennaError(what, where="pos")
    return [read_model(ready["pos"]), *folders]


def _network(folder: ModelFolder, bases: dict[Path, WordTable]) -> Network:
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return load_network(folder, load_words(folder, bases))
    except (KeyError, IndexError, TypeError, ValueError) as error:
        what = f"its parts do not fit together: {error!r}"
        raise SennaError(what, where=str(folder.path), mend=AGAIN) from error


def _chosen(tasks: Sequence[str] | None, ready: list[str], where: str) -> list[str]:
    if not ready:
        raise SennaError("no models in it", where=where, mend="`senna train` makes one.")
    if tasks and "all" in tasks:
        return in_order(ready)
    default = [task for task in ready if not TASKS[task].aside] or ready
    for task in tasks or ():
        if task not in ready:
            mend = f"It has {', '.join(ready)}."
            raise SennaError(f"no model for task {task!r}", where=where, mend=mend)
    return in_order(tasks or default)


def blocks(sentences: Sequence[Sequence[str]]) -> Iterator[slice]:
    """Slices of some thousand words each; a longer sentence is a block of its own."""
    start = words = 0
    for i, forms in enumerate(sentences):
        full = words + len(forms) > BLOCK_WORDS or i - start >= BLOCK_SENTENCES
        if full and i > start:
            yield slice(start, i)
            start, words = i, 0
        words += len(forms)
    if start < len(sentences):
        yield slice(start, len(sentences))


def needs(tasks: Iterable[str], other: str) -> bool:
    """Whether one of some tasks needs another one to be done before it."""
    return any(other in TASKS[task].needs for task in tasks)


def tag_ids(known: Vocabulary, tags: Sequence[Sequence[str]], flat: Ints, places: Ints) -> Ints:
    """Rows of the tags of a feature laid out like `flat`; padding between sentences."""
    get = known.rows.get
    ids = np.zeros(len(flat), np.int64)
    ids[places] = [get(tag, RARE) for own in tags for tag in own]
    return ids
