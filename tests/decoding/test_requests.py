"""What is thought of tags: as they are written, left out, joined; and that it changes no tag."""

import dataclasses
import math
import shutil
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import senna
from senna.annotation import schemes
from senna.annotation.predicates import Predicate
from senna.decoding.requests import Asked, Scored, Tagging, joined
from senna.document.serialise import record_of
from senna.errors import SennaError
from senna.formats.columns import as_columns
from senna.inference.features.settings import GazetteerFeature
from senna.kinds.answer import Line
from senna.kinds.roles import head as heads
from senna.model.folder import read_model
from senna.model.writing import check
from senna.pipeline.pipeline import Pipeline
from senna.settings import to_toml
from senna.text.tokens import spaced
from tests import toys

WORDS = "the Anna Weber walks quickly to İzmir x . 12".split()
SENTENCES = [WORDS[i : i + 1 + i % 7] for i in range(10)] + [[], ["Anna"], WORDS]
PLACES = [[i for i in range(len(own)) if i % 3 == 0] for own in SENTENCES]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A model with random weights that reads lists of two types."""
    place = tmp_path_factory.mktemp("toy")
    (place / "per.txt").write_text("Anna Weber\n", encoding="utf-8")
    (place / "loc.txt").write_text("İzmir\n", encoding="utf-8")
    lists = GazetteerFeature(size=2, files=(str(place),))
    features = dataclasses.replace(toys.SMALL.features, gazetteer=lists)
    network = toys.gated(20, 1, pair=10)
    own = {"features": features, "network": network}
    return toys.model(place / "model", "pos", "ner", "srl", **own)


def annotate(folder: Path, asked: Asked, *more: Any) -> dict[str, list[Any]]:
    pipeline = Pipeline.load(["pos", "ner", "srl"], folder, "given", asked, *more)
    return pipeline.annotate(SENTENCES, {}, PLACES)


@pytest.mark.parametrize("asked", [Asked(scores=True), Asked(n_best=4), Asked(True, 2)])
def test_tags_are_the_same_with_scores(folder, asked):
    plain, found = annotate(folder, Asked()), annotate(folder, asked)
    assert found == plain
    assert not any(isinstance(own, Scored) for rows in plain.values() for own in rows)
    for task in ("pos", "ner"):
        for own in found[task]:
            assert isinstance(own, Scored)
            assert len(own.scores) == (len(own) if asked.scores else 0)
            assert len(own.opens) == len(own.closes) == len(own)
            assert all(0 < score <= 1 for score in own.scores)
    for sentence in found["srl"]:
        for predicate in sentence:
            assert len(predicate.tags.opens) == len(predicate.tags)
            assert len(predicate.tags.spans) == len(predicate.arguments) + 1


def test_best_paths(folder):
    """The first are the tags; probabilities fall, and no two paths are alike."""
    for task, n_tags in (("pos", 4), ("ner", 13)):
        for own in annotate(folder, Asked(n_best=5))[task]:
            if not own:
                continue
            assert own.paths[0].tags == own
            scores = [path.score for path in own.paths]
            assert scores == sorted(scores, reverse=True)
            assert len({tuple(path.tags) for path in own.paths}) == len(scores)
            if task == "pos" and len(own) == 1:
                assert len(scores) == n_tags
                assert sum(scores) == pytest.approx(1)


def test_roles_beyond_sight_are_none_for_certain(folder, monkeypatch):
    monkeypatch.setattr(heads, "SIGHT", 2)
    pipeline = Pipeline.load(["srl"], folder, "given", Asked(scores=True))
    [[found]] = pipeline.annotate([WORDS], {}, [[5]])["srl"]
    assert found.tags.scores[:3] == [1.0] * 3 and found.tags.scores[8:] == [1.0] * 2
    assert len(found.tags.scores) == len(WORDS)


def test_a_temperature_moves_scores_and_no_tag(folder, tmp_path):
    copy = tmp_path / "model"
    shutil.copytree(folder, copy)
    before = {path.name: path.read_bytes() for path in copy.iterdir()}
    table = tomllib.loads((copy / "model.toml").read_text(encoding="utf-8"))
    table["temperature"] = {"ner": 2.5, "srl": 2.0}
    (copy / "model.toml").write_text(to_toml(table), encoding="utf-8")
    check(copy)
    changed = [path.name for path in copy.iterdir() if path.read_bytes() != before[path.name]]
    assert changed == ["model.toml"]
    meta = read_model(folder).meta
    assert read_model(copy).meta == meta | {"temperature": {"ner": 2.5, "srl": 2.0}}
    cold, warm = annotate(folder, Asked(scores=True)), annotate(copy, Asked(scores=True))
    assert cold == warm
    assert [own.scores for own in cold["pos"]] == [own.scores for own in warm["pos"]]
    one, other = (sum(sum(own.scores) for own in found["ner"]) for found in (cold, warm))
    assert other < one


@pytest.mark.parametrize(
    "value", ["{ ner = 0 }", "{ ner = 11.0 }", '{ ner = "1" }', "{ ner = nan }", "{ x = 1 }", "2"]
)
def test_an_impossible_temperature_is_refused(folder, tmp_path, value):
    copy = tmp_path / "model"
    shutil.copytree(folder, copy)
    text = (copy / "model.toml").read_text(encoding="utf-8")
    (copy / "model.toml").write_text(f"temperature = {value}\n{text}", encoding="utf-8")
    with pytest.raises(SennaError, match=r"temperature.*(must be|is not of type|unknown key)"):
        read_model(copy)


def by_hand(tags: str, *probabilities: float) -> Scored:
    """Tags whose words are right or wrong each by themselves."""
    logs = [math.log(p) for p in probabilities]
    before = [sum(logs[:i]) for i in range(len(logs) + 1)]
    own = [-b for b in before[:-1]], before[1:]
    return Scored(tags.split(), probabilities, *own)


def test_parts_are_joined():
    one, other = by_hand("B-X E-X", 0.5, 0.5), by_hand("S-Y", 0.25)
    made = joined([one, other])
    assert isinstance(made, Scored)
    assert made == ["B-X", "E-X", "S-Y"]
    assert made.spans == pytest.approx([0.25, 0.25])
    one.paths, other.paths = [Tagging(0.5, list(one))], [Tagging(0.25, list(other))]
    one.n_best = other.n_best = 2
    made = joined([one, other])
    assert isinstance(made, Scored) and made.paths == [(0.125, ["B-X", "E-X", "S-Y"])]
    assert type(joined([["O"], ["O"]])) is list


def test_columns():
    """A column of scores after each of tags; then the next best paths, or marks of none."""
    ner = by_hand("B-PER E-PER", 0.98, 0.51)
    ner.n_best, ner.paths = 3, [Tagging(0.5, list(ner)), Tagging(0.25, ["S-PER", "O"])]
    roles = [Predicate(1, by_hand("S-A0 S-V", 1.0, 1.0))]
    found = {"pos": by_hand("NN VBZ", 0.1234, 0.9999), "ner": ner, "srl": roles}
    text = as_columns([["Ann", "runs"]], found, "iob2", ("-DOCSTART-",))
    assert [line.split("\t") for line in text.split("\n")][2:4] == [
        ["Ann", "NN", "0.123", "B-PER", "0.980", "B-PER", "_", "-", "B-A0", "1.000"],
        ["runs", "VBZ", "1.000", "I-PER", "0.510", "O", "_", "runs", "B-V", "1.000"],
    ]
    assert len(text.split("\n")[0].split("\t")) == 10


def test_json_lines():
    ner = by_hand("B-PER E-PER O", 0.8, 0.5, 0.9)
    ner.n_best, ner.paths = 2, [Tagging(0.5, list(ner))]
    roles = [Predicate(2, by_hand("B-A0 E-A0 S-V", 0.5, 0.5, 1.0))]
    line = Line("Ann Bo ran", 0, spaced(["Ann", "Bo", "ran"]))
    made = record_of(line, {"ner": ner, "srl": roles}, "iob2")
    assert made["scores"] == {"ner": [0.8, 0.5, 0.9], "srl": [[0.5, 0.5, 1.0]]}
    assert made["nbest"] == {"ner": [{"score": 0.5, "tags": ["B-PER", "I-PER", "O"]}]}
    assert made["spans"]["ner"][0]["score"] == 0.4
    assert made["predicates"][0]["arguments"][0]["score"] == 0.25
    plain = record_of(line, {"ner": list(ner)}, "iob2")
    assert set(plain) == {"text", "start", "tokens", "tags", "spans"}


def test_own_phrases_are_a_feature(folder):
    plain = annotate(folder, Asked(scores=True))
    more = annotate(folder, Asked(scores=True), {"PER": ["walks", "12 x"]})
    one, other = ([own.scores for own in found["ner"]] for found in (plain, more))
    changed = [i for i, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]]
    assert changed == [i for i, forms in enumerate(SENTENCES) if "walks" in forms]
    known = annotate(folder, Asked(scores=True), {"PER": ["anna WEBER"], "LOC": []})
    assert [own.scores for own in known["ner"]] == one


@pytest.mark.parametrize("kind", ["MISC", "DRUG"])
def test_forced_phrases_are_names_wherever_they_stand(folder, kind):
    """Also of a type that the model does not have; of two types the first counts."""
    lists = {kind: ["walks Quickly", "12"], "LOC": ["the", "12"]}
    plain = annotate(folder, Asked())
    for asked in (Asked(), Asked(True, 3), Asked(scores=True)):
        found = annotate(folder, asked, lists, True)
        assert found["pos"] == plain["pos"]
        for forms, tags in zip(SENTENCES, found["ner"], strict=True):
            for path in (tags, *(path.tags for path in getattr(tags, "paths", []))):
                for i, word in enumerate(forms):
                    if word == "the":
                        assert path[i] == "S-LOC"
                    if word == "12":
                        assert path[i] == f"S-{kind}"
                    if forms[i : i + 2] == ["walks", "quickly"]:
                        assert path[i : i + 2] == [f"B-{kind}", f"E-{kind}"]
                phrases = schemes.phrases_of(path, "iobes")
                assert schemes.tags_of(phrases, len(path), "iobes") == path, "a valid path"
            if "12" in forms and isinstance(tags, Scored) and tags.scores:
                i = forms.index("12")
                assert tags.span(i, i + 1) == tags.scores[i] == pytest.approx(1.0)
            if "quickly" in forms[1:] and isinstance(tags, Scored):
                i = forms.index("quickly")
                assert tags.span(i - 1, i + 1) == pytest.approx(1.0)
    doc = senna.load("ner", folder, gazetteer={kind: ["12"]}, force=True)("Anna walks 12 .")
    assert ("12", kind) in [(span.text, span.label) for span in doc.spans("ner")]


def test_words_of_forced_phrases_are_told_apart_as_the_text_may_have_them(folder):
    pipeline = Pipeline.load(["ner"], folder, "auto", Asked(), {"PER": ["slow-moving don't"]}, True)
    for forms in (["slow-moving", "don't"], ["slow", "-", "moving", "do", "n't"]):
        [tags] = pipeline.annotate([forms])["ner"]
        assert schemes.phrases_of(tags, "iobes") == [(0, len(forms), "PER")]


@pytest.mark.parametrize(
    ("lists", "force", "what"),
    [
        ({"X": ["a"]}, False, "no list of phrases of type 'X'.*Known: LOC, PER"),
        ({"MISC": ["a"]}, False, "no list of phrases of type 'MISC'"),
        ({"": ["a"]}, True, "a type has no name"),
        ({"A B": ["a"]}, True, "'A B' is not the name of a type"),
        ({}, True, "^force: it needs gazetteer, the phrases$"),
    ],
)
def test_types_that_are_not_known(folder, lists, force, what):
    with pytest.raises(SennaError, match=what):
        senna.load(["ner"], folder, gazetteer=lists, force=force)


def test_words_tagged_each_by_itself(tmp_path):
    """With the word criterion a phrase is the product of its words."""
    training = dataclasses.replace(toys.SMALL.train, criterion="word")
    folder = toys.model(tmp_path / "model", train=training)
    pipeline = Pipeline.load(["ner"], folder, "auto", Asked(True, 2))
    assert pipeline.annotate(SENTENCES) == Pipeline.load(["ner"], folder).annotate(SENTENCES)
    for own in pipeline.annotate(SENTENCES)["ner"]:
        for (first, last, _), score in zip(
            schemes.phrases_of(own, "iobes"), own.spans, strict=True
        ):
            assert score == pytest.approx(np.prod(own.scores[first:last]))
