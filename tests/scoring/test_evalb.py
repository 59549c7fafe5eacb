"""Trees against recorded outputs of the reference program, and against counting by hand."""

import os
import random
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.trees import Tree, numbered
from senna.errors import SennaError
from senna.scoring.evalb import TreeScores, read_pairs, score

GOLDEN = Path(__file__).parents[1] / "golden" / "evalb"
SHARED = Path(os.environ.get("SENNA_DATA", "absent")).parent / "golden" / "evalb"
CASES = [path.stem for path in sorted(GOLDEN.glob("*.gold"))]


def run(gold: str, predicted: str) -> tuple[TreeScores, str]:
    """The scores, and what is said on standard error."""
    told: list[str] = []
    lines = (StringIO(text, newline="\n") for text in (gold, predicted))
    scores = score(read_pairs(*lines, ("gold", "test"), told.append), told.append)
    return scores, "".join(f"{line}\n" for line in told)


def check_case(folder: Path, case: str) -> None:
    parts = ((folder / f"{case}.{part}").read_bytes().decode() for part in ("gold", "test"))
    scores, told = run(*parts)
    assert scores.report().encode() == (folder / f"{case}.out").read_bytes()
    said = folder / f"{case}.err"
    assert told == (said.read_text(encoding="utf-8") if said.exists() else "")
    assert bool(scores.stop) == (folder / f"{case}.rc").exists()


@pytest.mark.parametrize("case", CASES)
def test_recorded_outputs_of_the_reference_program(case):
    check_case(GOLDEN, case)


def test_recorded_output_on_the_sample_of_the_reference_program():
    if not (SHARED / "17.gold").exists():
        pytest.skip("needs the golden files beside $SENNA_DATA")
    check_case(SHARED, "17")


def test_figures_by_label_and_their_names():
    gold = "(TOP (S (NP (PRP she)) (VP (VBD gave) (PRT (RP up)) (NP-TMP (NN today))) (. .)))\n"
    found = "(TOP (S (NP (PRP she)) (VP (VBD gave) (ADVP (RB up)) (PP (NN today))) (. .)))\n"
    scores, told = run(gold, found)
    assert told == ""
    assert (scores.types["NP"].precision, scores.types["NP"].recall) == (100, 50)
    assert scores.types["ADVP"].f1 == 100
    assert scores.overall.f1 == scores.as_dict()["f1"] == 80
    assert scores.accuracy == 75
    short = scores.as_dict()["up_to_40_words"]
    counts = [short[name] for name in ("sentences", "errors", "skipped", "valid")]
    assert (counts, short["precision"], short["recall"]) == ([1, 0, 0, 1], 80, 80)
    assert (short["complete_match"], short["no_crossing"], short["accuracy"]) == (0, 100, 75)


def test_nothing_at_all():
    scores, told = run("", "")
    assert (scores.rows, told) == ([], "")
    assert "Bracketing FMeasure       =   -nan\n" in scores.report()


@pytest.mark.parametrize(
    ("gold", "found", "message"),
    [
        ("(S (N a))\n(S (N a)))\n", "(S (N a))\n(S (N a))\n", r"^gold:2: '\)' outside brackets"),
        ("(S (N a))\n", "dog\n", "^test:1: 'dog' outside brackets"),
        ("(S (N a))\n", "(S (N a) b)\n", "^test:1: 'b' beside another word"),
    ],
)
def test_lines_that_are_no_trees_are_told(gold, found, message):
    with pytest.raises(SennaError, match=message):
        run(gold, found)


def test_a_very_deep_tree():
    deep = "(S " * 5000 + "(N a)" + ")" * 5000
    assert run(deep, deep)[0].rows[0].correct == 5000


def tree(chance: random.Random, words: list[str]) -> Tree:
    """A random tree over words."""
    if len(words) == 1:
        return Tree(chance.choice(["N", "V"]), word=words[0])
    cut = chance.randint(1, len(words) - 1)
    inner = [tree(chance, part) for part in (words[:cut], words[cut:])]
    return Tree(chance.choice(["NP", "VP", "S"]), inner)


def spans(root: Tree) -> Counter[tuple[str, int, int]]:
    if root.is_leaf:
        return Counter()
    return sum(map(spans, root.children), Counter([(root.label, root.start, root.end)]))


@given(st.integers(1, 9), st.randoms(use_true_random=False))
def test_counts_are_those_of_sets_of_spans(n, chance):
    words = [f"w{i}" for i in range(n)]
    gold, found = (numbered(tree(chance, words)) for _ in range(2))
    [row] = score([([gold], [found], (0, 0))], print).rows
    one, other = spans(gold), spans(found)
    assert (row.gold, row.predicted, row.correct) == (
        one.total(),
        other.total(),
        (one & other).total(),
    )
    crossing = 0
    for _, start, end in other:
        own = set(range(start, end))
        sets = [set(range(first, last)) for _, first, last in one]
        crossing += any(own & gold_one and own - gold_one and gold_one - own for gold_one in sets)
    assert row.crossing == crossing
    [perfect] = score([([gold], [gold], (0, 0))], print).rows
    assert perfect.correct == perfect.gold == perfect.predicted
    assert (perfect.crossing, perfect.right_tags) == (0, n)
