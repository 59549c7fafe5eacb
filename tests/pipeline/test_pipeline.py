"""Pipelines: which tasks and models, those of the paper too, what input; predicates and roles."""

from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

import senna
from senna.annotation.predicates import Predicate
from senna.decoding.requests import Request
from senna.document.nlp import Nlp
from senna.errors import SennaError
from senna.inference.features.settings import TagFeature
from senna.inference.networks.base import Network
from senna.inference.workspace import Block, Workspace
from senna.model.folder import model_path, models_in, read_model
from senna.model.folder import shipped as of_package
from senna.pipeline import models as module
from senna.pipeline.pipeline import BLOCK_SENTENCES, BLOCK_WORDS, Pipeline, blocks
from senna.text.vocabulary import Vocabulary
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


def test_blocks():
    for lengths in ([], [0], [1] * 1000, [BLOCK_WORDS * 3, 1, 0, BLOCK_WORDS, 1], [7] * 2000):
        made = list(blocks([["x"] * n for n in lengths]))
        assert [n for block in made for n in lengths[block]] == lengths
        for part in (lengths[block] for block in made):
            assert 1 <= len(part) <= BLOCK_SENTENCES
            assert sum(part) <= BLOCK_WORDS or len(part) == 1


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


VERBS = {"sees", "runs", "wants", "run"}


class Fake:
    """A network that tags by the words alone and tells what it was given."""

    margin = 0
    reads_marks = False
    levels: tuple[str, ...] = ()
    read = Network.read
    with_levels = Network.with_levels

    def __init__(self, *tasks: str, reads: Sequence[str] = ()) -> None:
        self.tasks = list(tasks)
        known = Vocabulary.of(["VBZ", "NN", "S-NP", "S-VP"])
        self.first = SimpleNamespace(vocabularies=dict.fromkeys(reads, known), phrases=None)
        self.reads = tuple(reads)
        self.heads = {task: partial(self.head, task) for task in tasks}
        self.calls: list[tuple[str, Any, Any]] = []

    def encode(self, block: Block, space: Workspace) -> list[str]:
        names = list(space.numbers)
        self.given = block.tags.get("pos"), block.tags.get("pt0")
        return [names[i] for i in block.flat[block.places]]

    def head(self, task: str, words: list[str], block: Block, request: Request) -> list[Any]:
        self.calls.append((task, *self.given))
        flat = iter(words)
        cells_of = [list(islice(flat, n)) for n in block.lengths.tolist()]
        if task != "srl":
            assert not request.predicates
            tags = {"pos": ("VBZ", "NN"), "pt0": ("S-VP", "S-NP"), "predicates": ("S-V", "O")}[task]
            return [[tags[word not in VERBS] for word in line] for line in cells_of]
        return [
            [
                Predicate(
                    p, ["S-V" if i == p else "S-A0" if i < p else "O" for i in range(len(line))]
                )
                for p in places
            ]
            for line, places in zip(cells_of, request.predicates, strict=True)
        ]


def pipeline(tasks: Sequence[str], *specs: str, finder: str = "auto") -> Pipeline:
    """Fakes as "pt0 predicates<pos": tasks, then features."""
    made = []
    for spec in specs:
        own, _, reads = spec.partition("<")
        made.append(cast(Network, Fake(*own.split(), reads=reads.split())))
    return Pipeline(tasks, made, finder)


def calls(made: Pipeline, number: int) -> list[str]:
    return [call[0] for call in cast(Fake, made.networks[number]).calls]


WITH_VERBS = [["Ann", "sees", "Bo"], [], ["Yes"], ["Bo", "wants", "to", "run"]]
FOUND = [[1], [], [], [1, 3]]


def positions(roles: list[list[Predicate]]) -> list[list[int]]:
    return [[predicate.position for predicate in sentence] for sentence in roles]


def test_predicates_by_parts_of_speech():
    made = pipeline(["srl"], "pos predicates", "srl", finder="pos")
    assert positions(made.annotate(WITH_VERBS)["srl"]) == FOUND
    assert calls(made, 0) == ["pos"]


def test_the_finder_asked_for_goes_before_the_models_own():
    made = pipeline(["srl"], "predicates", "predicates srl")
    made.annotate(WITH_VERBS)
    assert (calls(made, 0), calls(made, 1)) == (["predicates"], ["srl"])


def test_given_predicates():
    made = pipeline(["srl"], "srl", finder="given")
    found = made.annotate(WITH_VERBS, predicates=[[2, 0, 2], [], [0], []])["srl"]
    assert positions(found) == [[0, 2], [], [0], []], "in order, and once"
    with pytest.raises(SennaError, match="no predicates are given.* nlp.roles"):
        made.annotate(WITH_VERBS)
    with pytest.raises(SennaError, match="predicates of 1 sentences, but there are 4"):
        made.annotate(WITH_VERBS, predicates=[[0]])
    with pytest.raises(SennaError, match="predicate 3, counted from 0, of 3 tokens: Ann sees Bo"):
        made.annotate(WITH_VERBS, predicates=[[3], [], [], []])
    with pytest.raises(SennaError, match="predicate 0, counted from 0, of 0 tokens"):
        made.annotate(WITH_VERBS, predicates=[[], [0], [], []])
    with pytest.raises(SennaError, match="predicate sees, counted from 0, of 3 tokens"):
        made.annotate(WITH_VERBS, predicates=[["sees"], [], [], []])
    for row in (1, iter([1])):  # an iterator would be at its end after the check
        with pytest.raises(SennaError, match="predicates .* are not a list of numbers"):
            made.annotate(WITH_VERBS, predicates=[row, [], [], []])


def test_given_predicates_go_before_found_ones():
    made = pipeline(["srl"], "predicates srl")
    assert positions(made.annotate(WITH_VERBS, predicates=[[0], [], [], []])["srl"]) == [
        [0],
        [],
        [],
        [],
    ]


@pytest.mark.parametrize(("finder", "wanted"), [("auto", "finds predicates"), ("pos", "speech")])
def test_nobody_finds_predicates(finder, wanted):
    with pytest.raises(SennaError, match=wanted):
        pipeline(["srl"], "srl", finder=finder)


def test_features_come_from_the_models_before():
    made = pipeline(["srl"], "pos", "pt0<pos", "predicates<pos", "srl<pos pt0")
    made.annotate(WITH_VERBS)
    assert [calls(made, i) for i in range(4)] == [["pos"], ["pt0"], ["predicates"], ["srl"]]
    _, pos, pt0 = cast(Fake, made.networks[3]).calls[0]
    known = made.networks[3].first.vocabularies["pos"]
    assert [known.entries[i] for i in pos] == ["NN", "VBZ", "NN", "NN", "NN", "VBZ", "NN", "VBZ"]
    assert [known.entries[i] for i in pt0][:3] == ["S-NP", "S-VP", "S-NP"]
    assert made.missing == set()


def test_a_feature_comes_from_a_model_before_though_a_later_one_makes_it_too():
    made = pipeline(["pos", "srl"], "pos", "pos predicates srl<pos")
    made.annotate(WITH_VERBS)
    assert calls(made, 0) == ["pos"]
    assert sorted(calls(made, 1)) == ["pos", "predicates", "srl"]
    assert cast(Fake, made.networks[1]).calls[0][1] is not None


def test_features_of_the_input():
    made = pipeline(["srl"], "predicates", "srl<pt0")
    assert made.missing == {"pt0"}
    with pytest.raises(
        SennaError, match=r"column of lowest constituents .*has none.*pt0\.source=model"
    ):
        made.annotate(WITH_VERBS)
    pt0 = [["S-VP"] * len(sentence) for sentence in WITH_VERBS]
    made.annotate(WITH_VERBS, given={"pt0": pt0})
    assert cast(Fake, made.networks[1]).calls[0][2].tolist() == [5] * 8


def test_roles_without_their_task():
    made = pipeline(["predicates"], "predicates")
    assert "srl" not in made.annotate(WITH_VERBS)
    assert made.annotate(WITH_VERBS)["predicates"][0] == ["O", "S-V", "O"]
    with pytest.raises(SennaError, match="no model for task 'srl'"):
        Nlp(made).roles(WITH_VERBS)


def cells_of(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.split("\n")]


def test_roles_of_words():
    assert Nlp(pipeline(["srl"], "predicates srl")).roles([["Bo", "runs"]]) == [
        [Predicate(1, ["S-A0", "S-V"])]
    ]
