"""Semantic roles against recorded outputs of the reference script, and against counting by hand."""

import io
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.formats.props import PropsSentence, read_props
from senna.scoring.srleval import RoleScores, pairs_of, score

GOLDEN = Path(__file__).parents[1] / "golden" / "srleval"


def props(data: bytes | str, name: str = "x") -> list[PropsSentence]:
    raw = data.encode() if isinstance(data, str) else data
    lines = io.TextIOWrapper(
        io.BytesIO(raw), encoding="utf-8", errors="surrogateescape", newline="\n"
    )
    return list(read_props(lines, name=name))


def run(args: Sequence[str], gold: bytes, predicted: bytes) -> tuple[bytes, bool, bytes]:
    """Standard output, whether it failed, and the warnings, for the reference's arguments."""
    warnings: list[str] = []
    try:
        pairs = pairs_of(props(gold), props(predicted), warnings.append)
        scores = score(pairs, warn=warnings.append, with_confusion="-C" in args)
    except SennaError:
        return b"", True, b""
    text = scores.report(latex="-latex" in args).encode("utf-8", "surrogateescape")
    if scores.stop:
        return text, True, b""
    told = "".join(f"{warning}\n" for warning in warnings if warning.startswith("WARNING"))
    return text, False, told.encode("utf-8", "surrogateescape")


def test_recorded_outputs_of_the_reference_script_on_random_and_damaged_props():
    with (GOLDEN / "random.jsonl").open(encoding="utf-8", newline="\n") as lines:
        cases = [json.loads(line) for line in lines]
    assert len(cases) == 80
    for case in cases:
        gold, predicted, output, warnings = (
            case[name].encode("latin-1") for name in ("gold", "pred", "output", "warnings")
        )
        found = run(case["args"], gold, predicted)
        assert found == (output, case["failed"], warnings), case


# A column as pieces from left to right: role or None, and length.
columns = st.lists(
    st.tuples(st.sampled_from([None, None, "A0", "A1", "AM-TMP", "R-A0"]), st.integers(1, 3)),
    min_size=1,
    max_size=6,
)
Column = list[tuple[str | None, int]]


def cells(column: Column) -> list[str]:
    found = []
    for role, length in column:
        tags = ["*"] * length
        if role:
            tags[0] = f"({role}*"
            tags[-1] += ")"
        found += tags
    return found


def sentence(column: Column) -> PropsSentence:
    """A sentence whose last token, beyond the column, is the verb."""
    rows = [["-", tag] for tag in cells(column)]
    return PropsSentence([*rows, ["go", "(V*)"]])


def spans(column: Column) -> set[tuple[str, int, int]]:
    found, at = set(), 0
    for role, length in column:
        if role:
            found.add((role, at, at + length))
        at += length
    return found


def score_of(
    gold: Iterable[PropsSentence], predicted: Iterable[PropsSentence], **more: bool
) -> RoleScores:
    return score(pairs_of(gold, predicted, lambda message: None), **more)


@given(st.lists(columns, max_size=5))
def test_gold_against_itself_is_perfect(gold):
    scores = score_of(map(sentence, gold), map(sentence, gold), with_confusion=True)
    assert scores.perfect == scores.propositions == scores.sentences == len(gold)
    assert scores.gold == scores.predicted == scores.correct
    for role in scores.labels:
        assert vars(scores.types[role]) == {"precision": 100, "recall": 100, "f1": 100}
    assert all(one == other for one, other in scores.confusion or ())
    if scores.labels:
        assert scores.overall.f1 == 100
        assert " 100.00  100.00  100.00  100.00\n" in scores.report()


@given(st.lists(columns, max_size=5), st.randoms(use_true_random=False))
def test_corrupted_arguments_move_the_counts_as_sets_of_spans_do(gold, chance):
    changed: list[Column] = [
        [(chance.choice([role, None, "A0", "A2"]), length) for role, length in column]
        for column in gold
    ]
    scores = score_of(map(sentence, gold), map(sentence, changed))
    correct, found, expected = Counter[str](), Counter[str](), Counter[str]()
    perfect = 0
    for one, other in zip(map(spans, gold), map(spans, changed), strict=True):
        correct.update(["V", *(role for role, _, _ in one & other)])
        found.update(["V", *(role for role, _, _ in other)])
        expected.update(["V", *(role for role, _, _ in one)])
        perfect += one == other
    assert (scores.gold, scores.predicted, scores.correct) == (expected, found, correct)
    assert scores.perfect == perfect


def score_text(gold: str, predicted: str) -> tuple[RoleScores, list[str]]:
    warnings: list[str] = []
    pairs = pairs_of(props(gold, "g"), props(predicted, "p"), warnings.append)
    return score(pairs, warn=warnings.append), warnings


@pytest.mark.parametrize(
    ("gold", "predicted", "message"),
    [
        ("-\n\n-\n-\n", "-\n\n-\n", "^p:3: a sentence of 1 tokens, in gold .g:3. of 2"),
        ("-\n\n-\n-\n", "-\n", "^g:3: no predicted sentence for this one"),
        ("go (A0*\n", "go (V*)\n", "^g:1: .*never closed"),
        ("go (V*)\n- *\n", "go (V*)\n- *)\n", "^p:2: .*closes what is not open"),
    ],
)
def test_files_that_cannot_be_scored(gold, predicted, message):
    with pytest.raises(SennaError, match=message):
        score_text(gold, predicted)


def test_a_verb_without_a_column_is_told_and_has_no_arguments():
    scores, warnings = score_text("go (V*)\n- (A0*)\n", "go\n-\n")
    assert warnings == ["WARNING : sentence 0 : can't find column of args for prop go!"]
    assert (scores.gold, scores.correct) == ({"V": 1, "A0": 1}, {})


def test_predicted_sentences_beyond_gold_are_told_but_not_read():
    scores, warnings = score_text("go (V*)\n", "go (V*)\n\ngo (V*\n")
    assert (scores.sentences, scores.perfect) == (1, 1)
    assert warnings == ["p:3: not looked at from here on: gold has ended"]


def test_json_has_the_figures_of_the_report():
    gold = props("go (V*) (A1*)\nsay (A0*) (V*)\n- (A2*) (AM-TMP*)\n")
    found = props("go (V*) (A1*)\nsay (A1*) (V*)\n- (A2*) *\n")
    figures = json.loads(json.dumps(score_of(gold, found, with_confusion=True).as_dict()))
    types, unlabelled = figures.pop("types"), figures.pop("unlabelled")
    confusion = [tuple(row.values()) for row in figures.pop("confusion")]
    keys = (
        "sentences propositions perfect percent_perfect correct excess missed precision recall f1"
    )
    values = [1, 2, 0, 0.0, 2, 1, 2, 66.67, 50.0, 57.14]
    assert figures == dict(zip(keys.split(), values, strict=True))
    keys = "correct excess missed precision recall f1 label_accuracy"
    values = [3, 0, 1, 100.0, 75.0, 85.71, 66.67]
    assert unlabelled == dict(zip(keys.split(), values, strict=True))
    kinds = [("A0", "A1"), ("A1", "A1"), ("A2", "A2"), ("AM-TMP", None), ("V", "V")]
    assert confusion == [(*kind, 1 + (kind[0] == "V")) for kind in kinds]
    assert list(types) == ["A0", "A1", "A2", "AM-TMP", "V"]
    assert (types["A1"]["correct"], types["A1"]["excess"]) == (1, 1)
