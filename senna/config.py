"""TOML to frozen dataclasses and back: everything that a training run depends on.

A run is described by one `Config`. Unknown keys and wrong types are refused; `override`
applies ``--set key=value``; `to_toml` writes the complete resolved configuration, from which
the run can be repeated.
"""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
import typing
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from senna.errors import SennaError
from senna.files import replacing
from senna.tasks import task_of

Setting = str | tuple[str, Any]  # "key=value", the value as TOML; or a key and its value


@dataclass(frozen=True)
class Source:
    """One split of one corpus, or one file of the user's own."""

    corpus: str = ""  # a name of the catalogue ("ner/docred") or the path of a file
    split: str = ""  # train, dev or test; empty: the list's own kind
    columns: str = ""  # names of the columns, as "word,pos,-,tag"; empty: by their number
    weight: float = 1.0  # times each sentence is seen in an epoch (0.5: every other epoch)
    unlabelled: tuple[str, ...] = ()  # types the annotators left out: an O may hide one
    sentences: str = ""  # "1-200,300-": only these of its sentences, counted from 1


@dataclass(frozen=True)
class DataConfig:
    """What one task learns from, is chosen on and is tested on."""

    train: tuple[Source, ...] = ()
    dev: tuple[Source, ...] = ()
    test: tuple[Source, ...] = ()
    merge_to: bool = False  # tag every "to" TO, as in the Penn Treebank
    dev_share: float = 0.0  # with no dev set: the last share of the training set
    fold: str = ""  # "2/5": leave out the third of five parts of the training set
    kinds: tuple[str, ...] = ("v",)  # of predicates and srl: which predicates count


@dataclass(frozen=True)
class WordFeature:
    """The lookup table of words (section 3.2)."""

    size: int = 50  # numbers a word; 0: as many as the vectors have
    embeddings: str = ""  # file or folder of vectors to start from; "base": the package's table
    scale: float = 0.12  # element deviation the vectors are brought to; 0 leaves them
    min_count: int = 1  # rarer words of the training set that have no vector are RARE
    fixed: bool = False  # leave the vectors as they are (table 13)
    rare: float = 0.0  # share of the words seen once that training replaces by RARE


@dataclass(frozen=True)
class CapsFeature:
    """The paper's four values of capitals (section 3.5)."""

    size: int = 5


@dataclass(frozen=True)
class CaseFeature:
    """How a word is usually written within sentences: in small letters, with a capital, or mixed.

    Counted on running text; it comes with the base table, as vectors of lower-cased words lack it.
    """

    size: int = 0  # numbers a value; 0: feature not used


@dataclass(frozen=True)
class AffixFeature:
    """First or last letters of a word, one lookup table a length (section 6.1)."""

    size: int = 0  # numbers an affix; 0: feature not used
    lengths: tuple[int, ...] = (2,)
    min_count: int = 3  # rarer affixes share one row


@dataclass(frozen=True)
class CharacterFeature:
    """A small convolution over a word's letters, then the maximum over them."""

    filters: int = 0  # numbers a word; 0: feature not used
    size: int = 25  # numbers a letter
    width: int = 3  # letters a filter sees
    longest: int = 20  # longer words lose letters in their middle


@dataclass(frozen=True)
class PosFeature:
    """The tag of our own part-of-speech model, or of a column (section 6.3)."""

    size: int = 0  # numbers a tag; 0: feature not used
    source: str = "model"  # "model": predicted; "column": the corpus' own column
    model: str = ""  # folder of the part-of-speech model; empty: the one in the package
    folds: str = ""  # folder of fold-0, fold-1, ...: models that have not seen the sentence


@dataclass(frozen=True)
class Pt0Feature:
    """The tag of our own model of PT0, the leaf segments of parse trees, or of a column (6.5)."""

    size: int = 0  # numbers a tag; 0: feature not used
    source: str = "model"  # "model": predicted; "column": the corpus' own column
    model: str = ""  # folder of the PT0 model; empty: the one in the package
    folds: str = ""  # folder of fold-0, fold-1, ...: models that have not seen the sentence


@dataclass(frozen=True)
class GazetteerFeature:
    """Phrase lists, one a type, matched without regard to case (section 6.2)."""

    size: int = 0  # numbers a type; 0: feature not used
    files: tuple[str, ...] = ()  # <type>.txt, also .gz or .xz; or folders of them
    coding: str = "position"  # "position": begin, inside, end, single; "on_off": the paper's


@dataclass(frozen=True)
class Features:
    """All lookup tables of a word (eq. 2); a size of 0 leaves one out."""

    word: WordFeature = WordFeature()
    caps: CapsFeature = CapsFeature()
    case: CaseFeature = CaseFeature()
    prefix: AffixFeature = AffixFeature()
    suffix: AffixFeature = AffixFeature()
    characters: CharacterFeature = CharacterFeature()
    pos: PosFeature = PosFeature()
    pt0: Pt0Feature = Pt0Feature()
    gazetteer: GazetteerFeature = GazetteerFeature()


@dataclass(frozen=True)
class Network:
    """The network; `kind` says which of the other keys it has.

    "window" (section 3.3.1): one width and one size a hidden layer. "sentence" (3.3.2): a
    convolution of `window[0]` words to `units`, the maximum over the sentence, one hidden layer.
    "gated": an encoder of `units` that runs once a sentence, one gated convolution a dilation; for
    roles a few more, of `pair` units, run for each predicate.
    """

    window: tuple[int, ...] = (5,)  # words each hidden layer sees
    hidden: tuple[int, ...] = (300,)  # units of each hidden layer
    shared: int = 1  # window, with several tasks: how many hidden layers they share
    constrained: bool = True  # only transitions that IOBES allows
    initial: str = "small"  # first weights: "small", or remark 7: "deviation", "variance"
    kind: str = "window"  # "window", "sentence" or "gated"
    units: int = 300  # sentence, gated: what the convolutions give
    width: int = 3  # gated: words each convolution sees
    dilations: tuple[int, ...] = (1, 2, 4, 8, 1, 2)  # gated: how far apart these words are
    pair: int = 200  # gated, roles: units of a predicate and a word together
    pair_dilations: tuple[int, ...] = (1, 2, 4)  # gated, roles: convolutions for each predicate
    distance: int = 30  # sentence, gated: farther words count as so far away
    distance_size: int = 5  # sentence: numbers a distance


@dataclass(frozen=True)
class Training:
    """How the network is trained (section 3.4)."""

    criterion: str = "sentence"  # "sentence" (eq. 13) or "word" (eq. 11)
    optimiser: str = "adam"  # "adam", or "sgd" with rates by fan-in (remark 7)
    learning_rate: float = 0.001
    table_rate: float = 1.0  # rate of the lookup tables, relative to learning_rate
    schedule: str = "linear"  # "constant", "linear" (to zero) or "cosine"
    batch: int = 16  # sentences a step
    epochs: int = 10
    patience: int = 0  # stop after so many epochs without a better dev score; 0: never
    dropout_input: float = 0.0  # of the word features
    dropout_hidden: float = 0.0
    clip: float = 5.0  # largest norm of a gradient; 0: none
    average: float = 0.0  # decay of the running mean of the weights that is kept; 0: none
    seed: int = 1
    start: str = ""  # a run, runs/NAME, whose best weights are the first; same network, same words


@dataclass(frozen=True)
class Export:
    """How the model folder is written."""

    numbers: str = "float32"  # of the word table: "float32", "float16" or "int8"
    base: str = ""  # folder of a shared base table; empty: the model is complete in itself
    moved: float = 0.0  # on a base: vectors that training moved less than this stay the base's
    own: int = 0  # on a base: how many words that it lacks are stored, the most frequent; 0: all
    rank: int = 0  # gated: units between two factors of a convolution's weights; 0: one matrix


@dataclass(frozen=True)
class Config:
    """One training run."""

    tasks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # for the model's card
    data: dict[str, DataConfig] = field(default_factory=dict)  # by task
    features: Features = Features()
    network: Network = Network()
    train: Training = Training()
    export: Export = Export()


# --------------------------------------------------------------------------- reading


def read_config(path: Path) -> Config:
    """Read one TOML file; `SennaError` names the file and the key that is wrong."""
    return from_table(read_table(path), where=str(path))


def read_table(path: Path) -> dict[str, Any]:
    """A TOML file as nested dicts; `SennaError` if there is none, or it is not readable."""
    try:
        # A path may be any bytes, in the file of a run too.
        return tomllib.loads(path.read_text(encoding="utf-8", errors="surrogateescape"))
    except FileNotFoundError:
        raise SennaError("no such configuration", where=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SennaError(f"not readable as TOML: {error}", where=str(path)) from None


def from_table(table: dict[str, Any], *, where: str) -> Config:
    """Check a parsed TOML table and make it a `Config`."""
    config: Config = build(Config, table, where=where)
    _check(config, where)
    return config


def override(config: Config, settings: Sequence[Setting]) -> Config:
    """Apply settings; where they are ``key=value``, bare words are strings."""
    return from_table(with_settings(to_table(config), settings), where="--set")


def with_settings(table: dict[str, Any], settings: Sequence[Setting]) -> dict[str, Any]:
    """The nested dicts of a configuration with settings put in."""
    for setting in settings:
        key, value = _key_and_value(setting) if isinstance(setting, str) else setting
        _assign(table, key.strip().split("."), value)
    return table


def _key_and_value(setting: str) -> tuple[str, Any]:
    key, equals, text = setting.partition("=")
    if not equals:
        what = f"not of the form key=value: {setting!r}"
        raise SennaError(what, where="--set", mend="Example: --set train.epochs=5")
    try:
        return key, tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return key, text


def build(kind: Any, table: dict[str, Any], *, where: str) -> Any:
    """Make a dataclass of `kind` from a parsed TOML table; unknown keys and types are refused."""
    return _build(kind, table, "", where)


def _assign(table: dict[str, Any], path: list[str], value: Any) -> None:
    for part in path[:-1]:
        table = table.setdefault(part, {})
        if not isinstance(table, dict):
            raise SennaError(f"{part!r} is not a table", where="--set " + ".".join(path))
    table[path[-1]] = value


def _build(kind: Any, value: Any, key: str, where: str) -> Any:
    """Make `value` of the annotated type `kind`; `key` is its path for messages."""
    if dataclasses.is_dataclass(kind):
        if kind is Source and isinstance(value, str):
            value = {"corpus": value}
        if not isinstance(value, dict):
            raise SennaError(f"{key or 'the file'} must be a table", where=where)
        return _build_dataclass(kind, value, key, where)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is dict and isinstance(value, dict):
        return {
            name: _build(arguments[1], item, f"{key}.{name}", where) for name, item in value.items()
        }
    if origin is tuple and isinstance(value, (list, tuple)):
        return tuple(
            _build(arguments[0], item, f"{key}[{i}]", where) for i, item in enumerate(value)
        )
    if kind is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(kind, type) and type(value) is kind:
        return value
    wanted = kind.__name__ if isinstance(kind, type) and origin is None else "list"
    raise SennaError(f"{key} = {value!r} is not of type {wanted}", where=where)


def _build_dataclass(kind: Any, value: dict[str, Any], key: str, where: str) -> Any:
    hints = typing.get_type_hints(kind)
    unknown = [name for name in value if name not in hints]
    if unknown:
        near = difflib.get_close_matches(unknown[0], hints, n=1)
        names = f"did you mean {near[0]!r}?" if near else "known: " + ", ".join(hints)
        path = f"{key}.{unknown[0]}" if key else unknown[0]
        raise SennaError(f"unknown key {path!r}; {names}", where=where)
    made = {
        name: _build(hints[name], item, f"{key}.{name}" if key else name, where)
        for name, item in value.items()
    }
    return kind(**made)


_CHOICES = {
    "train.criterion": ("sentence", "word"),
    "train.optimiser": ("adam", "sgd"),
    "train.schedule": ("constant", "linear", "cosine"),
    "network.kind": ("window", "sentence", "gated"),
    "network.initial": ("small", "deviation", "variance"),
    "features.pos.source": ("model", "column"),
    "features.pt0.source": ("model", "column"),
    "features.gazetteer.coding": ("position", "on_off"),
    "export.numbers": ("float32", "float16", "int8"),
}


def _check(config: Config, where: str) -> None:
    """Refuse values that no run could use."""
    for path, choices in _CHOICES.items():
        value: Any = config
        for part in path.split("."):
            value = getattr(value, part)
        if value not in choices:
            raise SennaError(f"{path} = {value!r} is none of {', '.join(choices)}", where=where)
    for task in (*config.tasks, *config.data):
        task_of(task, where)
    train = config.train
    _check_network(config.network, where)
    if train.batch < 1 or train.epochs < 1 or train.learning_rate <= 0:
        raise SennaError("train.batch, epochs and learning_rate must be positive", where=where)
    for name in ("dropout_input", "dropout_hidden", "average"):
        if not 0 <= getattr(train, name) < 1:
            raise SennaError(f"train.{name} must be at least 0 and below 1", where=where)
    if min(config.export.moved, config.export.own, config.export.rank) < 0:
        raise SennaError("export.moved, own or rank is negative", where=where)
    features = config.features
    word = features.word
    if word.size < 0 or not (word.size or word.embeddings):
        raise SennaError("features.word.size must be positive", where=where)
    if features.characters.longest < 2 or features.characters.width < 1:
        raise SennaError("features.characters.longest or width is too small", where=where)
    sizes = (features.caps, features.case, features.prefix, features.suffix, features.pos)
    if min(item.size for item in (*sizes, features.pt0, features.gazetteer)) < 0:
        raise SennaError("a size under features is negative", where=where)


def _check_network(network: Network, where: str) -> None:
    if len(network.window) != len(network.hidden) or not network.window:
        raise SennaError("network.window and network.hidden need one entry a layer", where=where)
    if network.kind == "sentence" and len(network.hidden) != 1:
        raise SennaError("the sentence network has one entry in network.hidden", where=where)
    if any(width < 1 or width % 2 == 0 for width in (*network.window, network.width)):
        what = "network.window and network.width must hold odd numbers, as 5"
        raise SennaError(what, where=where)
    if min(network.hidden) < 1 or not 1 <= network.shared <= len(network.hidden):
        raise SennaError("network.hidden or network.shared is out of range", where=where)
    sizes = (network.units, network.pair, network.distance, network.distance_size)
    if min(*sizes, *network.dilations, *network.pair_dilations) < 1:
        what = "network: units, pair, a distance or a dilation is out of range"
        raise SennaError(what, where=where)


# --------------------------------------------------------------------------- writing


def write_config(path: Path, config: Any) -> None:
    """Write a complete configuration, from which its run can be repeated."""
    text = to_toml(to_table(config))
    with replacing(path) as place:
        place.write_text(text, encoding="utf-8", errors="surrogateescape", newline="\n")


def to_table(config: Any) -> dict[str, Any]:
    """The configuration as nested dicts and lists, every field present."""
    return typing.cast(dict[str, Any], _plain(config))


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return {item.name: _plain(getattr(value, item.name)) for item in fields}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def to_toml(table: dict[str, Any], prefix: str = "") -> str:
    """Write nested dicts as TOML, tables after plain values; reads back to the same."""
    plain = {key: item for key, item in table.items() if not isinstance(item, dict)}
    nested = {key: item for key, item in table.items() if isinstance(item, dict)}
    lines = [f"{_key(key)} = {_value(item)}" for key, item in plain.items()]
    text = "\n".join(lines) + ("\n" if lines else "")
    for key, item in nested.items():
        path = f"{prefix}.{_key(key)}" if prefix else _key(key)
        text += f"\n[{path}]\n" + to_toml(item, path)
    return text


def _key(key: str) -> str:
    bare = key and all(c.isascii() and (c.isalnum() or c in "-_") for c in key)
    return key if bare else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items())
        return "{" + inner + "}"
    if isinstance(value, (int, float)):
        return repr(value)
    raise TypeError(f"no TOML for {type(value).__name__}")


def _string(text: str) -> str:
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    made = "".join(
        escapes.get(c) or (f"\\u{ord(c):04X}" if ord(c) < 32 or ord(c) == 127 else c) for c in text
    )
    return f'"{made}"'
