"""Suffixes and degrees of persons, and firms with "&"."""

import pytest

from senna.decoding.requests import Scored
from senna.pipeline.memory import amended


@pytest.mark.parametrize(
    ("sentence", "tags", "expected"),
    [
        ("Sammy Davis , Jr. sang", "B-PER E-PER O S-PER O", "B-PER I-PER I-PER E-PER O"),
        ("Sammy Davis , Jr. sang", "B-PER E-PER O O O", "B-PER I-PER I-PER E-PER O"),
        ("Sammy Davis Jr. sang", "B-PER E-PER O O", "B-PER I-PER E-PER O"),
        ("Ann Lee , MD , spoke", "B-PER E-PER O S-LOC O O", "B-PER E-PER O O O O"),
        ("in Rockville , MD today", "O S-LOC O S-LOC O", "O S-LOC O S-LOC O"),
        ("at Johnson & Johnson .", "O S-PER O S-PER O", "O B-ORG I-ORG E-ORG O"),
        ("by Smith & Wesson .", "O S-PER O S-PER O", "O B-ORG I-ORG E-ORG O"),
        ("Procter & Gamble rose", "S-ORG O S-PER O", "B-ORG I-ORG E-ORG O"),
        ("Tom & Ann left", "S-PER O S-PER O", "S-PER O S-PER O"),
        ("Ann Lee & Bob Day left", "B-PER E-PER O B-PER E-PER O", "B-PER E-PER O B-PER E-PER O"),
        ("Henry VIII , II", "B-LOC E-LOC O O", "B-LOC E-LOC O O"),
        ("R & D", "O O O", "O O O"),
        ("Bob ,", "S-PER O", "S-PER O"),
    ],
)
def test_names_by_rule(sentence, tags, expected):
    assert amended(sentence.split(), tags.split()) == expected.split()


def test_probabilities_stay_with_names_that_stay():
    tags = Scored("B-PER E-PER O S-PER O S-LOC".split(), [0.9, 0.8, 1.0, 0.5, 1.0, 0.7])
    new = amended("Sammy Davis , Jr. in Rome".split(), tags)
    assert new == "B-PER I-PER I-PER E-PER O S-LOC".split()
    assert isinstance(new, Scored) and new.scores[-1] == 0.7
