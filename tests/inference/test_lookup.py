"""Lookup tables at tagging time: stored numbers, overlay on a base, characters."""

import dataclasses
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch

from senna.errors import SennaError
from senna.formats.vectors import model_vectors
from senna.inference.features.settings import CharacterFeature, TagFeature, WordFeature
from senna.inference.lookup import FormEncoder, WordTable, load_words
from senna.model.folder import ModelFolder, read_model
from senna.model.writing import copy_complete, quantise
from senna.pipeline.pipeline import Pipeline
from senna.text.vocabulary import PADDING_FORM, RARE, Spelling, normalise
from senna.training.build import Setup
from senna.training.config import Config, Export
from tests import oracles, toys

BASE_WORDS = [*sorted({normalise(word) for word in toys.WORDS} - {"``"}), "never", "used"]
N_BASE = 2 + len(BASE_WORDS)


@pytest.fixture
def base(tmp_path) -> Path:
    """A base table with a vector for most words of the toy corpus."""
    table = np.random.default_rng(7).normal(0, 0.12, (len(BASE_WORDS), 6)).astype(np.float32)
    toys.write_base(BASE_WORDS, table, tmp_path / "base", "float16")
    return tmp_path / "base"


def with_base(base: Path, folder: Path, numbers: str = "float16", overlay: bool = True) -> Config:
    """A configuration that starts from the base table's vectors."""
    vectors = folder / "vectors"
    if not vectors.exists():
        vectors.mkdir()
        words, table = model_vectors(base)
        (vectors / "words.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
        np.save(vectors / "table.npy", table)
    word = WordFeature(size=6, scale=0.0, embeddings=str(vectors))
    features = dataclasses.replace(toys.SMALL.features, word=word)
    return dataclasses.replace(
        toys.SMALL, features=features, export=Export(numbers, str(base) if overlay else "")
    )


def with_config(made: Setup, config: Config) -> Setup:
    """The same network, to be written in another way."""
    return dataclasses.replace(made, collected=dataclasses.replace(made.collected, config=config))


def encode(encoder: FormEncoder, forms: list[str]) -> np.ndarray:
    return encoder.encode(list(map(Spelling.of, forms)))


def all_vectors(words: WordTable) -> np.ndarray:
    return words.vectors(np.arange(len(words.words), dtype=np.int32))


@pytest.mark.parametrize(("numbers", "error"), [("float32", 0), ("float16", 1e-3), ("int8", 4e-3)])
def test_quantise(numbers, error):
    table = np.random.default_rng(1).normal(0, 1, (50, 9)).astype(np.float32)
    table[3] = 0
    stored = quantise(table, numbers)
    assert stored["words"].dtype == numbers
    found = stored["words"].astype(np.float32)
    if "words.scale" in stored:
        found *= stored["words.scale"][:, None]
    largest = np.abs(table).max(axis=1, keepdims=True)
    assert (np.abs(found - table) <= error * largest).all()


def test_int8_uses_its_whole_range():
    stored = quantise(np.array([[1, -2, 0.5], [1e-4, 0, 0]], np.float32), "int8")
    assert np.abs(stored["words"]).max(axis=1).tolist() == [127, 127]


@pytest.mark.parametrize("numbers", ["float32", "float16", "int8"])
def test_base_and_overlay_equal_the_complete_model(base, tmp_path, numbers):
    config = with_base(base, tmp_path, numbers)
    made = toys.setup(config)
    assert 2 < len(made.numbered.trained) < len(made.collected.features.words), (
        "some rows of the base are shared"
    )
    with_overlay = read_model(toys.exported(made, tmp_path / "overlay"))
    whole = with_config(made, with_base(base, tmp_path, "float32", overlay=False))
    complete = read_model(toys.exported(whole, tmp_path / "complete"))
    one, other = load_words(with_overlay, {}), load_words(complete, {})
    assert one.words.entries == other.words.entries
    assert one.table.shape[0] == len(made.numbered.trained) < other.table.shape[0]
    error = {"float32": 0, "float16": 1e-3, "int8": 4e-3}[numbers]
    expected = all_vectors(other)
    largest = np.abs(expected).max(axis=1, keepdims=True)
    assert (np.abs(all_vectors(one) - expected) <= error * largest).all()


def test_the_most_frequent_of_its_own_words(tmp_path):
    some, n_base = BASE_WORDS[:-4], N_BASE - 4
    table = np.random.default_rng(5).normal(size=(len(some), 6)).astype(np.float32)
    toys.write_base(some, table, tmp_path / "base", "float32")
    config = with_base(tmp_path / "base", tmp_path, "float32")
    made = toys.setup(config)
    every = read_model(toys.exported(made, tmp_path / "every"))
    export = dataclasses.replace(config.export, own=1)
    few = with_config(made, dataclasses.replace(made.config, export=export))
    folder = read_model(toys.exported(few, tmp_path / "few"))
    own = every.lines("words.txt")
    assert folder.lines("words.txt") == own[:1]
    train = [form for s in made.corpora["ner"].train for form in s.forms]
    counts = Counter(normalise(form) for form in train)
    assert len(own) > 1
    assert counts[own[0]] == max(counts[word] for word in own)
    one, other = load_words(folder, {}), load_words(every, {})
    kept = np.delete(np.arange(n_base + 1, dtype=np.int32), RARE)
    assert np.array_equal(one.vectors(kept), other.vectors(kept))
    rest = other.vectors(np.arange(n_base + 1, n_base + len(own), dtype=np.int32))
    rare = one.vectors(np.array([RARE], np.int32))[0]
    assert rare == pytest.approx(rest.mean(axis=0), abs=1e-6)
    assert one.words.rows.get(own[1]) is None


def test_vectors_that_hardly_moved_stay_those_of_the_base(base, tmp_path):
    config = with_base(base, tmp_path, "float32")
    config = dataclasses.replace(config, export=dataclasses.replace(config.export, moved=0.1))
    made = toys.setup(config)
    shared = np.flatnonzero((made.numbered.trained > RARE) & (made.numbered.trained < N_BASE))
    little, much = shared[0], shared[1]
    with torch.no_grad():
        made.model.inputs.word[little, 0] += 0.05
        made.model.inputs.word[much, 0] += 0.2
    folder = read_model(toys.exported(made, tmp_path / "model"))
    words = load_words(folder, {})
    assert words.rows.tolist() == [
        row for i, row in enumerate(made.numbered.trained) if i == much or i not in shared
    ]
    assert words.trained.tolist() == made.numbered.trained.tolist()
    start = load_words(read_model(base), {}).vectors(made.numbered.trained[[little, much]])
    found = words.vectors(made.numbered.trained[[little, much]])
    assert found - start == pytest.approx(np.array([[0] * 6, [0.2, 0, 0, 0, 0, 0]]), abs=1e-6)


def test_words_that_an_encoder_moved_are_stored_though_training_lacks_them(base, tmp_path):
    made = toys.setup(with_base(base, tmp_path, "float32"))
    moved = int(np.setdiff1d(np.arange(2, N_BASE), made.numbered.trained)[0])
    table = np.array(made.collected.table, np.float32)
    table[moved, 0] += 1
    collected = dataclasses.replace(made.collected, table=table)
    folder = toys.exported(dataclasses.replace(made, collected=collected), tmp_path / "model")
    words = load_words(read_model(folder), {})
    assert words.vectors(np.array([moved], np.int32))[0] == pytest.approx(table[moved], abs=1e-6)
    assert words.trained.tolist() == made.numbered.trained.tolist()


def test_models_share_one_base_and_one_vocabulary(base, tmp_path):
    made = toys.setup(with_base(base, tmp_path))
    folders = [read_model(toys.exported(made, tmp_path / name)) for name in "ab"]
    loaded: dict[Path, WordTable] = {}
    one, other = (load_words(folder, loaded) for folder in folders)
    assert one.base is other.base
    assert list(loaded) == [base.resolve()]


def test_another_base_is_refused(base, tmp_path):
    folder = toys.exported(toys.setup(with_base(base, tmp_path)), tmp_path / "model")
    other = np.ones((len(BASE_WORDS), 6), np.float32)
    toys.write_base(BASE_WORDS, other, base, "float16")
    with pytest.raises(SennaError, match="made for another base table than base"):
        Pipeline.load(None, folder)
    shutil.rmtree(base)
    with pytest.raises(SennaError, match="not a model folder"):
        Pipeline.load(None, folder)


def test_an_overlay_whose_words_are_not_the_bases_is_refused(base, tmp_path):
    config = with_base(base, tmp_path)
    words = tmp_path / "vectors" / "words.txt"
    lines = words.read_text(encoding="utf-8").splitlines()
    words.write_text("\n".join(reversed(lines)) + "\n", encoding="utf-8")
    with pytest.raises(SennaError, match="other words than its base"):
        toys.exported(toys.setup(config), tmp_path / "model")


def test_an_overlay_on_rescaled_vectors_is_refused(base, tmp_path):
    config = with_base(base, tmp_path)
    word = dataclasses.replace(config.features.word, scale=0.5)
    config = dataclasses.replace(config, features=dataclasses.replace(config.features, word=word))
    with pytest.raises(SennaError, match="other values than its base"):
        toys.exported(toys.setup(config), tmp_path / "model")


@pytest.mark.parametrize("overlay", [True, False])
@pytest.mark.parametrize("numbers", ["float32", "float16", "int8"])
def test_a_complete_copy_works_without_the_base(base, tmp_path, overlay, numbers):
    made = toys.setup(with_base(base, tmp_path, numbers, overlay))
    folder = toys.exported(made, tmp_path / "model")
    sentences = [s.forms for s in made.corpora["ner"].dev[0][1]]
    expected = Pipeline.load(None, folder).annotate(sentences)
    vectors = all_vectors(load_words(read_model(folder), {}))
    copy_complete(folder, tmp_path / "copy")
    shutil.rmtree(folder)
    shutil.rmtree(base)
    copied = load_words(read_model(tmp_path / "copy"), {})
    np.testing.assert_allclose(all_vectors(copied), vectors, rtol=1e-6, atol=5e-3)
    assert Pipeline.load(None, tmp_path / "copy").annotate(sentences) == expected
    assert not list(tmp_path.glob("*.tmp"))


def test_a_complete_model_brings_the_models_it_needs(tmp_path):
    """Roles want PT0, and PT0 wants parts of speech."""
    features = toys.SMALL.features
    pos = toys.model(tmp_path / "pos", "pos")
    wants_pos = toys.with_tags(features, pos=TagFeature(3, model=str(pos)))
    pt0 = toys.model(tmp_path / "pt0", "pt0", features=wants_pos)
    wants_pt0 = toys.with_tags(features, pt0=TagFeature(3, model=str(pt0)))
    network = toys.gated(8, 1, pair=4)
    folder = toys.model(tmp_path / "srl", "srl", features=wants_pt0, network=network)
    shutil.rmtree(pos)
    shutil.rmtree(pt0)
    pipeline = Pipeline.load(["srl"], folder, predicates="given")
    (found,) = pipeline.annotate([["the", "walks", "x"]], predicates=[[1, 2]])["srl"]
    assert [predicate.position for predicate in found] == [1, 2]
    assert all(len(predicate.tags) == 3 for predicate in found)


def recurrent_letters(folder: ModelFolder, letters: np.ndarray) -> np.ndarray:
    """The last states of a cell that reads letters, and of one that reads them backwards."""
    weights, bias = (
        folder.array("characters.weight", None, None),
        folder.array("characters.bias", None),
    )
    last = []
    for i, (name, order) in enumerate((("forward", letters), ("backward", letters[::-1]))):
        of_words = np.split(weights, 2, axis=1)[i], np.split(bias, 2)[i]
        of_states = folder.array(f"characters.{name}.weight", None, None)
        last.append(oracles.recurrent_cell("lstm", order, *of_words, of_states)[-1])
    return np.concatenate(last)


@pytest.mark.parametrize("kind", ["convolution", "recurrent"])
def test_form_vectors_are_their_tables_rows_side_by_side(tmp_path, kind):
    characters = CharacterFeature(filters=6, size=4, kind=kind)
    features = dataclasses.replace(toys.SMALL.features, characters=characters)
    folder = read_model(toys.model(tmp_path / "model", features=features))
    assert folder.meta["features"]["letters"] == kind
    words = load_words(folder, {})
    encoder = FormEncoder(folder, words)
    forms = ["The", "McKay", "Zürich", PADDING_FORM, "antidisestablishmentarianism", "x"]
    found = encode(encoder, forms)
    assert found.shape == (6, encoder.size)
    assert found.dtype == np.float32
    ids = encoder.features.ids(forms)
    caps, letters = folder.array("caps", None, None), folder.array("letters", None, None)
    suffixes = [folder.array(f"suffix-{n}", None, None) for n in (2, 3)]
    weights = folder.array("characters.weight", None, None)
    bias = folder.array("characters.bias", None)
    of_letters = np.zeros((6, 6))
    for i, vector in enumerate(found):
        row = [words.table[ids["words"][i]], caps[ids["caps"][i]]]
        row += [table[ids[f"suffix-{n}"][i]] for n, table in zip((2, 3), suffixes, strict=True)]
        np.testing.assert_array_equal(vector[:-6], np.concatenate(row))
        if n_letters := np.count_nonzero(ids["letters"][i]):
            vectors = letters[ids["letters"][i, :n_letters]]
            if kind == "convolution":
                of_letters[i] = oracles.characters(vectors, weights, bias)
            else:
                of_letters[i] = recurrent_letters(folder, vectors)
    # The letters' part is a product of whole numbers.
    largest = np.abs(of_letters).max()
    np.testing.assert_allclose(found[:, -6:], of_letters, atol=1e-2 * largest)
    assert not found[3, -6:].any(), "no letters, and no bias"
    assert ids["letters"].shape == (6, 20)
