"""Everything that a run of `senna pretrain` depends on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from senna.errors import SennaError
from senna.files import resource
from senna.inference.features.settings import Features
from senna.inference.networks.settings import GatedConfig
from senna.model.folder import model_path
from senna.settings import ALMOST, TINY, Table, build, choice, number, read_table
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

    objective: str = choice("ranking", *OBJECTIVES)
    # successive dictionaries
    sizes: tuple[int, ...] = number((5000, 10000, 30000, 50000, 100000), 1, 10**7, distinct=True)
    dictionary: str = ""  # file of words, in order; empty: the most frequent of the text
    initial: str = ""  # vectors to start from
    warm_up: float = number(0.05)  # passes over the text with each dictionary but the last
    epochs: float = number(1.0, 1e-9)  # passes with the last dictionary
    dimension: int = number(50, 1, 10_000)  # numbers per word
    window: int = number(11, 3, 999, odd=True)  # words; the centre is one of them
    # "hinge" (eq. 17), or "log": log(1 + e^(f(x') - f(x)))
    loss: str = choice("hinge", "hinge", "log")
    # units of the hidden layer (ranking, likelihood), or of the LSTM in each direction (recurrent)
    hidden: int = number(100, 1, 10_000)
    # numbers that its units become; 0: as many
    projection: int = number(0, 0, 10_000)
    # words that gradients go back over
    steps: int = number(32, 1, 10_000)
    # predict a word from those before it alone
    ahead: bool = False
    # random words per window (ranking), neighbour (skipgram, positional) or word (cbow)
    negatives: int = number(1, 1, 1000)
    # in training: a "sampled" softmax, noise-contrastive estimation ("nce"), that of a class, then
    # of a word in it ("classes"), or a choice at each branch of the clusters' binary tree ("tree")
    softmax: str = choice("sampled", "sampled", "nce", "classes", "tree")
    # file by senna vectors cluster
    clusters: str = ""
    sample: int = number(256, 1, 10**6)  # random words that a step's "sampled" or "nce" is over
    noise: float = number(0.0, 0, 10)  # random words are drawn by count ** noise
    threshold: float = number(0.0)  # words of a larger share are dropped at random; 0: none
    # first values of the vectors: "normal", of a deviation; or uniform, up to 1 / (2 dimension)
    # ("word2vec") or sqrt(6 / dimension) ("xavier")
    first: str = choice("normal", "normal", "word2vec", "xavier")
    deviation: float = number(0.1, 1e-9)  # of the first values of the vectors, where normal
    learning_rate: float = number(0.3, 1e-9)  # of the lookup tables (Adagrad)
    network_rate: float = number(0.001, 1e-9)  # of the layers (Adam)
    batch: int = number(4096, 1, 10**6)  # windows per step
    words: int = number(0)  # running words to train on, the first of the text; 0: all
    held_out: float = number(0.01, 1e-9)  # of the text, to validate on: a share, or words
    baseline: int = number(
        3, 0, 10
    )  # order of the n-gram model to compare perplexity with; 0: none
    seed: int = number(1, 0, 2**63 - 1)

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

    objective: str = choice("encoder", "encoder")
    initial: str = ""  # encoder to start from: a run, or its model folder
    epochs: float = number(1.0, TINY)  # passes over the text
    words: int = number(0)  # running words to train on, the first of the text; 0: all
    held_out: int = number(2000, 1)  # sentences to validate on, from everywhere in the text
    targets: int = number(40_000, 1, 10**7)  # words that are predicted: the most frequent ones
    sample: int = number(512, 1, 10**6)  # random words that a step's sampled softmax is over
    noise: float = number(0.75, 0, 10)  # random words are drawn by count ** noise
    capitals: float = number(0.5)  # weight of the loss of a word's capitals; 1: that of the word
    learning_rate: float = number(0.002, TINY)  # of the tables of forms and the layers (Adam)
    vector_rate: float = number(0.05, TINY)  # of the vectors of the words predicted (Adagrad)
    warm_up: int = number(150)  # steps in which the rates grow
    fall: float = number(0.2, 0, 1)  # last share of the words, over which the rates fall to zero
    batch: int = number(1024, 1, 10**6)  # words per step
    average: float = number(0.998, 0, ALMOST)  # of the running mean of the weights that is written
    seed: int = number(1, 0, 2**63 - 1)
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
        mend = f"Choose {', '.join((*OBJECTIVES, ENCODER))}."
        raise SennaError(f"unknown objective {objective!r}", where="--objective", mend=mend)
    path = path or resource(f"configs/pretrain/{objective or OBJECTIVES[0]}.toml")
    chosen = {"objective": objective} if objective else {}
    config = from_table(read_table(path), where=str(path))
    return override(config, settings, chosen | (values or {}))


def from_table(table: Table, *, where: str) -> Settings:
    """Check a parsed TOML table and make it the settings of its objective."""
    if table.get("objective") == ENCODER:
        encoder = build(EncoderPretraining, table, where=where)
        _check_encoder(encoder, where)
        return encoder
    config = build(Pretraining, table, where=where)
    if list(config.sizes) != sorted(config.sizes):
        raise SennaError("sizes must grow, for example [5000, 100000]", where=where)
    _check_objective(config, where)
    return config


def _check_objective(config: Pretraining, where: str) -> None:
    """Refuse settings that the objective does not have, or cannot do without."""
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
        mend = "Make a file with senna vectors cluster, then use --set clusters=FILE."
        raise SennaError(f'softmax = "{config.softmax}" without clusters', where=where, mend=mend)
    if config.objective != "recurrent":
        return
    if config.window != 3:
        what = "recurrent reads word by word: its window is 3"
        raise SennaError(what, where=where, mend="Choose steps.")
    if config.projection >= config.hidden:
        what = f"projection = {config.projection} is not below hidden = {config.hidden}"
        raise SennaError(what, where=where)


def _check_encoder(config: EncoderPretraining, where: str) -> None:
    """Refuse features that are not those of forms, and odd units."""
    chosen, plain = config.features, Features()
    of_forms = ("word", "caps", "prefix", "suffix", "stem", "characters", "clusters", "ngrams")
    kept = {name: getattr(chosen, name) for name in of_forms}
    if chosen != replace(plain, **kept):
        what = "an encoder reads features of forms alone: no tags, trees or phrase lists"
        raise SennaError(what, where=where)
    if not chosen.word.embeddings:
        mend = "--set features.word.embeddings=base takes those of the package."
        raise SennaError("an encoder reads word vectors", where=where, mend=mend)
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
