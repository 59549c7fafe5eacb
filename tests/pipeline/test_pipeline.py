"""Pipelines: which tasks, which models, those of the paper too, and what input."""

from pathlib import Path

import pytest

import senna
from senna.errors import SennaError
from senna.inference.features.settings import TagFeature
from senna.model.folder import model_path, models_in, read_model
from senna.model.folder import shipped as of_package
from senna.pipeline import models as module
from senna.pipeline.pipeline import Pipeline
from tests import toys


def export_toy(folder: Path, seed: int, *tasks: str, **tags: TagFeature) -> Path:
    features = toys.with_tags(toys.SMALL.features, **tags)
    return toys.model(folder, *tasks, seed=seed, features=features)


@pytest.fixture(scope="module")
def models(tmp_path_factory) -> Path:
    """A folder as senna/models is: pos, chunk (on our own pos), ner."""
    folder = tmp_path_factory.mktemp("models")
    pos = export_toy(folder / "pos", 1, "pos")
    export_toy(folder / "chunk", 2, "chunk", pos=TagFeature(3, "model", str(pos)))
    export_toy(folder / "ner", 3, "ner")
    export_toy(folder / "column", 2, "chunk", pos=TagFeature(3, "column"))
    return folder


@pytest.fixture
def shipped(models, monkeypatch) -> None:
    """These models as those of the package."""
    found = {task: models / task for task in ("pos", "chunk", "ner")}
    monkeypatch.setattr(module, "shipped", lambda: found)


SENTENCES = [["Anna", "walks", "."], [], ["x"], ["the", "iPod", "12", "``", "walked"]]


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize("tasks", [["ner"], ["ner", "pos"], ["chunk"], ["chunk", "ner", "chunk"]])
def test_tags_of_a_task_do_not_depend_on_the_other_tasks(tasks):
    everything = Pipeline.load().annotate(SENTENCES)
    found = Pipeline.load(tasks).annotate(SENTENCES)
    assert list(found) == [task for task in everything if task in tasks]
    assert all(found[task] == everything[task] for task in found)


def test_a_model_of_many_tasks_loads_only_what_is_asked_for():
    many = {task for task, path in of_package().items() if "-psg-" in path.name}
    [alone] = Pipeline.load(["pt0"]).networks
    assert set(alone.heads) == {"pt0"} < many
    roles = Pipeline.load(["srl"])
    heads = {task for network in roles.networks for task in network.heads}
    assert heads == {"srl", "psg", "predicates"}


def test_parts_of_speech_of_our_own_model_feed_the_chunker(models):
    """The same weights, once with predicted tags, once with them as the input's column."""
    predicted = Pipeline.load(["pos"], models / "pos").annotate(SENTENCES)["pos"]
    own = Pipeline.load(None, models / "chunk")
    column = Pipeline.load(None, models / "column")
    assert [network.tasks for network in own.networks] == [["pos"], ["chunk"]]
    assert not own.needs_pos_column
    assert column.needs_pos_column
    expected = column.annotate(SENTENCES, {"pos": predicted})
    assert own.annotate(SENTENCES) == expected
    others = ([[tag] * len(s) for s in SENTENCES] for tag in ("DT", "NN", "NNP", "VBZ", "CD"))
    assert any(column.annotate(SENTENCES, {"pos": other}) != expected for other in others)


@pytest.mark.parametrize("pos", [[], [["NN"]], [["NN"], ["NN"]], [["NN", "DT"], []]])
def test_a_column_of_another_length(models, pos):
    for name in ("column", "ner"):
        with pytest.raises(
            SennaError, match="as many parts of speech are needed as there are words"
        ):
            Pipeline.load(None, models / name).annotate([["x", "the"], ["a"]], {"pos": pos})


def test_a_part_of_speech_that_training_never_saw(models):
    column = Pipeline.load(None, models / "column")
    found = column.annotate([["x", "the"]], {"pos": [["NEW", "NN"]]})
    assert found == column.annotate([["x", "the"]], {"pos": [["OTHER", "NN"]]})
    assert [len(tags) for tags in found["chunk"]] == [2]


def test_a_folder_of_models_serves_as_one_model(models):
    found = Pipeline.load(model=models).annotate(SENTENCES)
    assert list(found) == ["pos", "chunk", "ner"]
    for task in found:
        assert found[task] == Pipeline.load([task], models / task).annotate(SENTENCES)[task]
    with pytest.raises(SennaError, match=r"no model for task 'srl'.*pos, chunk, ner"):
        Pipeline.load(["srl"], models)


def test_the_finder_of_a_folder_of_models_goes_before_the_package_s(tmp_path):
    export_toy(tmp_path / "predicates", 5, "predicates")
    gated = toys.gated(4, 1, pair=4)
    toys.model(tmp_path / "srl", "srl", network=gated)
    made = Pipeline.load(["srl"], tmp_path)
    assert [network.folder.path.name for network in made.networks] == ["predicates", "srl"]
    assert {network.folder.path.parent for network in made.networks} == {tmp_path}


FOLDERS = models_in(model_path("paper"))


@pytest.mark.parametrize("task", ["pos", "chunk", "ner", "predicates"])
def test_they_are_windows_of_five_words(task):
    about = read_model(FOLDERS[task]).about["config"]
    window = about["network"]["window"]
    assert (about["network"]["kind"], window["widths"]) == ("window", [5])
    assert about["train"]["criterion"] == "sentence"


def test_a_sentence():
    doc = senna.load(model="paper")("Marie Curie gave Tom a book in New York.")
    assert [token.pos for token in doc.tokens] == "NNP NNP VBD NNP DT NN IN NNP NNP .".split()
    names = [(span.text, span.label) for span in doc.spans("ner")]
    assert names == [("Marie Curie", "PER"), ("Tom", "PER"), ("New York", "LOC")]
    assert [span.label for span in doc.spans("chunk")] == ["NP", "VP", "NP", "NP", "PP", "NP"]


def test_one_stands_among_the_models_of_the_package():
    doc = senna.load("ner,srl", model={"ner": "paper"})("Marie Curie gave Tom a book.")
    assert doc.frames[0].texts == {"V": "gave", "A0": "Marie Curie", "A2": "Tom", "A1": "a book"}
    assert [span.label for span in doc.spans("ner")] == ["PER", "PER"]
