"""Lemmas as an output: gold that knows its forms, rules in training, lemmas when tagging."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from senna.decoding.requests import Asked
from senna.kinds import output_of
from senna.kinds.answer import Gold
from senna.kinds.lemmas.head import ENDING, INFLECTED, KNOWN, TABLE_FILE
from senna.pipeline.pipeline import Pipeline
from senna.text.lemmas import Lemma, LemmaTable, Rule, apply_rule
from senna.training.examples.corpora import Example
from senna.training.export import lists_of
from tests import toys
from tests.inference.networks.texts import Text, load

NETWORK = toys.gated(16, 1)
OUTPUT = output_of("lemma")
FORMS = ["Cities", "were", "wo", "_"]
GOLD = [Lemma.of(*pair) for pair in zip(FORMS, ["city", "be", "_", "_"], strict=True)]


def test_models_learn_rules():
    rules = ["lower 3+y", "whole be", "lower 0+", "lower 0+"]
    assert OUTPUT.targets(GOLD, 4) == ([rules], None)
    assert OUTPUT.vocabulary({*rules}) == sorted(set(rules))
    assert OUTPUT.vocabulary(["NN"]) == []


@pytest.mark.parametrize(
    ("predicted", "percent"),
    [
        (["city", "be", "anything", "_"], 100),
        (["cities", "be", "will", "x"], 50),
        ([Rule("lower 3+y"), Rule("whole be"), Rule("lower 1+ill"), Rule("same 0+")], 100),
    ],
)
def test_an_open_lemma_is_right_whatever_it_is_but_the_mark_itself_has_one(predicted, percent):
    assert OUTPUT.measure([GOLD], [predicted]).percent == percent


def test_gold_without_forms_gets_them():
    (sentence,) = OUTPUT.learnable([Gold(["was"], ["be"], {})], "file")
    assert OUTPUT.targets(sentence.answer, 1) == ([["whole be"]], None)


def test_the_table_of_the_first_model_stays():
    first = LemmaTable.learn([("geese", "NNS", "goose"), ("axes", "NNS", "axe")])
    train = [Example(["axes"], [Lemma.of("axes", "axis")], {"pos": ["NNS"]})]
    lists = lists_of("lemma", train, {TABLE_FILE: first.lines()})
    table = LemmaTable.of_lines(lists[TABLE_FILE])
    for form, lemma in (("geese", "goose"), ("axes", "axis")):
        assert apply_rule(table.known_rule(form, "NNS") or "", form) == lemma
    assert lists_of("lemma", [], {TABLE_FILE: first.lines()}) == {TABLE_FILE: first.lines()}


def test_best_taggings_are_those_of_other_tasks():
    words = [["We", "do", "n't", "go", "."]]
    several = Pipeline.load(["lemma", "upos"], asked=Asked(n_best=3)).annotate(words)
    assert several["lemma"] == Pipeline.load(["lemma"]).annotate(words)["lemma"]
    assert len(several["upos"][0].paths) == 3 and not hasattr(several["lemma"][0], "paths")


def test_a_model_gives_lemmas(tmp_path):
    train = dataclasses.replace(toys.SMALL.train, epochs=12, learning_rate=0.03)
    config = dataclasses.replace(toys.SMALL, tasks=("lemma",), network=NETWORK, train=train)
    made = toys.setup(config)
    made.trainer(tmp_path).run()
    network = load(toys.exported(made, tmp_path / "model"))
    gold = made.corpora["lemma"].train
    found = Text(network, [s.forms for s in gold]).annotate("lemma")
    assert OUTPUT.measure([s.gold for s in gold], found).percent > 90


def test_a_name_in_a_sentence_of_capitals_gets_one(tmp_path):
    head = load(toys.model(tmp_path / "model", "lemma", network=NETWORK)).heads["lemma"]
    head.names = ["same 0+"] * len(head.names)  # type: ignore[attr-defined]
    texts = [["ANNA", "WALKS", "I"], ["NASA", "walks"]]
    answers = Text(load(tmp_path / "model"), texts)
    assert list(head(answers.x, answers.block)) == [["Anna", "Walks", "I"], ["NASA", "walks"]]


def test_a_model_s_table_helps_by_the_parts_of_speech(tmp_path):
    folder = toys.model(tmp_path / "model", "lemma", network=NETWORK)
    assert (folder / "lemma.table.txt").is_file()
    head: Any = load(folder).heads["lemma"]
    one, other = head.names[:2]
    head.table = LemmaTable({("saw", "VBD"): one, ("saw", "NN"): other}, {("0w", "JJ"): one})
    text = Text(load(folder), [["saw", "Saw"], ["saw", "saw"]])
    plain = head.emissions(text.x, text.block)
    block = text.block._replace(earlier={"pos": [["VBD", "NN"], ["JJ", "RB"]]})
    raised = head.emissions(text.x, block) - plain
    expected = np.zeros_like(raised)
    expected[0, 0], expected[1, 1], expected[2, 0] = INFLECTED, KNOWN, ENDING
    np.testing.assert_allclose(raised, expected, atol=1e-5)


def test_lemmas_are_found_with_the_parts_of_speech_of_the_package(tmp_path):
    model = toys.model(tmp_path / "model", "lemma", network=NETWORK)
    pipeline = Pipeline.load(["lemma"], model)
    assert pipeline.runs.keys() == {"pos", "lemma"}
    assert pipeline.annotate([["walks"], []]).keys() == {"lemma"}
