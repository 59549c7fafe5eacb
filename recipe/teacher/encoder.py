"""A pretrained encoder as a network of `senna train`: words as subwords and letter case.

The encoder is a local folder that `transformers` reads, with weights in safetensors. A word is its
first subword. What its letter case says, which most encoders lack, is added to its subwords.
"""

from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import AutoModel

from senna.text.capitals import MARKS
from senna.training.layers.batch import Batch
from senna.training.networks.base import Network

SUBWORDS = 8  # of a word at most; the rest is not read
LONGEST = 510  # subwords of a sentence; words beyond are read as the last one
TABLE = "subwords"  # of the features of forms


class Encoder(nn.Module):
    """The pretrained layers; their first weights are those of the folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.layers = AutoModel.from_pretrained(folder, use_safetensors=True)
        self.size: int = self.layers.config.hidden_size
        self.pretrained = {k: v.clone() for k, v in self.layers.state_dict().items()}

    def first_weights(self) -> None:
        """Take the pretrained weights; called after all weights were drawn at random."""
        self.layers.load_state_dict(self.pretrained)
        self.pretrained = {}


class TeacherNetwork(Network):
    """An encoder, an embedding of each word's letter case, and one head per task."""

    def __init__(self, folder: Path, *parts: Any) -> None:
        self.folder = folder
        super().__init__(*parts)

    def add_layers(self) -> None:
        self.encoder = Encoder(self.folder)
        tokenizer = Tokenizer.from_file(str(self.folder / "tokenizer.json"))
        ids = tokenizer.encode("a").ids
        self.first, self.last = ids[0], ids[-1]  # what opens and closes a text
        self.case = nn.Linear(self.inputs.size, self.encoder.size)
        self.add_heads_above(self.encoder.size)

    def first_weights(self) -> None:
        """Letter case adds nothing at first."""
        nn.init.zeros_(self.case.weight)

    def encode(self, batch: Batch) -> Tensor:
        """The units of words, (n_sentences, n_steps, size), in bfloat16 on a GPU."""
        rows = batch.forms[TABLE][batch.tokens]  # (n_sentences, n_steps, SUBWORDS), 0: none
        n, n_steps, _ = rows.shape
        there = rows > 0
        counts = there.sum(2)
        first = (counts.cumsum(1) - counts + 1).clamp(max=LONGEST)  # after the opening
        places = (first[:, :, None] + there.cumsum(2) - 1).clamp(max=LONGEST)
        ends = counts.sum(1).clamp(max=LONGEST) + 1
        ids = rows.new_zeros(n, int(ends.max()) + 1)
        sentences = torch.arange(n, device=rows.device)
        ids[sentences[:, None, None].expand_as(rows)[there], places[there]] = rows[there] - 1
        ids[:, 0], ids[sentences, ends] = self.first, self.last
        mask = torch.arange(ids.shape[1], device=rows.device) <= ends[:, None]
        owners = torch.zeros_like(ids)  # the word of each subword
        steps = torch.arange(n_steps, device=rows.device)[None, :, None].expand_as(rows)
        owners[sentences[:, None, None].expand_as(rows)[there], places[there]] = steps[there]
        case = self.case(self.inputs(batch))[sentences[:, None], owners]
        with torch.autocast(rows.device.type, torch.bfloat16, enabled=rows.is_cuda):
            embedded = self.encoder.layers.get_input_embeddings()(ids) + case
            hidden = self.encoder.layers(inputs_embeds=embedded, attention_mask=mask.long())
        units: Tensor = hidden.last_hidden_state.float()[sentences[:, None], first]
        return self.dropout(units)


def subword_table(folder: Path, forms: list[str]) -> np.ndarray:
    """The subwords of forms, (n_forms, SUBWORDS), each id plus 1; the padding form has none."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    table = np.zeros((len(forms), SUBWORDS), np.int64)
    unknown = tokenizer.encode("\ufffd", add_special_tokens=False).ids[:1]
    for row, form in enumerate(forms[1:], start=1):
        word = form.lstrip("".join(MARKS))
        ids = tokenizer.encode(word, add_special_tokens=False).ids[:SUBWORDS] or unknown
        table[row, : len(ids)] = np.array(ids) + 1
    return table
