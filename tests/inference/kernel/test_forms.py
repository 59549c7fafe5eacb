"""Words found in vocabularies, and convolutions over letters, by the kernel and without it."""

import dataclasses
import pickle

import numpy as np
import pytest

from senna.inference.exact import Floats
from senna.inference.features.settings import (
    CapsFeature,
    Features,
    NgramFeature,
    StemFeature,
    WordFeature,
)
from senna.inference.kernel import calls, library
from senna.inference.kernel.index import Texts
from senna.inference.lookup import FormEncoder, load_words
from senna.model.folder import read_model
from senna.text.vocabulary import PADDING, RARE, Spelling, Vocabulary
from tests import toys
from tests.inference.kernel import twins
from tests.inference.kernel.twins import at

LEVELS = library.built()
pytestmark = pytest.mark.skipif(not LEVELS, reason="the kernel was not built")
LETTERS = ["a", "b", "é", "日", "😀", "\ud800", "\n", "-"]


def words_of(random: np.random.Generator, n: int, longest: int = 6) -> list[str]:
    """Words of few letters, some of them empty, many the same, with letters of 1 to 4 bytes."""
    sizes = random.integers(0, longest, n)
    return ["".join(random.choice(LETTERS, size)) for size in sizes]


def find(vocabulary: Vocabulary, words: list[str]) -> list[list[int]]:
    """The rows of words, and of each number of their first and last letters."""
    texts = Texts(words)
    return [vocabulary.find(texts, cut).tolist() for cut in range(-5, 6)]


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n", [0, 1, 5, 3_000])
def test_words_are_found_as_in_a_dictionary(level, n):
    random = np.random.default_rng(n)
    entries = [word for word in words_of(random, n) if "\n" not in word]
    words = ["", *words_of(random, 500), *entries[:100]]
    with at("off"):
        first = Vocabulary.of(entries)
        expected = find(first, words)
        known = {entry: row for row, entry in enumerate(entries, start=2)}
        assert expected[5] == [known.get(word, RARE) if word else PADDING for word in words]
    with at(level):
        assert find(Vocabulary.of(entries), words) == expected
        assert find(pickle.loads(pickle.dumps(first)), words) == expected
        assert find(first, words) == expected, "made without a kernel, used with one"
        indexed = Vocabulary.of(entries)
        assert find(indexed, words) == expected
    with at("off"):
        assert find(indexed, words) == expected, "made with a kernel, used without one"


@pytest.mark.parametrize("level", ["off", *LEVELS])
def test_a_vocabulary_that_extends_another(level):
    """Its own entries come first where both know a word."""
    with at(level):
        base = Vocabulary.of(["the", "of", "Anna"])
        vocabulary = Vocabulary(lines=b"zebra\nof\n", extends=base)
        assert vocabulary.entries == ("PADDING", "RARE", "the", "of", "Anna", "zebra", "of")
        assert len(vocabulary) == 7
        words = Texts(["the", "of", "zebra", "anna", "PADDING", ""])
        assert vocabulary.find(words).tolist() == [2, 6, 5, RARE, RARE, PADDING]
        assert vocabulary.find(Texts([])).tolist() == []


def slow(tables: Floats, bias: Floats, rows: np.ndarray) -> Floats:
    """Each place of each word by itself."""
    half = len(tables) // 2
    out = np.zeros((len(rows), len(bias)), np.float32)
    for i, row in enumerate(rows):
        letters = [0] * half + row[row > 0].tolist() + [0] * half
        sums = []
        for place in range(half, len(letters) - half):
            total = tables[0][letters[place - half]].copy()
            for k in range(1, len(tables)):
                total += tables[k][letters[place - half + k]]
            sums.append(total)
        if sums:
            out[i] = np.max(sums, axis=0) + bias
    return out


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("width", "filters"), [(1, 1), (3, 50), (5, 16)])
def test_convolutions_over_letters(level, width, filters):
    random = np.random.default_rng(filters)
    tables, bias = twins.normal(random, width, 30, filters), twins.normal(random, filters)
    tables[:, 0] = 0
    lengths = random.integers(0, 12, 200)
    lengths[0] = 0
    rows = random.integers(1, 30, (200, 12)) * (np.arange(12) < lengths[:, None])
    with at(level):
        letters = calls.Characters.of(tables, bias)
        out = calls.characters(letters, rows.astype(np.int32))
        with pytest.raises(ValueError, match="letters beyond 30"):
            calls.characters(letters, rows.astype(np.int32) + 1)
        with pytest.raises(ValueError, match="int64"):
            calls.characters(letters, rows)
        with pytest.raises(ValueError, match="numbers for"):
            calls.Characters(tables, bias[1:])
        tables[0, 1, 0] = 3e38
        assert calls.Characters.of(tables, bias) is None, "a sum may be no number"
        tables[0, 1, 0] = np.nan
        assert calls.Characters.of(tables, bias) is None
    tables[0, 1, 0] = letters.tables[0, 1, 0]
    assert (out.view(np.int32) == slow(tables, bias, rows).view(np.int32)).all()
    with at("off"):
        assert calls.characters(letters, rows.astype(np.int32)) is None


@pytest.mark.parametrize("joined", ["concatenate", "sum"])
def test_vectors_of_endings_and_ngrams(tmp_path, joined):
    """The same bytes with and without the kernel, and whatever forms come together."""
    features = Features(
        word=WordFeature(size=4, scale=0.0),
        caps=CapsFeature(size=4),
        stem=StemFeature(size=4, min_count=1),
        ngrams=NgramFeature(buckets=40),
        joined=joined,
    )
    config = dataclasses.replace(toys.SMALL, features=features)
    folder = read_model(toys.exported(toys.setup(config), tmp_path / "model"))
    spelt = list(map(Spelling.of, ["", *toys.WORDS, *toys.UNSEEN, "\ud800x", "x" * 90]))

    def encoded(level: str) -> Floats:
        with at(level):
            return FormEncoder(folder, load_words(folder, {})).encode(spelt)

    expected = encoded("off")
    assert expected.shape == (len(spelt), 4 if joined == "sum" else 12)
    for level in LEVELS:
        assert encoded(level).tobytes() == expected.tobytes()
    encoder = FormEncoder(folder, load_words(folder, {}))
    alone = [encoder.encode([one])[0].tobytes() for one in spelt]
    assert alone == [row.tobytes() for row in expected]
