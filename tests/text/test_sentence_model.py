"""senna/text/sentence_model.py, and where the splitter asks it."""

import struct
import zlib
from unittest.mock import patch

import pytest

from senna.text import sentence_model
from senna.text.sentence_model import Gap
from senna.text.sentences import split
from senna.text.tokenizer import Cuts


def gap(before: str, after: str, following: str = "", *, ruled: bool = False) -> Gap:
    cut = Cuts(modern=True)
    words = [text for chunk in before.split() for text in cut[chunk].texts]
    return Gap(0, 1, words, cut[before.split()[-1]], cut[after], after, following, ruled)


def asked(text: str, **options: str) -> list[str]:
    """The tokens before the gaps that the splitter is not sure of."""
    gaps: list[str] = []

    def collect(gap: Gap) -> bool:
        gaps.append(gap.sentence[-1])
        return False

    with patch.object(sentence_model, "ends", collect):
        split(text, **options)
    return gaps


def test_the_sum_of_the_weights_decides():
    stored = struct.unpack(f"{sentence_model.N_ROWS}b", sentence_model.WEIGHTS.read_bytes())
    for one in (
        gap("two examples:", "There's", "a"),
        gap("J.", "Smith"),
        gap("a\ud800)", "\udfff"),
    ):
        names = [name.encode("utf-8", "surrogatepass") for name in sentence_model.features(one)]
        total = sum(stored[zlib.crc32(name) % sentence_model.N_ROWS] for name in names)
        assert sentence_model.ends(one) == (total > 0)


def test_features_tell_words_shapes_and_what_the_rules_say():
    assert sentence_model.features(gap("Two examples:", "There's", "a", ruled=True)) == [
        "0True",
        "1Trueloose ",
        "2Trueloose Xx",
        "3:",
        "4there",
        "5: Xxxx",
        "63loose Xx",
        "7examples",
        "8Xxxx 'x",
        "9:t",
    ]


def test_a_point_before_a_capital_a_small_letter_or_a_letter_is_left_to_the_rules():
    assert asked("He came. She left: he stayed, it seems (alone) here. All said no Yes") == []


def test_a_sign_or_digit_before_a_capital_is_asked_about():
    assert asked("Two examples: There. He was 5 Now (see it) Then she left... We saw") == [
        ":",
        "5",
        ")",
        "...",
    ]


@pytest.mark.parametrize("line_breaks", ["auto", "space", "sentence"])
def test_line_breaks_are_left_to_the_rules(line_breaks):
    assert asked("Two examples:\nThere (now)\nThen", line_breaks=line_breaks) == []


@pytest.mark.parametrize("decision", [False, True])
def test_the_answer_is_what_counts(decision):
    with patch.object(sentence_model, "ends", lambda gap: decision):
        assert len(split("Two examples: There is one.")) == 1 + decision
