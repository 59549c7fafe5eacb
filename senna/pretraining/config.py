"""Everything that a run of `senna pretrain` depends on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from senna.errors import SennaError
from senna.files import resource
from senna.inference.features.settings import Features
from senna.inference.networks.settings import GatedConfig
from senna.model.folder import model_path
from senna.settings import ALMOST, TINY, Table, choice, make, number, read_table
from senna.training.config import Config, Export, NetworkConfig, Training, with_settings

OBJECTIVES = (
    *("ranking", "likelihood", "bilinear", "recurrent"),
    *("skipgram", "positional", "cbow"),
)
ENCODER = "encoder"  # another objective, whose result is no table of vectors
LIKELIHOODS = ("likelihood", "bilinear", "recurrent")  # which have a softmax


@dataclass(frozen=True)
class Pretraining:
    """One run: text to word vectors (section 4)."""

    objective: Annotated[str, choice(*OBJECTIVES)] = "ranking"
    # successive dictionaries
    sizes: Annotated[tuple[int, ...], number(1, 10**7, distinct=True)] = (
        5000,
        10000,
        30000,
        50000,
        100000,
    )
    dictionary: str = ""  # file of words, in order; empty: the most frequent of the text
    initial: str = ""  # vectors to start from
    # passes over the text with each dictionary but the last
    warm_up: Annotated[float, number()] = 0.05
    epochs: Annotated[float, number(1e-9)] = 1.0  # passes with the last dictionary
    dimension: Annotated[int, number(1, 10_000)] = 50  # numbers per word
    window: Annotated[int, number(3, 999, odd=True)] = 11  # words; the centre is one of them
    # "hinge" (eq. 17), or "log": log(1 + e^(f(x') - f(x)))
    loss: Annotated[str, choice("hinge", "log")] = "hinge"
    # units of the hidden layer (ranking, likelihood), or of the LSTM in each direction (recurrent)
    hidden: Annotated[int, number(1, 10_000)] = 100
    # numbers that its units become; 0: as many
    projection: Annotated[int, number(0, 10_000)] = 0
    # words that gradients go back over
    steps: Annotated[int, number(1, 10_000)] = 32
    # predict a word from those before it alone
    ahead: bool = False
    # random words per window (ranking), neighbour (skipgram, positional) or word (cbow)
    negatives: Annotated[int, number(1, 1000)] = 1
    # in training: a "sampled" softmax, noise-contrastive estimation ("nce"), that of a class, then
    # of a word in it ("classes"), or a choice at each branch of the clusters' binary tree ("tree")
    softmax: Annotated[str, choice("sampled", "nce", "classes", "tree")] = "sampled"
    # file by senna vectors cluster
    clusters: str = ""
    # random words that a step's "sampled" or "nce" is over
    sample: Annotated[int, number(1, 10**6)] = 256
    noise: Annotated[float, number(0, 10)] = 0.0  # random words are drawn by count ** noise
    # words of a larger share are dropped at random; 0: none
    threshold: Annotated[float, number()] = 0.0
    # first values of the vectors: "normal", of a deviation; or uniform, up to 1 / (2 dimension)
    # ("word2vec") or sqrt(6 / dimension) ("xavier")
    first: Annotated[str, choice("normal", "word2vec", "xavier")] = "normal"
    # of the first values of the vectors, where normal
    deviation: Annotated[float, number(1e-9)] = 0.1
    learning_rate: Annotated[float, number(1e-9)] = 0.3  # of the lookup tables (Adagrad)
    network_rate: Annotated[float, number(1e-9)] = 0.001  # of the layers (Adam)
    batch: Annotated[int, number(1, 10**6)] = 4096  # windows per step
    words: Annotated[int, number()] = 0  # running words to train on, the first of the text; 0: all
    # of the text, to validate on: a share, or words
    held_out: Annotated[float, number(1e-9)] = 0.01
    # order of the n-gram model to compare perplexity with; 0: none
    baseline: Annotated[int, number(0, 10)] = 3
    seed: Annotated[int, number(0, 2**63 - 1)] = 1

    def parts(self, n_tokens: int, n_words: int) -> tuple[int, int]:
        """How many tokens of a text are trained on, the first, and held out, the last.

        What is held out stays the same, however few words are trained on.
        """
        n_held = int(self.held_out if self.held_out > 1 else self.held_out * n_tokens)
        n_train = n_tokens - n_held
        if self.words:
            n_train = min(round(self.words / (n_words / n_tokens)), n_train)
        return n_train, n_held


@dataclass(frozen=True)
class EncoderPretraining:
    """One run: text to the tables of forms, the projection and the gated layers of a network."""

    objective: Annotated[str, choice("encoder")] = "encoder"
    initial: str = ""  # encoder to start from: a run, or its model folder
    epochs: Annotated[float, number(TINY)] = 1.0  # passes over the text
    words: Annotated[int, number()] = 0  # running words to train on, the first of the text; 0: all
    # sentences to validate on, from everywhere in the text
    held_out: Annotated[int, number(1)] = 2000
    # random words that a step's sampled softmax is over
    sample: Annotated[int, number(1, 10**6)] = 512
    # of the tables of forms and the layers (Adam)
    learning_rate: Annotated[float, number(TINY)] = 0.002
    warm_up: Annotated[int, number()] = 150  # steps in which the rates grow
    batch: Annotated[int, number(1, 10**6)] = 1024  # words per step
    # of the running mean of the weights that is written
    average: Annotated[float, number(0, ALMOST)] = 0.998
    seed: Annotated[int, number(0, 2**63 - 1)] = 1
    features: Features = Features()  # those of forms
    gated: GatedConfig = GatedConfig()  # units, width and dilations are used

    def as_training(self) -> Config:
        """The configuration of a network without tasks that has this encoder."""
        word = self.features.word
        base = str(model_path("base")) if word.embeddings == "base" and not word.scale else ""
        tables: dict[str, Any] = {"gated": self.gated}
        return Config(
            features=self.features,
            network=replace(NetworkConfig("gated"), **tables),
            train=Training(seed=self.seed),
            export=Export(base=base),
        )


Settings = Pretraining | EncoderPretraining  # of word vectors, of an encoder


@dataclass(frozen=True)
class Job:
    """The input, the folder and the device of a run."""

    # config.toml, metrics.jsonl, checkpoint.pt; words.txt and vectors.npy, or of an encoder model/
    out: Path
    sources: tuple[Path, ...] = ()
    text: Path | None = None  # folder of the tokenised text; default: <out>/text
    kind: str = "text"  # or "tokens"
    case: str = "lower"  # or "keep"
    device: str = "cpu"
    jobs: int = 0
    command: str = ""


def read_pretraining(
    path: Path | None,
    objective: str,
    settings: Sequence[str] = (),
    values: dict[str, object] | None = None,
) -> Settings:
    """The configuration of a file, or the package's for an objective, with overrides."""
    if objective and objective not in (*OBJECTIVES, ENCODER):
        remedy = f"Choose {', '.join((*OBJECTIVES, ENCODER))}."
        raise SennaError(f"unknown objective {objective!r}", where="--objective", remedy=remedy)
    path = path or resource(f"configs/pretrain/{objective or OBJECTIVES[0]}.toml")
    chosen = {"objective": objective} if objective else {}
    config = from_table(read_table(path), where=str(path))
    return override(config, settings, chosen | (values or {}))


def from_table(table: Table, *, where: str) -> Settings:
    """Check a parsed TOML table and make it the settings of its objective."""
    if table.get("objective") == ENCODER:
        encoder = make(EncoderPretraining, table, where=where)
        _check_encoder(encoder, where)
        return encoder
    config = make(Pretraining, table, where=where)
    if list(config.sizes) != sorted(config.sizes):
        raise SennaError("sizes must grow, for example [5000, 100000]", where=where)
    _check_objective(config, where)
    return config


def _check_objective(config: Pretraining, where: str) -> None:
    likelihood, default = config.objective in LIKELIHOODS, Pretraining()
    needed = f"objective = {' or '.join(LIKELIHOODS)}"
    recurrent = config.objective == "recurrent"
    for key, met, what in (
        ("loss", config.objective == "ranking", "objective = ranking"),
        ("projection", recurrent, "objective = recurrent"),
        ("steps", recurrent, "objective = recurrent"),
        ("ahead", likelihood, needed),
        ("softmax", likelihood, needed),
        ("clusters", config.softmax in ("classes", "tree"), "softmax = classes or tree"),
    ):
        value = getattr(config, key)
        if value != getattr(default, key) and not met:
            raise SennaError(f"{key} = {json.dumps(value)} needs {what}", where=where)
    if config.softmax in ("classes", "tree") and not config.clusters:
        remedy = "Make a file with senna vectors cluster, then use --set clusters=FILE."
        raise SennaError(
            f'softmax = "{config.softmax}" without clusters', where=where, remedy=remedy
        )
    if config.objective != "recurrent":
        return
    if config.window != 3:
        what = "recurrent reads word by word: its window is 3"
        raise SennaError(what, where=where, remedy="Choose steps.")
    if config.projection >= config.hidden:
        what = f"projection = {config.projection} is not below hidden = {config.hidden}"
        raise SennaError(what, where=where)


def _check_encoder(config: EncoderPretraining, where: str) -> None:
    chosen, plain = config.features, Features()
    of_forms = ("word", "caps", "prefix", "suffix", "stem", "characters", "clusters", "ngrams")
    kept = {name: getattr(chosen, name) for name in of_forms}
    if chosen != replace(plain, **kept):
        what = "an encoder reads features of forms alone: no tags, trees or phrase lists"
        raise SennaError(what, where=where)
    if not chosen.word.embeddings:
        remedy = "--set features.word.embeddings=base takes those of the package."
        raise SennaError("an encoder reads word vectors", where=where, remedy=remedy)
    if config.gated.units % 2:
        what = f"gated.units = {config.gated.units}: one half of them is for each direction"
        raise SennaError(what, where=where)


def override(config: Settings, settings: Sequence[str], values: dict[str, object]) -> Settings:
    """A configuration with values replaced by key, then by ``key=value`` settings."""
    table = with_settings(asdict(config), settings, values)
    return from_table(table, where="--set")


def with_size(config: Settings, size: int) -> Settings:
    """The same, whose last dictionary has so many words."""
    known = config.sizes if isinstance(config, Pretraining) else ()
    return override(config, [], {"sizes": [*(n for n in known if n < size), size]})
