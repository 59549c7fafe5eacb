"""The NumPy network: against torch, against plain loops, and the same for any batching."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from senna.config import (
    AffixFeature,
    CapsFeature,
    CaseFeature,
    CharacterFeature,
    Config,
    Export,
    Features,
    GazetteerFeature,
    NetworkConfig,
    TagFeature,
    Training,
    WindowConfig,
    WordFeature,
)
from senna.infer import first_layer, network
from senna.infer.lookup import places_of
from senna.infer.network import hidden
from senna.infer.pipeline import Pipeline, gazetteer_marks, tag_ids
from senna.text.iobes import FORBIDDEN, forbidden
from senna.training.build import Setup
from senna.training.loop import Trainer
from tests import oracles, toys

Sentences = list[list[str]]
SIZES = st.integers(0, 4)


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Phrase lists of two types, over the toy corpus' words."""
    folder = tmp_path_factory.mktemp("lists")
    (folder / "per.txt").write_text("Anna Weber\nMcKay\nthe walks quickly\n", encoding="utf-8")
    (folder / "loc.txt").write_text("Anna\nİzmir\n日本\nwalks the\nx\n", encoding="utf-8")
    return str(folder)


@st.composite
def configs(draw: st.DrawFn) -> Config:
    """Any network of small sizes; `features.gazetteer.files` is left to the test."""
    n = draw(st.integers(1, 3))
    affixes = st.builds(
        AffixFeature, size=SIZES, lengths=st.sampled_from([(1,), (2, 3)]), min_count=st.just(1)
    )
    features = st.builds(
        Features,
        word=st.builds(WordFeature, size=st.integers(1, 8), fixed=st.booleans()),
        caps=st.builds(CapsFeature, size=SIZES),
        case=st.builds(CaseFeature, size=SIZES),
        prefix=affixes,
        suffix=affixes,
        characters=st.builds(
            CharacterFeature,
            filters=SIZES,
            size=st.integers(1, 4),
            width=st.sampled_from([1, 3, 5]),
            longest=st.integers(2, 12),
        ),
        tags=st.fixed_dictionaries(
            {"pos": st.builds(TagFeature, size=SIZES, source=st.just("column"))}
        ),
        gazetteer=st.builds(
            GazetteerFeature, size=SIZES, coding=st.sampled_from(["position", "on_off"])
        ),
    )
    return Config(
        tasks=draw(st.sampled_from([("ner",), ("pos",), ("chunk", "ner"), ("pos", "chunk")])),
        features=draw(features),
        network=NetworkConfig(
            window=WindowConfig(
                widths=tuple(draw(st.sampled_from([1, 3, 5, 7])) for _ in range(n)),
                hidden=tuple(draw(st.integers(1, 9)) for _ in range(n)),
                shared=draw(st.integers(1, n)),
            ),
            constrained=draw(st.booleans()),
        ),
        train=Training(criterion=draw(st.sampled_from(["word", "sentence"]))),
        export=Export(draw(st.sampled_from(["float32", "float16", "int8"]))),
    )


def with_lists(config: Config, lists: str) -> Config:
    gazetteer = dataclasses.replace(config.features.gazetteer, files=(lists,))
    return dataclasses.replace(
        config, features=dataclasses.replace(config.features, gazetteer=gazetteer)
    )


def use_stored_words(made: Setup, pipeline: Pipeline) -> None:
    """Give the torch network the word table as the folder stores it."""
    words = pipeline.taggers[0].encoder.words
    used = made.features.ids(list(made.encoder.rows)).words
    fixed = np.setdiff1d(used, made.trained).astype(np.int32)
    with torch.no_grad():
        made.model.inputs.word.copy_(torch.from_numpy(words.vectors(made.trained)))
    made.model.inputs.fixed = torch.from_numpy(words.vectors(fixed))


def emissions_of(pipeline: Pipeline, sentences: Sentences, pos: Sentences) -> dict[str, np.ndarray]:
    """Scores of all words before decoding, by task."""
    tagger = pipeline.taggers[-1]
    lengths = np.array([len(s) for s in sentences], np.int64)
    flat, places = pipeline.forms.number(sentences, tagger.margin)
    ids = tag_ids(tagger, "pos", pos, flat, places)
    marks = gazetteer_marks(tagger, sentences, flat, places)
    return tagger.emissions(first_layer.Block(flat, places, lengths, ids, marks))


# --------------------------------------------------------------------------- against torch


@settings(
    max_examples=80,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(configs(), st.integers(0, 99))
def test_equal_to_torch(lists: str, tmp_path: Path, config: Config, seed: int) -> None:
    made = toys.setup(with_lists(config, lists), seed=seed)
    pipeline = Pipeline.load(None, toys.exported(made, tmp_path / "model"))
    use_stored_words(made, pipeline)
    trainer = Trainer(made.config, made.model, made.encoder, made.tasks, tmp_path)
    for task in made.tasks:
        dev = made.corpora[task.name].dev[0][1]
        sentences, pos = [s.forms for s in dev], [s.tags["pos"] for s in dev]
        with torch.no_grad():
            batch = made.encoder.batch(task.name, task.dev)
            expected = made.model(task.name, batch).numpy()
        found = emissions_of(pipeline, sentences, pos)[task.name]
        paths = config.train.criterion == "sentence" and task.name != "pos"
        constrained = config.network.constrained and paths
        ends = np.cumsum([len(s) for s in sentences])
        if constrained:
            found[(ends - 1)[:, None], np.flatnonzero(forbidden(task.names)[-1])] = FORBIDDEN
        parts = np.split(found, ends[:-1])
        for one, other, sentence in zip(parts, expected, sentences, strict=True):
            np.testing.assert_allclose(one, other[: len(sentence)], atol=1e-5, rtol=1e-5)
        assert pipeline.tag(sentences, pos)[task.name] == trainer.predict(task, task.dev)


def test_the_random_networks_do_tell_words_apart(tmp_path: Path) -> None:
    """So that the tests of equal tags can fail."""
    made = toys.setup(toys.SMALL)
    pipeline = Pipeline.load(None, toys.exported(made, tmp_path / "model"))
    tags = pipeline.tag([s.forms for s in made.corpora["ner"].dev[0][1]])["ner"]
    assert len({tag for sentence in tags for tag in sentence}) > 3


# --------------------------------------------------------------------------- against loops


@pytest.mark.parametrize("windows", [(1,), (5,), (3, 1), (5, 3, 7)])
def test_against_plain_loops(tmp_path: Path, windows: tuple[int, ...]) -> None:
    """From form vectors to scores, word by word, from what the folder stores."""
    units = (8, 5, 4)[: len(windows)]
    config = dataclasses.replace(toys.SMALL, network=toys.window(windows, units))
    pipeline = Pipeline.load(None, toys.exported(toys.setup(config), tmp_path / "model"))
    tagger = pipeline.taggers[0]
    sentences = [["The", "x", "Anna", "Weber"], ["unknown"], ["12", "."]]
    found = emissions_of(pipeline, sentences, [])["ner"]
    array = tagger.folder.array
    expected = []
    for sentence in sentences:
        x = tagger.encoder.encode(sentence)
        padding = tagger.encoder.encode([""])[0]
        for i in range(len(windows)):
            weights, bias = array(f"layer-{i}.weight"), array(f"layer-{i}.bias")
            x = oracles.window_layer(x, weights, bias, padding if i == 0 else None)
        expected += [row @ array("ner.output.weight") + array("ner.output.bias") for row in x]
    np.testing.assert_allclose(found, expected, atol=1e-5)


@pytest.mark.parametrize("window", [1, 3, 5, 7])
@pytest.mark.parametrize("lengths", [[1], [4], [3, 1, 0, 2, 9], [0], []])
def test_a_later_hidden_layer(window: int, lengths: list[int]) -> None:
    random = np.random.default_rng(window)
    x = random.normal(size=(sum(lengths), 3)).astype(np.float32)
    weights = random.normal(0, 0.5, (window * 3, 4)).astype(np.float32)
    bias = random.normal(size=4).astype(np.float32)
    layer = network.Hidden(weights, bias, window)
    found = hidden(x.copy(), layer, np.array(lengths, np.int64))
    parts = np.split(x, np.cumsum(lengths)[:-1]) if lengths else []
    expected = [oracles.window_layer(part, weights, bias) for part in parts]
    whole = np.concatenate(expected) if expected else np.zeros((0, 4))
    np.testing.assert_allclose(found, whole, atol=1e-5)
    assert (np.abs(found) == 1).any() or len(found) < 4, "HardTanh cuts something off"


def test_places_of() -> None:
    assert places_of(np.array([2, 0, 1], np.int64), 2).tolist() == [2, 3, 8]
    assert places_of(np.array([2, 1], np.int64), 0).tolist() == [0, 1, 2]


# --------------------------------------------------------------------------- any batching


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory, lists: str) -> Pipeline:
    """Two layers, all features, two tasks."""
    features = dataclasses.replace(
        toys.SMALL.features,
        tags={"pos": TagFeature(size=3, source="column")},
        gazetteer=GazetteerFeature(size=2, files=(lists,)),
    )
    config = dataclasses.replace(
        toys.SMALL,
        tasks=("chunk", "ner"),
        features=features,
        network=toys.window((5, 3), (30, 20)),
        export=Export("int8"),
    )
    folder = tmp_path_factory.mktemp("large") / "model"
    return Pipeline.load(None, toys.exported(toys.setup(config), folder))


def text(seed: int, lengths: list[int]) -> tuple[Sentences, Sentences]:
    """Sentences of given lengths, and their parts of speech."""
    random = np.random.default_rng(seed)
    words = toys.WORDS + toys.UNSEEN + [f"w{i}x" for i in "abcdefghijklmnopqrstuvwxyz"]
    sentences = [[words[i] for i in random.integers(0, len(words), n)] for n in lengths]
    return sentences, [[toys.POS[len(w) % 4] for w in s] for s in sentences]


def fresh(pipeline: Pipeline) -> Pipeline:
    """A pipeline that has seen no text."""
    return Pipeline.load(None, pipeline.taggers[0].folder.path)


LENGTHS = [1, 12, 3_000, 1, 0, 40, 7, 1, 1, *range(2, 60)]


def test_tags_do_not_depend_on_the_batch(large: Pipeline) -> None:
    sentences, pos = text(1, LENGTHS)
    together = fresh(large).tag(sentences, pos)
    for task, tags in together.items():
        assert [len(t) for t in tags] == LENGTHS
        assert len({tag for t in tags for tag in t}) > 3, task
    one_by_one = fresh(large)
    for i in range(len(sentences)):
        found = one_by_one.tag([sentences[i]], [pos[i]])
        assert found == {task: [tags[i]] for task, tags in together.items()}
    order = np.random.default_rng(2).permutation(len(sentences))
    shuffled = fresh(large).tag([sentences[i] for i in order], [pos[i] for i in order])
    assert shuffled == {task: [tags[i] for i in order] for task, tags in together.items()}


def test_scores_are_the_same_bytes_for_any_batch(large: Pipeline) -> None:
    sentences, pos = text(3, LENGTHS)
    together = emissions_of(fresh(large), sentences, pos)
    order = np.random.default_rng(4).permutation(len(sentences))
    shuffled = emissions_of(fresh(large), [sentences[i] for i in order], [pos[i] for i in order])
    ends = np.cumsum(LENGTHS)
    rows = np.concatenate([np.arange(ends[i] - LENGTHS[i], ends[i]) for i in order])
    for task in together:
        assert np.array_equal(together[task][rows], shuffled[task])


def test_nothing_changes_when_forms_are_forgotten(
    large: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentences, pos = text(5, [7, 1, 30, 12] * 6)
    expected = fresh(large).tag(sentences, pos)
    monkeypatch.setattr(first_layer, "N_FORMS", 20)
    monkeypatch.setattr(first_layer, "N_KEPT", 9)
    monkeypatch.setattr(first_layer, "CHUNK", 16)
    monkeypatch.setattr(network, "CHUNK", 16)
    forgetful = fresh(large)
    for _ in range(2):
        for i in range(len(sentences)):
            found = forgetful.tag([sentences[i]], [pos[i]])
            assert found == {task: [tags[i]] for task, tags in expected.items()}
    assert forgetful.forms.generation > 2
    assert forgetful.tag(sentences, pos) == expected


def test_memory_of_forms_is_bounded(large: Pipeline) -> None:
    pipeline = fresh(large)
    for start in range(0, 60_000, 4_000):
        forms = [f"form{start + i}" for i in range(4_000)]
        pipeline.tag([forms], [["NN"] * len(forms)])
        assert len(pipeline.forms.numbers) <= first_layer.N_FORMS + 4_001
    assert pipeline.forms.generation == 2
    assert len(pipeline.forms.names) == len(pipeline.forms.numbers)
    assert len(pipeline.taggers[0].first.rows) < 5 * (first_layer.N_KEPT + 2 * first_layer.CHUNK)
