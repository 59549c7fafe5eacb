"""Trees at tagging time: long sentences in pieces, words with their parts of speech, output."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from senna.annotation.schemes import Phrase
from senna.errors import SennaError
from senna.inference.networks.settings import GatedConfig
from senna.inference.workspace import Block, Ints
from senna.kinds.settings import TreeConfig
from senna.kinds.trees import head as trees
from senna.kinds.trees.head import LONGEST, TreeHead, pieces
from senna.pipeline.pipeline import Pipeline
from senna.training import config
from senna.training.config import NetworkConfig
from tests import toys


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A parser with random weights, and its own parts of speech."""
    gated = GatedConfig(units=12, dilations=(1, 2))
    network = NetworkConfig(kind="gated", gated=gated, tree=TreeConfig(units=9, labels=9))
    return toys.model(tmp_path_factory.mktemp("parser") / "model", "pos", "psg", network=network)


def words(n: int, seed: int = 0) -> list[str]:
    random = np.random.default_rng(seed)
    return [toys.WORDS[i] for i in random.integers(0, len(toys.WORDS), n)]


def test_words_have_the_parts_of_speech_of_the_same_call(folder):
    sentences = [words(n, n) for n in (1, 7, 0, 30, 2)]
    found = Pipeline.load(["pos", "psg"], folder).annotate(sentences)
    for forms, tags, tree in zip(sentences, found["pos"], found["psg"], strict=True):
        assert [leaf.word for leaf in tree.leaves()] == forms
        assert [leaf.label for leaf in tree.leaves()] == tags
        assert tree.label == "TOP" and (tree.start, tree.end) == (0, len(forms))
    alone = Pipeline.load(["psg"], folder).annotate(sentences)
    assert list(alone) == ["psg"]
    assert list(map(str, alone["psg"])) == list(map(str, found["psg"]))


def test_trees_do_not_depend_on_the_batch(folder):
    pipeline = Pipeline.load(["psg"], folder)
    sentences = [words(n, n) for n in (40, 1, 3, 250, 12, 41, 2_100, 9)]
    together = pipeline.annotate(sentences)["psg"]
    alone = [pipeline.annotate([own])["psg"][0] for own in sentences]
    assert list(map(str, together)) == list(map(str, alone))
    assert len({own.label for tree in together for own in tree.children}) > 1


def test_long_sentences_are_cut_after_punctuation():
    assert pieces(["w"] * LONGEST) == [LONGEST]
    assert pieces(["w"] * (LONGEST + 1)) == [LONGEST, 1]
    forms = ["w"] * (2 * LONGEST)
    forms[5] = forms[120] = forms[150] = ","
    assert pieces(forms)[:2] == [151, LONGEST]
    assert sum(pieces(forms)) == len(forms)
    assert pieces([]) == [0]


def test_the_pieces_stand_side_by_side():
    class Whole(TreeHead):
        def find(self, x: np.ndarray, lengths: Ints) -> list[list[Phrase]]:
            return [[Phrase(0, n, "S")] for n in lengths.tolist()]

    forms: Sequence[list[str]] = [["w"] * 3, ["w"] * (LONGEST + 2)]
    none = np.zeros(0, np.int64)
    found = Whole()(
        np.zeros((LONGEST + 5, 1), np.float32), Block(none, none, none, {}, None, forms)
    )
    assert found == [[(0, 3, "S")], [(0, LONGEST, "S"), (LONGEST, LONGEST + 2, "S")]]


def test_sums_of_products_stay_exact():
    assert trees.UNITS * 255**2 < 2**24
    with pytest.raises(SennaError, match=r"network\.tree\.units"):
        config.from_table({"network": {"tree": {"units": trees.UNITS + 1}}}, where="-")


def test_a_damaged_list_of_labels(folder, tmp_path):
    broken = tmp_path / "broken"
    shutil.copytree(folder, broken)
    file = broken / "psg.tags.txt"
    labels = file.read_text(encoding="utf-8").split("\n")
    file.write_text("\n".join([*labels[1:-1], labels[0], ""]), encoding="utf-8")
    toys.seal(broken)
    with pytest.raises(SennaError, match="no labels of constituents"):
        Pipeline.load(["psg"], broken)
