"""A pipeline: the models of the tasks asked for, and those that they need, run in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.infer.first_layer import Block, Forms, Ints
from senna.infer.lookup import WordTable, load_words
from senna.infer.model_folder import ModelFolder, read_model, shipped
from senna.infer.network import Tagger
from senna.infer.taggers import load_tagger
from senna.text.features import Vocabulary
from senna.text.roles import Predicate, regular, verbal

ORDER = ("pos", "pt0", "chunk", "ner", "predicates", "srl", "psg")  # of tasks, in output
BY_NAME = ("pt0", "predicates")  # tasks that serve others: printed only where asked for by name
FEATURES = ("pos", "pt0")  # tasks whose tags are features of other models
FINDERS = ("auto", "pos", "given")  # of predicates
BLOCK_WORDS = 4_096  # words tagged together
BLOCK_SENTENCES = 512

Tags = dict[str, list[list[str]]]  # task -> sentence -> tags


class Given(NamedTuple):
    """Tags that come with the input, for models that were trained on a column of them."""

    pos: Sequence[Sequence[str]] | None = None
    pt0: Sequence[Sequence[str]] | None = None

    def part(self, block: slice) -> Given:
        """Those of some sentences."""
        return Given(*(None if tags is None else tags[block] for tags in self))


NOTHING_GIVEN = Given()


class Annotation(NamedTuple):
    """Tags of each task, and the predicates of each sentence where roles were asked for."""

    tags: Tags
    roles: list[list[Predicate]] | None = None


class Pipeline:
    """Loaded models; `tag` takes tokenised sentences, calling the pipeline takes raw text.

    `finder` says how the predicates of srl are found: "auto" by a model, "pos" by parts of speech,
    "given": they come with the sentences.
    """

    def __init__(
        self, tasks: Sequence[str], taggers: Sequence[Tagger], forms: Forms, finder: str = "auto"
    ) -> None:
        self.tasks = tuple(tasks)
        self.taggers = list(taggers)
        self.forms = forms
        self.finder = finder
        # Of two models that know a task the later one serves: the first is there for its tags,
        # which some model reads.
        self.owners = {task: tagger for tagger in taggers for task in tagger.tasks}
        self._wire()

    def _wire(self) -> None:
        """Which tasks each model is run for, and from which model each takes its features."""
        place = {id(tagger): i for i, tagger in enumerate(self.taggers)}
        self.output = {t: place[id(self.owners[t])] for t in self.tasks if t in self.owners}
        self.serves: list[set[str]] = [set() for _ in self.taggers]
        for task, i in self.output.items():
            self.serves[i].add(task)
        self.sources: list[dict[str, int]] = []
        for i, tagger in enumerate(self.taggers):
            before = {t: k for k, other in enumerate(self.taggers[:i]) for t in other.tasks}
            own = [name for name in FEATURES if vocabulary(tagger, name) is not None]
            self.sources.append({name: before[name] for name in own if name in before})
            for name, k in self.sources[i].items():
                self.serves[k].add(name)
        self.missing = {
            name
            for tagger, sources in zip(self.taggers, self.sources, strict=True)
            for name in FEATURES
            if vocabulary(tagger, name) is not None and name not in sources
        }
        self.found_by: int | None = None
        needed = {"auto": "predicates", "pos": "pos"}.get(self.finder)
        if "srl" in self.tasks and needed is not None:
            makers = [i for i, tagger in enumerate(self.taggers) if needed in tagger.tasks]
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
    ) -> Pipeline:
        """Load the package's models for `tasks` (all by default), or one's own model folder.

        `predicates` is a finder (see the class), or the folder of a model that finds them.
        """
        if model is not None:
            folder = read_model(model)
            chosen, folders = _chosen(tasks, folder.tasks, str(model)), [folder]
        else:
            ready = shipped()
            chosen = _chosen(tasks, list(ready), "the package")
            folders = [read_model(path) for path in dict.fromkeys(ready[t] for t in chosen)]
        finder = "auto" if isinstance(predicates, Path) else predicates
        if "srl" in chosen:
            folders = _with_finder(folders, predicates)
        return cls._of(chosen, folders, finder)

    @classmethod
    def _of(cls, tasks: list[str], folders: list[ModelFolder], finder: str) -> Pipeline:
        forms, bases = Forms(), dict[Path, WordTable]()
        loaded: dict[Path, Tagger] = {}

        def add(folder: ModelFolder) -> None:
            path = folder.path.resolve()
            if path in loaded:
                return
            for name in (*FEATURES, "predicates"):
                need = folder.used(name)
                if need is not None and (name != "predicates" or finder == "auto"):
                    add(read_model(need))
            loaded[path] = _tagger(folder, bases, forms)

        for folder in folders:
            add(folder)
        return cls(tasks, list(loaded.values()), forms, finder)

    @property
    def needs_pos_column(self) -> bool:
        """Whether a model wants the input's own part-of-speech column."""
        return "pos" in self.missing

    def known_words(self, task: str) -> frozenset[str]:
        """The normalised words that the model of a task saw in training."""
        table = self.owners[task].encoder.words
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
        return self.annotate(sentences, Given(pos)).tags

    def roles(
        self,
        sentences: Sequence[Sequence[str]],
        predicates: Sequence[Sequence[int]] | None = None,
        given: Given = NOTHING_GIVEN,
    ) -> list[list[Predicate]]:
        """The predicates of tokenised sentences with their roles.

        `predicates` are the tokens, from 0, that are predicates; without them they are found.
        """
        found = self.annotate(sentences, given, predicates).roles
        if found is None:
            raise SennaError("no model for task 'srl' is loaded", mend=f"Has {self.tasks}.")
        return found

    def annotate(
        self,
        sentences: Sequence[Sequence[str]],
        given: Given = NOTHING_GIVEN,
        predicates: Sequence[Sequence[int]] | None = None,
    ) -> Annotation:
        """Tags and, where srl is among the tasks, roles of tokenised sentences; see `roles`."""
        self._check(sentences, given, predicates)
        tags: Tags = {task: [] for task in self.tasks if task != "srl"}
        roles: list[list[Predicate]] = []
        for block in blocks(sentences):
            places = None if predicates is None else predicates[block]
            made, found = self._tag_block(sentences[block], given.part(block), places)
            for task in tags:
                tags[task] += made[self.output[task]][task]
            roles += found
        return Annotation(tags, roles if "srl" in self.tasks else None)

    def _check(
        self,
        sentences: Sequence[Sequence[str]],
        given: Given,
        predicates: Sequence[Sequence[int]] | None,
    ) -> None:
        names = {"pos": "part-of-speech", "pt0": "PT0"}
        for name in FEATURES:
            if name in self.missing and getattr(given, name) is None:
                raise SennaError(
                    f"the model was trained with a {names[name]} column, the input has none",
                    where="input",
                    mend="Give columns word, part of speech with --input columns."
                    if name == "pos"
                    else "Train with features.pt0.source=model.",
                )
        if "srl" not in self.tasks:
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

    def _tag_block(
        self,
        sentences: Sequence[Sequence[str]],
        given: Given,
        predicates: Sequence[Sequence[int]] | None,
    ) -> tuple[list[Tags], list[list[Predicate]]]:
        """Tags by model and task, and roles."""
        lengths = np.array([len(forms) for forms in sentences], np.int64)
        margin = max(tagger.margin for tagger in self.taggers)
        flat, places = self.forms.number(sentences, margin)
        made: list[Tags] = []
        roles: list[list[Predicate]] = []
        for i, tagger in enumerate(self.taggers):
            tags: Tags = {}
            made.append(tags)
            wants_roles = self.output.get("srl") == i
            served = self.serves[i] - {"srl"}
            if not served and not wants_roles:
                continue
            own = {name: made[k][name] for name, k in self.sources[i].items()}
            pos = tag_ids(tagger, "pos", own.get("pos", given.pos), flat, places)
            pt0 = tag_ids(tagger, "pt0", own.get("pt0", given.pt0), flat, places)
            marks = gazetteer_marks(tagger, sentences, flat, places)
            block = Block(flat, places, lengths, pos, marks, pt0)
            if served:
                scores = tagger.emissions(block, served)
                for task, emissions in scores.items():
                    tags[task] = tagger.decode(task, emissions, lengths)
            if wants_roles:
                chosen = self._places(sentences, made) if predicates is None else predicates
                ordered = [sorted(set(own)) for own in chosen]
                found = tagger.roles(block, ordered)
                roles = [list(map(regular, *both)) for both in zip(ordered, found, strict=True)]
        return made, roles

    def _places(self, sentences: Sequence[Sequence[str]], made: list[Tags]) -> list[list[int]]:
        """The predicates of sentences, by a model's tags or by parts of speech."""
        assert self.found_by is not None
        tags = made[self.found_by]
        if self.finder == "pos":
            return [verbal(*both) for both in zip(sentences, tags["pos"], strict=True)]
        return [[i for i, tag in enumerate(own) if tag != "O"] for own in tags["predicates"]]


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


def _tagger(folder: ModelFolder, bases: dict[Path, WordTable], forms: Forms) -> Tagger:
    try:
        return load_tagger(folder, load_words(folder, bases), forms)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        what = f"its parts do not fit together: {error!r}"
        mend = "Copy or train the model again."
        raise SennaError(what, where=str(folder.path), mend=mend) from error


def _chosen(tasks: Sequence[str] | None, ready: list[str], where: str) -> list[str]:
    if not ready:
        raise SennaError("no models in it", where=where, mend="`senna train` makes one.")
    default = [task for task in ORDER if task in ready and task not in BY_NAME] or ready
    for task in tasks or ():
        if task not in ready:
            mend = f"It has {', '.join(ready)}."
            raise SennaError(f"no model for task {task!r}", where=where, mend=mend)
    return [task for task in ORDER if task in (tasks or default)]


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


def vocabulary(tagger: Tagger, name: str) -> Vocabulary | None:
    """The tags of a feature ("pos", "pt0") that a model reads; None where it reads none."""
    return tagger.pos if name == "pos" else tagger.pt0


def tag_ids(
    tagger: Tagger, name: str, tags: Sequence[Sequence[str]] | None, flat: Ints, places: Ints
) -> Ints | None:
    """Rows of a feature's tags ("pos", "pt0") laid out like `flat`; padding between sentences."""
    known = vocabulary(tagger, name)
    if known is None or tags is None:
        return None
    get = known.rows.get
    ids = np.zeros(len(flat), np.int64)
    ids[places] = [get(tag, 1) for own in tags for tag in own]
    return ids


def gazetteer_marks(
    tagger: Tagger, sentences: Sequence[Sequence[str]], flat: Ints, places: Ints
) -> NDArray[np.int32] | None:
    """Gazetteer marks (n_flat, n_types) laid out like `flat`."""
    if tagger.gazetteer is None:
        return None
    marks = np.zeros((len(flat), len(tagger.gazetteer.types)), np.int32)
    rows = [tagger.gazetteer.mark(forms) for forms in sentences]
    if rows:
        marks[places] = np.concatenate(rows)
    return marks
