"""Networks that begin with the encoder of another model."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from senna.errors import SennaError
from senna.formats.vectors import load_vectors
from senna.inference.features.settings import AffixFeature
from senna.model.folder import ModelFolder, read_model
from senna.pretraining.encoder_start import fill_from_encoder, with_encoder
from senna.training.build import Setup, build
from senna.training.config import Config
from senna.training.examples.corpora import TaskCorpus
from tests import toys

GATED = ("network.kind=gated", "network.gated.units=8", "network.gated.dilations=[1,2]")
PREFIX = ("features.prefix.size=3", "features.prefix.lengths=[1]")


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> ModelFolder:
    """A model of names, with prefixes."""
    setup = toys.setup(toys.small("ner", *GATED, *PREFIX))
    return read_model(toys.exported(setup, tmp_path_factory.mktemp("run") / "model"))


def learning_from(encoder: ModelFolder, *settings: str) -> Config:
    """A configuration of parts of speech that begins with the encoder, of its first layer alone."""
    first = ("network.gated.dilations=[1]", f"train.encoder={encoder.path}")
    return toys.small("pos", *GATED, *first, *settings)


def with_features(config: Config) -> Config:
    """The configuration with the features of its encoder."""
    features = with_encoder(config.features, config.network, config.train.encoder)
    return replace(config, features=features)


def begun(config: Config) -> Setup:
    corpus = TaskCorpus(toys.corpus("pos").train, [])
    return build(config, {"pos": corpus}, torch.device("cpu"))


def test_tables_of_forms_and_layers_are_those_of_the_encoder(encoder):
    config = with_features(learning_from(encoder))
    assert config.features.prefix == AffixFeature(3, (1,))
    arrays = begun(config).model.arrays()
    same = [name for name in arrays if not name.startswith("pos.")]
    assert {"prefix-1", "layer-0.weight", "gated-0.weight"} <= set(same)
    assert "gated-1.weight" not in same
    for name in same:
        np.testing.assert_array_equal(arrays[name], encoder.array(name, *arrays[name].shape))


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ("units=9", "network.gated.units: 9, the encoder's 8"),
        ("dilations=[2]", r"network.gated.dilations: \[2\], the encoder's \[1, 2\]"),
        ("dilations=[1,2,4]", r"network.gated.dilations: \[1, 2, 4\], the encoder's \[1, 2\]"),
    ],
)
def test_another_shape_than_the_encoders(encoder, changed, what):
    with pytest.raises(SennaError, match=what):
        with_features(learning_from(encoder, f"network.gated.{changed}"))


def test_fewer_units_than_those_of_the_network_are_not_put_in_a_part_of_them(encoder):
    config = toys.small("ner", *GATED, *PREFIX, "network.gated.units=9")
    with pytest.raises(SennaError, match="does not fit"):
        fill_from_encoder(toys.setup(config).model, encoder)


def test_an_encoder_that_is_none(tmp_path):
    for name, what in ((str(tmp_path / "none"), "none"), ("base", "no network")):
        with pytest.raises(SennaError, match=what):
            with_encoder(toys.SMALL.features, toys.SMALL.network, name)


def test_features_of_sentences_are_not_the_encoders(tmp_path):
    """Those of forms stand first in the projection, whatever follows them in either network."""
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "per.txt").write_text("Anna\n", encoding="utf-8")
    lists = f"features.gazetteer={{size=2, files=['{tmp_path / 'lists'}']}}"
    path = toys.exported(toys.setup(toys.small("ner", *GATED, lists)), tmp_path / "model")
    found = read_model(path).array("layer-0.weight", None, 8)
    place = begun(learning_from(read_model(path))).model.arrays()["layer-0.weight"]
    assert len(found) == len(place) + 2
    np.testing.assert_array_equal(place, found[: len(place)])


def test_words_begin_as_those_of_the_encoder(encoder):
    setup = begun(with_features(learning_from(encoder)))
    vectors = load_vectors(encoder.path)
    numbers = setup.collected.features.words.rows
    rows = [numbers[word] for word in vectors.words]
    assert len(rows) > 1
    np.testing.assert_allclose(setup.collected.table[rows], vectors.table, atol=1e-3)


def test_an_encoder_without_words_leaves_them(tmp_path):
    setup = toys.setup(toys.small("ner", *GATED, "features.word.size=0"))
    config = learning_from(read_model(toys.exported(setup, tmp_path / "m")))
    assert with_features(config).features.word == config.features.word


def test_words_of_the_encoder_that_training_never_saw_are_stored(tmp_path):
    seen = sorted({w.lower() for e in toys.corpus("pos").train for w in e.forms})
    table = np.random.default_rng(0).normal(size=(len(seen) - 4, 6)).astype(np.float32)
    toys.write_base(seen[:-4], table, tmp_path / "base", "float32")
    own = [*seen[-4:-2], "unseen", *seen[-2:]]
    vectors = np.random.default_rng(1).normal(size=(len(own), 6)).astype(np.float32)
    both = np.concatenate([table, vectors])
    toys.write_base([*seen[:-4], *own], both, tmp_path / "wide", "float32")
    word = ("features.word.size=0", f"features.word.embeddings={tmp_path / 'wide'}")
    config = toys.small("pos", *word, f"export.base={tmp_path / 'base'}")
    model = toys.exported(toys.setup(config), tmp_path / "m")
    words, stored = load_vectors(model)
    assert words[: len(seen) + 1] == [*seen[:-4], *own]
    expected = vectors[own.index("unseen")]
    np.testing.assert_allclose(stored[words.index("unseen")], expected, atol=1e-3)
