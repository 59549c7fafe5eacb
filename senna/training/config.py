"""Everything that a training run depends on: frozen dataclasses, one for each TOML table.

A run is described by one `Config`. A file states all of it, or only what differs from what it
builds on: `read_config` merges the two. `override` applies ``--set key=value``. The tables of a
network's kind and of a feature of forms stand with what reads them.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, make_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from senna.atomic import replacing
from senna.errors import SennaError
from senna.files import resource
from senna.inference.features.settings import Features
from senna.kinds.settings import SETTINGS, LabelConfig
from senna.registry import FIRST_WEIGHTS, NETWORK_SETTINGS, OPTIMISERS, SCHEDULES, THAWING
from senna.settings import (
    ALMOST,
    FAR,
    TINY,
    Option,
    Table,
    choice,
    make,
    number,
    read_table,
    text,
    to_toml,
)
from senna.tasks import LEARNT, TASKS, task_of


def _is_fold(value: str) -> bool:
    numbers = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", value)
    return not value or (numbers is not None and int(numbers[1]) < int(numbers[2]))


def _are_ranges(value: str) -> bool:
    part = r" *[0-9]{1,9} *(- *([0-9]{1,9} *)?)?"
    return not value or re.fullmatch(f"{part}(,{part})*", value) is not None


def _are_names(value: str) -> bool:
    return not value or all(pair.count("=") == 1 for pair in value.split(","))


@dataclass(frozen=True)
class Source:
    """One split of one corpus, or one file of the user's own."""

    SHORT: ClassVar = "corpus"

    corpus: str = ""  # a name of the catalogue ("ner/docred") or the path of a file
    split: str = ""  # train, dev, test or another of its files; empty: the list's own kind
    columns: str = ""  # names of the columns, for example "word,pos,-,tag"; empty: by number
    weight: Annotated[float, number(0, FAR)] = 1.0  # times each sentence is seen in an epoch
    unlabelled: tuple[str, ...] = ()  # types the annotators left out: an O may hide one
    # "1-200,300-": only these of its sentences, counted from 1
    sentences: Annotated[str, text(_are_ranges, "is not of the form 1-200,300-")] = ""
    levels: str = ""  # a corpus or *.levels file with the levels of these sentences' trees


@dataclass(frozen=True)
class DataConfig:
    """The training, development and test data of one task."""

    train: tuple[Source, ...] = ()
    dev: tuple[Source, ...] = ()
    test: tuple[Source, ...] = ()
    # of parts of speech: tag every "to" TO and ";" ":", as in the Penn Treebank
    merge_to: bool = False
    dev_share: Annotated[float, number(0, ALMOST)] = (
        0.0  # with no dev set: the last share of the training set
    )
    size: Annotated[int, number()] = (
        0  # learn from so many training sentences, drawn at random; 0: all
    )
    # "2/5": leave out the third of five parts of the training set
    fold: Annotated[str, text(_is_fold, "is not of the form 2/5")] = ""
    # of srl and predicates: which count, verbs and light verbs; "be", "aux", "n" and "a" are others
    kinds: tuple[str, ...] = ("v", "lv")
    # of label: names for those of the files, "0=bad,1=good,2="; one named "" is left out; a *
    # in the first part of a pair stands for anything
    labels: Annotated[str, text(_are_names, "is not of the form 0=bad,1=good,2=")] = ""


@dataclass(frozen=True)
class SharedNetworkConfig:
    """The network: its kind, what all kinds have, and a table for each kind."""

    kind: Annotated[str, choice(*NETWORK_SETTINGS)] = "window"
    # first weights: of layers with a deviation of 1/sqrt(fan-in), small ones of tables; "variance",
    # with that variance, as remark 7 has it; "xavier"; "he", for ReLU
    initial: Annotated[str, choice(*FIRST_WEIGHTS)] = "small"
    constrained: bool = True  # only transitions that IOBES allows
    # of roles: a score for each two labels, or (the paper's, slower) for each two tags, as of tags;
    # "state", of tags: for each two tags also a weight vector on the last layer (BiLSTM-CRF)
    transitions: Annotated[str, choice("tied", "full", "state")] = "tied"
    # so many last tags are input, and so many taggings are kept
    history: Annotated[int, number(1, 9)] = 1
    beam: Annotated[int, number(1, 1000)] = 1

    @property
    def of_nodes(self) -> bool:
        """Whether the network reads the parse tree of a sentence, and scores its nodes."""
        return getattr(self.settings, "OF_NODES", False)

    @property
    def settings(self) -> Any:
        """The table of its kind."""
        return getattr(self, self.kind)

    if TYPE_CHECKING:  # the tables of the kinds: see `NetworkConfig`

        def __getattr__(self, name: str) -> Any: ...


_TABLES: list[tuple[str, Any]] = [*SETTINGS.values(), *NETWORK_SETTINGS.items()]
_FIELDS: list[Any] = [(name, kind, kind()) for name, kind in _TABLES]
if TYPE_CHECKING:
    NetworkConfig = SharedNetworkConfig
else:
    NetworkConfig = make_dataclass(
        "NetworkConfig",
        _FIELDS,
        bases=(SharedNetworkConfig,),
        namespace={"__doc__": SharedNetworkConfig.__doc__, "__module__": __name__},
        frozen=True,
    )


@dataclass(frozen=True)
class Training:
    """How the network is trained (section 3.4)."""

    # "sentence" (eq. 13), "hinge" (structured, margin 1), "perceptron"; word by word: "word" (eq.
    # 11), "word-hinge" (multiclass, margin 1), "word-binary" (a hinge for each tag), "word-log";
    # "greedy": "word" with the last tags as input, from left to right (an MEMM)
    criterion: str = "sentence"
    # "sgd", "momentum" and "nesterov": rates by fan-in (remark 7)
    optimiser: Annotated[str, choice(*OPTIMISERS)] = "adam"
    learning_rate: Annotated[float, number(TINY, FAR)] = 0.001
    # of the rate: "linear", to zero; "epoch", divided by the number of the epoch; "bottou", by 1 +
    # rate * l2 * steps (Bottou 2012)
    schedule: Annotated[str, choice(*SCHEDULES)] = "linear"
    l2: Annotated[float, number()] = (
        0.0  # times half the squares of weights is added to the loss of a sentence
    )
    batch: Annotated[int, number(1)] = 16  # sentences per step
    # "all", each sentence once per epoch; "alike", each task equally often; "together", as "all",
    # but tasks about the same sentences are learnt in one pass over them
    draw: Annotated[str, choice("all", "alike", "together")] = "all"
    epochs: Annotated[int, number(1)] = 10
    patience: Annotated[int, number()] = (
        0  # stop after so many epochs without a better dev score; 0: never
    )
    dropout_input: Annotated[float, number(0, ALMOST)] = 0.0  # of the word features
    dropout_hidden: Annotated[float, number(0, ALMOST)] = 0.0
    clip: Annotated[float, number()] = 5.0  # largest norm of a gradient; 0: none
    average: Annotated[float, number(0, ALMOST)] = (
        0.0  # decay of the running mean that is kept; 0: none
    )
    # the same seed gives the same weights with the same number of threads (OMP_NUM_THREADS): with
    # another, sums are rounded differently
    seed: Annotated[int, number(0, 2**63 - 1)] = 1
    # the first vectors of words, and weights of the tables of forms and of the gated layers: an
    # encoder that was pretrained, or the model of other tasks (a run, a model folder, a task of the
    # package)
    encoder: str = ""
    # the model to continue training (--from): a task of the package, a run or a model folder
    model: str = ""
    # probabilities to learn instead of gold tags: those of a teacher (a model, as for --from) or of
    # a file (for example O=0.9 after a word and a tab)
    soft: str = ""
    # the share of earlier tags in the last epoch that are the network's own; it rises from 0 in the
    # first
    own_tags: Annotated[float, number(0, 1)] = 0.0
    # from a model: so many epochs with its heads alone, then as `thawing` says; 0: all
    # layers learn at once
    thaw: Annotated[int, number()] = 0
    # "gradual": so many epochs with each next layer from the top as well; "chain": with each layer
    # alone, from the first to the last, then all together until the end (Felbo et al. 2017)
    thawing: Annotated[str, choice(*THAWING)] = "gradual"


@dataclass(frozen=True)
class Export:
    """How the model folder is written."""

    numbers: Annotated[str, choice("float32", "float16", "int8")] = "float32"  # of the word table
    base: str = ""  # folder of a shared base table; empty: the model is complete in itself
    moved: Annotated[float, number()] = 0.0  # vectors moved less than this stay the base's
    own: Annotated[int, number()] = 0  # how many words that it lacks are stored; 0: all
    # units between two factors of a convolution's weights; 0: one
    rank: Annotated[int, number()] = 0
    # epochs that the factors are trained on for, at half the rate
    tuned: Annotated[int, number()] = 0
    weights: Annotated[str, choice("float32", "float16")] = "float32"  # of the layers


@dataclass(frozen=True)
class Config:
    """One training run."""

    extends: str = ""  # of a file, what it builds on; here it has been read: see `read_config`
    tasks: Annotated[tuple[str, ...], choice(*LEARNT)] = ()
    notes: tuple[str, ...] = ()  # for the model's card
    data: Annotated[dict[str, DataConfig], Option(names=LEARNT)] = field(
        default_factory=dict
    )  # by task
    features: Features = Features()
    network: NetworkConfig = NetworkConfig()
    train: Training = Training()
    export: Export = Export()


ENOUGH = 8000  # sentences that a small file of the user's own is learnt from in all epochs together
MOST_EPOCHS = 30
PATIENCE = 8  # epochs without a better dev score after which training on such files ends


def with_epochs(train: Training, n: int) -> Training:
    """The same training with more epochs, if n sentences are few."""
    epochs = min(MOST_EPOCHS, -(-ENOUGH // max(n, 1)))
    return replace(train, epochs=max(epochs, train.epochs))


# --------------------------------------------------------------------------- reading


def read_config(
    path: Path,
    tasks: Sequence[str] = (),
    say: Callable[[str], None] = lambda line: None,
    base: Config | None = None,
) -> Config:
    """The configuration of a file, put over what its `extends` names.

    That is a task, whose default it is, or another file, by its path from this one, or nothing
    ("", bare defaults). Without the key it is the default of the file's tasks, which `say` reports.
    `tasks` stand for the file's own. `base`, if given, takes the place of the default of tasks.
    `SennaError` names the file and the key that is wrong.
    """
    table = _whole(path, tasks, say, [], base)
    return from_table(table | ({"tasks": list(tasks)} if tasks else {}), where=str(path))


def read_run(folder: Path) -> Config:
    """The configuration of a run, without settings that are none any more."""
    path = folder / "config.toml"
    if not path.is_file():
        what, remedy = "no such run (it has no config.toml)", "`senna runs list` lists the runs."
        raise SennaError(what, where=str(folder), remedy=remedy)
    return from_table(read_table(path), where=str(path), strict=False)


def configs() -> dict[str, Path]:
    """The package's configurations of `senna train`, by name, for example paper/ner."""
    folder = resource("configs")
    paths = {path: path.relative_to(folder).with_suffix("") for path in folder.rglob("*.toml")}
    return {p.as_posix(): f for f, p in sorted(paths.items()) if p.parts[0] != "pretrain"}


def default_config(tasks: Sequence[str]) -> Config:
    """The package's configuration for a task, or for several in one model."""
    return from_table(_default(tasks, "--task"), where="--task")


def from_table(table: Table, *, where: str, strict: bool = True) -> Config:
    """Check a complete parsed TOML table and make it a `Config`; strict: see `make`."""
    config = make(Config, table, where=where, strict=strict, stored=False)
    if what := _wrong(config):
        raise SennaError(what, where=where)
    return config


def override(
    config: Config, settings: Sequence[str] = (), values: Mapping[str, object] | None = None
) -> Config:
    """Apply `values` by dotted key, then ``key=value`` settings: TOML, or bare words as strings."""
    table = with_settings(asdict(config), settings, values or {})
    return from_table(table, where="--set")


def with_settings(table: Table, settings: Sequence[str], values: Mapping[str, Any]) -> Table:
    """A table with `values` by dotted key, then settings as ``key=value``, put in.

    The values of settings are TOML, and bare words are strings.
    """
    for key, value in [*values.items(), *map(_setting, settings)]:
        for part in reversed(key.split(".")):
            value = {part.strip(): value}
        table = merged(table, value)
    return table


def _setting(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not equals:
        remedy = "Example: --set train.epochs=5"
        raise SennaError(f"not of the form key=value: {text!r}", where="--set", remedy=remedy)
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except (ValueError, RecursionError):
        return key, value


def merged(base: Table, changes: Table) -> Table:
    """Two tables as one: `changes` replaces `base` key by key; lists are not joined."""
    result = dict(base)
    for key, value in changes.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = merged(result[key], value) if both else value
    return result


def write_config(path: Path, config: Any) -> None:
    """Write a complete configuration, from which its run can be repeated."""
    text = to_toml(asdict(config))
    with replacing(path) as place:
        place.write_text(text, encoding="utf-8", errors="surrogateescape", newline="\n")


def _whole(
    path: Path,
    tasks: Sequence[str],
    say: Callable[[str], None],
    within: list[Path],
    base: Config | None = None,
) -> Table:
    """The table of a file with all that it builds on; `within`: the files that build on it."""
    where = str(path)
    if path.resolve() in within:
        raise SennaError("its extends leads back to itself", where=where)
    table = read_table(path)
    make(Config, table, where=where)  # an error names the file that has it
    tasks = tasks or table.get("tasks", ())
    extends = table.pop("extends", None)
    if extends == "":
        return table
    if extends is None and base is None:
        if not tasks:
            raise SennaError("names no tasks", where=where, remedy="Add --task.")
        extends = ",".join(tasks)
        say(f'{where} has no "extends": it builds on the default of {extends}')
    names = [part.strip() for part in extends.split(",")] if extends else []
    if set(names) <= set(LEARNT):
        return merged(asdict(base) if base else _default(names, where), table)
    other = path.parent / extends
    if not other.is_file():
        what = f"extends = {extends!r} is not a task, and {other} is not a file"
        raise SennaError(what, where=where, remedy=f"Tasks: {', '.join(LEARNT)}.")
    return merged(_whole(other, tasks, say, [*within, path.resolve()]), table)


def _default(tasks: Sequence[str], where: str) -> Table:
    """The package's own table for tasks; for several, what they share and the data of each."""
    if ruled := [task for task in tasks if task_of(task, where).name not in LEARNT]:
        what = f"task {ruled[0]!r} has rules, no model"
        raise SennaError(what, where=where, remedy=f"Tasks: {', '.join(LEARNT)}.")
    singles = [read_table(resource(f"configs/{task_of(task, where).name}.toml")) for task in tasks]
    if len(tasks) == 1:
        return singles[0]
    shared = read_table(resource("configs/multitask.toml"))
    data = {task: table["data"][task] for task, table in zip(tasks, singles, strict=True)}
    return shared | {"tasks": list(tasks), "data": data}


def _wrong(config: Config) -> str:
    """The errors of settings that are invalid together."""
    features, window = config.features, config.network.window
    if config.extends:
        return "extends is read from files only"
    if features.ngrams.least > features.ngrams.most:
        return "features.ngrams.least is more than features.ngrams.most"
    levels, tree = features.levels, features.tree
    if levels.of_model and tree.used:
        for key in ("model", "folds"):
            if getattr(levels, key) != getattr(tree, key):
                return f"features.levels.{key} must be as features.tree.{key}: they see one tree"
    if features.characters.kind == "recurrent" and features.characters.filters % 2:
        return "features.characters.filters must be even for two directions"
    if len(window.widths) > window.layers:
        return "network.window.widths has more entries than network.window.hidden"
    if window.shared > window.layers:
        return "network.window.shared is more than the layers of network.window.hidden"
    network, train = config.network, config.train
    layers = {"window": window.hidden, "sentence": network.sentence.hidden}
    if train.dropout_hidden and not layers.get(network.kind, True):
        return f"train.dropout_hidden = {train.dropout_hidden} needs network.{network.kind}.hidden"
    if train.model and train.encoder:
        return "train.model and train.encoder exclude each other"
    if train.thaw and not train.model:
        return "train.thaw needs a model to start from (--from)"
    for key, value, met, needed in _needs(config):
        if value and not met:
            return f"{key} = {json.dumps(value)} needs {needed}"
    if features.wrong:
        return features.wrong
    heads = {TASKS[task].head for task in config.tasks}
    wrong = (getattr(network, kind).wrong(heads) for kind in NETWORK_SETTINGS)
    return next(filter(None, wrong), "") or _wrong_pooling(network, heads, features.tree.used)


def _needs(config: Config) -> Iterator[tuple[str, Any, bool, str]]:
    """Settings that need others: key, value if it is set, whether these are there, their names."""
    network, train, features = config.network, config.train, config.features
    greedy = train.criterion == "greedy"
    for key in ("history", "beam"):
        value = getattr(network, key)
        yield f"network.{key}", value > 1 and value, greedy, "train.criterion = greedy"
    yield "train.own_tags", train.own_tags, greedy, "train.criterion = greedy"
    criteria = ("word", "sentence", "greedy")
    fits = train.criterion in criteria
    yield "train.soft", train.soft, fits, "train.criterion = word or sentence or greedy"
    tagging = all(TASKS[task].is_tagging for task in config.tasks)
    yield "train.soft", train.soft, tagging, "tasks whose output is tags"
    for task, data in config.data.items():
        labels = TASKS[task].head == "labels"
        yield f"data.{task}.labels", data.labels, labels, "tasks whose output is labels"
    word, whole = features.word.used, features.joined == "concatenate"
    joined = "" if whole else features.joined
    table = "features.word.size or features.word.embeddings"
    yield "features.ngrams.buckets", features.ngrams.buckets, word, table
    yield "features.joined", joined, word, table
    yield "features.states", features.states, whole, "features.joined = concatenate"
    plain = whole and not features.characters.filters and not features.ngrams.buckets
    kept = "features.joined = concatenate, and neither characters.filters nor ngrams.buckets"
    yield "features.one_hot", features.one_hot, plain, kept


def _wrong_pooling(network: NetworkConfig, heads: Collection[str], parses: bool) -> str:
    """An error in how words become a sentence, or ""; parses: whether trees are a feature."""
    pooling = network.label.pooling
    if pooling != LabelConfig().pooling and not network.settings.POOLS:
        return f"network.label.pooling has no place in a {network.kind} network"
    if "labels" in heads and network.kind == "window" and not network.window.hidden:
        return "labels of sentences need hidden layers in network.window.hidden"
    if network.of_nodes and not parses:
        return "the recursive network needs a parser: features.tree.used must be true"
    for name in ("last", "ends"):
        if name in pooling and network.kind != "recurrent":
            return f'network.label.pooling = "{name}" needs network.kind = "recurrent"'
    return ""
