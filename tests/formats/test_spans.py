"""Phrases and roles as a table."""

import csv
import io

import pytest

import senna
from senna.annotation.dependencies import Arc
from senna.annotation.predicates import Predicate
from senna.decoding.requests import Scored
from senna.formats.tables import names
from senna.kinds.answer import Line
from senna.pipeline.format import check_tasks, format_of
from senna.pipeline.options import Options
from senna.text.tokens import spaced

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


def test_rows_and_columns_of_a_table(tmp_path):
    file = f"{tmp_path}/t.csv"
    with open(file, "w", encoding="utf-8") as out:
        out.write('id,text\n7,"Anna Weber flew to Lisbon."\n8,It rained in Basel.\n')
    parts = senna.convert(file, "csv", keep="id")
    head, *rows = csv.reader(io.StringIO(b"".join(parts).decode()))
    assert head == "file,row,start,end,task,label,text,score,predicate,id".split(",")
    assert [(row[1], row[6], row[9]) for row in rows] == [
        ("1", "Anna Weber", "7"),
        ("1", "Lisbon", "7"),
        ("2", "Basel", "8"),
    ]


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


@pytest.mark.parametrize("form", ["spans", "csv"])
def test_tasks_without_spans_are_not_an_empty_table(form):
    arcs = [[Arc(2, "a"), Arc(3, "b"), Arc(0, "root"), Arc(3, "c"), Arc(3, "d")]]
    with pytest.raises(senna.SennaError, match="no place for pos and dep. Choose columns"):
        check_tasks(form, ["pos", "dep"])
    assert "Lisbon" in format_of(form).write([line_of()], {"ner": [NER], "dep": arcs}, Options())
