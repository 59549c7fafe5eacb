"""`senna tag`: its options; `senna.convert` writes the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from senna import convert
from senna.pipeline.files import input_by_suffix
from tests.program import Senna

TEXT = b"Anna saw London.\n"


def test_convert_writes_what_the_command_writes(senna: Senna, tmp_path: Path) -> None:
    text = tmp_path / "in.txt"
    text.write_bytes(TEXT + b"\nLondon is old. Anna said so.\n")
    for format in ("html", "conll2012"):
        done = senna("tag", "--format", format, "--task", "pos,ner", text)
        assert b"".join(convert(text, format, tasks="pos,ner")) == done.out
    by_two = b"".join(convert([text, text], format, tasks="pos,ner", jobs=2))
    assert by_two.startswith(done.out[: done.out.index(b"London")])


@pytest.mark.parametrize(
    ("files", "input"),
    [
        ([], "text"),
        (["-"], "text"),
        (["a.txt", "b"], "text"),
        (["A.CSV", "b.csv.gz"], "csv"),
        (["a.htm", "b.html"], "html"),
        (["a.conllu.xz"], "conllu"),
        (["a.parquet"], "parquet"),
    ],
)
def test_the_input_is_what_the_suffix_says(files: list[str], input: str) -> None:
    assert input_by_suffix(files) == input


def test_an_option_says_more_than_a_suffix(senna: Senna, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text\nAnna ran.\n", encoding="utf-8")
    words = senna("tag", "--task", "pos", tmp_path / "a.csv").out.split()
    assert words[0] == b"Anna"
    named = senna("tag", "--task", "pos", "--input", "text", tmp_path / "a.csv").out.split()
    assert named[0] == b"text"
    error = senna("tag", tmp_path / "a.csv", "b.txt").error
    assert error.startswith("--input: ") and "have different formats" in error


def test_files_to_a_folder(senna: Senna, tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.txt" for name in "abc"]
    for file in files:
        file.write_bytes(TEXT)
    options = ("tag", "--task", "ner", "--output-dir", tmp_path / "out")
    done = senna(*options, *files)
    assert done[:2] == (0, b"") and done.err.startswith("senna: tagged 3 of 3 files, ")
    again = senna(*options, "--resume", *files).err.strip()
    assert again.endswith("; 3 left as they were.")
    assert senna(*options, "--quiet", *files) == (0, b"", "")
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written == {"a.tsv", "b.tsv", "c.tsv", ".senna.json"}
    assert "--output-dir" in senna("tag", "--resume", *files).error
    assert "--output-dir" in senna(*options, "-o", "x", *files).error
    named = ("tag", "--format", "spans", "-o", tmp_path / "x.csv", files[0])
    assert "its name says another format than spans" in senna(*named).error


@pytest.mark.usefixtures("shipped")
def test_markup_that_no_option_calls_text_is_refused(senna: Senna, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text('{"text": "Anna ran."}\n', encoding="utf-8")
    for given in ((file,), (file, "--output-dir", tmp_path)):
        error = senna("tag", "--task", "pos", *given).error
        assert error.startswith(f"{file}: this looks like JSON, not like text.")
    error = senna("tag", "--task", "pos", data=file.read_bytes()).error
    assert error.startswith("<stdin>: ") and "Say --input jsonl" in error
    assert senna("tag", "--task", "pos", "--input", "text", file).code == 0
