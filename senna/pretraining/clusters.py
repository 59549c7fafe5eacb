"""Clusters of words by their neighbours (Brown et al. 1992, "Class-based n-gram models").

Merging two clusters costs some of the average mutual information of adjacent clusters l, r,

    I = sum_{l,r} p(l, r) log (p(l, r) / (p(l) p(r)))

and those two are merged for which this loss is least. As in Liang (2005), the C most frequent
words are the first clusters; each next word is one more, and two of the C + 1 are merged. Then
these C are merged to one, and the order of these merges is a binary tree. Until a word is a
cluster, its pairs do not count. With n(l, r) the count of a pair, n(l), n(r) the sums of its rows
and columns, N of all, and h(n) = n log n,

    N I = sum_{l,r} h(n(l, r)) - sum_l h(n(l)) - sum_r h(n(r)) + h(N)

so a merge changes h of few counts. The loss of every merge is kept, and changed where they change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from senna.atomic import replacing_packed
from senna.errors import SennaError
from senna.lab.form_features import write_clusters
from senna.pretraining.corpus import Text, prepare, read_text

Ints = NDArray[np.int64]

# h in whole numbers of 2^-20: their sums are exact, so a table that is changed some 100,000 times
# has no rounding errors, and losses that are equal stay equal. 2^30 words fit.
SCALE = 1 << 20
NEVER = 1 << 62  # a loss that is no candidate
CHUNK = 1 << 22  # words counted at a time


def _h(counts: NDArray[np.integer[Any]]) -> Ints:
    scaled: Ints = np.rint(counts * np.log(np.maximum(counts, 1)) * SCALE).astype(np.int64)
    return scaled


class Merging:
    """Counts of adjacent clusters, and what each merge of two loses.

    A cluster has one of n slots; a slot without one has no counts.
    """

    def __init__(self, n: int) -> None:
        self.pairs = np.zeros((n, n), np.int64)  # [l, r]: how often r follows l
        self.firsts, self.seconds = np.zeros((2, n), np.int64)  # sums of its rows and columns
        self.used = np.zeros(n, bool)
        self.losses = np.full((n, n), NEVER)
        self._small = _h(np.arange(1 << 16))

    def add(self, slot: int, after: Ints, before: Ints) -> None:
        """Put a cluster in an empty slot, from how often each follows and precedes it, (n,)."""
        for counts, sums in ((before, self.firsts), (after, self.seconds)):
            others = counts.copy()
            others[slot] = 0
            rows = np.flatnonzero(others)
            change = self._joined(others, rows) + self._joined(sums, rows)
            sums += others
            self._change(rows, change - self._joined(sums, rows))
        self.pairs[slot], self.pairs[:, slot] = after, before
        self.firsts[slot], self.seconds[slot] = after.sum(), before.sum()
        self.used[slot] = True
        losses = self._apart(slot)
        for table, counts in ((self.pairs, after), (self.pairs.T, before)):
            losses += self._grown(table, np.zeros_like(counts), counts)
        self._set(slot, losses)

    def merge(self) -> tuple[int, int]:
        """Merge the two clusters that lose least: the slot that is kept, and the empty one."""
        i, j = divmod(int(self.losses.argmin()), len(self.losses))
        if np.count_nonzero(self.pairs[i]) < np.count_nonzero(self.pairs[j]):
            i, j = j, i
        tables = (self.pairs, self.pairs.T)
        apart, parts = self._apart(i), []
        for table in tables:
            x, y = table[:, i], table[:, j]
            rows = np.flatnonzero(min(x, y, key=np.count_nonzero))
            both, first, second = (self._joined(counts, rows) for counts in (x + y, x, y))
            self._change(rows, both - first - second)
            two = table[[i, j]]
            two[:, i] += two[:, j]
            two[:, j] = 0
            parts.append(two)
        for counts in (*tables, self.firsts, self.seconds):
            counts[i] += counts[j]
            counts[j] = 0
        self.used[j] = False
        losses = self.losses[i] + self._apart(i) - apart
        for table, two in zip(tables, parts, strict=True):
            losses += self._grown(table, *two)
        self._set(i, losses)
        self._set(j, losses)
        return i, j

    def _h(self, counts: Ints) -> Ints:
        values = self._small.take(counts, mode="clip")
        large = counts >= len(self._small)
        if large.any():
            values[large] = _h(counts[large])
        return values

    def _joined(self, counts: Ints, rows: Ints) -> Ints:
        """h(a) + h(b) - h(a + b) of the counts a of rows and all counts b, (n_rows, n)."""
        h = self._h(counts)
        joined: Ints = h[rows, None] + h - self._h(counts[rows, None] + counts)
        return joined

    def _grown(self, table: Ints, counts: Ints, more: Ints) -> Ints:
        """How the losses of a cluster change as its row `counts` of a table gets `more`, (n,)."""
        columns = np.flatnonzero(more)
        counts, more = counts[columns], more[columns]
        sums = table[:, columns] + counts  # (n, n_columns)
        change = self._h(sums) - self._h(sums + more)
        grown: Ints = change.sum(axis=1) + (self._h(counts + more) - self._h(counts)).sum()
        return grown

    def _apart(self, slot: int) -> Ints:
        """The part of the losses of a cluster that rows and columns do not give, (n,).

        Those are of the sums, and of the counts of the two with each other, which are in both.
        """
        row = np.array([slot])
        losses: Ints = -self._joined(self.firsts, row)[0] - self._joined(self.seconds, row)[0]
        after, before, others = self.pairs[slot], self.pairs[:, slot], self.pairs.diagonal()
        same = self.pairs[slot, row]
        for sums in (same + before, after + others, same + after, before + others):
            losses += self._h(sums)
        for counts in (same, after, before, others, same + after + before + others):
            losses -= self._h(counts)
        return losses

    def _change(self, rows: Ints, change: Ints) -> None:
        """Add changes (n_rows, n) to the losses of some clusters with all others."""
        self.losses[rows] += change
        self.losses[:, rows] = self.losses[rows].T
        np.fill_diagonal(self.losses, NEVER)

    def _set(self, slot: int, losses: Ints) -> None:
        losses = np.where(self.used & self.used[slot], losses, NEVER)
        losses[slot] = NEVER
        self.losses[slot] = self.losses[:, slot] = losses


class ClusterPairs:
    """Counts of adjacent words, by the rarer of the two; words are numbered by falling frequency.

    Only some words of the text count, `words` (n,) in rising order; a pair is within a sentence.
    """

    def __init__(self, text: Text, words: Ints) -> None:
        ids, size = text.ids, len(words)
        side, numbers = size + 1, np.zeros(len(text.words) + 1, np.int64)
        numbers[words + 1] = np.arange(1, side)  # 0: boundaries, and words that do not count
        keys, counts = np.zeros(0, np.int64), np.zeros(0, np.int64)
        for start in range(0, len(ids), CHUNK):
            part = numbers[ids[start : start + CHUNK + 1]]
            first, second = part[:-1], part[1:]
            known = (first > 0) & (second > 0)
            here, n = np.unique((first * side + second)[known], return_counts=True)
            keys, places = np.unique(np.concatenate([keys, here]), return_inverse=True)
            counts = np.bincount(places, np.concatenate([counts, n])).astype(np.int64)
        first, second = np.divmod(keys, side)
        order = np.argsort(np.maximum(first, second), kind="stable")
        self.first, self.second, self.counts = first[order] - 1, second[order] - 1, counts[order]
        rarer = np.maximum(self.first, self.second)
        self.starts = np.searchsorted(rarer, np.arange(size + 1))

    def of(self, word: int, slots: Ints, n: int) -> tuple[Ints, Ints]:
        """How often each of n clusters follows a word, and comes before it, both (n,).

        slots: of the words up to this one.
        """
        here = slice(self.starts[word], self.starts[word + 1])
        first, second, counts = self.first[here], self.second[here], self.counts[here]
        after, before = first == word, second == word
        return (
            np.bincount(slots[second[after]], counts[after], n).astype(np.int64),
            np.bincount(slots[first[before]], counts[before], n).astype(np.int64),
        )


def cluster_text(
    sources: Sequence[Path],
    out: Path,
    *,
    also: Sequence[Path] | None = None,
    size: int = 30_000,
    clusters: int = 500,
    ids: Path | None = None,
    kind: str = "text",
    cased: bool = False,
    jobs: int | None = None,
    force: bool = False,
    say: Callable[[str], None],
) -> None:
    """Write the clusters of the most frequent words of text files, or of a folder of ids.

    `also`: more text files, all of whose words are clustered, however rare they are.
    `ids`: the folder that keeps the text as ids; else it is removed again. The rest as of
    `senna.pretraining.corpus.prepare`. SennaError for what that refuses, for an `out` that exists
    and is no file or not to be replaced by `force`, and for a text of fewer than two words.
    """
    if out.exists() and not (force and out.is_file()):
        remedy = "--force replaces it." if out.is_file() else "Give another name."
        raise SennaError("already exists", where=str(out), remedy=remedy)
    with replacing_packed(out) as file, ExitStack() as stack:  # refused before the work, if at all
        folder = ids or Path(stack.enter_context(TemporaryDirectory(".tmp", dir=out.parent)))
        told = say if ids else lambda line: None
        if sources:
            every, case = (*sources, *(also or ())), "keep" if cased else "lower"
            text = prepare(every, folder, kind=kind, case=case, jobs=jobs or 0, say=told)
        else:
            text = read_text(folder)
        words: list[str] = []
        if also:
            place = Path(stack.enter_context(TemporaryDirectory(".tmp", dir=out.parent)))
            own: dict[str, Any] = {"kind": kind, "case": text.case, "jobs": jobs or 0}
            words = prepare(also, place, **own, say=lambda line: None).words
        if len(text.words) < 2:
            raise SennaError("a tree needs at least two words", where=str((*sources, folder)[0]))
        paths = cluster(text, size, clusters, words)
        write_clusters(file, paths, dict(zip(text.words, text.counts.tolist(), strict=True)))
    n = len(set(paths.values()))
    say(f"{out}: {len(paths):,} words in {n:,} clusters")


def cluster(text: Text, size: int, n_clusters: int, also: Collection[str] = ()) -> dict[str, str]:
    """The paths of the `size` most frequent words of a text, in a tree of `n_clusters` leaves.

    also: words that are clustered too, if the text has them.
    """
    others = set(also)
    rows = [i for i, word in enumerate(text.words) if i < size or word in others]
    words = [text.words[i] for i in rows]
    n = min(n_clusters, len(words))
    pairs, merging = ClusterPairs(text, np.array(rows, np.int64)), Merging(n + 1)
    slots = np.zeros(len(words), np.int64)
    empty = n
    for word in tqdm(range(len(words)), "clusters", unit=" words", disable=None):
        # The rarest of the first comes first: it is chosen where losses are equal.
        slot = n - 1 - word if word < n else empty
        slots[word] = slot
        merging.add(slot, *pairs.of(word, slots, n + 1))
        if word >= n:
            kept, empty = merging.merge()
            slots[slots == empty] = kept
    return dict(zip(words, _paths(merging, slots, n), strict=True))


def _paths(merging: Merging, slots: Ints, n: int) -> list[str]:
    """The path of each word by its slot: all clusters are merged to one."""
    members = {slot: [slot] for slot in np.unique(slots).tolist()}
    paths = dict.fromkeys(members, "")
    for _ in range(n - 1):
        i, j = merging.merge()
        for bit, slot in (("0", i), ("1", j)):
            paths |= {member: bit + paths[member] for member in members[slot]}
        members[i] += members.pop(j)
    return [paths[slot] for slot in slots.tolist()]
