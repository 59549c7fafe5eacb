"""Batches and the network of an encoder: two causal towers, which become gated layers.

One half of the units reads from the first word on, the other half from the last word back. A word
is predicted from the state of the word before it in the first, and of the word after it in the
second; so no state has seen the word that it must predict. Each layer adds to a word's units a
gated convolution of the normalised units of this word and of words in one direction (Dauphin et
al. 2017, "Language modeling with gated convolutional networks").

In a gated layer both halves are one array, with zeros where a half would read the other or the
words that it must not see. That layer normalises both halves together, where each tower normalises
its own: the products are the same, the scale of what they read is nearly so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from senna.errors import SennaError
from senna.inference.features.forms import FormFeatures
from senna.inference.features.settings import CapsFeature
from senna.inference.networks.settings import GatedConfig
from senna.model.folder import Array
from senna.pretraining.config import EncoderPretraining
from senna.pretraining.corpus import Text
from senna.pretraining.lookup_table import Noise
from senna.pretraining.softmaxes import SampledSoftmax
from senna.text.capitals import MARKS, as_read, in_headlines, in_titles, without_capitals
from senna.text.vocabulary import N_CAPS, PADDING, PADDING_FORM, RARE, caps
from senna.training.layers.batch import mask_of
from senna.training.layers.lookup import Inputs
from senna.training.layers.weights import Arrays, initialise, linear, view_of

SHORTEST, LONGEST = 4, 70  # words of a sentence to learn from
BUCKET = 4000  # sentences that are sorted by length, so that a batch needs little padding
UNTOLD = -100  # capitals that are no target
OF_CAPITALS = 0.5  # weight of the loss of a word's capitals; 1: that of the word
NOISE = 0.75  # random words of the softmax are drawn by count ** NOISE

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class SentenceBatch:
    """Padded sentences: what is read of them, and what is predicted."""

    forms: dict[str, Tensor]  # features of the distinct forms, by table; row 0 is padding
    tokens: Tensor  # (n_sentences, n_steps) rows of forms
    lengths: Tensor  # (n_sentences,)
    words: Tensor  # (n_sentences, n_steps) targets; PADDING where there is none
    capitals: Tensor  # (n_sentences, n_steps) values of `caps`; UNTOLD where they are no target

    def to(self, device: torch.device) -> SentenceBatch:
        """The same in the memory of a device."""
        forms = {name: rows.to(device) for name, rows in self.forms.items()}
        others = (self.tokens, self.lengths, self.words, self.capitals)
        return SentenceBatch(forms, *(numbers.to(device) for numbers in others))


class Sentences:
    """The sentences of SHORTEST to LONGEST words; a sample of them is held out."""

    def __init__(self, text: Text, words: int, held_out: int) -> None:
        """`words`: so many running words are trained on, the first ones; 0: all."""
        self.ids = text.ids
        bounds = np.flatnonzero(self.ids == 0)
        lengths = np.diff(bounds) - 1
        kept = (lengths >= SHORTEST) & (lengths <= LONGEST)
        self.starts, self.lengths = bounds[:-1][kept] + 1, lengths[kept]
        n = len(self.lengths)
        if held_out > n // 2:
            what = f"{n:,} sentences are too few to hold {held_out:,} out"
            raise SennaError(what, where="held_out", remedy="Give more text.")
        self.held: Rows = np.arange(held_out) * (n // held_out)
        self.train: Rows = np.setdiff1d(np.arange(n), self.held)
        if words:
            last = int(np.searchsorted(np.cumsum(self.lengths[self.train]), words))
            self.train = self.train[: last + 1]
        self.n_words = int(self.lengths[self.train].sum())

    def batches(self, seed: Sequence[int], size: int) -> Iterator[Rows]:
        """One pass over the training sentences, shuffled: about `size` words each."""
        random = np.random.default_rng(list(seed))
        order = self.train[random.permutation(len(self.train))]
        for start in range(0, len(order), BUCKET):
            batches = list(self.by_length(order[start : start + BUCKET], size))
            for i in random.permutation(len(batches)):
                yield batches[i]

    def by_length(self, rows: Rows, size: int) -> Iterator[Rows]:
        """Batches of sentences of about one length: about `size` words each, padding included."""
        rows = rows[np.argsort(self.lengths[rows], kind="stable")]
        first = 0
        for last, row in enumerate(rows.tolist()):
            if last > first and (last + 1 - first) * self.lengths[row] > size:
                yield rows[first:last]
                first = last
        if first < len(rows):
            yield rows[first:]


@dataclass(frozen=True)
class Targets:
    """The words that are predicted: the most frequent ones that have a vector."""

    rows: Rows  # (n_targets + 1,) of the word table; that of PADDING first
    counts: Rows  # (n_targets + 1,) how often each occurs; PADDING never does
    of_words: Rows  # (n_words + 1,) the target of each word id of the text, or PADDING

    @classmethod
    def choose(cls, text: Text, features: FormFeatures, n: int) -> Targets:
        """At most n of the words of a text; SennaError where it has none with a vector."""
        words = np.array([PADDING, *features.rows_of(text.words)], np.int64)
        counts = np.zeros(len(features.words), np.int64)
        np.add.at(counts, words[1:], text.counts)
        counts[: RARE + 1] = 0
        most = np.argsort(-counts, kind="stable")[:n]
        most = most[counts[most] > 0]
        if not len(most):
            raise SennaError("no word of the text has a vector", where="features.word.embeddings")
        targets = np.full(len(counts), PADDING)
        targets[most] = np.arange(1, len(most) + 1)
        rows = np.concatenate([[PADDING], most])
        return cls(rows, counts[rows], targets[words])


@dataclass(frozen=True)
class Reader:
    """Sentences as they are read in training and in validation."""

    text: Text
    sentences: Sentences
    features: FormFeatures
    targets: Targets
    caps: CapsFeature
    capitals: Rows = field(init=False)  # (n_words + 1,) the capitals of each word id of the text

    def __post_init__(self) -> None:
        capitals = np.array([UNTOLD, *map(caps, self.text.words)], np.int64)
        object.__setattr__(self, "capitals", capitals)

    def batch(self, rows: Rows, random: np.random.Generator | None = None) -> SentenceBatch:
        """Some sentences; `random` draws those that are read in another case."""
        draws = random.random(len(rows)) if random is not None else np.ones(len(rows))
        lengths = self.sentences.lengths[rows]
        shape = len(rows), int(lengths.max())
        known: dict[str, int] = {PADDING_FORM: 0}
        tokens, words = np.zeros(shape, np.int64), np.full(shape, PADDING, np.int64)
        capitals = np.full(shape, UNTOLD, np.int64)
        for i, (row, n) in enumerate(zip(rows.tolist(), lengths.tolist(), strict=True)):
            start = self.sentences.starts[row]
            ids = self.sentences.ids[start : start + n].astype(np.int64)
            forms = self.read([self.text.words[k - 1] for k in ids.tolist()], float(draws[i]))
            tokens[i, :n] = [known.setdefault(form, len(known)) for form in forms]
            words[i, :n] = self.targets.of_words[ids]
            if not forms[0].startswith(MARKS):
                capitals[i, :n] = self.capitals[ids]
        features = self.features.ids(list(known)).items()
        return SentenceBatch(
            {name: _tensor(values) for name, values in features},
            *map(_tensor, (tokens, lengths, words, capitals)),
        )

    def read(self, forms: Sequence[str], draw: float) -> Sequence[str]:
        """The forms as tagging reads them, or where `draw` (0 to 1) says so in another case."""
        if not self.features.marks:
            return forms
        if draw < self.caps.caseless:
            return without_capitals(forms)
        if draw < self.caps.caseless + self.caps.titled / 2:
            return as_read(in_titles(forms))
        if draw < self.caps.caseless + self.caps.titled:
            return as_read(in_headlines(forms))
        return as_read(forms)


def _tensor(values: NDArray[np.integer]) -> Tensor:
    return torch.from_numpy(values.astype(np.int64))


class Tower(nn.Module):
    """Residual layers that read words up to this one, or with `backward` from this one on."""

    def __init__(self, units: int, width: int, dilations: Sequence[int], backward: bool) -> None:
        super().__init__()
        self.taps, self.dilations, self.backward = width // 2 + 1, dilations, backward
        self.up = nn.ModuleList(nn.Linear(self.taps * units, 2 * units) for _ in dilations)

    def forward(self, x: Tensor, inside: Tensor) -> Tensor:
        """x (n_sentences, n_steps, units); inside (n_sentences, n_steps, 1), where words are."""
        for up, dilation in zip(self.up, self.dilations, strict=True):
            x = x + self.step(functional.layer_norm(x, x.shape[2:]) * inside, up, dilation)
        return functional.layer_norm(x, x.shape[2:])

    def step(self, normal: Tensor, up: nn.Module, dilation: int) -> Tensor:
        """The residual of one layer, from normalised units (n_sentences, n_steps, units)."""
        n, reach = normal.shape[1], (self.taps - 1) * dilation
        padded = functional.pad(normal, (0, 0, 0, reach) if self.backward else (0, 0, reach, 0))
        shifts = [i * dilation for i in range(self.taps)]
        return functional.glu(up(torch.cat([padded[:, s : s + n] for s in shifts], 2)), dim=2)


class Towers(nn.Module):
    """The lookup tables of forms, the projection, a tower for each half of the units."""

    def __init__(self, inputs: Inputs, settings: GatedConfig) -> None:
        super().__init__()
        self.inputs, self.settings = inputs, settings
        half = settings.units // 2
        self.projection = nn.Linear(inputs.size, settings.units)
        self.towers = nn.ModuleList(
            Tower(half, settings.width, settings.dilations, backward) for backward in (False, True)
        )

    def forward(self, batch: SentenceBatch) -> tuple[Tensor, Tensor]:
        """The states of both towers, (n_sentences, n_steps, units / 2) each."""
        x = self.projection(
            functional.embedding(batch.tokens, self.inputs.encode_forms(batch.forms))
        )
        inside = mask_of(batch.lengths, x.shape[1])[:, :, None]
        forward, backward = (
            tower(half, inside) for tower, half in zip(self.towers, x.chunk(2, 2), strict=True)
        )
        return forward, backward

    def arrays(self) -> Arrays:
        """The weights as those of a gated network, by their names in the model folder."""
        units, width = self.settings.units, self.settings.width
        arrays = self._of_words()
        for i in range(len(self.settings.dilations)):
            # (word, unit read, value or gate, unit written)
            weight = np.zeros((width, units, 2, units), np.float32)
            bias = np.zeros((2, units), np.float32)
            for (words, own), layer in self._halves(i):
                weight[words, own, :, own], bias[:, own] = layer
            arrays[f"gated-{i}.weight"] = weight.reshape(width * units, 2 * units)
            arrays[f"gated-{i}.bias"] = bias.reshape(-1)
        return arrays

    def fill(self, arrays: Arrays) -> None:
        """Take the weights of a gated network that towers became; in the processor's memory."""
        units, width = self.settings.units, self.settings.width
        for name, place in self._of_words().items():
            place[...] = arrays[name]
        for i in range(len(self.settings.dilations)):
            weight = arrays[f"gated-{i}.weight"].reshape(width, units, 2, units)
            bias = arrays[f"gated-{i}.bias"].reshape(2, units)
            for (words, own), layer in self._halves(i):
                values, biases = layer
                values[...], biases[...] = weight[words, own, :, own], bias[:, own]

    def _of_words(self) -> Arrays:
        return self.inputs.arrays() | linear("layer-0", self.projection)

    def _halves(self, i: int) -> Iterator[tuple[tuple[slice, slice], tuple[Array, Array]]]:
        """Each tower's layer of a number: its words and units in the gated layer, and its weights.

        The weights are views, (taps, half, 2, half) and (2, half).
        """
        half, taps = self.settings.units // 2, self.settings.width // 2 + 1
        for side, tower in enumerate(self.towers):
            assert isinstance(tower, Tower)
            up = tower.up[i]
            assert isinstance(up, nn.Linear)
            words = slice(side * (taps - 1), side * (taps - 1) + taps)
            own = slice(side * half, (side + 1) * half)
            weight = view_of(up.weight).T.reshape(taps, half, 2, half)
            yield (words, own), (weight, view_of(up.bias).reshape(2, half))


class EncoderModel(nn.Module):
    """The towers, and for each the layers that predict a word and its capitals.

    Both predict words by the same vectors, which begin as those of the word table.
    """

    def __init__(
        self, config: EncoderPretraining, inputs: Inputs, table: Tensor, targets: Targets
    ) -> None:
        """table: (n_words, size), the word table, which does not learn."""
        super().__init__()
        settings: GatedConfig = config.gated
        half, size = settings.units // 2, table.shape[1]
        self.towers = Towers(inputs, settings)
        self.words = nn.ModuleList(nn.Linear(half, size) for _ in range(2))
        self.capitals = nn.ModuleList(nn.Linear(half, N_CAPS) for _ in range(2))
        initialise(self)
        inputs.set_words(table, table[:0], False)
        noise = Noise(targets.counts, NOISE, table.device)
        self.softmax = SampledSoftmax(noise, size, config.sample)
        rows = torch.from_numpy(targets.rows).to(table.device)
        self.softmax.table.weight = torch.cat([table[rows], noise.log_frequency[:, None]], 1)

    def losses(self, batch: SentenceBatch) -> tuple[Tensor, Tensor]:
        """The mean loss of the next and the previous word, and the same of their capitals."""
        forward, backward = self.towers(batch)
        before, after = slice(None, -1), slice(1, None)
        both = ((forward[:, before], after), (backward[:, after], before))
        of_words = of_capitals = forward.new_zeros(())
        layers = zip(both, self.words, self.capitals, strict=True)
        for (states, place), words, capitals in layers:
            targets, cases = batch.words[:, place], batch.capitals[:, place]
            known, told = targets != PADDING, cases != UNTOLD
            if known.any():
                hidden = functional.pad(words(states[known]), (0, 1), value=1.0)
                of_words = of_words + self.softmax.loss(hidden, targets[known]) / 2
            if told.any():
                scores = capitals(states[told])
                of_capitals = of_capitals + functional.cross_entropy(scores, cases[told]) / 2
        return of_words, of_capitals

    def loss(self, batch: SentenceBatch) -> Tensor:
        """The loss."""
        of_words, of_capitals = self.losses(batch)
        return 2 * (of_words + OF_CAPITALS * of_capitals)
