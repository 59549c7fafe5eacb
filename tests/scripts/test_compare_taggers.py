"""scripts/compare_taggers.py: what it counts as right, and what it asks of each program."""

import json
import sys

import pytest

from scripts import compare_taggers as script

TREEBANK = """# newdoc id = a
# newpar
1-2	Don't	_	_	_	_	_	_	_	_
1	Do	do	AUX	VBP	_	3	aux	_	_
2	n't	not	PART	RB	_	3	advmod	_	_
3	go	go	VERB	VB	_	0	root	_	SpaceAfter=No
4	!	!	PUNCT	.	_	3	punct	_	_

# newpar
1	Stay	stay	VERB	VB	_	0	root	_	_

"""


@pytest.fixture(autouse=True)
def treebank(monkeypatch) -> None:
    monkeypatch.setattr("common.lines_of", lambda *_: iter(TREEBANK.splitlines(keepends=True)))


def test_tokens_and_sentences_are_places_in_the_text():
    block = script.raw_block("x", "", "", "")
    assert block.given == ["Don't go!\n\nStay"]
    tokens, sentences = (score for _, score in block.rows.values())
    right = [[["Do", "n't", "go", "!"], ["Stay"]]]
    assert tokens(right) == sentences(right) == "100.00"
    other = [[["Don't", "go", "!", "Stay"]]]
    assert tokens(other) == "66.67"  # 3 of 4 given and of 5 wanted
    assert sentences(other) == "0.00"


def test_words_that_a_program_divides_otherwise_do_not_count():
    block = script.treebank_block("x", "", "", "")
    scores = {name.partition(",")[0]: score for name, (_, score) in block.rows.items()}
    first = [("VBP", "AUX", "DO", 3, "aux"), None, ("VB", "VERB", "goe", 0, "root:x")]
    found = [[*first, (".", "X", "!", 1, "punct")], [("VB", "VERB", "stay", 0, "root")]]
    assert scores["parts of speech"](found) == "100.00 of 80.0%"
    assert scores["universal tags"](found) == scores["lemmas"](found) == "75.00 of 80.0%"
    assert scores["heads"](found) == scores["heads and relations"](found) == "75.00 of 80.0%"


def test_an_overlap_counts_only_with_the_same_type():
    one, other = {(0, 2, "PER"), (4, 5, "LOC")}, {(1, 3, "PER"), (4, 5, "ORG")}
    assert script.overlapping(one, other) == [(0, 2, "PER")]


def test_a_program_is_asked_and_what_it_lacks_is_empty(tmp_path, capsys):
    answer = json.dumps([[["Do", "n't", "go", "!"], ["Stay"]]])
    program = "import pathlib, sys; pathlib.Path(sys.argv[1]).write_text(sys.argv[2])"
    call = lambda mode, given, out: [sys.executable, "-c", program, str(out), answer]  # noqa: E731
    able = script.Rival("a", call, (), tmp_path)
    unable, other = able._replace(name="b", lacks=("raw",)), able._replace(name="c")
    block = script.raw_block("x", "", "", "us")
    block.measure([able, unable, other], tmp_path, "tokens")
    block.measure([able, unable], tmp_path, "tokens")  # nothing to compare with
    assert capsys.readouterr().out == "| tokens, x, raw text | us | 100.00 |  | 100.00 |\n"
