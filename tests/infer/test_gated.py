"""The NumPy gated network: against torch, and the same for any batching."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from senna.infer.gated import neighbours, normalise
from senna.infer.taggers import load_tagger

from senna.config import Config, Export, GatedConfig, NetworkConfig, TagFeature, Training
from senna.infer import gated, roles
from senna.infer.first_layer import Block, Forms
from senna.infer.lookup import load_words
from senna.infer.model_folder import read_model
from senna.infer.network import Tagger
from senna.training.build import Setup
from senna.training.factors import factorise
from senna.training.loop import Trainer
from tests import toys

Sentences = list[list[str]]
EACH = settings(
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def load(path: Path) -> Tagger:
    folder = read_model(path)
    return load_tagger(folder, load_words(folder, {}), Forms())


def tag_ids(tagger: Tagger, name: str, tags: Sentences, flat, places):  # type: ignore[no-untyped-def]
    vocabulary = getattr(tagger, name)
    if vocabulary is None:
        return None
    ids = np.zeros(len(flat), np.int64)
    ids[places] = [vocabulary.rows.get(tag, 1) for row in tags for tag in row]
    return ids


class Text:
    """Sentences as the tagger wants them."""

    def __init__(self, tagger: Tagger, forms: Sentences, pos: Sentences, pt0: Sentences) -> None:
        self.lengths = np.array([len(s) for s in forms], np.int64)
        flat, places = tagger.first.forms.number(forms, tagger.margin)
        self.block = Block(
            flat,
            places,
            self.lengths,
            pos=tag_ids(tagger, "pos", pos, flat, places),
            pt0=tag_ids(tagger, "pt0", pt0, flat, places),
        )
        self.tagger = tagger

    def emissions(self) -> dict[str, np.ndarray]:
        return self.tagger.emissions(self.block)

    def roles(self, predicates: list[list[int]]) -> list[list[list[str]]]:
        return self.tagger.roles(self.block, predicates)


def of_dev(tagger: Tagger, made: Setup, task: str) -> tuple[Text, list[list[int]]]:
    dev = made.corpora[task].dev[0][1]
    text = Text(
        tagger,
        [s.forms for s in dev],
        [s.tags.get("pos", []) for s in dev],
        [s.tags.get("pt0", ["O"] * len(s.forms)) for s in dev],
    )
    return text, [[p.position for p in s.gold] if task == "srl" else [] for s in dev]


@st.composite
def networks(draw: st.DrawFn) -> Config:
    """Any gated network of small sizes."""
    tasks = draw(st.sampled_from([("srl",), ("pos",), ("ner", "srl"), ("predicates", "pt0")]))
    features = toys.with_tags(
        toys.SMALL.features,
        pos=TagFeature(size=draw(st.integers(0, 3)), source="column"),
        pt0=TagFeature(size=0 if tasks != ("srl",) else draw(st.integers(0, 3)), source="column"),
    )
    network = GatedConfig(
        units=draw(st.integers(8, 12)),
        width=draw(st.sampled_from([1, 3, 5])),
        dilations=tuple(draw(st.lists(st.integers(1, 4), min_size=0, max_size=3))) or (1,),
        pair=draw(st.integers(2, 7)),
        pair_dilations=tuple(draw(st.lists(st.integers(1, 3), max_size=2))),
        distance=draw(st.integers(1, 5)),
    )
    train = Training(criterion=draw(st.sampled_from(["word", "sentence"])))
    return dataclasses.replace(
        toys.SMALL,
        tasks=tasks,
        features=features,
        network=NetworkConfig(kind="gated", gated=network),
        train=train,
        export=Export(rank=draw(st.integers(0, 3))),
    )


def assert_equal_to_torch(config: Config, seed: int, tmp_path: Path) -> None:
    """Scores within 1e-5, and the same tags and roles, for every task of a network."""
    made = toys.setup(config, seed=seed)
    if config.export.rank:
        factorise(made.model, made.encoder, made.tasks, config.export.rank)
    tagger = load(toys.exported(made, tmp_path / "model"))
    trainer = Trainer(made.config, made.model, made.encoder, made.tasks, tmp_path)
    for task in made.tasks:
        text, predicates = of_dev(tagger, made, task.name)
        expected = trainer.predict(task, task.dev)
        if task.name == "srl":
            found = text.roles(predicates)
            assert found == [[predicate.tags for predicate in own] for own in expected]
            continue
        scores = text.emissions()[task.name]
        with torch.no_grad():
            torch_scores = made.model(task.name, made.encoder.batch(task.name, task.dev)).numpy()
        rows = np.split(scores, np.cumsum(text.lengths)[:-1])
        for own, other in zip(rows, torch_scores, strict=True):
            inner = other[: len(own)]
            ruled_out = inner < -5_000  # what IOBES rules out at the end, in torch
            np.testing.assert_allclose(own[~ruled_out], inner[~ruled_out], atol=1e-5, rtol=1e-5)
        assert tagger.decode(task.name, scores, text.lengths) == expected


@EACH
@given(networks(), st.integers(0, 99))
def test_equal_to_torch(tmp_path: Path, config: Config, seed: int) -> None:
    assert_equal_to_torch(config, seed, tmp_path)


LARGE = dataclasses.replace(
    toys.SMALL,
    tasks=("srl",),
    network=NetworkConfig(
        kind="gated", gated=GatedConfig(40, dilations=(1, 2, 4), pair=20, distance=6)
    ),
)


def words(seed: int, lengths: list[int]) -> Sentences:
    random = np.random.default_rng(seed)
    known = toys.WORDS + toys.UNSEEN
    return [[known[i] for i in random.integers(0, len(known), n)] for n in lengths]


LENGTHS = [1, 12, 2_000, 1, 0, 40, 7, *range(2, 40)]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toys.exported(toys.setup(LARGE), tmp_path_factory.mktemp("large") / "model")


def test_role_scores_equal_torch(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is decoded, not only the best path of it."""
    made = toys.setup(LARGE)
    tagger = load(large)
    seen: list[np.ndarray] = []

    def kept(self: roles.RoleOutput, scores, lengths, steps, owners):  # type: ignore[no-untyped-def]
        found = np.zeros((len(lengths), lengths[0], scores.shape[1]), np.float32)
        found[owners, steps] = scores
        seen.append(found)
        return np.zeros(len(scores), np.intp)

    monkeypatch.setattr(roles.RoleOutput, "_paths", kept)
    text, predicates = of_dev(tagger, made, "srl")
    text.roles(predicates)
    batch = made.encoder.batch("srl", made.tasks[0].dev)
    with torch.no_grad():
        expected = made.model("srl", batch).numpy()
    lengths = batch.gold_lengths.numpy()
    order = np.argsort(-lengths, kind="stable")
    (found,) = seen
    assert isinstance(tagger, gated.GatedTagger)
    assert tagger.output.moves is not None
    for own, row in zip(found, order, strict=True):
        inner = expected[row, : lengths[row]][:, tagger.output.moves.order]
        np.testing.assert_allclose(own[: lengths[row]], inner, atol=1e-5, rtol=1e-5)


def test_roles_do_not_depend_on_the_batch(large: Path) -> None:
    forms = words(1, LENGTHS)
    predicates = [list(range(0, len(s), 1 + len(s) // 4)) for s in forms]
    predicates[3] = []
    tagger = load(large)
    together = Text(tagger, forms, [], []).roles(predicates)
    assert [len(own) for own in together] == [len(own) for own in predicates]
    assert len({tag for own in together for row in own for tag in row}) > 8
    for one, own, expected in zip(forms, predicates, together, strict=True):
        assert Text(tagger, [one], [], []).roles([own]) == [expected]
        assert all(len(row) == len(one) for row in expected)
    order = np.random.default_rng(2).permutation(len(forms))
    shuffled = Text(tagger, [forms[i] for i in order], [], []).roles([predicates[i] for i in order])
    assert shuffled == [together[i] for i in order]


def test_many_predicates_in_a_long_sentence(large: Path) -> None:
    forms = words(3, [500])
    found = Text(load(large), forms, [], []).roles([list(range(0, 480, 8))])
    assert [len(own) for own in found] == [60]


def test_no_predicates_and_no_sentences(large: Path) -> None:
    tagger = load(large)
    assert Text(tagger, words(1, [3, 1]), [], []).roles([[], []]) == [[], []]
    assert Text(tagger, [], [], []).roles([]) == []
    assert Text(tagger, [[]], [], []).emissions() == {}


@pytest.mark.parametrize("lengths", [[1], [4], [3, 1, 0, 2, 9], []])
def test_neighbours(lengths: list[int]) -> None:
    n = sum(lengths)
    found = neighbours(np.array(lengths, np.int64), 3, 2)
    assert len(found) % 64 == 0
    assert (found[n:] == n).all()
    row = 0
    for length in lengths:
        for i in range(length):
            expected = [row + i + k if 0 <= i + k < length else n for k in (-2, 0, 2)]
            assert found[row + i].tolist() == expected
        row += length


def test_normalise() -> None:
    x = np.random.default_rng(0).normal(3, 2, (5, 30)).astype(np.float32)
    expected = torch.nn.functional.layer_norm(torch.from_numpy(x.copy()), (30,)).numpy()
    normalise(x, x)
    np.testing.assert_allclose(x, expected, atol=1e-6)
