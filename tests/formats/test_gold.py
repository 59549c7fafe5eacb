"""The formats of gold files, recognised by how they begin."""

import pytest

from senna.errors import SennaError
from senna.formats.conllu_lines import FIELDS
from senna.formats.gold import is_conll2012, is_conllu, read_gold
from senna.kinds.answer import GoldOptions

ROW = "1\tAnn\tAnn\tPROPN\tNNP\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    ("lines", "conllu", "conll2012"),
    [
        ([], False, False),
        (["\n"], False, False),
        ([ROW], True, False),
        (["\ufeff# newdoc\n", "\n", ROW], True, False),
        ([ROW.replace("1\t", "1-2\t", 1)], True, False),
        ([ROW.replace("1\t", "0.1\t", 1)], True, False),
        ([ROW.replace("1\t", "2\t", 1)], False, False),
        ([ROW.replace("\t_\n", "\n")], False, False),
        (["# a comment\n"], False, False),
        (["Ann\tS-PER\n", ROW], False, False),
        (["\ufeff#begin document (a); part 000\n"], False, True),
        (["\n", "#begin document (a); part 000\n"], False, False),
    ],
)
def test_formats_by_what_files_begin_with(lines, conllu, conll2012):
    assert is_conllu(lines) is conllu
    assert is_conll2012(lines) is conll2012


def test_the_fields_are_those_of_the_format():
    """Their number stands in both modules: `senna train` need not import the format."""
    for n in range(FIELDS - 2, FIELDS + 3):
        assert is_conllu(["\t".join(["1", *"_" * (n - 1)])]) is (n == FIELDS)


HOW = GoldOptions("", ())


def test_rows_of_json_with_tokens_and_tags():
    rows = """
\ufeff{"id": "0", "tokens": ["Ann", "left"], "pos_tags": ["NNP", "VBD"], "ner_tags": ["B-PER", "O"]}
{"id": "1", "tokens": [], "ner_tags": [], "pos_tags": []}
{"tokens": ["Rome"], "tags": ["B-LOC"]}
"""
    found = list(read_gold("ner", rows[1:].splitlines(keepends=True), "t", HOW))
    assert [(s.forms, s.answer, s.line) for s in found] == [
        (["Ann", "left"], ["B-PER", "O"], 1),
        (["Rome"], ["B-LOC"], 3),
    ]
    [first, *_] = read_gold("pos", rows.splitlines(keepends=True), "t", HOW)
    assert (first.answer, first.line) == (["NNP", "VBD"], 2)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            '{"tokens": ["a"], "ner_tags": [3]}',
            "t:2: the tags are numbers, not names. .*features..ner_tags..",
        ),
        ('{"tokens": ["a", "b"], "ner_tags": ["O"]}', "t:2: no row of tokens with their tags"),
        ('{"tokens": ["a"]}', "t:2: no row of tokens with their tags"),
        ('{"tokens": [{"text": "a"}], "ner_tags": ["O"]}', "t:2: no row of tokens"),
        ('{"tokens": ["a"], "ner_tags": ["PER"]}', 't:2: tag "PER" belongs to no known scheme'),
        ("a O", "t:2: no row of tokens with their tags"),
    ],
)
def test_other_rows_of_json_are_refused(row, message):
    lines = ['{"tokens": ["Ann"], "ner_tags": ["O"]}\n', row]
    with pytest.raises(SennaError, match=message):
        list(read_gold("ner", lines, "t", HOW))
