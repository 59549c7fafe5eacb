"""Reading tagged columns: what parts them, what ends sentences, bytes of all sorts."""

from io import StringIO

import pytest

from senna.errors import SennaError
from senna.scoring.conlleval import ColumnsError, TaggedSentence, read_tagged


def read(data: bytes, delimiter: str | None = None, **more: bool | str) -> list[TaggedSentence]:
    lines = StringIO(data.decode("utf-8", "surrogateescape"), newline="\n")
    return list(read_tagged(lines, name="f", delimiter=delimiter, **more))


def columns(line: bytes, delimiter: str) -> tuple[str, str, str]:
    """The first column and the last two of a line."""
    [sentence] = read(line, delimiter)
    return sentence.words[0], sentence.gold[0], sentence.predicted[0]


@pytest.mark.parametrize("data", [b"", b"\n", b"\n\n \n", b"-X- O O\n", b"-X-\n"])
def test_no_tokens_no_sentences(data):
    assert read(data) == []


def test_sentences_keep_their_lines_and_whether_a_boundary_follows():
    assert read(b"\na X Y\n-DOCSTART- O O\n\n\nb O Z") == [
        TaggedSentence(["a", "-DOCSTART-"], ["X", "O"], ["Y", "O"], "f", 2),
        TaggedSentence(["b"], ["O"], ["Z"], "f", 6, closed=False),
    ]


def test_a_boundary_line_ends_a_sentence_but_needs_as_many_columns():
    assert [x.words for x in read(b"a O O\n-X- Y Z\nb O O\n")] == [["a"], ["b"]]
    with pytest.raises(ColumnsError, match=r"^f:2: 1 column, expected 3"):
        read(b"a O O\n-X-\n")


def test_tabs_part_columns_if_the_first_line_has_one():
    [sentence] = read(b"\nNew York\tB-X\tO\n\tO\tO\n")
    assert sentence.words == ["New York", ""]
    assert read(b"a\tO\tO\n")[0].predicted == ["O"]
    assert read(b"a O O\n")[0].predicted == ["O"]
    with pytest.raises(ColumnsError, match=r"^f:1: 1 column, expected 2 or more"):
        read(b"a\tO\tO\n", " ")


@pytest.mark.parametrize(
    ("delimiter", "line", "expected"),
    [
        (" ", b"a  O X   ", ("a", "O", "X")),
        (" ", b" a O X", ("", "O", "X")),
        (" ", b"a\tb O X\r", ("a\tb", "O", "X\r")),
        (",", b"a,O,X,,", ("a", "O", "X")),
        (r"\|", b"a|O|X", ("a", "O", "X")),
        (r"\s+", b"a \t O  X ", ("a", "O", "X")),
        (r"\s", b"a\xc2\xa0b O\x0bX", ("a\u00a0b", "O", "X")),
        ("(,)|x", b"a,OxX", ("a", "", "X")),  # groups are columns
        ("(?i)x", b"aXOxB", ("a", "O", "B")),
        ("é", "aéOéX".encode(), ("a", "O", "X")),
    ],
)
def test_the_delimiter_is_a_regular_expression(delimiter, line, expected):
    assert columns(line, delimiter) == expected


@pytest.mark.parametrize("delimiter", ["*", "(", "[", "\\", r"\h", "[[:space:]]"])
def test_a_bad_delimiter_is_refused_once_there_is_a_line(delimiter):
    assert read(b"", delimiter) == []
    with pytest.raises(SennaError, match=r"is not a regular expression"):
        read(b"\n", delimiter)


def test_all_bytes_come_back():
    [sentence] = read(b"\x00\xff B-\xc3 B-\xc3\xa9\n")
    everything = "".join([*sentence.words, *sentence.gold, *sentence.predicted])
    assert everything.encode("utf-8", "surrogateescape") == b"\x00\xffB-\xc3B-\xc3\xa9"


def test_raw_tags_are_phrases_of_one_token():
    [sentence] = read(b"a NN NONE\nb O -\n", raw=True, outside="NONE")
    assert (sentence.gold, sentence.predicted) == (["B-NN", "O"], ["O", "B--"])


def test_dos_line_ends_are_named():
    with pytest.raises(ColumnsError, match=r"^f:2: 1 column, expected 3.*Unix line ends"):
        read(b"a O O\r\n\r\nb O O\r\n")
