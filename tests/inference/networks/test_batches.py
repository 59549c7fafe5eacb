"""What networks find in a sentence does not depend on what else is tagged, before or beside it."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from senna.inference import convolutions, first_layer, workspace
from senna.inference import exact as products
from senna.inference.features.settings import AffixFeature, GazetteerFeature, TagFeature
from senna.inference.networks import gated, sentence, window
from senna.inference.networks.base import Network
from senna.inference.networks.settings import SentenceConfig
from senna.inference.workspace import Workspace
from senna.kinds.roles import head as heads
from senna.kinds.tags import head as tags
from senna.pipeline import pipeline as blocks
from senna.pipeline.pipeline import Pipeline
from senna.training.config import Export, NetworkConfig
from tests import toys
from tests.inference.networks.texts import LENGTHS, Sentences, Text, words

NETWORKS = {
    "window": toys.window((5, 3), (30, 20)),
    "linear": toys.window((5,), ()),
    "gated": toys.gated(40, 1, 2, 4, pair=20, distance=6),
    "sentence": NetworkConfig(kind="sentence", sentence=SentenceConfig(3, 30, 20, distance=7)),
}


@pytest.fixture(scope="module", params=sorted(NETWORKS))
def folder(request, tmp_path_factory) -> Path:
    """A model with all features and two tasks, one of them roles where the network can."""
    place = tmp_path_factory.mktemp(request.param)
    (place / "per.txt").write_text("Anna Weber\nMcKay\nthe walks quickly\n", encoding="utf-8")
    (place / "loc.txt").write_text("Anna\nİzmir\n日本\nwalks the\nx\n", encoding="utf-8")
    features = dataclasses.replace(
        toys.SMALL.features,
        prefix=AffixFeature(size=2, lengths=(1,), min_count=1),
        tags={"pos": TagFeature(3, "column")},
        gazetteer=GazetteerFeature(size=2, files=(str(place),)),
    )
    config = dataclasses.replace(
        toys.SMALL,
        tasks=("chunk", "ner") if request.param == "window" else ("ner", "srl"),
        features=features,
        network=NETWORKS[request.param],
        export=Export("int8"),
    )
    return toys.exported(toys.setup(config, seed=1), place / "model")


def fresh(folder: Path) -> Pipeline:
    """A pipeline that has seen no text."""
    return Pipeline.load(None, folder, predicates="given")


class Corpus:
    """Random sentences with their parts of speech and predicates."""

    def __init__(self, seed: int, lengths: list[int]) -> None:
        self.forms = words(seed, lengths)
        self.pos = [[toys.POS[len(word) % 4] for word in own] for own in self.forms]
        self.places = [list(range(0, n, 1 + n // 4)) for n in lengths]
        self.places[3] = []

    def annotate(self, made: Pipeline, rows: Any) -> dict[str, Sentences]:
        """What is found in some of the sentences, tagged together."""
        pos = {"pos": [self.pos[i] for i in rows]}
        return made.annotate([self.forms[i] for i in rows], pos, [self.places[i] for i in rows])


def scores_of(
    network: Network, corpus: Corpus, rows: Any, monkeypatch: pytest.MonkeyPatch
) -> dict[str, list[bytes]]:
    """The scores of all words for each task, in no order, as bytes."""
    best, seen = tags.best_path, list[bytes]()

    def kept(paths: Any, scores: Any, lengths: Any) -> Any:
        seen.extend(row.tobytes() for row in scores)
        return best(paths, scores, lengths)

    monkeypatch.setattr(heads, "best_path", kept)
    monkeypatch.setattr(tags, "best_path", kept)
    text = Text(network, [corpus.forms[i] for i in rows], {"pos": [corpus.pos[i] for i in rows]})
    found = {}
    for task in network.tasks:
        seen.clear()
        text.annotate(task, [corpus.places[i] for i in rows])
        found[task] = sorted(seen)
    monkeypatch.undo()
    return found


def test_scores_are_the_same_bytes_for_any_batch(folder, monkeypatch):
    corpus, n = Corpus(3, LENGTHS), len(LENGTHS)
    network = fresh(folder).networks[0]
    together = scores_of(network, corpus, range(n), monkeypatch)
    most = sum(LENGTHS)
    assert all(len(set(found)) > 0.7 * most for task, found in together.items() if task != "srl")
    assert all(len(set(found)) > 0.35 * most for found in together.values())
    order = np.random.default_rng(4).permutation(n)
    assert scores_of(network, corpus, order, monkeypatch) == together
    alone = [scores_of(network, corpus, [i], monkeypatch) for i in range(n)]
    for task, found in together.items():
        assert sorted(row for own in alone for row in own[task]) == found


def test_nothing_changes_when_forms_are_forgotten_and_steps_are_small(folder, monkeypatch):
    corpus = Corpus(5, [7, 1, 30, 12, 90] * 3)
    n = len(corpus.forms)
    expected = corpus.annotate(fresh(folder), range(n))
    restarts = []
    restart = Workspace._restart
    monkeypatch.setattr(Workspace, "_restart", lambda self: restarts.append(1) or restart(self))
    for module, name, value in (
        (workspace, "N_FORMS", 20),
        (first_layer, "N_KEPT", 9),
        (first_layer, "CHUNK", 16),
        (products, "BLOCK", 8),
        (window, "CHUNK", 16),
        (convolutions, "BLOCK", 16),
        (gated, "GROUP", 32),
        (sentence, "GROUP", 32),
        (heads, "WIDEST", 3),
        (heads, "GROUP", 100),
        (blocks, "BLOCK_WORDS", 64),
    ):
        monkeypatch.setattr(module, name, value)
    forgetful = fresh(folder)
    for _ in range(2):
        for i in range(n):
            alone = {task: [found[i]] for task, found in expected.items()}
            assert corpus.annotate(forgetful, [i]) == alone
    assert len(restarts) > 5, "the first of them as the workspace is made"
    assert corpus.annotate(forgetful, range(n)) == expected


def test_memory_of_forms_is_bounded(folder, monkeypatch):
    for module, name, value in (
        (workspace, "N_FORMS", 1_000),
        (workspace, "N_KEPT", 300),
        (first_layer, "N_KEPT", 300),
        (first_layer, "CHUNK", 100),
        (blocks, "BLOCK_WORDS", 200),
    ):
        monkeypatch.setattr(module, name, value)
    made, n = fresh(folder), 300
    for start in range(0, 3_600, n):
        forms = [[f"form{start + i + k}" for i in range(50)] for k in range(0, n, 50)]
        made.annotate(forms, {"pos": [["NN"] * 50] * len(forms)}, [[]] * len(forms))
        assert len(made.idle) == 1, "one call after the other needs one workspace"
        space = made.idle[0]
        (rows,) = space.rows.values()
        most = workspace.N_FORMS + blocks.BLOCK_WORDS + 1
        assert len(space.numbers) == len(space.spelt) <= most
        assert len(rows.slots) <= 2 * workspace.N_FORMS
        assert rows.n_kept <= workspace.N_KEPT
        assert len(rows.table) <= workspace.N_KEPT + 2 * first_layer.CHUNK
    assert len(space.numbers) < 3_600


def test_nothing_to_tag(folder):
    made = fresh(folder)
    for forms in ([], [[]], [[], []]):
        found = made.annotate(forms, {"pos": forms}, forms)
        assert found == dict.fromkeys(made.tasks, forms)
    network = made.networks[0]
    for forms in ([], [[]], [["x"], [], ["the", "x"]]):
        text = Text(network, forms, {"pos": forms})
        assert text.scores(network.tasks[0]).shape[0] == sum(map(len, forms))
        if "srl" in network.tasks:
            assert text.annotate("srl", [[] for _ in forms]) == [[] for _ in forms]
