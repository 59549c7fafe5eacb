"""The formats of gold files, recognised by how they begin; lists of predicates."""

import pytest

from senna.errors import SennaError
from senna.formats.conllu_lines import FIELDS
from senna.formats.gold import Listed, is_conll2012, is_conllu, read_gold, read_predicates
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


def listed(text: str) -> list[Listed]:
    return list(read_predicates(text.splitlines(keepends=True), name="p"))


def test_a_list_has_a_line_a_sentence():
    found = listed("\n3 1\n\n 2\n")
    assert [own.places for own in found] == [[], [0, 2], [], [1]]
    assert [own.where for own in found] == ["p:1", "p:2", "p:3", "p:4"]
    assert [own.places for own in listed("\n\n")] == [[], []]
    assert listed("") == []


def test_a_column_has_a_line_a_token():
    found = listed("\n-\nwants (V*)\n\n\n-\n-\n\nrun (V*)")
    assert [(own.places, own.length, own.where) for own in found] == [
        ([1], 2, "p:2"), ([], 2, "p:6"), ([0], 1, "p:9"),
    ]  # fmt: skip


ENDLESS = "9" * 5_000  # digits that Python refuses to read as a number


@pytest.mark.parametrize(
    "text", ["1 x\n", "1\n0\n", "1\n-\n", "1\n2.5\n", f"1\n{ENDLESS}\n", f"{ENDLESS}\n"]
)
def test_what_is_no_number(text):
    with pytest.raises(SennaError, match=r"p:\d: .* is not the number of a token"):
        listed(text)


def test_a_list_that_does_not_fit():
    assert listed("2\n")[0].of(["a", "b"]) == [1]
    with pytest.raises(
        SennaError, match=r'p:1: predicate 2, but .* has 1. The sentence begins "a"'
    ):
        listed("2\n")[0].of(["a"])
    with pytest.raises(SennaError, match="p:1: 2 tokens, but the sentence of the input has 1"):
        listed("-\ngo\n")[0].of(["a"])
