"""Blocks of running text: nothing left out, right contexts, and the same for the same seed."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.pretraining.blocks import TextBlocks, keep_chances
from senna.text.vocabulary import PADDING

MARGIN = 2


def stream(n: int, length: int = 8, part: int = 1000, margin: int = MARGIN) -> TextBlocks:
    """Text in which every token is a word of its own: row i + 2 at place i."""
    ids = np.arange(1, n + 1, dtype=np.uint32)
    return TextBlocks(ids, np.arange(1, n + 2, dtype=np.int32), margin, length, part)


def blocks(stream: TextBlocks, part: int, size: int = 16, seed: int = 1) -> np.ndarray:
    batches = [batch.numpy() for batch in stream.batches(part, size, [seed, part])]
    wide = stream.length + 2 * stream.margin
    return np.concatenate(batches) if batches else np.zeros((0, wide), np.int64)


@given(
    n=st.integers(1, 200),
    length=st.integers(1, 12),
    part=st.integers(1, 70),
    seed=st.integers(0, 3),
)
def test_every_token_is_a_centre_about_once(n, length, part, seed):
    text = stream(n, length, part)
    seen: Counter[int] = Counter()
    for number in range(text.n_parts):
        first, last = (n * i // text.n_parts for i in (number, number + 1))
        centred = blocks(text, number, seed=seed)[:, MARGIN:-MARGIN]
        centres = Counter(centred[centred != PADDING].tolist())
        assert set(centres) <= set(range(first + 2, last + 2))
        missing = last - first - len(centres)
        assert missing < length  # at the edges of a part
        assert missing == 0 or last - first > length  # a short part is one block
        seen += centres
    assert not seen or max(seen.values()) == 1


def test_over_the_passes_every_token_is_a_centre():
    text = stream(101, part=50)
    seen: set[int] = set()
    for seed in range(30):
        for part in range(text.n_parts):
            seen |= set(blocks(text, part, seed=seed)[:, MARGIN:-MARGIN].flatten().tolist())
    assert seen >= set(range(2, 103))


@given(n=st.integers(1, 120), margin=st.integers(1, 4), seed=st.integers(0, 3))
def test_contexts_are_those_of_the_text(n, margin, seed):
    text = stream(n, margin=margin)
    for block in blocks(text, 0, seed=seed):
        place = block[margin] - 2  # of the first centre
        around = range(place - margin, place + text.length + margin)
        assert block.tolist() == [i + 2 if 0 <= i < n else PADDING for i in around]


def test_rows_are_those_of_the_dictionary():
    ids = np.array([0, 1, 2, 3, 0, 3, 1, 2, 0], np.uint32)
    table = np.array([0, 5, 1, 2], np.int32)
    text = TextBlocks(ids, table, 1, len(ids))
    [block] = blocks(text, 0)
    assert block.tolist() == [0, 0, 5, 1, 2, 0, 2, 5, 1, 0, 0]


def test_batches_have_about_the_size_asked_for():
    text = stream(1000)
    sizes = [len(batch) * text.length for batch in text.batches(0, 50, [1])]
    assert set(sizes[:-1]) == {48} and 0 < sizes[-1] <= 48
    assert [len(batch) for batch in text.batches(0, 1, [1])] == [1] * 125


def test_parts_come_in_another_order_in_each_pass():
    text = stream(640, part=10)
    orders = [text.order([1, epoch]).tolist() for epoch in (0, 1, 0)]
    assert sorted(orders[0]) == list(range(64))
    assert orders[0] == orders[2] != orders[1]


# --------------------------------------------------------------------------- dropped words


def test_frequent_words_are_dropped_by_chance():
    counts = np.array([0, 50, 9000, 900, 50])
    keep = keep_chances(counts, 0.01)
    random = np.random.default_rng(1)
    table = np.array([0, 2, 3, 4, 1], np.int32)
    ids = random.choice(5, 50_000, p=[0.1, 0.6, 0.2, 0.05, 0.05]).astype(np.uint32)
    text = TextBlocks(ids, table, 1, 16, len(ids), keep)
    remaining = Counter(text.rows(0, random).tolist())
    before = Counter(table[ids].tolist())
    assert remaining[PADDING] == before[PADDING]  # sentences keep their ends
    for row, share in ((1, 0.005), (2, 0.9), (3, 0.09), (4, 0.005)):
        ratio = 0.01 / share
        expected = min(1, ratio**0.5 + ratio)
        assert keep[row] == pytest.approx(expected)
        assert remaining[row] / before[row] == pytest.approx(expected, abs=0.01)


def test_a_part_of_which_little_is_left_is_still_one_block():
    keep = np.array([1.0, 1.0, *[0.0] * 97, 1.0, 1.0, 1.0], np.float32)
    whole = stream(100)
    text = TextBlocks(whole.ids, whole.table, MARGIN, 8, 1000, keep)
    [block] = blocks(text, 0)
    assert block.tolist() == [0, 0, 99, 100, 101, *[0] * 7]
    nothing = TextBlocks(whole.ids, whole.table, MARGIN, 8, 1000, np.zeros(102, np.float32))
    assert not len(blocks(nothing, 0))


# --------------------------------------------------------------------------- streams


@given(n=st.integers(20, 300), size=st.integers(1, 90), seed=st.integers(0, 3))
def test_streams_go_on_where_they_were(n, size, seed):
    """Forwards a stream's next block follows the last; backwards it comes before it."""
    text = stream(n, length=5, margin=1)
    steps = [step.numpy() for step in text.streams(0, size, [seed])]
    forwards, backwards = ([step[:, i] for step in steps] for i in range(2))
    for now, after in pairwise(forwards):
        assert (after[:, :2] == now[:, -2:]).all()
    for now, after in pairwise(backwards):
        assert (after[:, -2:] == now[:, :2]).all()
    assert {block.tobytes() for step in forwards for block in step} == {
        block.tobytes() for step in backwards for block in step
    }
    centres = np.concatenate(forwards)[:, 1:-1].flatten()
    n_streams = len(steps[0])
    assert len(centres) == len(set(centres.tolist())) > n - 5 * (n_streams + 1)
    assert n_streams * 5 <= max(size, 5)
