"""senna tag --document: where a document begins, in formats that mark it and for names."""

from pathlib import Path

import pytest

from tests.program import Senna

TEXT = "Anna ran. She slept.\nWhy?\n\nBob won.\n"
COLUMNS = "Anna O\n\n-DOCSTART- O\n\nBob O\n\n"


@pytest.fixture(autouse=True)
def small(shipped: Path) -> None:
    """The small models."""


def opened(senna: Senna, data: str, *options: str) -> list[str]:
    """The first words of the documents."""
    done = senna("tag", "-q", "--task", "ner", "--format", "conllu", *options, data=data.encode())
    assert (done.code, done.err) == (0, ""), done
    blocks = done.out.decode().split("\n\n")
    rows = [block.splitlines() for block in blocks if block.startswith("# newdoc")]
    return [next(r for r in row if r.startswith("1\t")).split("\t")[1] for row in rows]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("", ["Anna"]),
        ("file", ["Anna"]),
        ("docstart", ["Anna"]),
        ("line", ["Anna", "Why", "Bob"]),
        ("blank", ["Anna", "Bob"]),
    ],
)
def test_documents_of_raw_text(senna, kind, words):
    assert opened(senna, TEXT, *(["--document", kind] if kind else [])) == words


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_each_paragraph_of_a_long_text_is_a_document(senna, jobs):
    text = "Anna ran far away. She slept.\n\n" * 300
    words = opened(senna, text, "--document", "blank", "--jobs", jobs)
    assert words == ["Anna"] * 300


def test_marks_of_columns_open_documents_unless_a_file_is_one(senna):
    options = ("--input", "columns", "--document")
    assert opened(senna, COLUMNS, *options, "docstart") == ["Anna", "Bob"]
    assert opened(senna, COLUMNS, *options, "file") == ["Anna"]


def test_lines_and_blank_lines_are_of_raw_text(senna):
    error = senna("tag", "--input", "columns", "--document", "line", data=b"a\n").error
    assert error.startswith("--document: 'line' is for raw text, and the input is columns.")
