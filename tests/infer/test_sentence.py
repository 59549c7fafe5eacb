"""The NumPy sentence network: against loops, against torch, and the same for any batching."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from senna.config import Config, NetworkConfig, SentenceConfig, TagFeature, Training
from senna.infer import roles, sentence
from senna.text.iobes import FORBIDDEN
from senna.training.networks.sentence import maxima as torch_maxima
from tests import oracles, toys
from tests.infer.test_gated import EACH, LENGTHS, Text, assert_equal_to_torch, load, of_dev, words


@pytest.mark.parametrize("reach", [1, 2, 5])
@pytest.mark.parametrize("n", [1, 2, 3, 6, 14])
def test_maxima_against_loops(reach: int, n: int) -> None:
    random = np.random.default_rng(n)
    near = random.normal(size=(2 * reach + 1, 3)).astype(np.float32)
    lengths = [n, max(1, n - 2), 1]
    rows = [random.normal(size=(length, 3)).astype(np.float32) for length in lengths]
    padded = np.full((n, len(rows), 3), FORBIDDEN, np.float32)
    for i, row in enumerate(rows):
        padded[: len(row), i] = row
    found = sentence.maxima(padded.copy(), near)
    turned = torch.from_numpy(padded.transpose(1, 0, 2).copy())
    by_torch = torch_maxima(turned, torch.from_numpy(near)).numpy()
    for i, row in enumerate(rows):
        expected = oracles.sentence_maxima(row, near)
        np.testing.assert_allclose(found[: len(row), i], expected, atol=1e-6)
        np.testing.assert_allclose(by_torch[i, : len(row)], expected, atol=1e-6)


@pytest.mark.parametrize("reach", [1, 3, 9])
def test_gradients_of_maxima(reach: int) -> None:
    generator = torch.Generator().manual_seed(reach)
    x = torch.randn(2, 7, 2, generator=generator, dtype=torch.float64, requires_grad=True)
    shape = (2 * reach + 1, 2)
    near = torch.randn(shape, generator=generator, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(torch_maxima, (x, near))


@st.composite
def networks(draw: st.DrawFn) -> Config:
    """Any sentence network of small sizes."""
    tasks = draw(st.sampled_from([("srl",), ("pos",), ("ner", "srl"), ("predicates", "chunk")]))
    pt0 = TagFeature(size=0 if tasks != ("srl",) else draw(st.integers(0, 3)), source="column")
    own = SentenceConfig(
        width=draw(st.sampled_from([1, 3, 5])),
        hidden=draw(st.integers(1, 9)),
        units=draw(st.integers(1, 9)),
        distance=draw(st.integers(1, 6)),
        distance_size=draw(st.integers(1, 3)),
    )
    features = toys.with_tags(toys.SMALL.features, pt0=pt0)
    network = NetworkConfig(kind="sentence", sentence=own)
    train = Training(criterion=draw(st.sampled_from(["word", "sentence"])))
    return dataclasses.replace(
        toys.SMALL, tasks=tasks, features=features, network=network, train=train
    )


@EACH
@given(networks(), st.integers(0, 99))
def test_equal_to_torch(tmp_path: Path, config: Config, seed: int) -> None:
    assert_equal_to_torch(config, seed, tmp_path)


LARGE = dataclasses.replace(
    toys.SMALL,
    tasks=("srl", "ner"),
    network=NetworkConfig(kind="sentence", sentence=SentenceConfig(3, 30, 20, distance=7)),
)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toys.exported(toys.setup(LARGE), tmp_path_factory.mktemp("large") / "model")


def test_role_scores_equal_torch(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is decoded, not only the best path of it."""
    made = toys.setup(LARGE)
    tagger = load(large)
    seen: list[np.ndarray] = []

    def kept(self: roles.RoleOutput, scores, lengths, steps, owners):  # type: ignore[no-untyped-def]
        seen.extend(np.split(scores, np.cumsum(lengths)[:-1]))
        return np.zeros(len(scores), np.intp)

    monkeypatch.setattr(roles.RoleOutput, "_paths", kept)
    text, predicates = of_dev(tagger, made, "srl")
    text.roles(predicates)
    batch = made.encoder.batch("srl", made.tasks[0].dev)
    with torch.no_grad():
        expected = made.model("srl", batch).numpy()
    lengths = batch.gold_lengths.numpy()
    order = np.argsort(-lengths, kind="stable")
    assert isinstance(tagger, sentence.SentenceTagger)
    assert tagger.output.moves is not None
    for own, row in zip(seen, order, strict=True):
        inner = expected[row, : lengths[row]][:, tagger.output.moves.order]
        np.testing.assert_allclose(own, inner, atol=1e-5, rtol=1e-5)


def test_nothing_depends_on_the_batch(large: Path) -> None:
    forms = words(1, LENGTHS)
    predicates = [list(range(0, len(s), 1 + len(s) // 4)) for s in forms]
    predicates[3] = []
    tagger = load(large)
    text = Text(tagger, forms, [], [])
    together, scores = text.roles(predicates), text.emissions()["ner"]
    assert len({tag for own in together for row in own for tag in row}) > 4
    ends = np.cumsum(text.lengths)
    for i, one in enumerate(forms):
        alone = Text(tagger, [one], [], [])
        assert alone.roles([predicates[i]]) == [together[i]]
        own = scores[ends[i] - len(one) : ends[i]]
        assert np.array_equal(alone.emissions()["ner"], own)


def test_no_predicates_and_no_sentences(large: Path) -> None:
    tagger = load(large)
    assert Text(tagger, words(1, [3, 1]), [], []).roles([[], []]) == [[], []]
    assert Text(tagger, [], [], []).roles([]) == []
    for forms in ([], [[]]):
        assert Text(tagger, forms, [], []).emissions()["ner"].shape[0] == 0
