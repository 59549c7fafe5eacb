"""Kneser-Ney against its formula, one word at a time."""

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.pretraining import ngrams
from senna.pretraining.ngrams import NGrams

Sentences = Sequence[Sequence[int]]
SIZE = 5
words = st.integers(1, SIZE - 1)
texts = st.lists(st.lists(words, max_size=7), max_size=8)
orders = st.integers(1, 5)


def flat(sentences: Sentences) -> np.ndarray:
    """Rows with a boundary on either side of each sentence."""
    return np.array([0, *(row for sentence in sentences for row in (*sentence, 0))], np.uint32)


class SlowNGrams:
    """The formula, with dictionaries of tuples."""

    def __init__(self, sentences: Sentences, size: int, order: int) -> None:
        self.size, self.order = size, order
        occurrences: Counter[tuple[int, ...]] = Counter()
        for sentence in sentences:
            rows = (0, *sentence)
            for end in range(1, len(rows)):
                for n in range(1, min(order, end + 1) + 1):
                    occurrences[rows[end - n + 1 : end + 1]] += 1
        self.counts = {}
        for gram, count in occurrences.items():
            before = {g[0] for g in occurrences if g[1:] == gram}
            whole = len(gram) == order or gram[0] == 0
            self.counts[gram] = count if whole else len(before)
        self.discounts = {n: self.estimated(n) for n in range(1, order + 1)}

    def estimated(self, n: int) -> list[float]:
        of = Counter(count for gram, count in self.counts.items() if len(gram) == n)
        if not all(of[k] for k in (1, 2, 3, 4)):
            return [0.5, 1.0, 1.5]
        y = of[1] / (of[1] + 2 * of[2])
        discounts = [k - (k + 1) * y * of[k + 1] / of[k] for k in (1, 2, 3)]
        return discounts if min(discounts) > 0 else [0.5, 1.0, 1.5]

    def probability(self, word: int, context: tuple[int, ...]) -> float:
        discounts = self.discounts[len(context) + 1]
        shorter = self.probability(word, context[1:]) if context else 1 / (self.size - 1)
        total, left, mine = 0, 0.0, 0.0
        for gram, count in self.counts.items():
            if gram[:-1] == context:
                discount = discounts[min(count, 3) - 1]
                total, left = total + count, left + discount
                mine += (count - discount) * (gram[-1] == word)
        return (mine + left * shorter) / total if total else shorter

    def log_probabilities(self, sentences: Sentences) -> list[float]:
        logarithms = []
        for sentence in sentences:
            rows = (0, *sentence)
            for place in range(1, len(rows)):
                context = rows[max(place - self.order + 1, 0) : place]
                logarithms.append(math.log(self.probability(rows[place], context)))
        return logarithms


def zipf(seed: int, size: int, n_sentences: int) -> list[list[int]]:
    """Sentences of words whose frequencies fall as a text's do."""
    random = np.random.default_rng(seed)
    share = 1 / np.arange(1, size)
    return [
        (1 + random.choice(size - 1, random.integers(1, 9), p=share / share.sum())).tolist()
        for _ in range(n_sentences)
    ]


@given(texts.filter(any), texts, orders)
def test_against_the_formula(text, held_out, order):
    slow = SlowNGrams(text, SIZE, order)
    logs = NGrams.count(flat(text), SIZE, order).log_probabilities(flat(held_out))
    np.testing.assert_allclose(logs, slow.log_probabilities(held_out), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_estimated_discounts(order):
    size = 60 if order > 1 else 200
    text, held_out = zipf(order, size, 100), zipf(order + 10, size, 8)
    slow = SlowNGrams(text, size, order)
    assert [0.5, 1.0, 1.5] not in list(slow.discounts.values())[:2], "the text is too small"
    logs = NGrams.count(flat(text), size, order).log_probabilities(flat(held_out))
    np.testing.assert_allclose(logs, slow.log_probabilities(held_out), rtol=1e-9)


@pytest.mark.parametrize("chunk", [5, 7, 64])
def test_pieces_of_any_size(chunk, monkeypatch):
    text, held_out = flat(zipf(1, 20, 40)), flat(zipf(2, 20, 20))
    whole = NGrams.count(text, 20, 5).log_probabilities(held_out)
    monkeypatch.setattr(ngrams, "CHUNK", chunk)
    model = NGrams.count(text, 20, 5)
    np.testing.assert_array_equal(model.log_probabilities(held_out), whole)


@pytest.mark.parametrize("rows", [[], [0], [0, 0]])
def test_no_words(rows):
    empty = np.array(rows, np.uint32)
    with pytest.raises(SennaError, match="no words to count"):
        NGrams.count(empty, 5)
    model = NGrams.count(flat([[1, 2]]), 5)
    assert model.log_probabilities(empty).shape == (0,)


@pytest.mark.parametrize("row", [-1, 5])
def test_rows_outside_the_dictionary(row):
    rows = np.array([0, 1, row, 2], np.int32)
    with pytest.raises(SennaError, match=f"row {row} in a dictionary of 5"):
        NGrams.count(rows, 5)
    with pytest.raises(SennaError, match=f"row {row} in a dictionary of 5"):
        NGrams.count(flat([[1, 2]]), 5).log_probabilities(rows)


def test_order_of_none():
    with pytest.raises(SennaError, match="order of 0"):
        NGrams.count(flat([[1]]), 5, 0)
