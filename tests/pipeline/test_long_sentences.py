"""Very long sentences: tagged part by part, and joined again."""

from pathlib import Path
from typing import Any

import pytest

from senna.pipeline import pipeline as module
from senna.pipeline.pipeline import LongSentences, Pipeline
from tests import toys

MOST = 10
WORDS = [(toys.WORDS + toys.UNSEEN)[i * 7 % 31] for i in range(37)]
SENTENCES = [WORDS[:10], WORDS, [], WORDS[:11], ["x"], WORDS[5:25]]
CUT = [
    WORDS[:10], WORDS[:10], WORDS[10:20], WORDS[20:30], WORDS[30:], [], WORDS[:10], WORDS[10:11],
    ["x"], WORDS[5:15], WORDS[15:25],
]  # fmt: skip
OF = [[0], [1, 2, 3, 4], [5], [6, 7], [8], [9, 10]]  # the parts of each sentence


@pytest.fixture(autouse=True)
def _small(monkeypatch) -> None:
    monkeypatch.setattr(module, "LONGEST", MOST)


@pytest.fixture(scope="module")
def models(tmp_path_factory) -> Path:
    """Two tasks of one tag a word; roles and predicates."""
    folder = tmp_path_factory.mktemp("models")
    toys.model(folder / "tags", "pos", "ner", seed=3)
    network = toys.gated(20, 1, 2, pair=9, distance=6)
    toys.model(folder / "roles", "predicates", "srl", network=network, seed=3)
    return folder


def test_tags_of_a_long_sentence_are_those_of_its_parts(models, monkeypatch):
    made = Pipeline.load(None, models / "tags")
    found = made.annotate(SENTENCES)
    monkeypatch.setattr(module, "LONGEST", 2_048)  # as it is
    alone, uncut = made.annotate(CUT), made.annotate(SENTENCES)
    for task, rows in found.items():
        assert list(map(len, rows)) == list(map(len, SENTENCES))
        assert rows == [[tag for k in own for tag in alone[task][k]] for own in OF]
        assert rows[0] == uncut[task][0]
    assert found["ner"] != uncut["ner"], "a cut is seen by a network that looks around"


def test_given_predicates_are_kept_and_moved(models, monkeypatch):
    given = [[3], [1, 15, 36], [], [10], [0], [19, 0]]
    made = Pipeline.load(["srl"], models / "roles", predicates="given")
    found = made.annotate(SENTENCES, predicates=given)["srl"]
    # The parts by themselves: none of them is cut.
    alone = made.annotate(CUT, predicates=LongSentences(SENTENCES).cut_places(given))["srl"]
    for forms, places, own, of in zip(SENTENCES, given, found, OF, strict=True):
        assert [predicate.position for predicate in own] == sorted(places)
        for predicate in own:
            assert len(predicate.tags) == len(forms)
            assert predicate.tags[predicate.position] == "S-V"
            start = predicate.position - predicate.position % MOST
            inner = predicate.tags[start : start + MOST]
            assert set(predicate.tags[:start] + predicate.tags[start + MOST :]) <= {"O"}
            (part,) = [
                p for p in alone[of[start // MOST]] if p.position == predicate.position - start
            ]
            assert part.tags == inner


def test_none_are_found_in_a_sentence_that_is_cut(models):
    made = Pipeline.load(["predicates", "srl"], models / "roles")
    found = made.annotate(SENTENCES)
    verbs: Any = found["predicates"]
    assert any(tag != "O" for tag in verbs[1]), "though some of its words are"
    assert any(tag != "O" for tag in verbs[0])
    for forms, tags, own in zip(SENTENCES, verbs, found["srl"], strict=True):
        places = [i for i, tag in enumerate(tags) if tag != "O"]
        expected = places if len(forms) <= MOST else []
        assert [predicate.position for predicate in own] == expected
