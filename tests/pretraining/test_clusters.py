"""Clusters of words against the definition of what a merge loses."""

import os
import signal
from collections.abc import Sequence
from itertools import combinations, pairwise
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.lab.form_features import read_clusters
from senna.pretraining import clusters
from senna.pretraining.clusters import SCALE, ClusterPairs, Merging, cluster, cluster_text
from senna.pretraining.corpus import Text, prepare
from tests.pretraining.toytext import prepared, write_text


def information(pairs: np.ndarray) -> float:
    """The average mutual information of adjacent clusters, by its definition, times all pairs."""
    p = pairs / max(pairs.sum(), 1)
    left, right = p.sum(axis=1), p.sum(axis=0)
    terms = [
        p[place] * log(p[place] / (left[place[0]] * right[place[1]]))
        for place in zip(*p.nonzero(), strict=True)
    ]
    return float(sum(terms) * pairs.sum())


def merged(pairs: np.ndarray, i: int, j: int) -> np.ndarray:
    """The counts with cluster j in i."""
    pairs = pairs.copy()
    pairs[i] += pairs[j]
    pairs[:, i] += pairs[:, j]
    return np.delete(np.delete(pairs, j, 0), j, 1)


def counted(text: Text, clusters: Sequence[set[int]]) -> np.ndarray:
    """How often a word of each cluster stands before one of each, (n, n)."""
    ids = text.ids.tolist()
    of = {word: number for number, words in enumerate(clusters) for word in words}
    pairs = np.zeros((len(clusters),) * 2)
    for first, second in pairwise(ids):
        if first - 1 in of and second - 1 in of:
            pairs[of[first - 1], of[second - 1]] += 1
    return pairs


class Watched(Merging):
    """Checks each merge: the losses of all are those of the definition, and the least is taken."""

    text: Text
    words: list[int]  # that are clustered, in the order of the text's words
    members: dict[int, set[int]]
    n_added = 0

    def add(self, slot: int, after: np.ndarray, before: np.ndarray) -> None:
        super().add(slot, after, before)
        self.members = {} if not self.n_added else self.members
        self.members[slot] = {self.words[self.n_added]}
        self.n_added += 1

    def merge(self) -> tuple[int, int]:
        slots = sorted(self.members)
        pairs = counted(self.text, [self.members[slot] for slot in slots])
        losses = {
            (i, j): information(pairs) - information(merged(pairs, i, j))
            for i, j in combinations(range(len(slots)), 2)
        }
        for (i, j), loss in losses.items():
            for a, b in ((slots[i], slots[j]), (slots[j], slots[i])):
                assert self.losses[a, b] / SCALE == pytest.approx(loss, abs=1e-3)
        kept, empty = super().merge()
        i, j = sorted((slots.index(kept), slots.index(empty)))
        assert losses[i, j] <= min(losses.values()) + 1e-3
        self.members[kept] |= self.members.pop(empty)
        return kept, empty


SENTENCES = st.lists(st.text("abcdefgh", min_size=1, max_size=12), min_size=1, max_size=25)


@given(sentences=SENTENCES, size=st.integers(2, 8), n=st.integers(2, 6), also=st.text("abcdefghz"))
@settings(max_examples=30, deadline=None)
def test_every_merge_loses_least_by_the_definition(tmp_path_factory, sentences, size, n, also):
    folder = tmp_path_factory.mktemp("text")
    lines = [" ".join(sentence) for sentence in sentences]
    (folder / "text").write_text("\n".join(lines), encoding="utf-8")
    text = prepare([folder / "text"], folder / "ids", kind="tokens", jobs=1, say=print)
    Watched.text = text
    if len(text.words) < 2:
        return
    Watched.words = [i for i, word in enumerate(text.words) if i < size or word in also]
    with pytest.MonkeyPatch.context() as context:
        context.setattr(clusters, "Merging", Watched)
        paths = cluster(text, size, n, also)
    others = [word for word in text.words[size:] if word in also]
    assert list(paths) == text.words[:size] + others
    leaves = set(paths.values())
    assert len(leaves) == min(n, len(paths))
    # A whole binary tree: the leaves share out the unit interval, and none is above another.
    assert sum(0.5 ** len(leaf) for leaf in leaves) == 1
    assert not any(b.startswith(a) for a in leaves for b in leaves - {a})


def test_large_counts_are_exact():
    """Beyond those whose logarithms are kept."""
    merging = Merging(3)
    pairs = np.array([[5, 70_000, 300_000], [90_000, 8, 1], [2_000_000, 65_535, 65_536]])
    for slot in range(3):
        known = np.arange(3) <= slot
        merging.add(slot, pairs[slot] * known, pairs[:, slot] * known)
    for i, j in combinations(range(3), 2):
        loss = information(pairs) - information(merged(pairs, i, j))
        assert merging.losses[i, j] / SCALE == pytest.approx(loss, abs=1e-3)


def test_pairs_over_the_end_of_a_chunk(tmp_path, monkeypatch):
    text = prepared(tmp_path, 40)
    whole = ClusterPairs(text, np.arange(20))
    monkeypatch.setattr(clusters, "CHUNK", 7)
    again = ClusterPairs(text, np.arange(20))
    for name in ("first", "second", "counts", "starts"):
        assert np.array_equal(getattr(again, name), getattr(whole, name))


FOUR: dict[str, Any] = {"clusters": 4, "kind": "tokens", "jobs": 1, "say": str}


def test_all_words_of_another_text_are_clustered(tmp_path):
    write_text(tmp_path / "toy.txt", 100)
    (tmp_path / "own.txt").write_text("a rarity here .\n", encoding="utf-8")
    also, out = [tmp_path / "own.txt"], tmp_path / "out"
    cluster_text([tmp_path / "toy.txt"], out, also=also, size=5, **FOUR)
    assert {"a", "rarity", "here", "."} < set(read_clusters(out))
    assert 5 + 3 <= len(read_clusters(out)) <= 5 + 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "own.txt", "toy.txt"]


def test_nothing_is_left_after_an_interruption(tmp_path, monkeypatch):
    write_text(tmp_path / "toy.txt", 100)
    out = tmp_path / "out"
    out.write_text("of before")
    monkeypatch.setattr(Merging, "merge", lambda self: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        cluster_text([tmp_path / "toy.txt"], out, force=True, **FOUR)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "toy.txt"]
    assert out.read_text() == "of before"


def test_what_cannot_be_clustered_or_written(tmp_path):
    one = tmp_path / "one.txt"
    one.write_text("a a a\n")
    cases = [
        ([one], "out", "one.txt: a tree needs at least two words"),
        ([tmp_path / "none"], "out", "none: No such file"),
        ((), "out", "no prepared text"),
        ([one], "missing/out", "missing/out: cannot write"),
        ([one], "one.txt", "one.txt: already exists. --force replaces it."),
        ([one], ".", "already exists. Give another name."),
    ]
    for sources, out, error in cases:
        ids = None if sources else tmp_path / "none"
        with pytest.raises(SennaError) as raised:
            cluster_text(sources, tmp_path / out, kind="tokens", ids=ids, jobs=1, say=print)
        assert error in raised.value.line
    assert [path.name for path in tmp_path.iterdir()] == ["one.txt"]
