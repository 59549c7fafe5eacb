"""Vectors from counts: the counts against loops, GloVe and LSA on small matrices."""

from collections import defaultdict

import numpy as np
import pytest

SIZE = 6  # words that are counted, of 9


@pytest.fixture
def ids() -> np.ndarray:
    """Sentences of up to eight words, each between boundaries."""
    random = np.random.default_rng(1)
    sentences = [random.integers(1, 10, random.integers(1, 9)) for _ in range(40)]
    return np.concatenate([[0], *(np.append(s, 0) for s in sentences)]).astype(np.uint32)


def test_neighbours_against_loops(ids, monkeypatch):
    import count_vectors

    monkeypatch.setattr(count_vectors, "PART", 30)  # several pieces
    expected: defaultdict[tuple[int, int], float] = defaultdict(float)
    for i, a in enumerate(ids.tolist()):
        for d in range(1, 4):
            b = ids[i + d] if i + d < len(ids) else 0
            if b == 0 or a == 0:
                break
            if a <= SIZE and b <= SIZE:
                expected[a - 1, int(b) - 1] += 1 / d
                expected[int(b) - 1, a - 1] += 1 / d
    counts = count_vectors.neighbours(ids, SIZE, 3)
    found = dict(zip(zip(counts.words, counts.contexts, strict=True), counts.values, strict=True))
    assert found == pytest.approx(dict(expected))


def test_what_is_as_frequent_as_by_chance_counts_nothing():
    from count_vectors import Counts, mutual_information

    values = np.array([8.0, 2.0, 2.0, 3.0])
    counts = Counts(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), values, (2, 2))
    found = mutual_information(counts)
    assert list(zip(found.words, found.contexts, strict=True)) == [(0, 0), (1, 1)]
    np.testing.assert_allclose(found.values, np.log([8 * 15 / 100, 3 * 15 / 25]))


def test_lsa_is_the_singular_value_decomposition():
    from count_vectors import Counts, lsa

    random = np.random.default_rng(2)
    dense = random.random((20, 30)) * (random.random((20, 30)) < 0.4)
    words, contexts = np.nonzero(dense)
    found = lsa(Counts(words, contexts, dense[words, contexts], dense.shape), 4)
    left, values, _ = np.linalg.svd(dense)
    expected = left[:, :4] * np.sqrt(values[:4])
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-4)


def test_glove_fits_the_logarithms(capsys):
    from count_vectors import Counts, glove

    random = np.random.default_rng(3)
    inner = random.normal(size=(12, 3))
    values = np.exp(inner @ inner.T / 2 + 3).ravel()
    words, contexts = np.divmod(np.arange(144), 12)
    table = glove(Counts(words, contexts, values, (12, 12)), 5, 600)
    costs = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()]
    assert table.shape == (12, 5)
    assert costs[-1] < 0.01 * costs[0]
