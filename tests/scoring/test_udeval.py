"""Scores of CoNLL-U against recorded outputs of the shared task's scorer, and its refusals."""

from io import StringIO
from pathlib import Path

import pytest

from senna.errors import SennaError
from senna.scoring.udeval import UdScores, read_side, score

GOLDEN = Path(__file__).parents[1] / "golden" / "udeval"
CASES = sorted(path.name for path in GOLDEN.iterdir() if path.is_dir())


def run(gold: str, system: str) -> UdScores:
    lines = ((StringIO(text, newline="\n"), name) for text, name in ((gold, "g"), (system, "s")))
    return score([tuple(read_side(*side) for side in lines)])


def row(number: int | str, form: str, head: int | str, relation: str = "dep") -> str:
    return f"{number}\t{form}\t{form}\tNOUN\tNN\t_\t{head}\t{relation}\t_\t_\n"


ONE = row(1, "ab", 0, "root") + "\n"


@pytest.mark.parametrize("case", CASES)
def test_recorded_outputs_of_the_reference_program(case):
    gold, system = ((GOLDEN / case / f"{s}.conllu").read_text("utf-8") for s in ("gold", "system"))
    expected = (GOLDEN / case / "expected.txt").read_text("utf-8")
    if expected:
        assert run(gold, system).report() == expected
    else:
        with pytest.raises(SennaError, match="2 roots"):
            run(gold, system)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (row(1, "ac", 0) + "\n", "texts of gold and system differ"),
        (row(1, "ab", 0), "s:1: no blank line at the end"),
        (ONE + "\n", "s:3: a blank line that ends no sentence"),
        (row(1, "a", 2) + row(2, "b", 3) + "\n", "s:2: head '3' in a sentence of 2 words"),
        (row(1, "a", "x") + row(2, "b", 0) + "\n", "s:1: head 'x'"),
        (row(1, "a", 0) + row(2, "", 1) + row(3, "b", 1) + "\n", "s:2: the field FORM is empty"),
        (row(1, "a", 2) + row(2, "b", 1) + "\n", "s:1: no roots"),
        (row(1, "a", 0) + row(3, "b", 1) + "\n", "s:2: ID '3' where word 2 is due"),
        (ONE.replace("\t_\t_\n", "\t_\n"), "s:1: 9 fields, expected 10"),
    ],
)
def test_what_the_reference_refuses_is_refused_with_its_line(text, message):
    with pytest.raises(SennaError, match=message):
        run(ONE, text)


def test_nothing_on_either_side_scores_zero():
    assert run("", "").accuracy == 0


def test_scores_of_several_pairs_add_up():
    other = row(1, "x", 2, "nsubj") + row(2, "y", 0, "root") + "\n"
    gold, wrong = (list(read_side(StringIO(text), "f")) for text in (ONE + other, other))
    apart = score([(gold[:1], gold[:1]), (gold[1:], wrong)])
    assert apart.report() == score([(gold, gold)]).report()


def test_figures_as_they_are_printed():
    figures = run(ONE, ONE.replace("root", "dep")).as_dict()
    assert figures["UAS"] == {
        "precision": 100.0, "recall": 100.0, "f1": 100.0, "aligned_accuracy": 100.0
    }  # fmt: skip
    assert figures["LAS"]["f1"] == 0.0
    assert "aligned_accuracy" not in figures["Words"]


def test_blanks_count_in_the_words_of_a_multiword_token_alone():
    parts = row(1, "1\u00a0250", 0, "root") + row(2, "b", 1) + "\n"
    other = row(1, "1250", 0, "root") + row(2, "b", 1) + "\n"
    ranged = "1-2\t1250b" + "\t_" * 8 + "\n"
    assert run(ranged + parts, ranged + parts).figures("Words")[2] == 100
    assert run(ranged + parts, ranged + other).figures("Words")[2] == 50
    assert run(parts, other).figures("Words")[2] == 100


def test_columns_of_conllu_plus_change_no_score():
    columns = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC SENNA:NER\n"
    plus = columns + row(1, "ab", 0, "root")[:-1] + "\tS-PER\n\n"
    assert run(ONE, plus).report() == run(ONE, ONE).report()
