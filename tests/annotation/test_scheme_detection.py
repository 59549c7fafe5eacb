"""Which scheme a column of tags is in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.scheme_detection import detect
from senna.annotation.schemes import SCHEMES, phrases_of, tags_of
from senna.errors import SennaError
from tests.annotation.test_schemes import golden_rows, phrase_lists


@pytest.mark.parametrize("scheme", SCHEMES)
def test_detect_knows_the_golden_columns(scheme):
    assert detect(taggings[scheme] for _, _, taggings in golden_rows()) == scheme


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("", "iob2"),
        ("O O|O", "iob2"),
        ("B-X O B-X", "iob2"),
        ("B-X I-X|O B-X B-X", "iob2"),
        ("I-X O", "iob1"),
        ("I-X|I-X B-X", "iob1"),
        ("O S-X", "iobes"),
        ("B-X E-X", "iobes"),
        ("B-X O|E-X", "iobes"),
        ("I-X E-X", "ioe2"),
        ("O U-X", "bilou"),
        ("B-X I-X L-X", "bilou"),
        ("B-X O|L-X", "bilou"),
        ("E-X E-X", "ioe2"),
        ("E-X I-X|I-Y", "ioe1"),
        ("*", "bracket"),
        ("* (X* *)|*", "bracket"),
    ],
)
def test_detect(column, expected):
    assert detect(sentence.split() for sentence in column.split("|")) == expected


@pytest.mark.parametrize(
    ("column", "named"),
    [
        ("B-X O|I-X", "I-X"),
        ("I-X O E-X", "I-X"),
        ("O *", "*"),
        ("* *|B-X", "B-X"),
        ("(X*) O", "O"),
        ("O NNP", "NNP"),
        ("O B-", "B-"),
        ("M-X", "M-X"),
        ("B-X E-X|U-X", "U-X"),
        ("* (X*", "(X*"),
    ],
)
def test_detect_refuses_mixed_and_unknown_tags(column, named):
    with pytest.raises(SennaError) as caught:
        detect(sentence.split() for sentence in column.split("|"))
    assert f'"{named}"' in str(caught.value)


@pytest.mark.parametrize(
    ("common", "slip", "expected"),
    [("I-X O", "B-X", "iob1"), ("B-X O", "I-X", "iob2"), ("E-X O", "I-X", "ioe2")],
)
def test_detect_tolerates_slips(common, slip, expected):
    """CoNLL-2003's train part has two B- after O among 23,000 phrases."""
    column = [common.split()] * 100
    assert detect([*column, [slip]]) == expected
    with pytest.raises(SennaError, match="mixed"):
        detect([*column, *[[slip]] * 10])


@given(st.lists(phrase_lists(), max_size=4), st.sampled_from(SCHEMES))
def test_detected_scheme_reads_the_same_phrases(examples, scheme):
    """Where several schemes fit, the one chosen reads what was written."""
    column = [tags_of(phrases, n, scheme) for phrases, n in examples]
    found = detect(column)
    assert [phrases_of(tags, found) for tags in column] == [phrases for phrases, _ in examples]
