"""The list of tagging options: what each is called, takes and does, and where it has an effect.

An option is one field of `Reading`, or of `Conversion` where files are converted. `senna.load`,
`senna.convert`, the command, tables, spaCy and the HTTP server take names, defaults, choices, help
and checks from here. The command's quick start reads this list: what an option needs to be checked
is imported in the functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

from senna.errors import SennaError
from senna.reading.formats import INPUTS
from senna.tasks import NAMES, TASKS
from senna.text import CONVENTIONS, LINE_BREAKS, SPLITS
from senna.text.schemes import SCHEMES
from senna.writing import FORMATS

if TYPE_CHECKING:
    from senna.infer.confidence import Asked
    from senna.infer.pipeline import Pipeline
    from senna.text.tokenizer import Token

P = ParamSpec("P")
K = TypeVar("K")
R = TypeVar("R")
DEFAULT = ",".join(task.name for task in TASKS.values() if not task.aside)
RAW = ("text", "html", "csv", "parquet")  # inputs whose text is split into sentences
UNSPLIT = (*RAW, "lines")  # inputs whose sentences are split into tokens
TABLES = ("csv", "parquet")


class Option(NamedTuple):
    """What is known of an option.

    `inputs` and `formats` are those of input and output where it has an effect; without any it has
    one everywhere. `matters` says for which tasks.
    """

    help: str
    kind: type = str  # of its value: str, bool, int, float; or list, for several texts
    choices: Mapping[str, str] | Sequence[str] = ()  # with what each does, or without
    least: float = 0
    most: float = 0  # a number has a range
    inputs: Sequence[str] = ()
    formats: Sequence[str] = ()
    matters: Callable[[str], bool] | None = None  # of the name of a task
    file: bool = False  # its value may name a file or a folder: a server must not take it
    spacy: bool = True  # whether spaCy's component has it
    flag: str = ""  # in the command, where that is not the field's name
    metavar: str = ""
    name: str = ""
    default: Any = None

    @property
    def tasks(self) -> list[str]:
        """The names of the tasks for which it has an effect."""
        return [name for name in TASKS if self.matters is None or self.matters(name)]

    @property
    def command(self) -> str:
        """The option of the command, such as --line-breaks."""
        return self.flag or f"--{self.name.replace('_', '-')}"


def option(default: Any, help: str, kind: type = str, **said: Any) -> Any:
    """A field that is an option."""
    return field(default=default, metadata={"option": Option(help, kind, **said)})


def options_of(kind: type) -> dict[str, Option]:
    """The options that are fields of a record, by name, in order."""
    return {
        item.name: item.metadata["option"]._replace(name=item.name, default=item.default)
        for item in fields(kind)
        if item.default is not MISSING
    }


def _gives(quality: str) -> Callable[[str], bool]:
    """Whether the output of a task has a quality."""

    def matters(task: str) -> bool:
        from senna.outputs import output_of

        return bool(getattr(output_of(task), quality))

    return matters


def _is_name(task: str) -> bool:
    return TASKS[task].names


@dataclass(frozen=True)
class Reading:
    """What is loaded, how text is split and what is wanted beside tags.

    Raises SennaError for a value that is not known. It can be hashed and sent to other processes;
    names of models are looked up where `pipeline` is called.
    """

    tasks: str | Sequence[str] | None = option(
        None,
        f"The tasks, for example pos,ner; all. Default: {DEFAULT}.",
        flag="--task",
        metavar="LIST",
    )
    model: str | Path | None = option(
        None,
        "A model of the package, for example ner, or the folder of a model.",
        metavar="NAME|DIR",
        file=True,
    )
    input: str = option(
        "text",
        "What the text is.",
        choices={"text": "raw text", "html": "a page, whose text is tagged"},
        spacy=False,
    )
    convention: str = option(
        "modern",
        "modern cuts hyphenated words, as the package's models expect; classic does not.",
        choices=CONVENTIONS,
        inputs=UNSPLIT,
        spacy=False,
    )
    line_breaks: str = option(
        "auto",
        "What a single line break in raw text is: the end of a sentence, or a space.",
        choices=LINE_BREAKS,
        inputs=("text", *TABLES),
        spacy=False,
    )
    unit: str = option(
        "sentence",
        "What gets one label; a line of raw text is a document.",
        choices=SPLITS,
        inputs=RAW,
        matters=_gives("of_sentences"),
    )
    predicates: str | Path = option(
        "auto",
        "How the predicates of srl are found: auto, by a model; pos, by parts of speech; FILE "
        "lists them; DIR is a model that finds them.",
        metavar="auto|pos|FILE|DIR",
        matters=_gives("finders"),
        file=True,
    )
    scores: bool = option(
        False,
        "Add the probability of each tag and each phrase.",
        bool,
        formats=("columns", "jsonl"),
        matters=_gives("has_scores"),
        spacy=False,
    )
    n_best: int = option(
        1,
        "The number of taggings, the best first.",
        int,
        flag="--nbest",
        metavar="N",
        least=1,
        most=100,
        formats=("columns", "jsonl"),
        matters=lambda task: TASKS[task].is_tagging,
        spacy=False,
    )
    min_confidence: float = option(
        0.0,
        "Phrases and roles that are less probable than P are left out.",
        float,
        metavar="P",
        least=0,
        most=1,
        matters=_gives("has_phrases"),
    )
    gazetteer: Mapping[str, Sequence[str]] | None = option(
        None,
        "Phrases of TYPE, one per line of FILE, which the model knows beside its own. Repeatable.",
        list,
        metavar="TYPE=FILE",
        file=True,
    )
    force: bool = option(
        False, "The phrases of --gazetteer are always names.", bool, matters=_is_name
    )
    memory: bool | None = option(
        None,
        "Earlier names of a document help to recognise later ones. Not for lines, tokens and "
        "several taggings.",
        bool,
        matters=_is_name,
    )

    def __post_init__(self) -> None:
        for option_ in options_of(type(self)).values():
            _check(option_, getattr(self, option_.name))
        object.__setattr__(self, "tasks", _names(self.tasks))
        object.__setattr__(self, "gazetteer", _frozen(self.gazetteer or {}))
        if self.unit == "document" and not INPUTS[self.input].offsets:
            what = f'unit = "document" is for text: {self.input} have sentences'
            raise SennaError(what, mend="Leave it out.")
        _ = self.asked
        if self.memory and self.n_best > 1:
            what = "several taggings, or names that a document remembers: not both"
            raise SennaError(what, where="--nbest, --memory")

    @property
    def remembers(self) -> bool:
        """Whether the names of a document help to see them again: see `senna.infer.memory`."""
        if self.tasks is not None and not {NAMES, "all"} & set(self.tasks):
            return False
        usual = INPUTS[self.input].documents and self.n_best == 1
        return usual if self.memory is None else self.memory

    @property
    def asked(self) -> Asked:
        """What is wanted beside tags."""
        from senna.infer.confidence import Asked

        return Asked(self.scores, self.n_best, self.min_confidence)

    def pipeline(self) -> Pipeline:
        """Load the models."""
        from senna.infer.pipeline import Pipeline
        from senna.model.folder import model_path
        from senna.outputs import output_of

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

    def without_effect(self, tasks: Iterable[str], format: str = "") -> Iterator[str]:
        """A line about each option that was given and changes nothing, for tasks that are run."""
        for each in options_of(type(self)).values():
            if getattr(self, each.name) in (each.default, ()):
                continue
            if each.inputs and self.input not in each.inputs:
                wanted = f"--input {' or '.join(each.inputs)}"
            elif format and each.formats and format not in each.formats:
                wanted = f"--format {' or '.join(each.formats)}"
            elif each.matters and not any(map(each.matters, tasks)):
                wanted = f"--task {' or '.join(each.tasks)}"
            else:
                continue
            yield f"{each.command} changes nothing: it is for {wanted}"


@dataclass(frozen=True)
class Conversion(Reading):
    """The same for files of many formats, and how what is found in them is written."""

    input: str = option(
        "text", "The format of the input.", choices={name: i.about for name, i in INPUTS.items()}
    )
    format: str = option("columns", "The format of the output.", choices=FORMATS)
    scheme: str | None = option(
        None,
        "How phrases are written. Default: iobes; for conll iob2.",
        choices=SCHEMES,
        formats=("columns", "conll", "conllu", "jsonl"),
        matters=_gives("has_phrases"),
    )
    offsets: bool = option(
        False,
        "Add the start and the end of each token, in characters.",
        bool,
        formats=("columns", "conllu", "jsonl"),
    )
    column: str = option("text", "The column that has the text.", metavar="NAME", inputs=TABLES)
    errors: str = option(
        "strict",
        "What is not UTF-8: stop and say where it is, or write U+FFFD.",
        choices=("strict", "replace"),
    )


def _check(option: Option, value: Any) -> None:
    """Raise SennaError for a value that an option does not take."""
    name = option.name
    if value is None and option.default is None:
        return
    if option.choices:
        known_value(name, value, option.choices)
    elif option.kind is bool and not isinstance(value, bool):
        raise SennaError(f"{name} = {value!r} is not True or False")
    elif option.kind in (int, float):
        numbers = (int, float) if option.kind is float else (int,)
        if isinstance(value, bool) or not isinstance(value, numbers):
            raise SennaError(f"{name} = {value!r} is not a number")


def _names(tasks: Any) -> tuple[str, ...] | None:
    """The names of tasks from a list of them, or from a text with commas."""
    if tasks is None:
        return None
    if not isinstance(tasks, Iterable):
        raise SennaError(f"tasks = {tasks!r} are no names", mend='Give, for example, "pos,ner".')
    names = tasks.split(",") if isinstance(tasks, str) else tasks
    return tuple(name.strip() for name in names)


def _frozen(lists: Mapping[str, Sequence[str]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Lists of phrases by their types, in a form that can be hashed."""
    for kind, phrases in lists.items():
        if isinstance(phrases, str):
            mend = f"Give a list: {{{kind!r}: [{phrases!r}]}}."
            raise SennaError(f"a text, {phrases[:40]!r}, for the phrases of {kind}", mend=mend)
    return tuple((kind, tuple(phrases)) for kind, phrases in lists.items())


def known_value(name: str, value: Any, known: Sequence[str] | Mapping[str, object]) -> None:
    """Raise SennaError for a value that is not one of those known."""
    if value not in known:
        raise SennaError(f"{name} = {value!r} is not known", mend=f"Choose {' or '.join(known)}.")


def takes(kind: Callable[P, K]) -> Callable[[Callable[[K], R]], Callable[P, R]]:
    """Make a function of a record one that takes the record's fields, with their defaults."""
    from inspect import signature

    def decorated(function: Callable[[K], R]) -> Callable[P, R]:
        known = signature(kind)

        @wraps(function)
        def with_fields(*given: P.args, **named: P.kwargs) -> R:
            try:
                known.bind(*given, **named)
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            return function(kind(*given, **named))

        with_fields.__signature__ = known  # type: ignore[attr-defined]
        return with_fields

    return decorated
