"""A core role comes once for a predicate."""

from __future__ import annotations

import numpy as np
import pytest

from senna.infer.decode.once import Once
from senna.infer.decode.paths import Roles
from senna.text.schemes import phrases_of

LABELS = ("A0", "A1", "AM-TMP", "C-A1")
TAGS = ["O", *(f"{mark}-{label}" for label in LABELS for mark in "BIES")]


def roles(seed: int) -> tuple[Roles, list[str]]:
    random = np.random.default_rng(seed)
    n = len(LABELS)
    shapes = ((n + 1, n + 1), (4, n), (n + 1,))
    paths = Roles(*(random.normal(size=shape).astype(np.float32) for shape in shapes))
    return paths, [TAGS[i] for i in paths.order]


def slowly(paths: Roles, names: list[str], scores: np.ndarray) -> list[str]:
    """The same for one predicate, phrase by phrase."""
    scores, length = scores.copy(), np.array([len(scores)])
    while True:
        path = paths.decode(scores, length)
        tags = [names[i] for i in path]
        phrases = phrases_of(tags, "iobes")
        twice = {p.label for p in phrases if sum(q.label == p.label for q in phrases) > 1} & {
            "A0",
            "A1",
        }
        if not twice:
            return tags
        gains = scores[np.arange(len(path)), path] - scores[:, names.index("O")]
        for label in twice:
            same = [phrase for phrase in phrases if phrase.label == label]
            best = max(same, key=lambda p, gains=gains: max(gains[p.start : p.end]))
            for start, end, _ in (phrase for phrase in same if phrase != best):
                for number, name in enumerate(names):
                    if name[2:] == label:
                        scores[start:end, number] -= np.float32(1e4)


@pytest.mark.parametrize("seed", range(20))
def test_as_phrase_by_phrase(seed: int) -> None:
    paths, names = roles(seed)
    random = np.random.default_rng(seed)
    lengths = np.array([7, 1, 12, 4])
    scores = (3 * random.normal(size=(lengths.sum(), len(names)))).astype(np.float32)
    ends = np.cumsum(lengths)
    pieces = [slice(end - n, end) for end, n in zip(ends, lengths, strict=True)]
    expected = [slowly(paths, names, scores[piece]) for piece in pieces]
    path = paths.decode(scores, lengths)
    Once(names).correct(paths, scores, lengths, path)
    tags = [names[i] for i in path]
    assert [tags[piece] for piece in pieces] == expected
    for piece in pieces:
        labels = [phrase.label for phrase in phrases_of(tags[piece], "iobes")]
        assert labels.count("A0") <= 1
        assert labels.count("A1") <= 1


def test_modifiers_and_paths_without_repeats_stay() -> None:
    paths = Roles(
        np.zeros((5, 5), np.float32), np.zeros((4, 4), np.float32), np.zeros(5, np.float32)
    )
    names = [TAGS[i] for i in paths.order]
    scores = np.zeros((4, len(names)), np.float32)
    for word, tag in enumerate(("S-AM-TMP", "S-A0", "S-AM-TMP", "S-A1")):
        scores[word, names.index(tag)] = 5
    path = paths.decode(scores, np.array([4]))
    before, first = scores.copy(), path.copy()
    Once(names).correct(paths, scores, np.array([4]), path)
    assert [names[i] for i in path] == ["S-AM-TMP", "S-A0", "S-AM-TMP", "S-A1"]
    assert np.array_equal(path, first)
    assert np.array_equal(scores, before)


def test_labels_that_are_no_roles() -> None:
    names = ["O", "B-X", "I-X", "E-X", "S-X"]
    path = np.array([4, 4, 0])
    Once(names).correct(None, np.zeros((3, 5), np.float32), np.array([3]), path)
    assert path.tolist() == [4, 4, 0]
