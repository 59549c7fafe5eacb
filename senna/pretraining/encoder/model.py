"""The objective of an encoder: the words before and after, and their capitals."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.networks.settings import GatedConfig
from senna.pretraining.encoder.sentences import UNTOLD, SentenceBatch, Targets
from senna.pretraining.encoder.settings import EncoderPretraining
from senna.pretraining.encoder.towers import Towers
from senna.pretraining.lookup_table import Noise
from senna.pretraining.softmaxes import OutputSettings, SampledSoftmax
from senna.text.features import N_CAPS, PADDING
from senna.training.layers.lookup import Inputs
from senna.training.layers.weights import initialise


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
        initialise(self, "small")
        inputs.set_words(table, table[:0], False)
        self.weight = config.capitals
        noise = Noise(targets.counts, config.noise, table.device)
        self.softmax = SampledSoftmax(OutputSettings(noise, size, config.sample))
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
        return 2 * (of_words + self.weight * of_capitals)
