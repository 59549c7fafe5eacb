"""Texts in a column of a table (CSV, Parquet, JSON), and phrases and roles as a table."""

import csv
import io
import json
import re
import sys
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import senna
from senna.annotation.predicates import Predicate
from senna.decoding.requests import Scored
from senna.errors import SennaError
from senna.formats.tables import names, read_csv, read_jsonl, read_parquet
from senna.kinds.answer import Line
from senna.pipeline.format import format_of
from senna.pipeline.options import Options
from senna.text.tokens import spaced

CELL = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=12)


def rows_of(text: str, column: str = "text") -> list[tuple[int, str]]:
    lines = io.StringIO(text, newline="\n")
    return [(number, cell) for number, cell, _ in read_csv(lines, column, name="t.csv")]


@given(st.lists(CELL, max_size=4), st.sampled_from(",;\t"), st.sampled_from(["\n", "\r\n"]))
def test_any_texts_come_back(texts, delimiter, end):
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=csv.QUOTE_ALL)
    writer.writerows([["id", "text"], *([i, text] for i, text in enumerate(texts))])
    assert rows_of(out.getvalue()) == list(enumerate(texts, start=1))


def test_rows_of_csv():
    assert rows_of("") == []
    assert rows_of("text\n") == []
    assert rows_of('\ufefftext,n\na,1\n\n"b\nc",2\n') == [(1, "a"), (2, "b\nc")]
    assert rows_of("n,text\n1\n2,x\n") == [(2, "x")]
    assert rows_of("n,text\n1,x,,\n") == [(1, "x")]
    long = "x" * 200_000
    assert rows_of(f"text\n{long}\n") == [(1, long)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("text,text\nx,y\n", "t.csv:1: two columns are called 'text'"),
        ("a,b\nx,y\n", "t.csv:1: no column 'text'. Choose with column: a, b."),
        (
            "id,text\n1,Ann\n2,Bo, who ran\n",
            "t.csv:3: the row has 3 cells, and the first row has 2.",
        ),
        ('text\nx\n"never closed\n', "t.csv:3: not valid CSV: unexpected end of data"),
        ('text\n"a"b\n', "t.csv:2: not valid CSV: ',' expected after '\"'"),
    ],
)
def test_what_is_wrong_with_csv(text, message):
    with pytest.raises(SennaError) as error:
        rows_of(text)
    assert str(error.value).startswith(message)


def parquet(folder: Path, **columns: list[Any]) -> str:
    arrow = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet").write_table(arrow.table(columns), folder / "t.parquet")
    return str(folder / "t.parquet")


@pytest.mark.parametrize("package", ["pyarrow", "pandas"])
def test_rows_of_parquet(tmp_path, monkeypatch, package):
    texts = ["a\nb", None, "", *["x"] * 3_000]
    file = parquet(tmp_path, id=list(range(len(texts))), text=texts)
    if package == "pandas":
        monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
        frame = frame_of({"id": [1] * len(texts), "text": texts})
        monkeypatch.setitem(sys.modules, "pandas", frame)
    found = [record[:2] for record in read_parquet(file, "text")]
    assert found == [(i, text) for i, text in enumerate(texts, start=1) if text is not None]
    with pytest.raises(SennaError, match="no column 'body'. Choose with column: id, text"):
        list(read_parquet(file, "body"))


def frame_of(columns: dict[str, list[Any]]) -> ModuleType:
    """As much of pandas as is asked for."""

    class Column(list[Any]):
        def tolist(self) -> list[Any]:
            return list(self)

    class Frame:
        def __init__(self) -> None:
            self.columns = list(columns)

        def __getitem__(self, name: str) -> Column:
            return Column(columns[name])

    made = ModuleType("pandas")
    made.read_parquet = lambda file: Frame()
    return made


def test_columns_that_are_kept(tmp_path):
    lines = ["id,text,n\n", "7,Hi,a\n", "8,Ho\n"]
    assert list(read_csv(lines, "text", ["n", "id"], name="t.csv")) == [
        (1, "Hi", ["a", "7"]),
        (2, "Ho", ["", "8"]),
    ]
    file = parquet(tmp_path, id=[7, None], text=["Hi", "Ho"])
    assert list(read_parquet(file, "text", ["id", "text"])) == [
        (1, "Hi", ["7", "Hi"]),
        (2, "Ho", ["", "Ho"]),
    ]
    for read in (partial(read_csv, lines, name="t.csv"), partial(read_parquet, file)):
        with pytest.raises(SennaError, match="no column 'm'. Choose with keep: "):
            list(read(column="text", keep=["m"]))


def test_what_is_wrong_with_parquet(tmp_path):
    file = parquet(tmp_path, id=[1, 2])
    with pytest.raises(SennaError, match="column 'id' holds int64, not text"):
        list(read_parquet(file, "id"))
    for damaged in (tmp_path / "none.parquet", tmp_path / "bad.parquet"):
        if damaged.name.startswith("bad"):
            damaged.write_bytes(b"PAR1 no")
        with pytest.raises(SennaError, match="not valid Parquet: "):
            list(read_parquet(str(damaged), "text"))


def test_without_a_package_that_reads_it(monkeypatch):
    for name in ("pyarrow.parquet", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(SennaError) as error:
        list(read_parquet("t.parquet", "text"))
    assert str(error.value) == (
        "t.parquet: Parquet needs pyarrow, or pandas. pip install pyarrow, or give CSV."
    )
    with pytest.raises(SennaError, match="cannot be read from a pipe"):
        list(read_parquet("-", "text"))


def test_faulty_columns_of_parquet_are_an_error_in_a_line(tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    places = pa.array([0, 3], pa.int32()).buffers()[1]
    bad = pa.Array.from_buffers(pa.string(), 1, [None, places, pa.py_buffer(b"a\xffb")])
    path = tmp_path / "x.parquet"
    for columns, what in (([bad], "not UTF-8"), ([pa.array(["a"])] * 2, "two columns are called")):
        parquet.write_table(pa.table(columns, names=["text"] * len(columns)), path)
        with pytest.raises(SennaError, match=what):
            list(read_parquet(str(path), "text"))


def test_long_cells_are_read_without_a_change_to_the_limit_of_the_process():
    before = csv.field_size_limit()
    rows = read_csv(["text\n", "a" * (before + 1) + "\n"], "text", name="x")
    assert len(next(rows)[1]) == before + 1
    assert csv.field_size_limit() == before


JSON = """\ufeff{"id": 7, "text": "Ann left."}

{"text": "Bob\\nran.", "id": null, "more": [1]}
{"text": null}
"""


@pytest.mark.usefixtures("shipped")
def test_texts_in_lines_of_json(as_file):
    file = as_file("a.jsonl", JSON)
    found = b"".join(senna.convert(file, "jsonl", tasks="pos", keep="id,more")).decode()
    rows = [json.loads(line) for line in found.splitlines()]
    assert [(row["row"], row["text"], row["columns"]) for row in rows] == [
        (1, "Ann left.", {"id": "7", "more": ""}),
        (3, "Bob\nran.", {"id": "", "more": "[1]"}),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "[1]",
            "t:1: the line is not a JSON object. If the file is not JSON",
        ),
        (
            '{"text": "Ann',
            "t:1: the line is not a JSON object. If the file is not JSON",
        ),
        ('{"body": "Ann"}', "t:1: no member 'text'. Choose with column: body."),
        ('{"text": 5}', "t:1: 'text' is 5, not a text"),
        ('{"text": "", "tokens": [], "tags": {}, "spans": {}}', "t:1: this is tagged already."),
        ('{"text": "", "tasks": [], "sentences": []}', "t:1: this is tagged already."),
    ],
)
def test_lines_of_json_without_a_text_are_refused(line, message):
    with pytest.raises(SennaError, match=re.escape(message)):
        list(read_jsonl([line], "text", name="t"))


TEXT = "Anna Weber saw\nLisbon . "
NER = Scored(["B-PER", "E-PER", "O", "S-LOC", "O"], [0.9] * 5, [-0.1] * 5, [0.0] * 5)
ROLES = [Predicate(2, ["B-A0", "E-A0", "S-V", "S-A1", "O"])]


def line_of() -> Line:
    return Line(TEXT[:-1], 7, spaced(TEXT.split(), 7), file="a.txt", line=3, kept={"id": "x\ty"})


def test_a_row_per_phrase_and_role():
    style = Options(keep=("id",))
    answers = {"ner": [NER], "srl": [ROLES]}
    text = format_of("spans").write([line_of()], answers, style)
    rows = [line.split("\t") for line in text.splitlines()]
    assert names(style)[:2] == ["file", "line"]
    assert rows == [
        ["a.txt", "3", "7", "17", "ner", "PER", "Anna Weber", "0.905", "", "x y"],
        ["a.txt", "3", "22", "28", "ner", "LOC", "Lisbon", "0.905", "", "x y"],
        ["a.txt", "3", "18", "21", "srl", "V", "saw", "", "18", "x y"],
        ["a.txt", "3", "7", "17", "srl", "A0", "Anna Weber", "", "18", "x y"],
        ["a.txt", "3", "22", "28", "srl", "A1", "Lisbon", "", "18", "x y"],
    ]
    quoted = format_of("csv").write([line_of()], answers, style)
    assert [row[:9] for row in csv.reader(io.StringIO(quoted))] == [row[:9] for row in rows]
    assert [row[9] for row in csv.reader(io.StringIO(quoted))] == ["x\ty"] * 5


@pytest.mark.parametrize(
    ("input", "text", "numbers"),
    [
        ("text", "\n\nAnna saw Basel.\n\nHe left. Anna\nsaw Basel.\n", [3, 3, 5, 5]),
        ("lines", "\nAnna saw Basel.\nAnna left.\n", [2, 2, 3]),
        ("tokens", "\nAnna saw Basel .\n\nAnna left .\n", [2, 2, 4]),
        ("columns", "\nAnna\nleft\n\n\nAnna\nsaw\n", [2, 6]),
    ],
)
def test_lines_are_those_of_the_input(tmp_path, input, text, numbers):
    file = f"{tmp_path}/in"
    with open(file, "w", encoding="utf-8") as out:
        out.write(text * 30)
    rows = b"".join(senna.convert(file, "spans", input=input)).decode().splitlines()[1:]
    height = text.count("\n")
    assert [int(row.split("\t")[1]) for row in rows] == [
        number + height * i for i in range(30) for number in numbers
    ]
