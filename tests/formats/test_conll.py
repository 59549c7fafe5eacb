"""CoNLL-2012: sentences of our own, in all columns, and files that are wrong."""

from typing import Any

import pytest

from senna.annotation.predicates import Predicate
from senna.errors import SennaError
from senna.formats.brackets import read_trees
from senna.formats.conll import long_role, read_conll2012
from senna.formats.gold import read_gold
from senna.kinds.answer import GoldOptions

TEXT = """\
#begin document (letters/01); part 000
letters/01  0  0  Ann   NNP  (TOP(S(NP*   -    -       -  Ann  (PERSON*  (ARG0*  *        -
letters/01  0  1  Lee   NNP  *)           -    -       -  Ann  *)        *)      *        (1)
letters/01  0  2  ran   VBD  (VP*         run  run.02  1  Ann  *         (V*)    *        -
letters/01  0  3  to    TO   (S(VP*       -    -       -  Ann  *         (ARGM-PRP* *     -
letters/01  0  4  see   VB   (VP*         see  see.01  -  Ann  *         *       (V*)     -
letters/01  0  5  Rome  NNP  (NP*)))))))  -    -       -  Ann  (GPE)     *)      (ARG1*)  -

letters/01  0  0  (  -LRB-  (TOP(X*)  -  -  -  Ann  *  -
letters/01  0  1  *  NFP    *)        -  -  -  Ann  *  -

#end document
#begin document (letters/02); part 000
letters/02  0  0  So  UH  (TOP*)  -  -  -  -  *  -

#end document
"""
LINES = TEXT.splitlines(keepends=True)


def gold(task: str, lines: list[str] = LINES) -> list[Any]:
    sentences = list(read_gold(task, lines, "x", GoldOptions()))
    assert [sentence.line for sentence in sentences] == [2, 9, 14]
    assert sentences[0].forms == ["Ann", "Lee", "ran", "to", "see", "Rome"]
    return [sentence.answer for sentence in sentences]


def test_each_column_is_the_gold_of_its_task():
    pos = ["NNP", "NNP", "VBD", "TO", "VB", "NNP"]
    assert gold("pos") == [pos, ["-LRB-", "NFP"], ["UH"]]
    assert gold("ner")[0] == ["(PERSON*", "*)", "*", "*", "*", "(GPE*)"]
    assert gold("srl") == [
        [
            Predicate(2, ["B-A0", "E-A0", "S-V", "B-AM-PRP", "I-AM-PRP", "E-AM-PRP"]),
            Predicate(4, ["O", "O", "O", "O", "S-V", "S-A1"]),
        ],
        [],
        [],
    ]
    assert gold("predicates")[0] == ["O", "O", "S-V", "O", "S-V", "O"]
    tree = (
        "(TOP (S (NP (NNP Ann) (NNP Lee)) (VP (VBD ran) (S (VP (TO to) (VP (VB see) "
        "(NP (NNP Rome))))))))"
    )
    assert gold("psg")[0] == next(read_trees(tree, "x"))
    assert [leaf.word for leaf in gold("psg")[1].leaves()] == ["(", "*"]


def test_documents_are_opened_and_a_blank_line_may_lack():
    lines = [line for line in LINES if line.strip() or line is LINES[7]]
    for text in (LINES, lines):
        read = list(read_conll2012(text, name="x"))
        assert [sentence.opens_document for sentence in read] == [True, False, True]
        assert [len(sentence.rows) for sentence in read] == [6, 2, 1]


@pytest.mark.parametrize("role", ["A0", "A5", "AA", "AM-TMP", "AM", "C-A1", "R-AM-LOC", "V"])
def test_roles_have_propbank_s_names_and_back(role):
    row = "d 0 {} w X * - - - - * {} {} -\n"
    cells = [(long_role(f"({role}*)"), "(V*)"), ("(V*)", "*")]
    lines = [row.format(i, *cell) for i, cell in enumerate(cells)]
    [sentence] = read_conll2012(lines, name="x")
    if role != "V":
        assert "ARG" in cells[0][0]
        # A piece of no argument is one itself.
        assert sentence.predicates[1].tags[0] == f"S-{role.removeprefix('C-')}"


@pytest.mark.parametrize(
    ("change", "task", "message"),
    [
        ((" Rome  NNP", " Rome"), "pos", "x:7: 13 columns, expected 14"),
        (("(V*)    *  ", "*    *  "), "srl", "x:2: no (V*) in column 12"),
        (("(ARG0*  *  ", "*  *  "), "srl", 'x:3: tag "*)" closes what is not open (column 12)'),
        (("(TOP(S(NP*", "(TOP(S(S(NP*"), "psg", "x:2: the column of brackets"),
        (("So  UH", "So  -"), "pos", "x:14: a word without a part of speech"),
        (("So  UH", "So  -"), "psg", "x:14: a word without a part of speech"),
        (("-  -  -  -  *  -\n", "\n"), "ner", "x:14: 6 columns, expected at least 12"),
        (("", ""), "chunk", "x: CoNLL-2012 has nothing for task chunk. It has pos, "),
    ],
)
def test_files_that_are_wrong(change, task, message):
    assert change[0] in TEXT
    with pytest.raises(SennaError) as caught:
        list(read_gold(task, TEXT.replace(*change).splitlines(True), "x", GoldOptions()))
    assert str(caught.value).startswith(message)


def test_its_columns_are_not_to_be_named():
    with pytest.raises(SennaError, match="x: the columns of CoNLL-2012 have names"):
        list(read_gold("pos", LINES, "x", GoldOptions("word,tag")))
