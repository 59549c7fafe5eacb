"""Recursive networks in PyTorch: cells by plain recursion, whole batches, gradients."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from senna.annotation.schemes import Phrase
from senna.kinds.labels.answer import Label
from senna.lab.networks.recursive import CELLS, Cell, NodeHead, RecursiveNetwork
from senna.lab.trees import CONSTITUENTS, nodes_over
from senna.training.build import Setup
from senna.training.examples.batches import Batches
from senna.training.examples.corpora import Example, TaskCorpus
from senna.training.examples.encode import number
from senna.training.layers.batch import Batch
from tests import oracles, toys

SIZE, UNITS = 4, 5


def setup(cell: str) -> Setup:
    network = ("network.kind=recursive", f"network.recursive={{cell='{cell}', units=9}}")
    return toys.setup(toys.small("label", *network, *toys.UNREAD))


def random_cell(name: str) -> Any:
    """A cell with random weights in double precision."""
    torch.manual_seed(3)
    cell = CELLS[name](SIZE, UNITS).double()
    with torch.no_grad():
        for weights in cell.parameters():
            weights.copy_(torch.randn(weights.shape, dtype=torch.float64))
    return cell


def network_of(trained: Setup) -> RecursiveNetwork:
    model = trained.model
    assert isinstance(model, RecursiveNetwork)
    return model


def by_recursion(trained: Setup, example: Example) -> np.ndarray:
    """The states of the nodes of one example, each before its parts, by the oracle."""
    network = network_of(trained)
    task = trained.numbered.tasks[0]
    [row] = [i for i, one in enumerate(trained.corpora["label"].train) if one is example]
    batch = trained.batches.batch("label", [task.train[row]])
    with torch.no_grad():
        words = network.inputs(batch)[0].double().numpy()
    assert batch.brackets is not None
    spans = [(first, last) for _, first, last, *_ in batch.brackets.tolist()]
    # Labels as the nodes of the tree have them, not as the batch does.
    labels: dict[tuple[int, int], int] = {}
    for start, end, label in nodes_over(example.tree, len(words)):
        name = label.rstrip("|")
        labels[start, end - 1] = 1 + CONSTITUENTS.index(name) if name in CONSTITUENTS else 0
    weights = {name: np.asarray(a, np.float64) for name, a in network.layer_arrays().items()}

    def tree(start: int, last: int) -> oracles.NodeTree:
        if start == last:
            return words[start]
        [middle] = [b for a, b in spans if a == start and b < last and (b + 1, last) in spans]
        parts = (start, middle), (middle + 1, last)
        rule = (labels[start, last], labels[parts[0]], labels[parts[1]])
        return [*(tree(*part) for part in parts), rule]

    cell = trained.config.network.recursive.cell
    after = oracles.recursive_states(tree(*spans[0]), cell, weights)
    # The oracle has nodes after their parts.
    order = sorted(range(len(spans)), key=lambda i: (spans[i][1], -spans[i][0]))
    states = np.empty((len(spans), len(after[0])))
    states[order] = after
    return states


@pytest.mark.parametrize("cell", CELLS)
def test_each_cell_by_plain_recursion(cell):
    """Random trees of 1 to 9 words, all in one batch."""
    trained = setup(cell)
    network, examples = network_of(trained), trained.corpora["label"].train
    batch = trained.batches.batch("label", trained.numbered.tasks[0].train)
    with torch.no_grad():
        states = network.encode(batch).numpy()
    expected = np.concatenate([by_recursion(trained, example) for example in examples])
    assert max(len(example.forms) for example in examples) == 9
    np.testing.assert_allclose(states, expected, atol=1e-5)


@pytest.mark.parametrize("kind", CELLS)
def test_gradients_are_those_of_finite_differences(kind):
    cell = random_cell(kind)
    names = [name for name, _ in cell.named_parameters()]

    def loss(x: Tensor, *weights: Tensor) -> Tensor:
        values = {f"cell.{name}": value for name, value in zip(names, weights, strict=True)}
        state: Tensor = torch.func.functional_call(Tree(cell), values, x)
        return state

    x = torch.randn(3, SIZE, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(loss, (x, *cell.parameters()), fast_mode=True)


class Tree(nn.Module):
    """The state of ((a b) c)."""

    def __init__(self, cell: Cell) -> None:
        super().__init__()
        self.cell = cell

    def forward(self, x: Tensor) -> Tensor:
        a, b, c = self.cell.leaf(self.cell.word(x))
        [inner] = self.cell.compose(torch.stack([a, b])[None], torch.tensor([[3, 0, 0]]))
        rule = torch.tensor([[1, 3, 0]])
        root: Tensor = self.cell.compose(torch.stack([inner, c])[None], rule)
        return root


# --------------------------------------------------------------------------- loss, whole trees


def batch_of(trained: Setup) -> Batch:
    return trained.batches.batch("label", trained.numbered.tasks[0].train)


def test_the_loss_is_the_mean_over_labelled_nodes():
    trained = setup("gru")
    batch, head = batch_of(trained), trained.model.head("label")
    assert isinstance(head, NodeHead) and batch.brackets is not None
    with torch.no_grad():
        scores = trained.model("label", batch)
        loss = head.loss(scores, batch)
    chances = functional.log_softmax(scores, 1)
    labels = batch.brackets[:, 3].tolist()
    logs = [chances[i, label] for i, label in enumerate(labels) if label >= 0]
    assert 0 < len(logs) < len(labels)
    mean = sum(logs).item() / len(logs)
    assert loss.item() == pytest.approx(-mean * len(batch.lengths), rel=1e-5)


def test_a_tree_of_a_thousand_levels_is_learnt_from():
    trained = setup("lstm")
    n = 1_000
    label = Label("bad", nodes=["bad"] * (2 * n - 1))
    tree = tuple(Phrase(i, n, "X") for i in range(n - 1))
    example = Example(["x", "walks"] * (n // 2), label, tree=tree)
    numbered = number(trained.collected, {"label": TaskCorpus([example], [])})
    batch = Batches(numbered, torch.device("cpu"), 0.0).batch("label", numbered.tasks[0].train)
    loss = trained.model.head("label").loss(trained.model("label", batch), batch)
    loss.backward()
    assert torch.isfinite(loss) and len(batch.brackets) == 2 * n - 1
