"""The models of the tasks asked for, and those that they need, loaded and put in order."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from senna.decoding.requests import TAGS_ALONE, Asked, Request
from senna.errors import SennaError
from senna.inference.lookup import WordTable
from senna.inference.networks.base import Network, load_network
from senna.inference.workspace import Workspace
from senna.kinds.answer import Annotation
from senna.model.folder import ModelFolder, model_path, models_in, read_model, shipped
from senna.model.schema import damaged
from senna.pipeline.memory import amended
from senna.registry import RULES
from senna.tasks import RULED, TASKS, TREE_LEVELS, in_task_order, task_of

if TYPE_CHECKING:
    from senna.kinds.roles.answer import Finder
    from senna.text.gazetteer import Gazetteer

Lists = Mapping[str, Sequence[str]]  # phrases by their types
# A model folder or a folder of them, or one of each of some tasks; else the package's.
ModelNames = Path | Mapping[str, Path] | None
# Tags of each sentence by task, of columns that come with the input; of "psg" its constituents.
Given = Mapping[str, Sequence[Sequence[Any]]]
Sentences = Sequence[Sequence[str]]  # the words of each
Places = Sequence[Sequence[int]]  # of each sentence, the words that are predicates, from 0


def finders_of(tasks: Iterable[str]) -> dict[str, Finder]:
    """How the predicates of some tasks can be found, by name."""
    if not any(TASKS[task].about_predicates for task in tasks):
        return {}
    from senna.kinds.roles.answer import FINDERS

    return FINDERS


AUTO = "auto"  # the usual finder: a model whose only task is to find them


NOTHING: Given = MappingProxyType({})


class Models:
    """Loaded models in the order of what they need; `Pipeline` runs them.

    `finder` says how predicates are found: "auto" by a model, "pos" by parts of speech, "given":
    they come with the sentences. With `asked` tags are `Scored`. `fixed` are names wherever they
    occur. `chosen` are the folders of models that answer for tasks that others know too.
    """

    def __init__(
        self,
        tasks: Sequence[str],
        networks: Sequence[Network],
        finder: str = "auto",
        asked: Asked = TAGS_ALONE,
        fixed: Gazetteer | None = None,
        chosen: Mapping[str, Path] | None = None,
    ) -> None:
        self.tasks = tuple(tasks)
        self.networks = list(networks)
        self.finder, self.asked, self.fixed = finder, asked, fixed
        # Of two models that know a task the later one serves: the first is there for its tags,
        # which some model reads.
        self.owners = {task: network for network in networks for task in network.tasks}
        self.places: dict[Path | None, int] = {}  # of models by their folders, if some are chosen
        if chosen is not None:
            self.places = {network.folder.path.resolve(): i for i, network in enumerate(networks)}
            own = {task: self.places[path.resolve()] for task, path in chosen.items()}
            self.owners |= {task: networks[i] for task, i in own.items()}
        self.margin = max((network.margin for network in networks), default=0)
        self.marks = any(network.reads_marks for network in networks)
        self._wire()
        # What calls have used and the next ones may use again; each belongs to one call at a time.
        self.idle: deque[Workspace] = deque()

    def __getstate__(self) -> dict[str, Any]:
        """The state for another process: the models alone."""
        return {**self.__dict__, "idle": deque()}

    def workspace(self) -> Workspace:
        """One that no other call uses."""
        try:
            return self.idle.pop()
        except IndexError:
            return Workspace()

    def _wire(self) -> None:
        """Which tasks each model is run for, and from which models each takes what it reads."""
        number = {id(network): i for i, network in enumerate(self.networks)}
        wanted = in_task_order([*self.tasks, *needed_by(self.tasks)])
        self.runs = {t: number[id(self.owners[t])] for t in wanted if t in self.owners}
        self.serves: list[set[str]] = [set() for _ in self.networks]
        for task, i in self.runs.items():
            self.serves[i] |= {task, *helpers_of([task], self.networks[i].tasks)}
        self.reads: list[dict[str, int]] = []
        self.missing: set[str] = set()  # features that must come with the input
        for i, network in enumerate(self.networks):
            before = {t: k for k, other in enumerate(self.networks[:i]) for t in other.tasks}
            for task in before if self.places else ():
                before[task] = self.places.get(network.folder.used(task), before[task])
            self.reads.append({name: before[name] for name in network.reads if name in before})
            self.missing.update(name for name in network.reads if name not in before)
            for name, k in self.reads[i].items():
                self.serves[k].add(name)
        self.found_by: int | None = None
        self.search = finders_of(self.tasks).get(self.finder)  # for predicates
        if self.search is not None:
            makers = [
                i for i, network in enumerate(self.networks) if self.search.task in network.tasks
            ]
            if not makers:
                what, where, remedy = self.search.error
                raise SennaError(what, where=where, remedy=remedy)
            self.found_by = makers[0]  # the finder that was asked for stands first
            self.serves[self.found_by].add(self.search.task)

    @classmethod
    def load(
        cls,
        tasks: Sequence[str] | None = None,
        model: ModelNames = None,
        predicates: str | Path = "auto",
        asked: Asked = TAGS_ALONE,
        lists: Lists = MappingProxyType({}),
        force: bool = False,
    ) -> Self:
        """Load the package's models for `tasks` (all by default), or one's own model folder.

        Of a mapping each task has its own folder, and the other tasks have those of the package.
        `predicates` is a finder (see the class), or the folder of a model that finds them. `lists`
        are phrases in addition to the lists of models, or (`force`) that are names.
        """
        chosen, ready = _ready(tasks, model)
        folders = [
            read_model(path) for path in dict.fromkeys(ready[t] for t in chosen if t in ready)
        ]
        finder = AUTO if isinstance(predicates, Path) else predicates
        search = finders_of(chosen).get(finder)
        if search is not None and isinstance(predicates, Path):
            folder = read_model(predicates)
            if search.task not in folder.tasks:
                raise SennaError(
                    f"there is no model for task {search.task!r}", where=str(predicates)
                )
            folders = [folder, *(other for other in folders if other.path != folder.path)]
        elif search is not None and not any(folder.used(search.task) for folder in folders):
            folders = _with_task(folders, search.task, ready)
        for task in needed_by(chosen):
            folders = _with_task(folders, task, ready)
            if not any(task in folder.tasks for folder in folders):
                what = f"the package has no model for {TASKS[task].about}, which other tasks need"
                raise SennaError(what, where=task)
        wanted = {*chosen, *needed_by(chosen), *([search.task] if search is not None else [])}
        for folder in folders:
            wanted.update(folder.table.features.tags)
            wanted.update(helpers_of(wanted.intersection(folder.tasks), folder.tasks))
        networks = cls._networks(folders, finder, frozenset(wanted))
        fixed = None
        if lists or force:
            fixed = with_phrases(networks, lists, force)
        own = {t: ready[t] for t in chosen if t in ready} if isinstance(model, Mapping) else None
        return cls(chosen, networks, finder, asked, fixed, own)

    @classmethod
    def _networks(
        cls, folders: list[ModelFolder], finder: str, tasks: frozenset[str]
    ) -> list[Network]:
        """The models of some folders for some tasks, each after those whose answers it reads."""
        order = dict[Path, ModelFolder]()
        known = {folder.path.resolve(): folder for folder in folders}
        wanted = defaultdict[Path, set[str]](set)  # what each is asked or read for
        unused = "" if finder == AUTO else finders_of(TASKS)[AUTO].task

        def add(folder: ModelFolder, users: tuple[Path, ...], tasks: frozenset[str]) -> None:
            path = folder.path.resolve()
            if path in users:
                raise damaged("the models need each other in a circle", folder.path)
            wanted[path] |= tasks
            if path in order:
                return
            for name in TASKS:
                need = folder.used(name)
                if need is not None and name != unused:
                    other = known.get(need) or read_model(need)
                    add(other, (*users, path), frozenset([name]))
            order[path] = folder

        for folder in folders:
            add(folder, (), tasks)
        bases = dict[Path, WordTable]()
        return [_network(folder.only(wanted[path]), bases) for path, folder in order.items()]

    @property
    def needs_pos_column(self) -> bool:
        """Whether a model wants the input's own part-of-speech column."""
        return any(name in TASKS and TASKS[name].may_be_input_column for name in self.missing)

    def known_words(self, task: str) -> frozenset[str]:
        """The normalised words that the model of a task saw in training; of rules, none."""
        if task not in self.owners:
            return frozenset()
        table = self.owners[task].words
        entries = table.words.entries
        rows = table.trained if table.trained is not None else range(len(entries))
        return frozenset(entries[row] for row in rows if row > 1)

    def labels(self, task: str) -> list[str]:
        """The tags, or labels, that the model of a task, or its rules, can give."""
        if task not in self.owners:
            return list(RULES[task].labels())
        return self.owners[task].folder.lines(f"{task}.tags.txt")

    @property
    def all_labels(self) -> dict[str, list[str]]:
        """The labels of each task."""
        return {task: self.labels(task) for task in self.tasks}

    def complete(self, task: str, sentences: Sentences, answers: Annotation) -> None:
        """Complete the answers of a task by those that it needs."""
        if TASKS[task].head == "trees":
            from senna.annotation.trees import leaves_of, tree_of

            leaves = map(leaves_of, sentences, answers["pos"])
            answers[task] = list(map(tree_of, answers[task], leaves))
        if TASKS[task].names:
            pairs = zip(sentences, answers[task], strict=True)  # arrays: senna.lab.soft_labels
            answers[task] = [amended(*p) if isinstance(p[1], list) else p[1] for p in pairs]

    def needed(self, task: str, answers: list[Annotation], i: int) -> Annotation:
        """Of the tasks that a task of model `i` needs the answers that are there already."""
        ready = {name: of_model[name] for of_model in answers for name in of_model}
        needed = {name: ready[name] for name in TASKS[task].needs if name in ready}
        return needed | {name: answers[i][name] for name in helpers_of([task], answers[i])}

    def request(
        self,
        task: str,
        sentences: Sentences,
        answers: Sequence[Annotation],
        predicates: Places | None,
    ) -> Request:
        """The request to the head of a task; answers: those of each model so far."""
        asked = self.asked if task in self.tasks else TAGS_ALONE
        if TASKS[task].names and self.fixed is not None:
            return Request(asked, fixed=list(map(self.fixed.find, sentences)))
        if not TASKS[task].about_predicates:
            return Request(asked)
        if predicates is None:  # by a model's tags or by parts of speech
            assert self.found_by is not None and self.search is not None
            tags = answers[self.found_by][self.search.task]
            predicates = list(map(self.search.places, sentences, tags))
        return Request(asked, [sorted(set(row)) for row in predicates])

    def check(
        self, sentences: Sentences, given: Given, predicates: Sequence[Sequence[int]] | None
    ) -> None:
        """SennaError for what cannot be tagged: see `Pipeline.annotate`."""
        for name, column in given.items():
            tags = name not in TASKS or TASKS[name].is_tagging
            widths = [len(x) if tags else max((y.end for y in x), default=0) for x in column]
            if widths != list(map(len, sentences)):
                raise SennaError(f"as many {_about(name)} are needed as there are words")
        for name in sorted(self.missing - set(given)):
            remedy = f"Train with features.tags.{name}.source=model."
            if name in TREE_LEVELS:
                remedy = "senna eval takes --levels; or train with features.levels.source=model."
            elif TASKS[name].may_be_input_column:
                remedy = "Give words with parts of speech (--input columns), or CoNLL-U with XPOS."
            what = f"the model was trained with a column of {_about(name)}, the input has none"
            raise SennaError(what, where="input", remedy=remedy)
        if not finders_of(self.tasks):
            return
        if predicates is None:
            if self.finder == "given":
                raise SennaError("no predicates are given", remedy="Name a file, or use nlp.roles.")
            return
        if len(predicates) != len(sentences):
            what = f"predicates of {len(predicates)} sentences, but there are {len(sentences)}"
            raise SennaError(what)
        for forms, places in zip(sentences, predicates, strict=True):
            if not isinstance(places, Collection):
                raise SennaError(f"predicates {places!r} are not a list of numbers")
            for place in places:
                if place not in range(len(forms)):
                    what = f"predicate {place}, counted from 0, of {len(forms)} tokens"
                    raise SennaError(f"{what}: {' '.join(forms[:8])}")


def finder_of(predicates: str) -> tuple[str | Path, str]:
    """The value of --predicates: a finder for `Pipeline.load`, and a file of them, or ""."""
    if predicates == AUTO or predicates in finders_of(TASKS):
        return predicates, ""
    path = model_path(predicates)
    if path.is_dir():
        return path, ""
    if not path.exists():
        remedy = "Choose auto, pos, a file or the folder of a model."
        raise SennaError(
            "no such file or folder", where=f"--predicates {predicates}", remedy=remedy
        )
    return "given", predicates


def _with_task(
    folders: list[ModelFolder], task: str, models: Mapping[str, Path]
) -> list[ModelFolder]:
    """The folders; before them a model for a task, of these or the package, if none has it."""
    ready = {**shipped(), **models}
    if task not in ready or any(task in folder.tasks for folder in folders):
        return folders
    return [read_model(ready[task]), *folders]


def _network(folder: ModelFolder, bases: dict[Path, WordTable]) -> Network:
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            return load_network(folder, bases)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise damaged(f"its parts do not fit together: {error!r}", folder.path) from error


def always(lists: Lists) -> Gazetteer:
    """A user's phrases that are names wherever they occur."""
    from senna.text.gazetteer import Gazetteer

    return Gazetteer(tuple(lists), ()).extended(lists)


def with_phrases(networks: Sequence[Network], lists: Lists, force: bool) -> Gazetteer | None:
    """Add a user's phrases to the lists of models just loaded; or (`force`) what fixes them.

    Each type must be one of which some model has a list; with `force` it may be new.
    """
    where = "--gazetteer"
    if not lists:
        raise SennaError(f"it needs {where}, the phrases", where="--force")
    for kind in lists:
        if not kind or str(kind).split() != [kind]:
            what = f"{kind!r} is not the name of a type" if kind else "a type has no name"
            raise SennaError(what, where=where, remedy="For example PER.")
    if force:
        if not any(TASKS[task].names for network in networks for task in network.tasks):
            raise SennaError("no model of names is loaded", where="--force", remedy="Add task ner.")
        return always(lists)
    layers = [layer for network in networks for layer in network.lists]
    known = {kind for layer in layers if layer.gazetteer for kind in layer.gazetteer.types}
    for kind in lists:
        if kind not in known:
            types = f"Known: {', '.join(sorted(known))}; other types need" if known else "Add"
            what = f"the models have no list of phrases of type {kind!r}"
            raise SennaError(what, where=where, remedy=f"{types} --force.")
    for layer in layers:
        if layer.gazetteer is not None:
            layer.gazetteer = layer.gazetteer.extended(lists)
    return None


def tasks_of(
    tasks: Sequence[str] | None, model: ModelNames = None, more: Sequence[str] = ()
) -> list[str]:
    """The tasks that are run where some are named: all that the package, or a model, has usually.

    Of `more` those are usual that have a model. Raises SennaError for a task that it does not have.
    """
    return _ready(tasks, model, more)[0]


def _ready(
    tasks: Sequence[str] | None, model: ModelNames, more: Sequence[str] = ()
) -> tuple[list[str], dict[str, Path]]:
    """The tasks that are run, and the folder of each task that could be."""
    if model is None:
        ready, where = shipped(), "the package"
    elif isinstance(model, Mapping):
        ready, where = shipped() | _folders(model), "the package and your models"
        usual = _chosen(None, list(shipped()) or list(model), where, more)
        tasks = [*usual, *model] if tasks is None else tasks
    else:
        ready, where = models_in(model), str(model)
    return _chosen(tasks, list(ready), where, more), ready


def _folders(models: Mapping[str, Path]) -> dict[str, Path]:
    """The model folder of each task; SennaError for a folder that has no model for its task."""
    folders = {}
    for task, path in models.items():
        known = models_in(path)
        if task_of(task).name not in known:
            remedy = f"It has {', '.join(known)}."
            raise SennaError(f"there is no model for task {task!r}", where=str(path), remedy=remedy)
        folders[task] = known[task_of(task).name]
    return folders


def _chosen(
    tasks: Sequence[str] | None, ready: list[str], where: str, more: Sequence[str] = ()
) -> list[str]:
    if not ready:
        raise SennaError("the folder has no models", where=where, remedy="`senna train` makes one.")
    ruled = [task for task in tasks or () if task in RULED]
    if tasks and "all" in tasks:
        return in_task_order([*ready, *ruled])
    default = [task for task in ready if not TASKS[task].hidden or task in more] or ready
    for task in tasks or ():
        if task not in ready and task not in ruled:
            remedy = (
                f"It has {', '.join(ready)}. `senna train --task {task_of(task).name}` makes one."
            )
            raise SennaError(f"there is no model for task {task!r}", where=where, remedy=remedy)
    return in_task_order(tasks or default)


def needed_by(tasks: Iterable[str]) -> list[str]:
    """The tasks that complete the answers of some tasks."""
    return [name for task in tasks for name in TASKS[task].needs]


def helpers_of(tasks: Iterable[str], known: Collection[str]) -> list[str]:
    """The tasks that help to find the answers of some tasks, of those that their model knows."""
    return [name for task in tasks for name in TASKS[task].helped_by if name in known]


def _about(name: str) -> str:
    """A description of a column: the tags of a task or a level of trees."""
    return TASKS[name].about if name in TASKS else f"parse trees ({name.replace('-', ' ')})"
