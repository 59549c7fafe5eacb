"""How texts are read and tagged: what a user chooses, in one record, and documents side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from senna.errors import SennaError
from senna.model.folder import model_path
from senna.outputs import output_of
from senna.outputs.base import Annotation
from senna.paths.confidence import Asked
from senna.pipeline.memory import Memory
from senna.pipeline.pipeline import FINDERS, Pipeline
from senna.reading.formats import INPUTS
from senna.tasks import NAMES
from senna.text import CONVENTIONS, LINE_BREAKS, SPLITS

if TYPE_CHECKING:
    from senna.text.tokenizer import Token


@dataclass(frozen=True)
class Reading:
    """What is loaded, how text is split and what is wanted beside tags, as for `senna.load`.

    Raises SennaError for a value that is not known. It can be hashed and sent to other processes;
    names of models are looked up where `pipeline` is called.
    """

    tasks: str | Sequence[str] | None = None  # all that ship, or those of the model
    model: str | Path | None = None  # the name of one that ships, or a folder
    input: str = "text"
    column: str = "text"  # of a table
    convention: str = "modern"
    line_breaks: str = "auto"
    unit: str = "sentence"  # or "document": each text is labelled as one
    predicates: str | Path = "auto"  # a finder, or the folder of a model
    scores: bool = False
    n_best: int = 1
    min_confidence: float = 0.0
    gazetteer: Mapping[str, Sequence[str]] | None = None
    force: bool = False
    memory: bool | None = None  # of the names of a document; None: where the input has documents

    def __post_init__(self) -> None:
        finder = "auto" if isinstance(self.predicates, Path) else self.predicates
        known_value("convention", self.convention, CONVENTIONS)
        known_value("line_breaks", self.line_breaks, LINE_BREAKS)
        known_value("unit", self.unit, SPLITS)
        known_value("input", self.input, INPUTS)
        known_value("predicates", finder, FINDERS)
        if self.unit == "document" and not INPUTS[self.input].offsets:
            what = f'unit = "document" is for text: {self.input} have sentences'
            raise SennaError(what, mend="Leave it out.")
        tasks = self.tasks
        if isinstance(tasks, str):
            tasks = [task.strip() for task in tasks.split(",")]
        object.__setattr__(self, "tasks", None if tasks is None else tuple(tasks))
        for kind, phrases in dict(self.gazetteer or {}).items():
            if isinstance(phrases, str):
                mend = f"Give a list: {{{kind!r}: [{phrases!r}]}}."
                raise SennaError(f"a text, {phrases[:40]!r}, for the phrases of {kind}", mend=mend)
        lists = dict(self.gazetteer or {}).items()
        frozen = tuple((kind, tuple(phrases)) for kind, phrases in lists)
        object.__setattr__(self, "gazetteer", frozen)
        _ = self.asked
        if self.memory and self.n_best > 1:
            what = "several taggings, or names that a document remembers: not both"
            raise SennaError(what, where="--nbest, --memory")

    @property
    def remembers(self) -> bool:
        """Whether the names of a document help to see them again: see `senna.pipeline.memory`."""
        if self.tasks is not None and not {NAMES, "all"} & set(self.tasks):
            return False
        usual = INPUTS[self.input].documents and self.n_best == 1
        return usual if self.memory is None else self.memory

    @property
    def asked(self) -> Asked:
        """What is wanted beside tags."""
        return Asked(self.scores, self.n_best, self.min_confidence)

    def pipeline(self) -> Pipeline:
        """Load the models."""
        folder = model_path(self.model) if isinstance(self.model, str) else self.model
        lists = dict(self.gazetteer or {})
        loaded = Pipeline.load(self.tasks, folder, self.predicates, self.asked, lists, self.force)
        words = [task for task in loaded.tasks if not output_of(task).of_sentences]
        if self.unit == "document" and words:
            what = f'unit = "document" is for labels, and not for {",".join(words)}'
            raise SennaError(what, mend="Choose the task label, and a model of it.")
        return loaded

    def split(self, text: str) -> list[list[Token]]:
        """The sentences of a text, or the whole, each a list of tokens with offsets into it."""
        from senna.text import sentences, tokenizer  # whose patterns take time to compile

        if self.unit == "document":
            tokens = tokenizer.tokenize(text, self.convention)
            return [tokens] if tokens else []
        return sentences.split(text, self.convention, self.line_breaks)


def known_value(name: str, value: str, known: Sequence[str] | Mapping[str, object]) -> None:
    """Raise SennaError for a value that is not one of those known."""
    if value not in known:
        raise SennaError(f"{name} = {value!r} is not known", mend=f"Choose {' or '.join(known)}.")


def annotate(
    pipeline: Pipeline, documents: Sequence[Sequence[Sequence[str]]], remembers: bool
) -> list[Annotation]:
    """What is found in each document, a list of tokenised sentences; all are tagged together."""
    words = [words for sentences in documents for words in sentences]
    annotation = pipeline.annotate(words)
    if remembers and NAMES in annotation:
        opens = [i == 0 for sentences in documents for i in range(len(sentences))]
        Memory(pipeline.fixed).recall(words, opens, annotation)
    ends = accumulate(map(len, documents), initial=0)
    return [
        {task: rows[start:end] for task, rows in annotation.items()}
        for start, end in pairwise(ends)
    ]
