"""Column files, and columns of all kinds of output together."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.annotation.predicates import Predicate
from senna.errors import SennaError
from senna.files import open_text
from senna.formats.columns import (
    DOCUMENT_MARK,
    ColumnsSentence,
    as_columns,
    read_columns,
    whole_sentences,
)


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


def read(text: str) -> list[ColumnsSentence]:
    return list(read_columns(io.StringIO(text, newline="\n"), name="f.conll"))


def written(sentences: list[list[list[str]]], delimiter: str) -> str:
    return "\n".join("".join(delimiter.join(row) + "\n" for row in rows) for rows in sentences)


@pytest.mark.parametrize("text", ["", "\n", "\n \n\t\n\r\n", "-DOCSTART- -X- O\n\n"])
def test_nothing_to_read(text):
    assert read(text) == []


def test_sentences_lines_and_documents():
    text = "-DOCSTART- -X- -X- O\n\nAnna NNP B-PER\nsings VBZ O\n\n\nYes UH O\n-DOCSTART-\nNo UH O"
    assert read(text) == [
        ColumnsSentence(
            [["Anna", "NNP", "B-PER"], ["sings", "VBZ", "O"]], 3, ("-DOCSTART-", "-X-", "-X-", "O")
        ),
        ColumnsSentence([["Yes", "UH", "O"]], 7),
        ColumnsSentence([["No", "UH", "O"]], 9, ("-DOCSTART-",)),
    ]


def test_carriage_returns_and_byte_order_mark_are_tolerated():
    assert read("\ufeffa\tO\r\nb\tO\r\n\r\nc\tO\r\n") == read("a\tO\nb\tO\n\nc\tO\n")


def test_tabs_go_before_spaces():
    assert read("New York\tB-LOC\n")[0].rows == [["New York", "B-LOC"]]
    assert read(" a   B-LOC \n")[0].rows == [["a", "B-LOC"]]
    assert read("a\t\tO\n")[0].rows == [["a", "", "O"]]


@pytest.mark.parametrize(
    "odd", ["\x85", "\u2028", "\u2029", "\xa0", "\x00", "\x0b", "\x0c", "\x1c"]
)
@pytest.mark.parametrize("space", [" ", "\t"])
def test_only_line_feeds_end_lines_and_only_spaces_and_tabs_part_columns(odd, space, tmp_path):
    path = tmp_path / "odd.conll"
    path.write_bytes(f"a{odd}b{space}O\n{odd}{space}O\n".encode())
    with open_text(path) as lines:
        sentences = list(read_columns(lines, name=str(path)))
    assert [sentence.rows for sentence in sentences] == [[[f"a{odd}b", "O"], [odd, "O"]]]


def test_ragged_columns_are_refused_with_their_line():
    with pytest.raises(SennaError) as caught:
        read("a b c\n\na b\na b\na b c\n")
    assert str(caught.value).startswith("f.conll:5: 3 columns, expected 2.")


@given(
    st.lists(st.sampled_from(["a", "\r", " ", "", f"{DOCUMENT_MARK}", f" {DOCUMENT_MARK}\r"])),
    st.data(),
)
def test_whole_sentences_are_read_as_those_of_the_file(lines, data):
    lines = [f"{line}\n" for line in lines]
    cut = data.draw(st.integers(0, len(lines)))
    whole = whole_sentences(lines[:cut], data.draw(st.integers(0, 1)))
    first = list(read_columns(lines[:whole], name=""))
    rest = list(read_columns(lines[whole:], name="", start=whole + 1))
    assert first + rest == list(read_columns(lines, name=""))


def test_reading_is_lazy():
    def lines():
        yield "a O\n"
        yield "\n"
        raise AssertionError("read too far")

    assert next(read_columns(lines(), name="f")).rows == [["a", "O"]]


cells = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]))
words = st.text(
    st.characters(exclude_characters="\t\n\r \ufeff", exclude_categories=["Cs"]), min_size=1
).filter(lambda word: word != DOCUMENT_MARK)


@st.composite
def sentence_rows(draw: st.DrawFn) -> list[list[list[str]]]:
    """Sentences of at least one token and two columns, the first a word."""
    width = draw(st.integers(1, 4))
    row = st.tuples(words, st.lists(cells, min_size=width, max_size=width))
    rows = row.map(lambda pair: [pair[0], *pair[1]])
    return draw(st.lists(st.lists(rows, min_size=1, max_size=4), max_size=4))


@given(sentence_rows())
def test_what_is_written_is_read_back(sentences):
    assert [sentence.rows for sentence in read(written(sentences, "\t"))] == sentences


@given(st.lists(st.lists(st.lists(words, min_size=2, max_size=2), min_size=1), max_size=3))
def test_space_separated_columns_are_read_back(sentences):
    assert [sentence.rows for sentence in read(written(sentences, " "))] == sentences
