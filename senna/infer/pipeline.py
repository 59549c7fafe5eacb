"""A pipeline: the models of the tasks asked for, and those that they need, run in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from senna.errors import SennaError
from senna.infer.lookup import WordTable, load_words
from senna.infer.model_folder import ModelFolder, read_model
from senna.infer.network import Forms, Ints, Tagger

MODELS = Path(__file__).parent.parent / "models"
ORDER = ("pos", "pt0", "chunk", "ner", "srl", "psg")  # of tasks, in output
BLOCK_WORDS = 8_192  # words tagged together
BLOCK_SENTENCES = 512

Tags = dict[str, list[list[str]]]  # task -> sentence -> tags


def shipped() -> dict[str, Path]:
    """The models in the package: task to folder."""
    found = {}
    for path in sorted(MODELS.glob("*/model.toml")):
        for task in read_model(path.parent).tasks:
            found[task] = path.parent
    return {task: found[task] for task in ORDER if task in found}


class Pipeline:
    """Loaded models; `tag` takes tokenised sentences, calling the pipeline takes raw text."""

    def __init__(self, tasks: Sequence[str], taggers: Sequence[Tagger], forms: Forms) -> None:
        self.tasks = tuple(tasks)
        self.taggers = list(taggers)
        self.forms = forms
        # Of two models that know a task the later one serves: the first is there for its tags of
        # parts of speech, which some model reads.
        self.owners = {task: tagger for tagger in taggers for task in tagger.tasks}
        wanted = set(tasks)
        if any(tagger.pos is not None for tagger in taggers):
            wanted.add("pos")
        self.serves = [
            {task for task in tagger.tasks if task in wanted and self.owners[task] is tagger}
            for tagger in self.taggers
        ]

    @classmethod
    def load(cls, tasks: Sequence[str] | None = None, model: Path | None = None) -> Pipeline:
        """Load the package's models for `tasks` (all by default), or one's own model folder."""
        if model is not None:
            folder = read_model(model)
            return cls._of(_chosen(tasks, folder.tasks, str(model)), [folder])
        ready = shipped()
        chosen = _chosen(tasks, list(ready), "the package")
        folders = [read_model(path) for path in dict.fromkeys(ready[task] for task in chosen)]
        return cls._of(chosen, folders)

    @classmethod
    def _of(cls, tasks: list[str], folders: list[ModelFolder]) -> Pipeline:
        forms, bases = Forms(), dict[Path, WordTable]()
        loaded: dict[Path, Tagger] = {}
        for folder in folders:
            need = folder.used("pos")
            if need is not None and need not in loaded:
                needed = read_model(need)
                loaded[need] = _tagger(needed, bases, forms)
            path = folder.path.resolve()
            if path not in loaded:
                loaded[path] = _tagger(folder, bases, forms)
        return cls(tasks, list(loaded.values()), forms)

    @property
    def needs_pos_column(self) -> bool:
        """Whether a model wants the input's own part-of-speech column."""
        makes = any("pos" in tagger.tasks for tagger in self.taggers)
        return any(tagger.pos is not None for tagger in self.taggers) and not makes

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
        not depend on which sentences are tagged together.
        """
        if pos is None and self.needs_pos_column:
            raise SennaError(
                "the model was trained with a part-of-speech column, the input has none",
                where="input",
                mend="Give columns word, part of speech with --input columns.",
            )
        found: Tags = {task: [] for task in self.tasks}
        for block in blocks(sentences):
            tags = self._tag_block(sentences[block], pos[block] if pos is not None else None)
            for task in found:
                found[task] += tags[task]
        return found

    def _tag_block(
        self, sentences: Sequence[Sequence[str]], pos: Sequence[Sequence[str]] | None
    ) -> Tags:
        lengths = np.array([len(forms) for forms in sentences], np.int64)
        margin = max(tagger.margin for tagger in self.taggers)
        flat, places = self.forms.number(sentences, margin)
        tags: Tags = {}
        for tagger, served in zip(self.taggers, self.serves, strict=True):
            given = tags.get("pos", pos)
            ids = pos_ids(tagger, given, flat, places)
            marks = gazetteer_marks(tagger, sentences, flat, places)
            scores = tagger.emissions(flat, places, lengths, ids, marks, served)
            for task, emissions in scores.items():
                tags[task] = tagger.decode(task, emissions, lengths)
        return tags


def _tagger(folder: ModelFolder, bases: dict[Path, WordTable], forms: Forms) -> Tagger:
    try:
        return Tagger(folder, load_words(folder, bases), forms)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        what = f"its parts do not fit together: {error!r}"
        mend = "Copy or train the model again."
        raise SennaError(what, where=str(folder.path), mend=mend) from error


def _chosen(tasks: Sequence[str] | None, ready: list[str], where: str) -> list[str]:
    if not ready:
        raise SennaError("no models in it", where=where, mend="`senna train` makes one.")
    default = [task for task in ORDER if task in ready and (task != "pt0" or len(ready) == 1)]
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


def pos_ids(
    tagger: Tagger, pos: Sequence[Sequence[str]] | None, flat: Ints, places: Ints
) -> Ints | None:
    """Part-of-speech rows laid out like `flat`; padding between sentences."""
    if tagger.pos is None or pos is None:
        return None
    get = tagger.pos.rows.get
    ids = np.zeros(len(flat), np.int64)
    ids[places] = [get(tag, 1) for tags in pos for tag in tags]
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
