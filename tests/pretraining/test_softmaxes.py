"""Output layers of language models against their definitions, a word at a time."""

import numpy as np
import pytest
import torch
from torch import Tensor

from senna.errors import SennaError
from senna.pretraining.lookup_table import Noise
from senna.pretraining.softmaxes import (
    OUTPUTS,
    ClusterPaths,
    NoiseContrast,
    SampledSoftmax,
    SoftmaxLayer,
    tree_paths_of,
)
from senna.text.vocabulary import PADDING, RARE
from tests.pretraining.test_objectives import Recorded, gathered

CPU = torch.device("cpu")
N, SIZE, SAMPLE = 9, 4, 12
COUNTS = np.array([0, 5, 90, 40, 20, 10, 5, 2, 1])
CLASSES = np.array([0, 0, 1, 2, 1, 2, 4, 1, 0])  # 3 is empty, 4 has one word
CLUSTERS = ClusterPaths(CLASSES, ["", "00", "01", "10", "11"])
WORDS = torch.tensor([2, 0, 8, 3, 1, 6, 2, 0, 5, 7])


def make(name: str, sample: int = SAMPLE) -> SoftmaxLayer:
    """An output layer in double precision with random rows."""
    torch.manual_seed(4)
    output = OUTPUTS[name](Recorded(COUNTS, 0.75, CPU), SIZE, sample, CLUSTERS)
    for table in output.tables.values():
        table.weight = torch.randn(*table.weight.shape, dtype=torch.double)
    return output


def some_hidden(n: int = len(WORDS)) -> Tensor:
    torch.manual_seed(8)
    hidden = torch.randn(n, SIZE + 1, dtype=torch.double)
    hidden[:, -1] = 1
    return hidden.requires_grad_()


def scores_of(output: SoftmaxLayer, h: Tensor, tables: dict[str, Tensor]) -> Tensor:
    """The product of h with every word's row."""
    return torch.stack([row @ h for row in tables["output"]])


def slow_sampled(output: SoftmaxLayer, h: Tensor, word: int, tables: dict[str, Tensor]) -> Tensor:
    """-log of the true word's share, where each weighs e^score over how often it is drawn."""
    assert isinstance(output, SampledSoftmax) and isinstance(output.noise, Recorded)
    weights = scores_of(output, h, tables).exp() / output.noise.log_share.exp().double()
    drawn = weights[output.noise.last.long()].sum()
    return -torch.log(weights[word] / (weights[word] + drawn))


def slow_nce(output: SoftmaxLayer, h: Tensor, word: int, tables: dict[str, Tensor]) -> Tensor:
    """-log of the probability to tell the word from k noise words, and each of them from it.

    Gutmann and Hyvarinen 2010: P(true | w) = e^s(w) / (e^s(w) + k q(w)).
    """
    assert isinstance(output, NoiseContrast) and isinstance(output.noise, Recorded)
    drawn = output.noise.last.tolist()
    q = output.noise.log_share.exp().double()
    exp = scores_of(output, h, tables).exp()
    is_true = exp / (exp + len(drawn) * q)
    return -torch.log(is_true[word]) - sum(torch.log(1 - is_true[other]) for other in drawn)


def slow_classes(output: SoftmaxLayer, h: Tensor, word: int, tables: dict[str, Tensor]) -> Tensor:
    """-log P(class) - log P(word | class), each a fraction of sums of exponentials."""
    of_classes = torch.stack([row @ h for row in tables["classes"]]).exp()
    exp = scores_of(output, h, tables).exp()
    mates = [w for w in range(1, N) if CLASSES[w] == CLASSES[word]]
    present = sorted(set(CLASSES.tolist()))
    p = of_classes[CLASSES[word]] / of_classes[present].sum() * exp[word] / exp[mates].sum()
    return -torch.log(p)


# The branches of each word and the ways that it goes there. The words without a cluster, 1 and 8,
# and those of a cluster are halved; the branch to a half is that of its first word.
WAYS = {
    1: {"": 0, 8: 0},
    8: {"": 0, 8: 1},
    2: {"": 1, "1": 0, "10": 0, 4: 0},
    4: {"": 1, "1": 0, "10": 0, 4: 1, 7: 0},
    7: {"": 1, "1": 0, "10": 0, 4: 1, 7: 1},
    3: {"": 1, "1": 0, "10": 1, 5: 0},
    5: {"": 1, "1": 0, "10": 1, 5: 1},
    6: {"": 1, "1": 1},  # the other cluster here has no word
}


def slow_tree(output: SoftmaxLayer, h: Tensor, word: int, tables: dict[str, Tensor]) -> Tensor:
    """-log of the product of the probabilities of the branches on the way to a word."""
    p = torch.ones((), dtype=torch.double)
    for branch, way in WAYS[word].items():
        clusters = {"": 0, "1": 1, "10": 2, "11": 3}
        row = tables["clusters"][clusters[branch]] if isinstance(branch, str) else None
        one = torch.sigmoid((tables["output"][branch] if row is None else row) @ h)
        p = p * (one if way else 1 - one)
    return -torch.log(p)


SLOW = {"sampled": slow_sampled, "nce": slow_nce, "classes": slow_classes, "tree": slow_tree}


@pytest.mark.parametrize("name", OUTPUTS)
@pytest.mark.parametrize("piece", [3, 512])
def test_loss_and_gradients_are_those_of_the_definition(name, piece, monkeypatch):
    monkeypatch.setattr("senna.pretraining.softmaxes.SLICE", piece)
    output, hidden = make(name), some_hidden()
    loss = output.loss(hidden, WORDS)
    tables = {key: t.weight.clone().requires_grad_() for key, t in output.tables.items()}
    again = hidden.detach().clone().requires_grad_()
    terms = [
        SLOW[name](output, h, word, tables)
        for h, word in zip(again, WORDS.tolist(), strict=True)
        if word != PADDING
    ]
    expected = torch.stack(terms).mean()
    torch.testing.assert_close(loss, expected)
    (2 * loss).backward()
    (2 * expected).backward()
    torch.testing.assert_close(hidden.grad, again.grad)
    for key, table in output.tables.items():
        torch.testing.assert_close(gathered(table), tables[key].grad)


@pytest.mark.parametrize("name", OUTPUTS)
def test_without_words_there_is_no_loss(name):
    output, hidden = make(name), some_hidden(3)
    loss = output.loss(hidden, torch.full((3,), PADDING))
    assert loss.item() == 0
    loss.backward()
    assert not any(gathered(table).any() for table in output.tables.values())


@pytest.mark.parametrize("name", ["classes", "tree"])
def test_probabilities_by_clusters_sum_to_1(name):
    output, hidden = make(name), some_hidden()
    logs = output.scores(hidden, torch.arange(1, N))
    torch.testing.assert_close(logs.exp().sum(1), torch.ones(len(hidden), dtype=torch.double))
    tables = {key: table.weight for key, table in output.tables.items()}
    for h, row in zip(hidden, logs, strict=True):
        for word in range(1, N):
            torch.testing.assert_close(-row[word - 1], SLOW[name](output, h, word, tables))
    some = torch.tensor([7, 2])
    torch.testing.assert_close(output.scores(hidden, some), logs[:, some - 1])


def test_contrast_begins_with_the_frequencies_of_words():
    output = NoiseContrast(Noise(COUNTS, 0.75, CPU), SIZE, SAMPLE)
    scores = output.scores(some_hidden().float(), torch.arange(1, N))
    expected = torch.from_numpy(COUNTS[1:] / COUNTS.sum()).float()
    torch.testing.assert_close(scores.exp(), expected.expand_as(scores))


def test_words_have_the_clusters_of_their_paths():
    paths = {"she": "00", "he": "00", "runs": "1", "walks": "01"}
    rows, distinct = ClusterPaths.of(paths, ["she", "zebra", "runs", "he"])
    assert distinct == ["", "00", "01", "1"]
    assert rows.tolist() == [0, 0, 1, 0, 3, 1], "of PADDING and RARE first"


@pytest.mark.parametrize("n", [1, 2, 3, 8, 100])
def test_every_word_is_found_by_its_choices(n):
    random = np.random.default_rng(n)
    clusters = ClusterPaths(random.integers(0, 5, n + 2), ["", "00", "01", "10", "11"])
    branches, goes, _ = tree_paths_of(clusters)
    assert not goes[PADDING].any()
    for word in range(RARE, n + 2):
        chosen = dict(zip(branches[word].tolist(), goes[word].tolist(), strict=True))
        same = []
        for other in range(RARE, n + 2):
            ways = zip(branches[other].tolist(), goes[other].tolist(), strict=True)
            if all(chosen.get(branch, 0) in (0, way) for branch, way in ways if way):
                same.append(other)
        assert same == [word]


def test_a_path_that_is_the_beginning_of_another_is_no_leaf():
    clusters = ClusterPaths(np.array([0, 0, 1]), ["", "0", "01"])
    with pytest.raises(SennaError, match="clusters: the path 0 is the beginning of 01"):
        tree_paths_of(clusters)
