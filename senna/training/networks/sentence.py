"""The sentence network (section 3.3.2): a convolution over the sentence, and its maximum.

For the word w being tagged, for the predicate p, each word t of the sentence has the features of
its form and two distances, t - p and t - w. The convolution is linear, so it is the sum of what
the words give (once per sentence), what the first distance gives (once per predicate) and what the
second gives (one row a distance, for all sentences). Distances are clipped: words farther from w
than that all have the same row, so that the maximum over them is a running one. Words cost a
fixed number of shifted sums, and no array is of the size of words times words.

Tasks with one tag per word have no predicate; else they are alike.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from senna.decoding.viterbi import FORBIDDEN
from senna.inference.networks.settings import SentenceConfig
from senna.tasks import TASKS
from senna.training.heads.roles import distances
from senna.training.layers.batch import Batch, mask_of
from senna.training.layers.weights import Arrays, Linear, linear, view_of
from senna.training.networks.base import Network
from senna.training.networks.window import HiddenLayer, Layers, windows


class Distances(nn.Module):
    """The lookup table of a distance, through its part of the convolution."""

    def __init__(self, clip: int, size: int, window: int, units: int, fan_in: int) -> None:
        """fan_in: of the whole convolution, of which this is a part."""
        super().__init__()
        self.table = nn.Embedding(2 * clip + 1, size)
        self.convolution = Linear(window * size, units, bias=False, fan_in=fan_in)
        self.clip, self.window = clip, window
        self.rows: nn.Parameter | None = None

    @property
    def reach(self) -> int:
        """Words so far away or farther have all the same row."""
        return self.clip + self.window // 2

    def forward(self) -> Tensor:
        """The contribution of each distance from -reach to reach, (2 reach + 1, units)."""
        if self.rows is not None:
            return self.rows
        half, device = self.window // 2, self.table.weight.device
        away = torch.arange(-self.reach, self.reach + 1, device=device)[:, None]
        places = (away + torch.arange(-half, half + 1, device=device)).clamp(-self.clip, self.clip)
        rows: Tensor = self.convolution(self.table(places + self.clip).flatten(1))
        return rows


class SentenceNetwork(Network):
    """Lookup tables and convolution, shared by all tasks, and one head per task."""

    settings: SentenceConfig

    def add_layers(self) -> None:
        settings, inputs = self.settings, self.inputs
        width, units, size = settings.width, settings.units, settings.distance_size
        roles = any(TASKS[task].head == "roles" for task in self.names)
        fan_in = width * (inputs.size + size * (1 + roles))  # of one convolution, in three parts
        self.convolution = Linear(width * inputs.size, units, fan_in=fan_in)
        parts = (settings.distance, size, width, units, fan_in)
        self.near = Distances(*parts)  # to the word being tagged
        self.predicate = Distances(*parts) if roles else None
        dropout = self.options.train.dropout_hidden
        for task in self.names:
            hidden = (settings.hidden,) if settings.hidden else ()
            layers = (HiddenLayer(settings.units, 1, n, dropout) for n in hidden)
            self.add_head(task, settings.size, Layers(layers, 1))

    def forward(self, task: str, batch: Batch) -> Tensor:
        margin, n, head = self.settings.width // 2, batch.n_steps, self.head(task)
        x = self.dropout(self.inputs(batch, margin))
        words = self.convolution(windows(x, self.settings.width))
        if self.predicate is not None and batch.pairs is not None:
            away = distances(batch.pairs, n, self.predicate.reach)
            words = words[batch.pairs[:, 0]] + self.predicate()[away]
        inside = mask_of(batch.gold_lengths, n)[:, :, None]
        y = maxima(words.masked_fill(~inside, FORBIDDEN), self.near())
        for layer in head.layers:
            y = layer(y * inside, inside, padded=True)
        emissions: Tensor = head(y, batch)
        return emissions

    def layer_arrays(self) -> Arrays:
        arrays = linear("layer-0", self.convolution) | {"near": view_of(self.near())}
        if self.predicate is not None:
            arrays["predicate"] = view_of(self.predicate())
        return arrays

    def read(self, stored: Arrays) -> None:
        # A folder has only what distances give: it is learnt further, without table and layer.
        for name, part in self.named_children():
            if isinstance(part, Distances):
                part.rows = nn.Parameter(torch.from_numpy(stored[name]).clone())
                del part.table, part.convolution


def maxima(words: Tensor, near: Tensor) -> Tensor:
    """For each word w the maximum over words t of words[t] + near[t - w] (eq. 7).

    words (n, n_steps, units), very low where there is no word; near (2 reach + 1, units), the
    first row for all words that are `reach` words before w or farther, the last for those behind.
    """
    best: Tensor = _Maxima.apply(words, near)  # type: ignore[no-untyped-call]
    return best


class _Maxima(torch.autograd.Function):
    """Keeps which shift gave each maximum: a graph would keep every shifted sum."""

    @staticmethod
    def forward(ctx: Any, words: Tensor, near: Tensor) -> Tensor:
        n, reach = words.shape[1], len(near) // 2
        words = words.transpose(0, 1).contiguous()  # (n_steps, n, units): a shift is one piece
        best = words + near[reach]
        found = torch.zeros_like(best, dtype=torch.int16)  # the number of a shift
        ways = [0]  # by number: how far away the word is
        for away in range(1, min(reach, n)):
            ways += [-away, away]
            _raise(best[away:], found[away:], words[:-away] + near[reach - away], 2 * away - 1)
            _raise(best[:-away], found[:-away], words[away:] + near[reach + away], 2 * away)
        far = []  # of the highest word at least `reach` before, and behind: which it is
        if n > reach:
            before, first = words[:-reach].cummax(0)
            behind, last = words[reach:].flip(0).cummax(0)
            _raise(best[reach:], found[reach:], before + near[0], 2 * reach - 1)
            _raise(best[:-reach], found[:-reach], behind.flip(0) + near[-1], 2 * reach)
            far, ways = [first, n - 1 - last.flip(0)], [*ways, -reach, reach]
        ctx.save_for_backward(found, near, torch.tensor(ways, device=near.device), *far)
        return best.transpose(0, 1)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor]:
        (gradient,), (found, near, ways, *far) = gradients, ctx.saved_tensors
        gradient, reach = gradient.transpose(0, 1).contiguous(), len(near) // 2
        steps = torch.arange(len(found), device=near.device)[:, None, None]
        away = ways[found.long()]
        at = steps + away
        if far:
            at[reach:] = torch.where(found[reach:] == 2 * reach - 1, far[0], at[reach:])
            at[:-reach] = torch.where(found[:-reach] == 2 * reach, far[1], at[:-reach])
        words = torch.zeros_like(gradient).scatter_add_(0, at, gradient)
        rows = torch.zeros_like(near)
        rows.scatter_add_(0, (away + reach).flatten(0, 1), gradient.flatten(0, 1))
        return words.transpose(0, 1), rows


def _raise(best: Tensor, found: Tensor, other: Tensor, number: int) -> None:
    """Where `other` is higher than `best`, put it there, and the number of its shift in `found`.

    Numbers rise from call to call, so a maximum puts them there: `where` is several times slower.
    """
    higher = other > best
    torch.maximum(best, other, out=best)
    torch.maximum(found, higher * torch.tensor(number, dtype=found.dtype), out=found)


NETWORK = SentenceNetwork
