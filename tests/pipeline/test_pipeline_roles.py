"""Pipelines with roles: which model tells the predicates, which features reach which model."""

from collections.abc import Sequence
from functools import partial
from itertools import islice
from types import SimpleNamespace
from typing import Any, cast

import pytest

from senna.annotation.predicates import Predicate
from senna.decoding.requests import Request
from senna.document.nlp import Nlp
from senna.errors import SennaError
from senna.inference.networks.base import Network
from senna.inference.workspace import Block, Workspace
from senna.pipeline.pipeline import Pipeline
from senna.text.vocabulary import Vocabulary

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
        lines = [list(islice(flat, n)) for n in block.lengths.tolist()]
        if task != "srl":
            assert not request.predicates
            tags = {"pos": ("VBZ", "NN"), "pt0": ("S-VP", "S-NP"), "predicates": ("S-V", "O")}[task]
            return [[tags[word not in VERBS] for word in line] for line in lines]
        return [
            [
                Predicate(
                    p, ["S-V" if i == p else "S-A0" if i < p else "O" for i in range(len(line))]
                )
                for p in places
            ]
            for line, places in zip(lines, request.predicates, strict=True)
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


SENTENCES = [["Ann", "sees", "Bo"], [], ["Yes"], ["Bo", "wants", "to", "run"]]
FOUND = [[1], [], [], [1, 3]]


def positions(roles: list[list[Predicate]]) -> list[list[int]]:
    return [[predicate.position for predicate in sentence] for sentence in roles]


def test_predicates_by_parts_of_speech():
    made = pipeline(["srl"], "pos predicates", "srl", finder="pos")
    assert positions(made.annotate(SENTENCES)["srl"]) == FOUND
    assert calls(made, 0) == ["pos"]


def test_the_finder_asked_for_goes_before_the_models_own():
    made = pipeline(["srl"], "predicates", "predicates srl")
    made.annotate(SENTENCES)
    assert (calls(made, 0), calls(made, 1)) == (["predicates"], ["srl"])


def test_given_predicates():
    made = pipeline(["srl"], "srl", finder="given")
    found = made.annotate(SENTENCES, predicates=[[2, 0, 2], [], [0], []])["srl"]
    assert positions(found) == [[0, 2], [], [0], []], "in order, and once"
    with pytest.raises(SennaError, match="no predicates are given.* nlp.roles"):
        made.annotate(SENTENCES)
    with pytest.raises(SennaError, match="predicates of 1 sentences, but there are 4"):
        made.annotate(SENTENCES, predicates=[[0]])
    with pytest.raises(SennaError, match="predicate 3, counted from 0, of 3 tokens: Ann sees Bo"):
        made.annotate(SENTENCES, predicates=[[3], [], [], []])
    with pytest.raises(SennaError, match="predicate 0, counted from 0, of 0 tokens"):
        made.annotate(SENTENCES, predicates=[[], [0], [], []])
    with pytest.raises(SennaError, match="predicate sees, counted from 0, of 3 tokens"):
        made.annotate(SENTENCES, predicates=[["sees"], [], [], []])
    for row in (1, iter([1])):  # an iterator would be at its end after the check
        with pytest.raises(SennaError, match="predicates .* are not a list of numbers"):
            made.annotate(SENTENCES, predicates=[row, [], [], []])


def test_given_predicates_go_before_found_ones():
    made = pipeline(["srl"], "predicates srl")
    assert positions(made.annotate(SENTENCES, predicates=[[0], [], [], []])["srl"]) == [
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
    made.annotate(SENTENCES)
    assert [calls(made, i) for i in range(4)] == [["pos"], ["pt0"], ["predicates"], ["srl"]]
    _, pos, pt0 = cast(Fake, made.networks[3]).calls[0]
    known = made.networks[3].first.vocabularies["pos"]
    assert [known.entries[i] for i in pos] == ["NN", "VBZ", "NN", "NN", "NN", "VBZ", "NN", "VBZ"]
    assert [known.entries[i] for i in pt0][:3] == ["S-NP", "S-VP", "S-NP"]
    assert made.missing == set()


def test_a_feature_comes_from_a_model_before_though_a_later_one_makes_it_too():
    made = pipeline(["pos", "srl"], "pos", "pos predicates srl<pos")
    made.annotate(SENTENCES)
    assert calls(made, 0) == ["pos"]
    assert sorted(calls(made, 1)) == ["pos", "predicates", "srl"]
    assert cast(Fake, made.networks[1]).calls[0][1] is not None


def test_features_of_the_input():
    made = pipeline(["srl"], "predicates", "srl<pt0")
    assert made.missing == {"pt0"}
    with pytest.raises(
        SennaError, match=r"column of lowest constituents .*has none.*pt0\.source=model"
    ):
        made.annotate(SENTENCES)
    pt0 = [["S-VP"] * len(sentence) for sentence in SENTENCES]
    made.annotate(SENTENCES, given={"pt0": pt0})
    assert cast(Fake, made.networks[1]).calls[0][2].tolist() == [5] * 8


def test_roles_without_their_task():
    made = pipeline(["predicates"], "predicates")
    assert "srl" not in made.annotate(SENTENCES)
    assert made.annotate(SENTENCES)["predicates"][0] == ["O", "S-V", "O"]
    with pytest.raises(SennaError, match="no model for task 'srl'"):
        Nlp(made).roles(SENTENCES)


# --------------------------------------------------------------------------- output


def lines(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.split("\n")]


def test_roles_of_words():
    assert Nlp(pipeline(["srl"], "predicates srl")).roles([["Bo", "runs"]]) == [
        [Predicate(1, ["S-A0", "S-V"])]
    ]
