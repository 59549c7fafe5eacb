"""States of a recurrent language model in both directions, as features of words in context.

The model is that of `senna pretrain --objective recurrent`; here it is frozen. A word's forward
state has read the sentence up to the word, its backward state from the end to the word (Peters et
al. 2018, "Deep contextualized word representations").
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.errors import SennaError
from senna.text.features import PADDING, RARE, Ids, Spelling, spellings
from senna.training.layers.batch import turned
from senna.vectors.read import read_vectors

LAYERS = "layers.npz"  # beside words.txt and vectors.npy


def lstm(size: int, units: int, projection: int) -> nn.LSTM:
    """An LSTM whose output is projected to fewer numbers (Sak et al. 2014); 0: it is not.

    Its forget gates begin open (Goldberg 2015, section 11.2).
    """
    layer = nn.LSTM(size, units, batch_first=True, proj_size=projection)
    named = dict(layer.named_parameters())
    with torch.no_grad():
        named["bias_ih_l0"][units : 2 * units] = 1  # the gates are i, f, g, o
    return layer


def run(
    layer: nn.Module, vectors: Tensor, state: tuple[Tensor, Tensor] | None = None
) -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """The states (n, n_steps, width) of vectors (n, n_steps, size), and the last to go on from."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "LSTM with projections is not supported with oneDNN")
        states: tuple[Tensor, tuple[Tensor, Tensor]] = layer(vectors, state)
    return states


def check_folder(folder: Path) -> None:
    """Raise SennaError for a folder without a recurrent language model."""
    if not (folder / LAYERS).is_file():
        mend = "Train one with senna pretrain --objective recurrent, without ahead=true."
        raise SennaError(
            "no recurrent language model in both directions", where=str(folder), mend=mend
        )


class LanguageStates(nn.Module):
    """Frozen states of both directions."""

    def __init__(self, words: Sequence[str], vectors: Tensor, layers: Sequence[nn.LSTM]) -> None:
        """vectors: (n_words + 2, size), those of PADDING and RARE first."""
        super().__init__()
        self.rows = {word: row for row, word in enumerate(words, RARE + 1)}
        self.vectors: Tensor
        self.register_buffer("vectors", vectors, persistent=False)
        self.layers = nn.ModuleList(layers).requires_grad_(False)
        self.size = sum(layer.proj_size or layer.hidden_size for layer in layers)

    @classmethod
    def load(cls, folder: Path) -> LanguageStates:
        """Read the files of `senna pretrain`; SennaError for other vectors and damaged files."""
        check_folder(folder)
        vectors, path = read_vectors(folder), folder / LAYERS
        table = torch.from_numpy(np.array(vectors.table, np.float32))
        try:
            with np.load(path, allow_pickle=False) as arrays:
                weights = {name: torch.from_numpy(arrays[name]) for name in arrays}
            table = torch.cat([weights.pop("margins"), table])
            layers = [_layer(weights, f"directions.{i}.") for i in range(2)]
        except (OSError, EOFError, ValueError, KeyError, RuntimeError, BadZipFile) as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            mend = "Finish or repeat the run that wrote it."
            raise SennaError(f"damaged: {reason:.200}", where=str(path), mend=mend) from None
        return cls(vectors.words, table, layers)

    def ids(self, forms: Sequence[str]) -> Ids:
        """The row of each form, which may be marked: its best known spelling, or RARE.

        PADDING of the empty form.
        """
        rows = np.full(len(forms), RARE, np.int32)
        for i, form in enumerate(forms):
            known = (self.rows.get(name) for name in spellings(Spelling.of(form).form))
            rows[i] = next(filter(None, known), RARE) if form else PADDING
        return rows

    @torch.no_grad()
    def forward(self, rows: Tensor, lengths: Tensor) -> Tensor:
        """(n_sentences, n_steps) rows -> (n_sentences, n_steps, size), 0 after the last word."""
        vectors = self.vectors[functional.pad(rows, (1, 0), value=PADDING)]
        back = torch.cat([vectors[:, :1], turned(vectors[:, 1:], lengths)], 1)
        forward, backward = (
            run(layer, x)[0][:, 1:] for layer, x in zip(self.layers, (vectors, back), strict=True)
        )
        states = torch.cat([forward, turned(backward, lengths)], 2)
        inside = torch.arange(rows.shape[1], device=rows.device) < lengths[:, None]
        return states * inside[:, :, None]


def _layer(weights: dict[str, Tensor], prefix: str) -> nn.LSTM:
    """The LSTM with the weights of one direction."""
    named = {
        name.removeprefix(prefix): weight
        for name, weight in weights.items()
        if name.startswith(prefix)
    }
    across, size = named["weight_ih_l0"].shape
    projection = named["weight_hh_l0"].shape[1] if "weight_hr_l0" in named else 0
    layer = lstm(size, across // 4, projection)
    layer.load_state_dict(named)
    return layer
