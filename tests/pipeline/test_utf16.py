"""Places that count UTF-16 code units, in all formats that write places."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import senna
from senna.errors import SennaError

TEXT = (
    "\U0001d4b3e\u0301 paid $5 😀 to 👩\u200d👧 on 3 May 2021. Zoë ate two 😀.\n\n"
    "A\u0301 😀\u0308 came 😀 on Friday.\n"
)
UTF16: dict[str, Any] = {"tasks": "value", "offset_unit": "utf16"}


def cut(text: str, start: int, end: int) -> str:
    """The part of a text as JavaScript has it by these places."""
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


def converted(path: Path, format_: str, **options: Any) -> bytes:
    return b"".join(senna.convert(path, format_, **UTF16, **options))


def parts_of(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The tokens and spans of a sentence of JSON."""
    yield from record["tokens"]
    yield from record["spans"]["value"]


@pytest.mark.parametrize("input_", ["text", "lines", "tokens", "html"])
def test_places_in_a_file_of_several_pieces(as_file, input_):
    times = {"text": 900, "html": 30}.get(input_, 150)
    text = "<p>&#128512; 😀 </p>" * (input_ == "html") + TEXT * times
    path = as_file("a", text)
    lines = converted(path, "jsonl", input=input_).decode().splitlines()
    units = text.encode("utf-16-le")
    n = 0
    for record in map(json.loads, lines):
        assert record["start"] == record["tokens"][0]["start"]
        for part in parts_of(record):
            found = units[2 * part["start"] : 2 * part["end"]].decode("utf-16-le")
            assert found.replace("&#128512;", "😀") == part["text"]
            n += 1
    assert n > len(text) // 6


@pytest.mark.parametrize(
    ("format_", "offsets"),
    [
        *((name, True) for name in ("columns", "conllu", "conllup")),
        *((name, False) for name in ("jsonl", "spans", "csv", "parquet")),
    ],
)
def test_formats_that_write_places(as_file, format_, offsets):
    path = as_file("a.txt", TEXT)
    if format_ == "parquet":
        pytest.importorskip("pyarrow")
    written = converted(path, format_, offsets=offsets)
    assert written != b"".join(
        senna.convert(path, format_, tasks="value", offsets=offsets, offset_unit="character")
    )
    for start, end, found in places_in(written, format_):
        assert cut(TEXT, start, end) == found


def places_in(written: bytes, format_: str) -> list[tuple[int, int, str]]:
    if format_ == "parquet":
        import io

        import pyarrow.parquet

        records = pyarrow.parquet.read_table(io.BytesIO(written)).to_pylist()
        rows = [part for record in records for part in parts_of(record)]
    elif format_ == "jsonl":
        rows = [part for line in written.splitlines() for part in parts_of(json.loads(line))]
    elif format_ in ("spans", "csv"):
        text = written.decode().splitlines()
        quoting = csv.QUOTE_NONE if format_ == "spans" else csv.QUOTE_MINIMAL
        delimiter = "\t" if format_ == "spans" else ","
        rows = list(csv.DictReader(text, delimiter=delimiter, quoting=quoting))
    else:
        cells = [line.split("\t") for line in written.decode().splitlines() if "\t" in line]
        rows = [dict(zip(("text", "start", "end"), row, strict=False)) for row in cells]
        if format_ != "columns":
            misc = [
                dict(part.split("=") for part in row[9].split("|"))
                for row in cells
                if "-" not in row[0]
            ]
            rows = [
                {"text": row[1], "start": more["start_char"], "end": more["end_char"]}
                for row, more in zip(cells, misc, strict=True)
            ]
    assert len(rows) > 3
    return [(int(row["start"]), int(row["end"]), row["text"]) for row in rows]


@pytest.mark.parametrize("format_", ["jsonl", "spans"])
def test_rows_of_a_table(as_file, format_):
    texts = ["😀 was 5 😀.", TEXT.replace("\n", " ")]
    path = as_file("a.csv", "text\n" + "".join(f'"{text}"\n' for text in texts))
    written = converted(path, format_)
    if format_ == "jsonl":
        records = [json.loads(line) for line in written.splitlines()]
        parts = [(record["row"], part) for record in records for part in parts_of(record)]
    else:
        rows = csv.DictReader(written.decode().splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
        parts = [(int(row["row"]), row) for row in rows]
    assert {row for row, _ in parts} == {1, 2}
    for row, part in parts:
        assert cut(texts[row - 1], int(part["start"]), int(part["end"])) == part["text"]


@pytest.mark.parametrize("input_", ["columns", "conllu"])
def test_sentences_whose_text_is_their_own(tmp_path, input_):
    path = tmp_path / "a"
    words = ["😀", "paid", "$", "5", "😀", "."]
    more = "\t_" * 8 if input_ == "conllu" else ""
    number = "{}\t" if input_ == "conllu" else ""
    lines = [number.format(i) + word + more + "\n" for i, word in enumerate(words, start=1)]
    path.write_text(("".join(lines) + "\n") * 2, encoding="utf-8")
    for line in converted(path, "jsonl", input=input_).splitlines():
        record = json.loads(line)
        for part in parts_of(record):
            assert cut(record["text"], part["start"], part["end"]) == part["text"]


def test_documents():
    document = senna.load("value")(TEXT)
    rows = document.to("spans", offset_unit="utf16").splitlines()[1:]
    assert len(rows) == len(document.spans("value")) > 3
    for row in (line.split("\t") for line in rows):
        assert cut(TEXT, int(row[2]), int(row[3])) == row[6]
    assert document.to("spans", offset_unit="character") == document.to("spans")
    for format_, unit in (("doccano", "utf16"), ("spans", "bytes")):
        with pytest.raises(SennaError, match="offset_unit"):
            document.to(format_, offset_unit=unit)


def test_formats_without_a_place_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("text\nHi\n")
    for format_ in ("doccano", "parquet"):
        with pytest.raises(SennaError, match="offset_unit"):
            senna.convert(tmp_path / "a.csv", format_, **UTF16)
