"""The options of tagging: what each is called, takes and does.

An option is one field of `Options`. `senna.load`, `senna.convert`, the command, tables, spaCy and
the HTTP server take names, defaults, choices, help and checks from here, and make the record with
`chosen`. The command's quick start reads this module: what an option needs to be checked is
imported in the functions, and annotations are objects, which the start need not compile.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from senna.annotation.schemes import SCHEMES
from senna.errors import SennaError
from senna.registry import FORMATS, INPUTS
from senna.settings import Option, make, number, options_of
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
SPLIT_BY_LOAD = ("text", "html")  # what `senna.load` splits into sentences
FINDERS = ("auto", "pos", "given")  # of predicates; given: they come with the sentences

of_files = partial(Option, of_files=True)
found = partial(field, metadata={"found": True})  # fields that no user sets


@dataclass(frozen=True)
class Options:
    """The models to load, how text is split, what is asked of them, and how it is written.

    It can be hashed and sent to other processes; names of models are looked up where they are
    loaded. Raises SennaError for values that do not fit together.
    """

    tasks: Annotated[
        str | Sequence[str] | None,
        Option(
            f"The tasks, for example pos,ner: {', '.join(TASKS)}; or all. Default: {DEFAULT}.",
            flag="--task",
            metavar="LIST",
        ),
    ] = None
    model: Annotated[
        str | Path | Mapping[str, str | Path] | None,
        Option(
            "A model of the package, for example ner, or the folder of a model. With TASK= it is "
            "the model of this task, and the package has those of the others. Repeatable.",
            list,
            metavar="[TASK=]NAME|DIR",
            file=True,
        ),
    ] = None
    _: KW_ONLY
    input: Annotated[
        str,
        Option(
            "The format of the input. Default: what the suffix of the files says (.csv, .tsv, "
            ".parquet, .jsonl, .html, .conllu, and .gz of these), else text.",
            choices=INPUTS,
        ),
    ] = "text"
    convention: Annotated[
        str,
        Option(
            "modern splits hyphenated words, as the package's models expect; classic does not.",
            choices=CONVENTIONS,
        ),
    ] = "modern"
    line_breaks: Annotated[
        str,
        Option(
            "How a single line break in raw text is read: as the end of a sentence, as a space, or "
            "(auto) as the text suggests.",
            choices=LINE_BREAKS,
        ),
    ] = "auto"
    predicates: Annotated[
        str | Path,
        Option(
            "How the predicates of srl are found: auto, by a model; pos, by parts of speech; FILE "
            "lists them; DIR is a model that finds them.",
            metavar="auto|pos|FILE|DIR",
            file=True,
        ),
    ] = "auto"
    scores: Annotated[
        bool,
        Option(
            "Add the probability of each tag and each phrase.",
            formats=("columns", "tsv", "jsonl", "spans", "csv", "parquet"),
        ),
    ] = False
    n_best: Annotated[
        int,
        number(
            1,
            100,
            help="The number of best taggings to print.",
            flag="--nbest",
            formats=("columns", "jsonl"),
        ),
    ] = 1
    gazetteer: Annotated[
        Mapping[str, Sequence[str]] | None,
        Option(
            "A file of phrases of TYPE, one per line, for a model that has lists of them. Others "
            "need --force. Repeatable.",
            list,
            metavar="TYPE=FILE",
            file=True,
        ),
    ] = None
    force: Annotated[bool, Option("Always tag the phrases of --gazetteer as names.")] = False
    memory: Annotated[
        bool | None,
        Option(
            "Use names found earlier in a document to recognise later ones. Default: on, but off "
            "for lines, tokens and --nbest."
        ),
    ] = None

    format: Annotated[
        str,
        of_files(
            "The format of the output. Default: columns, but tsv for a model that has no task but "
            "label.",
            choices=FORMATS,
        ),
    ] = "columns"
    scheme: Annotated[
        str,
        of_files(
            "The tag scheme of phrases. Default: iobes; for --format conll: iob2.", choices=SCHEMES
        ),
    ] = ""
    offsets: Annotated[bool, of_files("Add the start and the end of each token.")] = False
    offset_unit: Annotated[
        str,
        of_files(
            "What starts and ends count.",
            choices=UNITS,
            formats=("columns", "conllu", "conllup", "jsonl", "spans", "csv", "parquet"),
        ),
    ] = "character"
    column: Annotated[
        str, of_files("The column of a table that contains the text.", metavar="NAME")
    ] = "text"
    keep: Annotated[
        str | Sequence[str],
        of_files("The columns of the input table that are written too.", metavar="LIST"),
    ] = ""
    document: Annotated[
        str,
        of_files(
            "What is one document, within which names are remembered and after which formats write "
            "their mark.",
            choices=DOCUMENTS,
        ),
    ] = "docstart"
    errors: Annotated[
        str,
        of_files(
            "Bytes that are not UTF-8: stop and say where they are, or replace them by U+FFFD.",
            choices=("strict", "replace"),
        ),
    ] = "strict"

    whole: bool = found(default=False)  # whether a text is one sentence, whatever stops it has
    guessed: bool = found(default=False)  # whether nothing says what the input is
    listed: str = found(default="")  # a file of the predicates of its sentences

    def __post_init__(self) -> None:
        for name, read in (
            ("tasks", _tasks), ("model", _models), ("gazetteer", _phrases),
            ("keep", lambda keep: tuple(filter(None, _listed("keep", keep)))),
        ):  # fmt: skip
            object.__setattr__(self, name, read(getattr(self, name)))
        object.__setattr__(self, "scheme", self.scheme or FORMATS[self.format].scheme)
        if self.n_best > 1 and self.memory:
            what, remedy = "these options cannot be combined", "Give one of them."
            raise SennaError(what, where="--nbest, --memory", remedy=remedy)
        if self.document in ("line", "blank") and self.input not in ("text", *TABULAR):
            what = f"{self.document!r} is for raw text, and the input is {self.input}"
            raise SennaError(what, where="--document", remedy="Choose file or docstart.")

    @property
    def remembers(self) -> bool:
        """Whether the names of a document help to see them again: see `senna.pipeline.memory`."""
        if self.tasks is not None and not {NAMES, "all"} & set(self.tasks):
            return False
        usual = INPUTS[self.input].documents and self.n_best == 1
        return bool(usual if self.memory is None else self.memory)

    @property
    def asked(self) -> "Asked":
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

    def split(self, texts: Sequence[str], start: int = 0) -> "list[list[Tokens]]":
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


def chosen(given: Mapping[str, Any], loads: Collection[str] = ()) -> Options:
    """Make options of keywords, in which None stands for a default.

    loads: the inputs of a caller that splits text itself, as `senna.load` does.
    Raises SennaError for an unknown name, and for a value that an option does not take.
    """
    if loads and given.get("input") is not None:
        known_value("input", given["input"], loads)
    options = make(Options, {n: v for n, v in given.items() if v is not None}, where="")
    if loads and not isinstance(options.predicates, Path):
        known_value("predicates", options.predicates, FINDERS)
    return options


def loading() -> dict[str, Option]:
    """The options of `senna.load`, by name."""
    return {name: each for name, each in options_of(Options).items() if not each.of_files}


def known_value(name: str, value: Any, known: Collection[str]) -> None:
    """Raise SennaError for a value of an option that is not one of those known."""
    if not isinstance(value, str) or value not in known:
        raise SennaError(f"{name} = {value!r:.80} is not one of {', '.join(known)}")


def check_format(name: str, format: str) -> None:
    """Raise SennaError for a format that has no place for an option."""
    option = options_of(Options)[name]
    if format not in option.formats:
        *others, last = option.formats
        remedy = f"Choose {', '.join(others)} or {last}."
        raise SennaError(f"{format} has no place for this", where=option.flag, remedy=remedy)


# --------------------------------------------------------------------------- values of some types


def _listed(name: str, value: Any) -> list[str]:
    """Names from a list of them, or from a text with commas."""
    several = isinstance(value, Iterable) and not isinstance(value, Mapping)
    names = value.split(",") if isinstance(value, str) else [*value] if several else [value]
    if not all(isinstance(one, str) for one in names):
        raise SennaError(f"{name} = {value!r:.80} is not a list of names")
    return [one.strip() for one in names]


def _tasks(tasks: Any) -> tuple[str, ...] | None:
    names = None if tasks is None else _listed("tasks", tasks)
    if names is not None and not all(names or [""]):
        remedy = f"Known: {', '.join(TASKS)}; all."
        raise SennaError(f"tasks = {tasks!r:.80} names no task", remedy=remedy)
    return None if names is None else tuple(names)


def _models(model: Any) -> Any:
    """A model as it was named, or of a mapping pairs, which can be hashed; see `folder`."""
    if isinstance(model, tuple):  # of a record that was made from another
        return model
    pairs = model.items() if isinstance(model, Mapping) else [("", model)]
    for _, named in pairs if model is not None else ():
        if not isinstance(named, (str, Path)) or named == "":
            raise SennaError(f"model = {named!r:.80} is neither a name nor a path")
    return tuple(pairs) if isinstance(model, Mapping) else model


def _phrases(lists: Any) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Phrases by their types as pairs, which can be hashed."""
    if isinstance(lists, tuple):  # of a record that was made from another
        return lists
    remedy = 'For example {"PER": ["Ann Lee"]}.'
    if not isinstance(lists or {}, Mapping):
        raise SennaError(f"gazetteer = {lists!r:.60} are not phrases by type", remedy=remedy)
    for kind, phrases in (lists or {}).items():
        listed = isinstance(phrases, Collection) and not isinstance(phrases, str)
        if not listed or not all(isinstance(phrase, str) for phrase in phrases):
            what = f"gazetteer: the phrases of {kind} are {phrases!r:.60}, not a list of texts"
            raise SennaError(what, remedy=remedy)
    return tuple((kind, tuple(phrases)) for kind, phrases in (lists or {}).items())
