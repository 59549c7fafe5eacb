"""Recursive networks from trees with labels at nodes, or from lines, to a model folder."""

import json
import lzma
from pathlib import Path

import numpy as np
import pytest

import senna
from senna.annotation.schemes import Phrase
from senna.errors import SennaError
from senna.model.folder import read_model
from senna.pipeline.pipeline import Pipeline
from senna.training.config import DataConfig, Source
from senna.training.examples.corpora import read_source
from tests.processes import ENVIRONMENT, python
from tests.tiny import SMALL
from tests.training.heads.test_labels import OTHER_PROCESSOR, lines

OF_TREES = """
features.prefix.size=0 features.suffix.size=0 features.tree.used=true network.kind=recursive
network.recursive.units=16 train.optimiser=adagrad train.learning_rate=0.1
train.dropout_input=0.0 train.dropout_hidden=0.0 train.schedule=constant train.epochs=15
train.batch=5
"""
SETTINGS = [*SMALL, *OF_TREES.split()]
BINARY = "0=bad,1=bad,2=,3=good,4=good"


def random_tree(random: np.random.Generator, n: int) -> tuple[str, int]:
    """A tree of n words and its label: the sum of its words, which a "not" before them turns."""
    if n == 1:
        label = int(random.integers(0, 5))
        word = ["awful", "dull", "film", "fine", "superb"][label]
        return f"({label} {word})", label
    if n > 2 and random.random() < 0.3:
        tree, label = random_tree(random, n - 1)
        return f"({4 - label} (2 not) {tree})", 4 - label
    left = int(random.integers(1, n))
    (one, a), (other, b) = random_tree(random, left), random_tree(random, n - left)
    label = min(4, max(0, a + b - 2))
    return f"({label} {one} {other})", label


def trees(seed: int, n: int) -> str:
    random = np.random.default_rng(seed)
    return "".join(random_tree(random, 2 + i % 8)[0] + "\n" for i in range(n))


@pytest.fixture(scope="module")
def twenty(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("data") / "twenty.trees"
    path.write_text(trees(0, 20), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def model(twenty, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("run")
    settings = [*SETTINGS, "train.epochs=24"]
    return senna.train("label", train=twenty, dev=twenty, settings=settings, out=out)


def test_twenty_trees_by_heart(model, twenty):
    scores = read_model(model).about["scores"]["label"]
    assert scores == {"measure": "accuracy", "twenty.trees dev": 100.0}
    evaluation = senna.evaluate("label", twenty, model=model)
    n_nodes = twenty.read_text(encoding="utf-8").count("(")
    assert evaluation.accuracy == 100.0
    assert evaluation.figures["nodes"] == n_nodes
    correct = evaluation.figures["correct_nodes"]
    assert isinstance(correct, int) and 0.9 * n_nodes < correct <= n_nodes
    report = evaluation.report()
    assert f"accuracy of {n_nodes} nodes: {100 * correct / n_nodes:6.2f}%\n" in report


def test_labels_have_names_and_neutral_ones_are_left_out(twenty, tmp_path):
    settings = [*SETTINGS, f"data.label.labels={BINARY}", "train.epochs=2"]
    path = senna.train("label", train=twenty, dev=twenty, settings=settings, out=tmp_path / "r")
    assert (path / "label.tags.txt").read_text(encoding="utf-8") == "bad\ngood\n"

    counted = [line for line in twenty.open() if line[1] != "2"]
    nodes = sum(line.count(f"({i}") for line in counted for i in (0, 1, 3, 4))
    figures = senna.evaluate("label", twenty, model=path).figures  # by the model's own names
    assert figures["sentences"] == len(counted) < 20
    assert figures["nodes"] == nodes


@pytest.mark.slow
def test_new_text_is_parsed_and_other_networks_learn_the_roots(model, twenty, tmp_path):
    """Two processes give the labels of one, on any processor."""
    text = ["A superb film.", "Not an awful film at all, is it?", "Fine"] * 5
    (tmp_path / "in.txt").write_text("\n".join(text) + "\n", encoding="utf-8")
    options = ("--model", model, "--input", "lines", "--format", "jsonl", "--jobs", "2", "in.txt")
    env = ENVIRONMENT | OTHER_PROCESSOR
    done = python("-m", "senna", "tag", *options, cwd=tmp_path, env=env, check=True)
    nlp = senna.load(model=model)
    labels = [json.loads(line)["label"] for line in done.stdout.decode().splitlines()]
    assert labels == [nlp(line).label for line in text]
    settings = [*SMALL, "train.epochs=8", "train.batch=4"]
    path = senna.train("label", train=twenty, dev=twenty, settings=settings, out=tmp_path / "r")
    assert read_model(path).about["scores"]["label"]["twenty.trees dev"] > 50


@pytest.mark.slow
def test_lines_are_learnt_from_with_the_parsers_trees(tmp_path):
    (tmp_path / "train.tsv").write_text(lines("train", 20), encoding="utf-8")
    files = {"train": tmp_path / "train.tsv", "dev": tmp_path / "train.tsv"}
    path = senna.train("label", **files, settings=SETTINGS, out=tmp_path / "run")
    folder = read_model(path)
    assert folder.about["scores"]["label"]["train.tsv dev"] >= 90
    assert senna.evaluate("label", files["dev"], model=path).accuracy >= 90
    assert "tree" not in folder.meta["features"]


def test_trees_that_are_given_are_those_that_count(model):
    pipeline = Pipeline.load(["label"], model)
    forms = ["not", "a", "superb", "film"]
    spans = [(0, 4, "X"), (0, 2, "X"), (2, 4, "X")]
    given = [pipeline.annotate([forms], {"psg": [[Phrase(*s) for s in spans]]})["label"][0]]
    chain = [(0, 4, "X"), (1, 4, "X"), (2, 4, "X")]
    other = pipeline.annotate([forms], {"psg": [[Phrase(*s) for s in chain]]})["label"][0]
    assert len(given[0].nodes) == len(other.nodes) == 7
    with pytest.raises(SennaError, match="as many parse trees are needed as there are words"):
        pipeline.annotate([forms], {"psg": [[Phrase(0, 3, "X")]]})


@pytest.mark.parametrize("branching", ["right", "left"])
def test_a_tree_of_a_thousand_levels_is_labelled(model, tmp_path, branching):
    tree = "(2 film)"
    for _ in range(1_000):
        tree = f"(2 (2 fine) {tree})" if branching == "right" else f"(2 {tree} (2 fine))"
    path = tmp_path / "deep.trees"
    path.write_text(tree + "\n", encoding="utf-8")
    figures = senna.evaluate("label", path, model=model).figures
    assert (figures["sentences"], figures["nodes"]) == (1, 2_001)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(3 (2 a) (2 b) (1 c))\n", "x.trees:1: a node of 3 parts, at most 2 can be."),
        ("(3 (2 a) (4 b)))\n", "x.trees:1: ')' outside brackets"),
        ("(3 (2 a) (4 b))\n3\tHi\n", "x.trees:2: the file mixes trees and lines of a label"),
        ("(3 (2 a) (NN b))\n", "x.trees:1: label 'NN' has no name in data.label.labels. It knows"),
    ],
)
def test_what_is_no_labelled_tree(tmp_path, text, message):
    path = tmp_path / "x.trees"
    path.write_text(text, encoding="utf-8")
    settings = [*SETTINGS, f"data.label.labels={BINARY}"]
    with pytest.raises(SennaError) as error:
        senna.train("label", train=path, dev=path, settings=settings, out=tmp_path / "run")
    assert message in str(error.value) and "\n" not in str(error.value)
    assert not (tmp_path / "run").exists()


def test_labelled_trees_of_a_data_folder(tmp_path):
    """Their words have no backslashes, and no-break spaces are part of them."""
    folder = tmp_path / "research" / "sst"
    folder.mkdir(parents=True)
    for split in ("train", "dev", "test"):
        with lzma.open(folder / f"{split}.trees.xz", "wt", encoding="utf-8") as file:
            file.write("(4 (2 -LRB-) (3 (2 1\\/2) (2 8\u00a0mm)))\n(2 Hi)\n")
    settings = DataConfig(labels=BINARY)
    [one] = read_source(Source("research/sst"), "dev", "label", settings, tmp_path)
    assert one.forms == ["(", "1/2", "8\u00a0mm"]
    assert (one.gold, one.gold.nodes) == ("good", ["good", "", "good", "", ""])
    assert [span[:2] for span in one.tree] == [(0, 3), (0, 1), (1, 3), (1, 2), (2, 3)]
