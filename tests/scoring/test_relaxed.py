"""The measures of SemEval 2013: cases counted by hand, and nervaluate's counts."""

import json
from dataclasses import asdict, astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import senna
from senna.scoring import confusion
from senna.scoring.conlleval import TaggedSentence

TAGS = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")


def counts(gold: str, predicted: str) -> dict[str, tuple[int, ...]]:
    """The counts of each measure: correct, incorrect, partial, missed, spurious."""
    sentence = TaggedSentence([], gold.split(), predicted.split())
    return {measure: astuple(own) for measure, own in confusion.relaxed_scores([sentence]).items()}


@pytest.mark.parametrize(
    ("gold", "predicted", "expected"),
    [
        ("B-A I-A O", "B-A I-A O", "10000 10000 10000 10000"),
        ("B-A I-A O", "B-A O O", "01000 01000 00100 10000"),
        ("B-A I-A O", "B-B I-B O", "01000 10000 10000 01000"),
        ("B-A O O", "O O B-A", "00011 00011 00011 00011"),
        ("B-A B-A O", "B-A I-A O", "01010 01010 00110 10010"),
        # The first of two predicted names takes the gold one.
        ("O B-A I-A I-A", "O B-B B-A I-A", "01001 01001 00101 01001"),
        # Of two gold names of the type, the nearer one is taken.
        ("B-A B-A I-A I-A", "B-A I-A I-A I-A", "01010 01010 00110 10010"),
        ("B-A B-A I-A B-A", "O B-A I-A O", "10020 10020 10020 10020"),
        ("O O", "O O", "00000 00000 00000 00000"),
    ],
)
def test_cases_counted_by_hand(gold, predicted, expected):
    found = counts(gold, predicted)
    assert list(found) == ["strict", "exact", "partial", "type"]
    assert " ".join("".join(map(str, own)) for own in found.values()) == expected


def test_a_partial_match_is_half_a_correct_one():
    figures = confusion.Counts(correct=1, partial=1, missed=1, spurious=2).figures
    assert (figures.precision, figures.recall) == (100 * 1.5 / 4, 50)


@given(st.lists(st.lists(st.tuples(*[st.sampled_from(TAGS)] * 2), min_size=1), min_size=1))
def test_counts_are_those_of_nervaluate(sentences):
    evaluator = pytest.importorskip("nervaluate.evaluator")
    gold, predicted = ([[pair[i] for pair in own] for own in sentences] for i in (0, 1))
    theirs = evaluator.Evaluator(gold, predicted, tags=["PER", "LOC"], loader="list").evaluate()
    pairs = zip(gold, predicted, strict=True)
    for measure, own in confusion.relaxed_scores(
        TaggedSentence([], *pair) for pair in pairs
    ).items():
        other = theirs["overall"]["ent_type" if measure == "type" else measure]
        assert asdict(own) == {name: getattr(other, name) for name in asdict(own)}
        figures = own.figures
        assert (figures.precision, figures.recall, figures.f1) == pytest.approx(
            (100 * other.precision, 100 * other.recall, 100 * other.f1)
        )


def test_reports_and_json_have_the_measures():
    pairs = [[("Anna", "B-PER"), ("Lee", "E-PER"), ("ran", "O")]]
    found = [[("Anna", "S-PER"), ("Lee", "O"), ("ran", "O")]]
    result = senna.evaluate("ner", pairs, found, relaxed=True)
    assert result.overall.f1 == 0
    assert result.report().splitlines()[-1].split() == "type 1 0 0 0 0 100.00 100.00 100.00".split()
    assert json.loads(result.json())["relaxed"]["partial"]["f1"] == 50


def test_it_is_for_phrases(tmp_path):
    (tmp_path / "a").write_text("Anna NNP NNP\n", encoding="utf-8")
    with pytest.raises(senna.SennaError, match="relaxed does not apply to task pos"):
        senna.evaluate("pos", tmp_path / "a", relaxed=True)
