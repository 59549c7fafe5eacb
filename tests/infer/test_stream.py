"""Streams: the same output wherever the input is cut, order kept, nothing read far ahead."""

from __future__ import annotations

import dataclasses
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.config import TagFeature
from senna.errors import SennaError
from senna.infer import stream as module
from senna.infer.output import as_columns
from senna.infer.pipeline import Pipeline
from senna.infer.stream import (
    Options,
    Piece,
    Work,
    read_pieces,
    tag_piece,
    tag_pieces,
    tokens_of,
    words_of,
)
from senna.text import schemes, sentences
from tests import toys

TEXT = (
    "Anna  Weber walked.\nIt didn't walk quickly: 12 walks!\n\nThe iPod, U.S. and İzmir — x\n\n\n"
)
WORDS = st.text(
    st.characters(exclude_characters=" \t\n\r\ufeff", exclude_categories=["Cs"]), min_size=1
)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with random weights: parts of speech and entities in one folder."""
    config = dataclasses.replace(toys.SMALL, tasks=("pos", "ner"))
    return toys.exported(toys.setup(config, seed=4), tmp_path_factory.mktemp("toy") / "both")


@pytest.fixture(scope="module")
def pipeline(model: Path) -> Pipeline:
    return Pipeline.load(None, model)


def stream_of(text: str) -> io.TextIOWrapper:
    """A text as `open_text` gives it."""
    data = io.BufferedReader(io.BytesIO(text.encode()))  # type: ignore[arg-type]
    return io.TextIOWrapper(data, encoding="utf-8", newline="\n")


def pieces_of(text: str, options: Options) -> list[Piece]:
    return list(read_pieces(stream_of(text), "text", options))


def tagged(pipeline: Pipeline, text: str, options: Options) -> str:
    return "".join(tag_piece(pipeline, piece, options) for piece in pieces_of(text, options))


# --------------------------------------------------------------------------- reading


@pytest.mark.parametrize("kind", ["text", "lines", "tokens"])
def test_pieces_follow_one_another_and_lose_nothing(kind: str) -> None:
    text = TEXT * 3000
    pieces = pieces_of(text, Options(kind))
    assert len(pieces) > 3
    assert "".join("".join(piece.content) for piece in pieces) == text
    place = 0
    for piece in pieces:
        assert (piece.start, piece.size) == (place, len("".join(piece.content)))
        place += piece.size


def test_pieces_of_columns_hold_whole_sentences() -> None:
    text = "a x\nb y\n\nc z\n\n" * 2 * module.LINES
    pieces = pieces_of(text + text[:14], Options("columns"))
    assert [len(piece.content) for piece in pieces] == [module.LINES] * 4 + [2]
    assert [[row[0] for row in s.rows] for s in pieces[0].content[:2]] == [["a", "b"], ["c"]]


def test_a_byte_order_mark_counts_as_a_character_and_is_dropped() -> None:
    [piece] = pieces_of("\ufeffOne two\nthree\n", Options("tokens"))
    found = tokens_of(piece, Options("tokens"))
    assert [[tuple(token) for token in line] for line in found] == [
        [("One", 1, 4), ("two", 5, 8)],
        [("three", 9, 14)],
    ]


@given(st.lists(st.lists(WORDS, min_size=1), min_size=1))
def test_words_between_spaces_and_tabs(lines: list[list[str]]) -> None:
    text = "".join(" ".join(words) + "\n" for words in lines)
    tokens = [words_of(line) for line in text.split("\n")[:-1]]
    assert [[token.text for token in line] for line in tokens] == lines
    for line, found in zip(text.split("\n"), tokens, strict=False):
        assert all(line[token.start : token.end] == token.text for token in found)


def test_words_of_odd_lines() -> None:
    assert [t[:] for t in words_of("  a \t b\r\n")] == [("a", 2, 3), ("b", 6, 7)]
    assert words_of(" \t\n") == []
    assert [token.text for token in words_of("a\u00a0b c\u2028d")] == ["a\u00a0b", "c\u2028d"]


# --------------------------------------------------------------------------- the same anywhere


@pytest.mark.parametrize("kind", ["text", "lines", "tokens", "columns"])
@pytest.mark.parametrize(
    "other", [{}, {"format": "jsonl"}, {"scheme": "bracket"}, {"offsets": True}]
)
def test_output_does_not_depend_on_where_input_is_cut(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch, kind: str, other: dict[str, object]
) -> None:
    if kind == "columns" and "offsets" in other:
        return  # the command line refuses it
    options = dataclasses.replace(Options(kind), **other)  # type: ignore[arg-type]
    text = TEXT * 20
    if kind == "columns":
        text = "\n\n".join("\n".join(line.split()) for line in text.split("\n") if line) + "\n"
    expected = tagged(pipeline, text, options)
    assert expected
    for lines, size in ((1, 200), (3, 500), (10_000, 1 << 20)):
        monkeypatch.setattr(module, "LINES", lines)
        monkeypatch.setattr(
            module,
            "_segments",
            lambda stream, own, size=size: sentences.segments(
                stream, size, own.convention, own.line_breaks
            ),
        )
        assert tagged(pipeline, text, options) == expected


@given(st.lists(st.lists(WORDS, max_size=6), max_size=6))
def test_any_words_come_back_with_their_tags(pipeline: Pipeline, lines: list[list[str]]) -> None:
    text = "".join(" ".join(words) + "\n" for words in lines)
    out = tagged(pipeline, text, Options("tokens"))
    blocks = out.split("\n\n")
    assert blocks.pop() == ""
    rows = [[row.split("\t") for row in block.split("\n")] for block in blocks]
    forms = [words for words in lines if words]
    assert [[row[0] for row in sentence] for sentence in rows] == forms
    tags = pipeline.tag(forms)
    for task, number in (("pos", 1), ("ner", 2)):
        assert [[row[number] for row in sentence] for sentence in rows] == tags[task]


@given(st.text(max_size=60))
def test_any_text_as_json(pipeline: Pipeline, text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    for line in tagged(pipeline, text, Options("text", "jsonl")).split("\n")[:-1]:
        sentence = json.loads(line)
        start = sentence["start"]
        assert sentence["text"] == text[start : start + len(sentence["text"])] != ""
        for token in sentence["tokens"]:
            assert token["text"] == text[token["start"] : token["end"]]
        for span in sentence["spans"]["ner"]:
            assert span["text"] == text[span["start"] : span["end"]] != ""


def test_schemes_of_phrases_only(pipeline: Pipeline) -> None:
    forms = [["Anna", "Weber", "walked"], ["x"]]
    tags = pipeline.tag(forms)
    blocks = as_columns([[line] for line in forms], tags, "iob1").split("\n\n")[:-1]
    made = [
        list(zip(*(row.split("\t") for row in block.split("\n")), strict=True)) for block in blocks
    ]
    assert [list(pos) for _, pos, _ in made] == tags["pos"]
    assert [list(ner) for _, _, ner in made] == [
        schemes.convert(line, "iobes", "iob1") for line in tags["ner"]
    ]


# --------------------------------------------------------------------------- own part of speech


def test_a_model_on_a_column_gets_the_second_one(tmp_path: Path) -> None:
    features = toys.with_tags(toys.SMALL.features, pos=TagFeature(3, "column"))
    config = dataclasses.replace(toys.SMALL, features=features)
    own = Pipeline.load(None, toys.exported(toys.setup(config, seed=2), tmp_path / "model"))
    columns = Options("columns")
    nouns, verbs = (
        tagged(own, f"Anna {tag} x\nwalks {tag} y\na {tag} z\n", columns) for tag in ("NN", "VBZ")
    )
    tags = own.tag([["Anna", "walks", "a"]], [["NN"] * 3])["ner"][0]
    assert [row.split("\t") for row in nouns.strip().split("\n")] == [
        ["Anna", "NN", "x", tags[0]],
        ["walks", "NN", "y", tags[1]],
        ["a", "NN", "z", tags[2]],
    ]
    assert verbs.startswith("Anna\tVBZ\tx\t")
    for text, options in (("Anna\nwalks\n", columns), ("Anna walks\n", Options("tokens"))):
        with pytest.raises(SennaError, match="a column of parts of speech"):
            tagged(own, text, options)


# --------------------------------------------------------------------------- processes


@pytest.mark.parametrize("jobs", [1, 2])
def test_order_is_kept_and_input_is_not_read_far_ahead(model: Path, jobs: int) -> None:
    options = Options("tokens")
    text = "".join(f"The iPod {i} walked .\n" for i in range(module.LINES * 12))
    pieces = pieces_of(text, options)
    read: list[int] = []

    def counted() -> Iterator[Piece]:
        for number, piece in enumerate(pieces):
            read.append(number)
            yield piece

    results = tag_pieces(Work(["ner"], model, options), counted(), jobs)
    written = []
    for piece, out in results:
        written.append(piece)
        assert out.split("\t")[0] == "The"
        assert f"\n{piece.content[0].split()[2]}\t" in out
        assert len(read) <= len(written) + 4 * jobs + 1
    assert written == pieces
    assert len(read) == 12


def test_an_error_in_another_process_comes_back_as_it_is(model: Path) -> None:
    for work in (
        Work(["chunk"], model, Options("tokens")),
        Work(None, model / "none", Options("tokens")),
    ):
        messages = []
        for jobs in (1, 2):
            with pytest.raises(SennaError) as error:
                list(tag_pieces(work, iter(pieces_of("a b\n", work.options)), jobs))
            messages.append(str(error.value))
        assert messages[0] == messages[1] != ""


def test_an_error_of_the_input_ends_the_processes_too(model: Path) -> None:
    options = Options("columns")
    pieces = read_pieces(stream_of("a b\n\n" * 600 + "a b\nc\n"), "file", options)
    with pytest.raises(SennaError, match="1 columns, expected 2"):
        list(tag_pieces(Work(None, model, options), pieces, 2))
