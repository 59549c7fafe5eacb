"""Columns of all kinds of output together."""

from senna.annotation.predicates import Predicate
from senna.formats.columns import as_columns


def test_a_document_mark_is_as_wide_as_the_rows():
    found = {"pos": ["NNP", "VBZ"], "ner": ["S-PER", "O"], "srl": [Predicate(1, ["S-A0", "S-V"])]}
    text = as_columns([["Ann", "runs"], ["x", "y"]], found, "bracket", ("-DOCSTART-",))
    assert [line.split("\t") for line in text.split("\n")] == [
        ["-DOCSTART-", "O", "-X-", "O", "-", "O"],
        [""],
        ["Ann", "x", "NNP", "(PER*)", "-", "(A0*)"],
        ["runs", "y", "VBZ", "*", "runs", "(V*)"],
        [""],
        [""],
    ]
