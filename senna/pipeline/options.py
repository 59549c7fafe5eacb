"""The list of tagging options: what each is called, takes and does.

An option is one field of `Reading`, or of `Conversion` where files are converted. `senna.load`,
`senna.convert`, the command, tables, spaCy and the HTTP server take names, defaults, choices, help
and checks from here. The command's quick start reads this list: what an option needs to be checked
is imported in the functions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from senna.annotation.schemes import SCHEMES
from senna.errors import SennaError
from senna.pipeline.format import Style, format_of, input_of
from senna.registry import FORMATS, INPUTS
from senna.settings import Option, option, options_of
from senna.tasks import NAMES, TASKS
from senna.text import CONVENTIONS, LINE_BREAKS, UNITS

if TYPE_CHECKING:
    from senna.decoding.requests import Asked
    from senna.text.tokens import Tokens

DEFAULT = ",".join(task.name for task in TASKS.values() if not task.hidden)
TABULAR = ("csv", "jsonl", "parquet")
DOCUMENTS = {
    "file": "each file",
    "line": "each line of raw text",
    "blank": "each part of raw text between blank lines",
    "docstart": "each file, and in columns also what begins with a mark such as -DOCSTART-",
}


class OptionError(SennaError):
    """The errors of options, which are named as arguments, and as options by the command."""

    def __init__(self, what: str, *names: str, remedy: str = "") -> None:
        self.names = names
        super().__init__(what, where=", ".join(names), remedy=remedy)

    def of_command(self) -> str:
        """The message with the options as they are on the command line."""
        known = options_of(Conversion)
        where = ", ".join(known[name].flag for name in self.names)
        return SennaError(self.what, where=where, remedy=self.remedy).of_command()


@dataclass(frozen=True)
class Reading:
    """The models to load, the splitting of text, and requests for more than tags.

    Raises SennaError for a value that is not known. It can be hashed and sent to other processes;
    names of models are looked up where `pipeline` is called.
    """

    tasks: str | Sequence[str] | None = option(
        None,
        f"The tasks, for example pos,ner, or all. Default: {DEFAULT}.",
        flag="--task",
        metavar="LIST",
    )
    model: str | Path | Mapping[str, str | Path] | None = option(
        None,
        "A model of the package, for example ner, or the folder of a model. With TASK= it is the "
        "model of this task, and the package has those of the others. Repeatable.",
        list,
        metavar="[TASK=]NAME|DIR",
        file=True,
    )
    _: KW_ONLY
    input: str = option(
        "text",
        "What the text is.",
        choices={"text": "raw text", "html": "a web page (its visible text)"},
        spacy=False,
    )
    convention: str = option(
        "modern",
        "modern splits hyphenated words, as the package's models expect; classic does not.",
        choices=CONVENTIONS,
        spacy=False,
    )
    line_breaks: str = option(
        "auto",
        "How a single line break in raw text is read: as the end of a sentence, as a space, or "
        "(auto) "
        "as the text suggests.",
        choices=LINE_BREAKS,
    )
    predicates: str | Path = option(
        "auto",
        "How the predicates of srl are found.",
        choices={
            "auto": "by a model",
            "pos": "by parts of speech",
            "given": "they come with the sentences",
        },
        file=True,
    )
    scores: bool = option(
        False,
        "Add the probability of each tag and each phrase.",
        bool,
        formats=("columns", "tsv", "jsonl", "spans", "csv", "parquet"),
    )
    n_best: int = option(
        1,
        "The number of best taggings to print.",
        int,
        flag="--nbest",
        least=1,
        most=100,
        formats=("columns", "jsonl"),
    )
    gazetteer: Mapping[str, Sequence[str]] | None = option(
        None,
        "A file of additional phrases of TYPE, one per line. Repeatable.",
        list,
        metavar="TYPE=FILE",
        file=True,
    )
    force: bool = option(False, "Always tag the phrases of --gazetteer as names.", bool)
    memory: bool | None = option(
        None,
        "Use names found earlier in a document to recognise later ones. Default: on, but off for "
        "lines, tokens and --nbest.",
        bool,
    )

    def __post_init__(self) -> None:
        for option_ in options_of(type(self)).values():
            _check(option_, getattr(self, option_.name))
        object.__setattr__(self, "model", _models(self.model))
        object.__setattr__(self, "tasks", _names(self.tasks))
        object.__setattr__(self, "gazetteer", _frozen(self.gazetteer or {}))
        if self.n_best > 1 and self.memory:
            what = "these options cannot be combined"
            raise OptionError(what, "n_best", "memory")

    @property
    def whole(self) -> bool:
        """Whether a text is one sentence, whatever stops it has."""
        return False

    @property
    def remembers(self) -> bool:
        """Whether the names of a document help to see them again: see `senna.pipeline.memory`."""
        if self.tasks is not None and not {NAMES, "all"} & set(self.tasks):
            return False
        usual = input_of(self.input).documents and self.n_best == 1
        return usual if self.memory is None else self.memory

    @property
    def asked(self) -> Asked:
        """The requests for more than tags."""
        from senna.decoding.requests import Asked

        return Asked(self.scores, self.n_best)

    @property
    def folder(self) -> Path | dict[str, Path] | None:
        """The folder of the model, if one is named, or those of models of some tasks."""
        from senna.model.folder import model_path

        named: Any = self.model
        if isinstance(named, tuple):
            return {task: model_path(model) for task, model in named}
        return None if named is None else model_path(named)

    def split(self, texts: Sequence[str], start: int = 0) -> list[list[Tokens]]:
        """The sentences of texts, each by itself, or the whole as one; places from `start`."""
        from senna.text import sentences, tokenizer  # whose patterns take time to compile

        if self.whole:
            rows = tokenizer.tokenize_each(texts, self.convention, [start] * len(texts))
            return [[row] if row else [] for row in rows]
        return sentences.split_each(texts, self.convention, self.line_breaks, start)

    def run(self) -> list[str]:
        """The tasks that are run."""
        from senna.pipeline.models import tasks_of

        return tasks_of(self.tasks, self.folder)


@dataclass(frozen=True)
class Conversion(Reading):
    """The same for files of many formats, and how what is found in them is written."""

    input: str = option(
        None,
        "The format of the input. Default: what the suffix of the files says (.csv, .parquet, "
        ".jsonl, .html, .conllu, and .gz of these), else text.",
        choices=INPUTS,
    )
    predicates: str | Path = option(
        "auto",
        "How the predicates of srl are found: auto, by a model; pos, by parts of speech; FILE "
        "lists them; DIR is a model that finds them.",
        metavar="auto|pos|FILE|DIR",
        file=True,
    )
    format: str = option(
        None,
        "The format of the output. Default: columns, but tsv for a model that has no task but "
        "label.",
        choices=FORMATS,
    )
    scheme: str | None = option(
        None,
        "The tag scheme of phrases. Default: iobes; for --format conll: iob2.",
        choices=SCHEMES,
    )
    offsets: bool = option(False, "Add the start and the end of each token.", bool)
    offset_unit: str = option(
        "character",
        "What starts and ends count.",
        choices=UNITS,
        formats=("columns", "conllu", "conllup", "jsonl", "spans", "csv", "parquet"),
    )
    column: str = option("text", "The column of a table that contains the text.", metavar="NAME")
    keep: str | Sequence[str] = option(
        "", "The columns of the input table that are written too.", metavar="LIST"
    )
    document: str = option(
        "docstart",
        "What is one document, within which names are remembered and after which formats write "
        "their mark.",
        choices=DOCUMENTS,
    )
    errors: str = option(
        "strict",
        "Bytes that are not UTF-8: stop and say where they are, or replace them by U+FFFD.",
        choices=("strict", "replace"),
    )

    # A model that has label alone gives a line of text, a table row or a page one label.
    whole: bool = False
    guessed: bool = False  # nothing says what the input is
    listed: str = ""  # a file of the predicates of its sentences

    @property
    def style(self) -> Style:
        """The options of the output format."""
        scheme = self.scheme or format_of(self.format).scheme
        return Style(scheme, self.offsets, self.keep, self.input in TABULAR)

    def __post_init__(self) -> None:
        if self.input is None:
            object.__setattr__(self, "input", "text")
        if self.format is None:
            object.__setattr__(self, "format", "columns")
        super().__post_init__()
        object.__setattr__(self, "keep", _columns(self.keep))
        if self.document in ("line", "blank") and self.input not in ("text", *TABULAR):
            what = f"{self.document!r} is for raw text, and the input is {self.input}"
            raise OptionError(what, "document", remedy="Choose file or docstart.")


def _columns(keep: str | Sequence[str]) -> tuple[str, ...]:
    """The names of columns from a list of them, or from a text with commas."""
    names = keep.split(",") if isinstance(keep, str) else keep
    return tuple(name.strip() for name in names if name.strip())


def _check(option: Option, value: Any) -> None:
    """Raise SennaError for a value that an option does not take."""
    name, kind = option.name, option.kind
    if value is None and option.default is None:
        return
    if option.choices and not (option.file and isinstance(value, Path)):
        known_value(name, value, option.choices)
    elif kind is bool and not isinstance(value, bool):
        raise OptionError(f"{value!r} is not True or False", name)
    elif kind in (int, float):
        number = isinstance(value, (int, kind)) and not isinstance(value, bool)
        if not number or not (option.least or 0) <= value <= (option.most or value):
            what = f"{value!r} is not a {'whole ' * (kind is int)}number"
            what += f" from {option.least} to {option.most}"
            raise OptionError(what, name)


def _names(tasks: Any) -> tuple[str, ...] | None:
    """The names of tasks from a list of them, or from a text with commas."""
    if tasks is None:
        return None
    if not isinstance(tasks, Iterable) or isinstance(tasks, Mapping):
        raise OptionError(f"{tasks!r} names no task", "tasks", remedy='For example "pos,ner".')
    named = tasks.split(",") if isinstance(tasks, str) else [*tasks]
    if not all(isinstance(name, str) for name in named):
        raise OptionError(f"{tasks!r:.80} names no task", "tasks", remedy='For example "pos,ner".')
    names = [*map(str.strip, named)]
    if "" in names or not names:
        what = "a task has no name" if names else "there is no task"
        raise OptionError(what, "tasks", remedy=f"Known: {', '.join(TASKS)}; all.")
    return tuple(names)


def _models(model: Any) -> Any:
    """A model as it was named, or of a mapping pairs, which can be hashed; see `Reading.folder`."""
    if isinstance(model, tuple):  # of a record that was made from another
        return model
    pairs = model.items() if isinstance(model, Mapping) else [("", model)]
    for _, named in pairs if model is not None else ():
        if not isinstance(named, (str, Path)) or named == "":
            raise OptionError(f"{named!r} is neither a name nor a path", "model")
    return tuple(pairs) if isinstance(model, Mapping) else model


def _frozen(lists: Mapping[str, Sequence[str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Lists of phrases by their types, in a form that can be hashed."""
    if isinstance(lists, tuple):
        lists = dict(lists)  # of a record that was made from another
    if not isinstance(lists, Mapping):
        remedy = 'For example {"PER": ["Ann Lee"]}.'
        raise OptionError(f"{lists!r:.60} are not phrases by type", "gazetteer", remedy=remedy)
    for kind, phrases in lists.items():
        listed = isinstance(phrases, Collection) and not isinstance(phrases, str)
        if not listed or not all(isinstance(phrase, str) for phrase in phrases):
            what = f"the phrases of {kind} are {phrases!r:.60}, not a list of texts"
            raise OptionError(what, "gazetteer", remedy=f'For example {{{kind!r}: ["Ann Lee"]}}.')
    return tuple((kind, tuple(phrases)) for kind, phrases in lists.items())


def known_value(name: str, value: Any, known: Sequence[str] | Mapping[str, object]) -> None:
    """Raise SennaError for a value of an option that is not one of those known."""
    if not isinstance(value, str) or value not in known:
        remedy = f"Choose {' or '.join(known)}."
        raise OptionError(f"{value!r} is not a known value", name, remedy=remedy)


def check_format(name: str, format: str) -> None:
    """Raise SennaError for a format that has no place for an option."""
    fitting = options_of(Conversion)[name].formats
    if format not in fitting:
        what = f"{format} has no place for this"
        raise OptionError(what, name, remedy=f"Choose {' or '.join(fitting)}.")
