"""Lines as they arrive, words with their bytes, lists of verbs; tags in the original's schemes."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.extras.classic import program as lines
from senna.extras.classic.program import (
    FatalError,
    Verbs,
    Word,
    arriving,
    byte_places,
    bytes_of,
    spaced,
    text_of,
)


@given(st.binary(max_size=60), st.integers(1, 9))
def test_lines_do_not_depend_on_how_they_are_read(text, size):
    block, lines.BLOCK = lines.BLOCK, size
    try:
        found = [line for own in arriving(io.BytesIO(text)) for line in own]
    finally:
        lines.BLOCK = block
    expected = text.split(b"\n")
    assert found == (expected if expected[-1] else expected[:-1])


def test_words_stand_between_white_space_of_any_kind():
    found = spaced(b"\ta\xc3\xa9  b\x0b\x0c\r\x00c\xff")
    assert found == [Word("aé", 1, 4), Word("b", 6, 7), Word("c\udcff", 11, 13)]
    assert spaced("a\u00a0b\u2003c".encode()) == [Word("a\u00a0b\u2003c", 0, 8)]
    assert spaced(b" \t\r") == []


@given(st.binary())
def test_bytes_come_out_as_they_went_in(line):
    text = text_of(line)
    assert bytes_of(text) == line
    places = byte_places(text)
    for i, character in enumerate(text):
        assert line[places[i] : places[i + 1]] == bytes_of(character)
    assert places[len(text)] == len(line)


def verbs(folder: Path, text: bytes, *, lax: bool = False) -> Verbs:
    path = folder / "verbs"
    path.write_bytes(text)
    return Verbs(str(path), lax)


def test_verbs_of_sentences(tmp_path):
    listed = verbs(tmp_path, b"-\nran\n- no verb\n-\tnone\n\n -\n-x\n\n")
    assert listed.of(4) == [1]
    assert listed.of(2) == [0, 1]


def test_an_empty_line_for_a_word(tmp_path):
    assert verbs(tmp_path, b"-\n\n-\n\n", lax=True).of(3) == [1]
    with pytest.raises(FatalError, match="^sentence size does not match in user verbs file$"):
        verbs(tmp_path, b"-\n\n-\n\n").of(3)
