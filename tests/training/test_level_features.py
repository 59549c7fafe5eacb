"""Levels of parse trees as features: of the predicted tree, and of a corpus."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from senna.errors import SennaError
from senna.files import resource
from senna.formats.brackets import read_trees
from senna.lab.trees import trimmed_levels
from senna.model.folder import read_model
from senna.pipeline.evaluate import evaluate
from senna.pipeline.pipeline import Pipeline
from senna.tasks import TREE_LEVELS
from senna.training.config import Config, from_table
from senna.training.examples.corpora import Example, TaskCorpus, annotated
from senna.training.run import Run, train
from tests import tiny, toys

DEMO = resource("data/demo")


@pytest.fixture(scope="module")
def parser(tmp_path_factory) -> Path:
    return toys.exported(toys.setup(toys.TREES, seed=5), tmp_path_factory.mktemp("psg") / "model")


@pytest.fixture(scope="module")
def gold(tmp_path_factory) -> Path:
    """A folder with the levels of the demonstration corpus, three of each tree."""
    folder = tmp_path_factory.mktemp("levels")
    for split in ("train", "dev", "test"):
        blocks = []
        text = (DEMO / "trees" / f"{split}.mrg").read_text(encoding="utf-8")
        for tree in read_trees(text, split):
            leaves = tree.leaves()
            columns = [[leaf.word for leaf in leaves], [leaf.label for leaf in leaves]]
            columns += trimmed_levels(tree, 3)
            blocks.append("\n".join(map("\t".join, zip(*columns, strict=True))))
        (folder / f"{split}.levels").write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    return folder


def configuration(task: str = "srl", gold: Path | None = None, **levels: object) -> Config:
    """A small network that reads levels; `gold`: the folder that has those of the corpus."""
    table = {"size": 3, "last": 2, "source": "model" if gold is None else "column"} | levels
    features = f"features.levels={{{', '.join(f'{k}={v!r}' for k, v in table.items())}}}"
    settings = ("features.tree.used=false", "features.tags.pt0.size=0", "train.epochs=1")
    config = tiny.small_config(task, features, *settings)
    data = config.data[task]
    [train_source] = data.train
    data = replace(data, train=(replace(train_source, sentences="1-20"),))
    if gold is None:
        [dev] = data.dev
        few = replace(data, dev=(replace(dev, sentences="1-20"),), test=())
        return replace(config, data={task: few})
    splits = {
        split: tuple(
            replace(source, levels=str(gold / f"{split}.levels")) for source in getattr(data, split)
        )
        for split in ("train", "dev", "test")
    }
    return replace(config, data={task: replace(data, **splits)})


def sentences(n: int) -> list[Example]:
    return toys.demo("srl", n, "dev")


def test_levels_of_the_predicted_tree(parser):
    dev = sentences(9)
    config = configuration(model=str(parser))
    trees = Pipeline.load(["psg"], parser).annotate([s.forms for s in dev])["psg"]
    seen = annotated(config.features, {"srl": TaskCorpus(dev, [("dev", dev)])})["srl"]
    for example, other, tree in zip(seen.train, seen.dev[0][1], trees, strict=True):
        expected = dict(zip(TREE_LEVELS, trimmed_levels(tree, 3), strict=False))
        assert {
            name: example.tags[name] for name in TREE_LEVELS if name in example.tags
        } == expected
        assert example == other
        assert not example.tree, "roles do not see the tree itself"
    assert len({tag for s in seen.train for tag in s.tags["level-1"]}) > 1


@pytest.mark.parametrize("task", ["srl", "chunk"])
def test_tagging_runs_the_parser_first(parser, tmp_path, task):
    """The answers are those of the same model where these levels are given."""
    model = train(configuration(task, model=str(parser)), Run(tmp_path / "run"), str)
    folder = read_model(model)
    assert folder.meta["features"]["levels"] == "model"
    assert folder.meta["features"]["tags"] == list(TREE_LEVELS[:3])
    dev = sentences(9)
    forms = [s.forms for s in dev]
    places = [[place for place, _ in s.gold] for s in dev] if task == "srl" else None
    answers = Pipeline.load([task], model, "given").annotate(forms, {}, places)
    meta = model / "model.toml"
    text = meta.read_text(encoding="utf-8")
    meta.write_text(text.replace('levels = "model"', 'levels = "column"'), encoding="utf-8")
    trees = Pipeline.load(["psg"], parser).annotate(forms)["psg"]
    columns = zip(*(trimmed_levels(tree, 3) for tree in trees), strict=True)
    given = dict(zip(TREE_LEVELS, map(list, columns), strict=False))
    other = Pipeline.load([task], model, "given")
    assert other.annotate(forms, given, places) == answers
    scores = [
        network.first.tag_rows["level-0"] for network in other.networks if task in network.tasks
    ]
    assert np.ptp(scores[0], axis=0).max() > 0, "levels do count"


def test_gold_levels_beside_a_corpus(gold, tmp_path):
    """They are aligned sentence by sentence, and `evaluate` takes them."""
    config = configuration(gold=gold)
    corpus = toys.corpora_of(config)["srl"]
    assert corpus.train[1].tags["level-0"] == corpus.train[1].tags["pt0"]
    model = train(config, Run(tmp_path / "run"), str)
    test = DEMO / "srl" / "test.txt"
    levels = str(gold / "test.levels")
    scores = evaluate("srl", test, model=model, levels=levels)
    name = next(name for name in read_model(model).about["scores"]["srl"] if "test" in name)
    assert round(scores.overall.f1, 2) == read_model(model).about["scores"]["srl"][name]
    with pytest.raises(SennaError, match=r"trained with a column of parse trees \(level 0\)"):
        evaluate("srl", test, model=model)
    with pytest.raises(SennaError, match="sentences that the gold file lacks|other words than"):
        evaluate("srl", test, model=model, levels=str(gold / "dev.levels"))


def test_a_level_that_the_corpus_lacks(gold):
    config = configuration(gold=gold, last=3)
    with pytest.raises(SennaError, match="the corpus lacks level 3 of a sentence") as error:
        train(config, Run(gold / "run"), str)
    assert "\n" not in str(error.value)
    sources = replace(config.data["srl"].train[0], levels="")
    config = replace(config, data={"srl": replace(config.data["srl"], train=(sources,))})
    with pytest.raises(SennaError, match="the corpus lacks level 0 of a sentence"):
        train(config, Run(gold / "run"), str)
    assert not (gold / "run").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("Drew", "Andrew", 1), r"levels:1: other words than .*txt:1"),
        (lambda text: text.partition("\n\n")[0], "too short"),
        (lambda text: f"{text}\nmore\tNN\tO\n", "sentences that the gold file lacks"),
    ],
)
def test_levels_of_other_sentences(gold, tmp_path, change, message):
    for split in ("train", "dev", "test"):
        text = (gold / f"{split}.levels").read_text(encoding="utf-8")
        text = change(text) if split == "dev" else text
        (tmp_path / f"{split}.levels").write_text(text, encoding="utf-8")
    with pytest.raises(SennaError, match=message):
        toys.corpora_of(configuration(gold=tmp_path))


def test_levels_and_the_tree_are_of_one_parser(parser):
    table = {"levels": {"size": 3}, "tree": {"used": True, "model": str(parser)}}
    with pytest.raises(SennaError, match=r"features\.levels\.model must be as features\.tree\."):
        from_table({"features": table}, where="test")
    both = {"levels": {"size": 3, "model": str(parser)}, "tree": table["tree"]}
    dev = sentences(3)
    config = from_table({"features": both}, where="test")
    seen = annotated(config.features, {"srl": TaskCorpus(dev, [])})["srl"].train
    assert all(s.tree and s.tags["level-4"] for s in seen)
