"""The n best paths through tags, exactly: Viterbi with a list of paths to each tag."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from senna.decoding.viterbi import FORBIDDEN, Dense, Floats, Ints, Paths, batches, in_step
from senna.errors import SennaError

WIDEST, STEPS = 32, 512  # sentences, and steps of them, whose lists are made together

Shorts = NDArray[np.int16]


def best_paths(paths: Dense, scores: Floats, lengths: Ints, n: int) -> Paths:
    """The n best paths of sentences that lie end to end, (n, n_words), the best first.

    scores (n_words, n_tags), tags as in `paths.order`. The first is that of `Dense.decode`. Where
    a sentence has fewer paths, those that lack are -1.
    """
    greedy: Any = None if paths.looks_ahead else paths
    if greedy and n > greedy.beam:
        what = f"a beam of {greedy.beam} keeps no more taggings"
        raise SennaError(what, where=f"--nbest {n}", remedy="Train with a wider network.beam.")
    starts = np.cumsum(lengths) - lengths
    all_paths = np.full((n, len(scores)), -1, np.intp)
    for rows in batches(lengths, WIDEST, STEPS):
        sizes = lengths[rows]
        index, inside = in_step(starts[rows], sizes, len(scores))
        padded = np.ascontiguousarray(scores[index].transpose(0, 2, 1))  # (step, tag, sentence)
        if greedy:
            best = greedy.taggings(padded, sizes.astype(np.int32))
        else:
            best = _best(paths, padded, index, sizes, n)
        for k in range(n):
            all_paths[k, index[inside]] = best[k][inside]
    return all_paths


def _best(paths: Dense, emissions: Floats, words: Ints, lengths: Ints, n: int) -> Paths:
    """The paths (n, n_steps, n_sentences) of emissions (n_steps, n_tags, n_sentences).

    words (n_steps, n_sentences): the numbers of the words.
    """
    n_steps, n_tags, n_sentences = emissions.shape
    lists = np.full((n, n_tags, n_sentences), -np.inf, np.float32)  # scores of paths to each tag
    paths.start(emissions[0], lists[0])
    origin = np.zeros(
        (n_steps, 2, n, n_tags, n_sentences), np.int16
    )  # tag before, place in its list
    best = np.full((n, n_steps, n_sentences), -1, np.intp)
    columns = np.arange(n_sentences)
    for t in range(n_steps):
        if t:
            lists, origin[t] = _step(paths.moves_to(words[t]), lists)
            lists += emissions[t]
        for column in columns[lengths == t + 1].tolist():
            totals = lists[:, : paths.n_last, column].T.ravel()  # a tag's list side by side
            order = np.argsort(-totals, kind="stable")[:n]
            for k, place in enumerate(order.tolist()):
                # Paths that are ruled out are worse than any other by far.
                if totals[place] < totals[order[0]] + FORBIDDEN / 2:
                    break
                best[k, : t + 1, column] = _traced(
                    origin[: t + 1, :, :, :, column], *divmod(place, n)
                )
    return best


def _step(moves: Floats, lists: Floats) -> tuple[Floats, Shorts]:
    """The lists of the next word's tags, without its scores, and where each path comes from.

    moves (from, to, sentence), or alike for all sentences (from, to, 1); see `Dense.moves_to`.
    Of all lists that lead to a tag the best head is taken n times, and what stands after it in its
    list takes its place. Of equal ones the lowest tag wins, as in `Dense.best`.
    """
    n, n_tags, n_sentences = lists.shape
    heads = lists[0][:, None] + moves  # (from, to, sentence)
    moves = np.broadcast_to(moves, heads.shape)
    taken = np.zeros(heads.shape, np.intp)
    merged = np.empty_like(lists)
    origin = np.empty((2, *lists.shape), np.int16)
    to, column = np.arange(n_tags)[:, None], np.arange(n_sentences)
    for k in range(n):
        best = heads.argmax(axis=0)  # (to, sentence)
        merged[k] = heads[best, to, column]
        place = taken[best, to, column]
        origin[:, k] = best, place
        taken[best, to, column] = place = place + 1
        following = lists[np.minimum(place, n - 1), best, column] + moves[best, to, column]
        following[place >= n] = -np.inf
        heads[best, to, column] = following
    return merged, origin


def _traced(origin: Shorts, tag: int, place: int) -> list[int]:
    """The path that ends with a place in a tag's list; origin (n_steps, 2, n, n_tags)."""
    path = [tag]
    for step in origin[:0:-1]:
        tag, place = int(step[0, place, tag]), int(step[1, place, tag])
        path.append(tag)
    return path[::-1]
