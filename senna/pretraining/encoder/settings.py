"""Everything that a run of `senna pretrain --objective encoder` depends on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from senna import toml
from senna.config import Config, Export, NetworkConfig, Training
from senna.errors import SennaError
from senna.features.settings import Features
from senna.model.folder import model_path
from senna.networks.settings import GatedConfig
from senna.toml import ALMOST, TINY, choice, number

SHORTEST, LONGEST = 4, 70  # words of a sentence to learn from


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
    batch: int = number(1024, 1, 10**6)  # words a step
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


def check_encoder(config: EncoderPretraining, where: str) -> EncoderPretraining:
    """The same; SennaError for features that are not those of forms, and for odd units."""
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
    return config


def from_table(table: toml.Table, *, where: str) -> EncoderPretraining:
    """Check a parsed TOML table and make it the settings of an encoder."""
    return check_encoder(toml.build(EncoderPretraining, table, where=where), where)
