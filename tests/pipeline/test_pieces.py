"""Streams: the same output wherever the input is cut, order kept, nothing read far ahead."""

import io
import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.formats import html as html_format
from senna.formats import text as text_format
from senna.formats.columns import read_columns
from senna.inference.features.settings import TagFeature
from senna.pipeline import format as module
from senna.pipeline.files import read_files, read_pieces
from senna.pipeline.format import Piece
from senna.pipeline.options import Options
from senna.pipeline.pipeline import Pipeline, lines_of, lines_of_texts
from senna.text import sentences
from senna.text.tokens import words_of
from tests import toys
from tests.pipeline.pieces import tag_piece, tag_pieces

TEXT = (
    "Anna  Weber walked.\nIt didn't walk quickly: 12 walks!\n\nThe iPod, U.S. and İzmir — x\n\n\n"
)
WORDS = st.text(
    st.characters(exclude_characters=" \t\n\r\ufeff", exclude_categories=["Cs"]), min_size=1
)

LINES = st.sampled_from(["-DOCSTART-", "", "", *TEXT.split("\n")])


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    """A model with random weights: parts of speech and entities in one folder."""
    return toys.model(tmp_path_factory.mktemp("toy") / "both", "pos", "ner", seed=4)


@pytest.fixture(scope="module")
def pipeline(model) -> Pipeline:
    return Pipeline.load(None, model)


class Typed(io.RawIOBase):
    """A text that comes `sizes` bytes at a time, as `senna.files.open_text` reads it."""

    live = True

    def __init__(self, text: str, sizes: Iterable[int], over: bool = True) -> None:
        self.rest, self.sizes, self.over = text.encode(), iter(sizes), over

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self.rest and not self.over:
            raise TimeoutError
        n = min(len(buffer), next(self.sizes, len(buffer)))
        block, self.rest = self.rest[:n], self.rest[n:]
        buffer[: len(block)] = block
        return len(block)


def stream_of(text: str, sizes: Iterable[int] = ()) -> io.TextIOWrapper:
    """A text as `open_text` gives it: of a file, or what a user or a program writes bit by bit."""
    raw = Typed(text, sizes) if sizes else io.BytesIO(text.encode())
    buffered = io.BufferedReader(raw)
    return io.TextIOWrapper(buffered, encoding="utf-8", newline="\n")


def chosen(input: str, format: str = "columns", **options: Any) -> Options:
    return Options(input=input, format=format, **options)


def pieces_of(text: str, options: Options, sizes: Iterable[int] = ()) -> list[Piece]:
    return list(read_pieces(stream_of(text, sizes), "text", options))


def tagged(pipeline: Pipeline, text: str, options: Options, sizes: Iterable[int] = ()) -> str:
    pieces = pieces_of(text, options, sizes)
    return "".join(tag_piece(pipeline, piece, options) for piece in pieces)


def test_a_byte_order_mark_counts_as_a_character_and_is_dropped():
    [piece] = pieces_of("\ufeffOne two\nthree\n", chosen("tokens"))
    lines = lines_of(piece, chosen("tokens"))
    assert [[tuple(token) for token in line.tokens] for line in lines] == [
        [("One", 1, 4), ("two", 5, 8)],
        [("three", 9, 14)],
    ]


def test_words_of_odd_lines():
    lines = ["  a \t b\r\n", " \t\n", "a\u00a0b c\u2028d"]
    places = [[("a", 2, 3), ("b", 6, 7)], [], [("a\u00a0b", 9, 12), ("c\u2028d", 13, 16)]]
    assert words_of(lines, [0, 7, 9]) == places


@pytest.mark.parametrize("kind", ["text", "html", "lines", "tokens", "columns"])
@pytest.mark.parametrize(
    "other", [{}, {"format": "jsonl"}, {"scheme": "bracket"}, {"offsets": True}]
)
def test_output_does_not_depend_on_where_input_is_cut(pipeline, monkeypatch, kind, other):
    if kind == "columns" and "offsets" in other:
        return  # the command line refuses it
    options = chosen(kind, **other)
    text = TEXT * 20
    if kind == "columns":
        text = "\n\n".join("\n".join(line.split()) for line in text.split("\n") if line) + "\n"
    if kind == "html":
        text = "<p>" + text.replace("\n", "<p>").replace("e", "&#101;").replace(
            "walk", "<b>walk</b>"
        )
    expected = tagged(pipeline, text, options)
    assert expected
    for lines, size in ((1, 200), (3, 500), (10_000, 1 << 20)):
        monkeypatch.setattr(module, "LINES", lines)
        for form in (text_format, html_format):
            monkeypatch.setattr(
                form,
                "segments",
                lambda stream, own, size=size: sentences.segments(
                    stream, size, own.convention, own.line_breaks
                ),
            )
        assert tagged(pipeline, text, options) == expected


@pytest.mark.parametrize("kind", ["text", "lines", "tokens", "columns"])
@given(
    line_breaks=st.sampled_from(["auto", "sentence"]),
    lines=st.lists(
        st.sampled_from(["Anna NN", "-DOCSTART-", "", *TEXT.split("\n")])
        | st.text(" \r-.aB", max_size=4)
    ),
    sizes=st.lists(st.integers(1, 40), min_size=1),
)
def test_output_does_not_depend_on_how_input_arrives(pipeline, kind, line_breaks, lines, sizes):
    text = "\n".join(line.replace(" ", "_") if kind == "columns" else line for line in lines)
    options = chosen(kind, "jsonl", line_breaks=line_breaks)
    assert tagged(pipeline, text, options, sizes) == tagged(pipeline, text, options)
    options = chosen(kind, line_breaks=line_breaks)
    assert tagged(pipeline, text, options, sizes) == tagged(pipeline, text, options)


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        (chosen("lines"), "Anna walked.\n"),
        (chosen("tokens"), "Anna walked .\n"),
        (chosen("columns"), "Anna\nwalked\n\n"),
        (chosen("columns"), "-DOCSTART-\n\nAnna\nwalked\n\n\n"),
        (chosen("text"), "Anna\nwalked.\n\n"),
        (chosen("text", line_breaks="sentence"), "Anna walked.\n"),
    ],
)
@pytest.mark.parametrize("more", ["", "An", "Anna walked", "\n"])
def test_what_is_whole_is_not_held_back_when_input_pauses(options, asked, more):
    times = (1 << 16) // len(asked) + 1  # a block is full before the one that is not
    for text in (asked, asked * times):
        raw = Typed(text + more, [1 << 20] * 2, over=False)
        stream = io.TextIOWrapper(io.BufferedReader(raw), encoding="utf-8", newline="\n")
        found = ""
        with suppress(TimeoutError):
            for piece in read_pieces(stream, "text", options):
                found += str(piece.content)
        assert found.count("walked") == text.count("walked")


@given(st.lists(st.lists(WORDS, max_size=6), max_size=6))
def test_any_words_come_back_with_their_tags(pipeline, lines):
    text = "".join(" ".join(words) + "\n" for words in lines)
    out = tagged(pipeline, text, chosen("tokens"))
    blocks = out.split("\n\n")
    assert blocks.pop() == ""
    rows = [[row.split("\t") for row in block.split("\n")] for block in blocks]
    forms = [words for words in lines if words]
    assert [[row[0] for row in sentence] for sentence in rows] == forms
    tags = pipeline.annotate(forms)
    for task, number in (("pos", 1), ("ner", 2)):
        assert [[row[number] for row in sentence] for sentence in rows] == tags[task]


@given(st.text(max_size=60))
def test_any_text_as_json(pipeline, text):
    text = text.encode("utf-8", "replace").decode()
    for line in tagged(pipeline, text, chosen("text", "jsonl")).split("\n")[:-1]:
        sentence = json.loads(line)
        start = sentence["start"]
        assert sentence["text"] == text[start : start + len(sentence["text"])] != ""
        for token in sentence["tokens"]:
            assert token["text"] == text[token["start"] : token["end"]]
        for span in sentence["spans"]["ner"]:
            assert span["text"] == text[span["start"] : span["end"]] != ""


CELLS = st.text(st.characters(exclude_characters="\t\n", exclude_categories=["Cs"]), max_size=6)


@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=4))
def test_columns_as_json_have_one_token_a_row_whatever_it_holds(pipeline, cells):
    text = "\n\n".join("\n".join(f"{cell}\tX" for cell in own) for own in cells)
    shown = [
        json.loads(line)
        for line in tagged(pipeline, text, chosen("columns", "jsonl")).split("\n")[:-1]
    ]
    expected = [
        [row[0] for row in sentence.rows]
        for sentence in read_columns(io.StringIO(text, newline="\n"), name="")
    ]
    assert [[token["text"] for token in own["tokens"]] for own in shown] == expected
    for own, words in zip(shown, expected, strict=True):
        assert own["text"] == " ".join(words)
        for thing in (*own["tokens"], *own["spans"]["ner"]):
            assert own["text"][thing["start"] : thing["end"]] == thing["text"]
        assert {len(tags) for tags in own["tags"].values()} == {len(words)}


def test_a_model_on_a_column_gets_the_second_one(tmp_path):
    features = toys.with_tags(toys.SMALL.features, pos=TagFeature(3, "column"))
    own = Pipeline.load(None, toys.model(tmp_path / "model", features=features, seed=2))
    columns = chosen("columns")
    nouns, verbs = (
        tagged(own, f"Anna {tag} x\nwalks {tag} y\na {tag} z\n", columns) for tag in ("NN", "VBZ")
    )
    tags = own.annotate([["Anna", "walks", "a"]], {"pos": [["NN"] * 3]})["ner"][0]
    assert [row.split("\t") for row in nouns.strip().split("\n")] == [
        ["Anna", "NN", "x", tags[0]],
        ["walks", "NN", "y", tags[1]],
        ["a", "NN", "z", tags[2]],
    ]
    assert verbs.startswith("Anna\tVBZ\tx\t")
    for text, options in (("Anna\nwalks\n", columns), ("Anna walks\n", chosen("tokens"))):
        with pytest.raises(SennaError, match="a column of parts of speech"):
            tagged(own, text, options)


def remembered(model: Path, files: list[Path], jobs: int = 1, **settings: Any) -> str:
    reading = Options(["ner"], model, **settings)
    pieces = read_files(list(map(str, files)), reading)
    return "".join(out for _, out in tag_pieces(pieces, reading, jobs))


@pytest.fixture
def long_text(as_file, monkeypatch) -> Path:
    """A text of several pieces, in which names of the toy model come up again."""
    monkeypatch.setattr(
        text_format, "segments", lambda stream, own: sentences.segments(stream, 4_096)
    )
    words = [f"{word}{i % 90}" for i in range(900) for word in ("Anna", "Weber", "İzmir", "x")]
    lines = (" ".join(words[i : i + 9]) + " ." for i in range(0, len(words), 7))
    return as_file("long.txt", "\n\n".join(lines))


def test_memory_is_the_same_for_any_number_of_processes(model, long_text):
    reading = Options(["ner"], model)
    assert len(list(read_files([str(long_text)], reading))) > 2
    text = remembered(model, [long_text])
    assert text == remembered(model, [long_text], 2)
    assert text != remembered(model, [long_text], memory=False)


@pytest.mark.parametrize(("kind", "on"), [("lines", False), ("tokens", False), ("columns", True)])
def test_lines_without_documents_are_remembered_if_asked(kind, on):
    assert Options(input=kind).remembers is on
    assert Options(input=kind, memory=True).remembers
    assert not Options(input=kind, memory=False).remembers
    assert not Options(input=kind, memory=True, tasks=["pos"]).remembers
    assert not Options(input=kind, n_best=2).remembers


def test_a_file_that_begins_with_blank_lines_is_a_document_too(model, tmp_path):
    words = "Anna Weber walks with The iPod , U.S. .".split()
    first, second = (
        "".join(" ".join(words[i::k]) + "\n" for k in numbers for i in range(k))
        for numbers in ([1, 2, 4], [2, 3, 5])
    )

    def tags(*texts: str) -> str:
        files = [tmp_path / str(i) for i in range(len(texts))]
        for path, text in zip(files, texts, strict=True):
            path.write_text(text, encoding="utf-8", newline="\n")
        return remembered(model, files, input="tokens", memory=True)

    assert tags(first, "\n" * module.LINES + second) == tags(first) + tags(second)
    assert tags(first + second) != tags(first) + tags(second)


@pytest.mark.parametrize(
    "options", [{}, {"document": "line"}, {"document": "blank", "offset_unit": "utf16"}]
)
@given(st.lists(st.text("aA.,\n\r \u2028\U0001f600"), max_size=4))
def test_texts_have_the_lines_of_each_alone(options, texts):
    reading = Options(input="text", **options)
    together = list(lines_of_texts(texts, reading))
    for text, lines in zip(texts, together, strict=True):
        pieces = read_pieces(stream_of(text), "", reading)
        alone = [
            line
            for i, piece in enumerate(pieces)
            for line in lines_of(piece._replace(opens=i == 0), reading)
        ]
        assert lines == alone
