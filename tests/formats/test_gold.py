"""The formats of gold files, recognised by how they begin."""

from __future__ import annotations

import pytest

from senna.annotation.conllu import FIELDS
from senna.formats.gold import is_conll2012, is_conllu

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
def test_formats_by_what_files_begin_with(lines: list[str], conllu: bool, conll2012: bool) -> None:
    assert is_conllu(lines) is conllu
    assert is_conll2012(lines) is conll2012


def test_the_fields_are_those_of_the_format() -> None:
    """Their number stands in both modules: `senna train` need not import the format."""
    for n in range(FIELDS - 2, FIELDS + 3):
        assert is_conllu(["\t".join(["1", *"_" * (n - 1)])]) is (n == FIELDS)
