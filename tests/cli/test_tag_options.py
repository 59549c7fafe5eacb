"""`senna tag`: its options, documents among them; `senna.convert` writes the same."""

import pytest

from senna import convert
from senna.pipeline.files import input_by_suffix
from tests.program import Senna

TEXT = b"Anna saw London.\n"


def test_convert_writes_what_the_command_writes(senna, tmp_path):
    text = tmp_path / "in.txt"
    text.write_bytes(TEXT + b"\nLondon is old. Anna said so.\n")
    for format in ("html", "conll2012"):
        done = senna("tag", "--format", format, "--task", "pos,ner", text)
        assert b"".join(convert(text, format, tasks="pos,ner")) == done.out
    by_two = b"".join(convert([text, text], format, tasks="pos,ner", jobs=2))
    assert by_two.startswith(done.out[: done.out.index(b"London")])


def test_a_column_of_what_is_no_table_is_not_left_out_in_silence(senna, as_file):
    posts = as_file("posts.txt", "id,comment\n7,Bob slept.\n")
    for flag, name in (("--keep", "id"), ("--column", "comment")):
        done = senna("tag", "--task", "pos", posts, flag, name)
        assert (
            f"{flag}: only tables have names of columns, not text. Give --input csv." in done.error
        )
    table = ("--input", "csv", "--column", "comment", "--keep", "id", "--format", "csv")
    assert senna("tag", *table, posts).code == 0


@pytest.mark.parametrize(
    ("files", "input"),
    [
        ([], "text"),
        (["-"], "text"),
        (["a.txt", "b"], "text"),
        (["A.CSV", "b.csv.gz", "c.tsv"], "csv"),
        (["a.htm", "b.html"], "html"),
        (["a.conllu.xz"], "conllu"),
        (["a.parquet"], "parquet"),
    ],
)
def test_the_input_is_what_the_suffix_says(files, input):
    assert input_by_suffix(files) == input


def test_an_option_says_more_than_a_suffix(senna, tmp_path):
    (tmp_path / "a.csv").write_text("text\nAnna ran.\n", encoding="utf-8")
    words = senna("tag", "--task", "pos", tmp_path / "a.csv").out.split()
    assert words[0] == b"Anna"
    named = senna("tag", "--task", "pos", "--input", "text", tmp_path / "a.csv").out.split()
    assert named[0] == b"text"
    error = senna("tag", tmp_path / "a.csv", "b.txt").error
    assert error.startswith("--input: ") and "have different formats" in error


def test_files_to_a_folder(senna, tmp_path):
    files = [tmp_path / f"{name}.txt" for name in "abc"]
    for file in files:
        file.write_bytes(TEXT)
    options = ("tag", "--task", "ner", "--output-dir", tmp_path / "out")
    done = senna(*options, *files)
    assert done[:2] == (0, b"") and done.err.startswith("senna: tagged 3 of 3 files, ")
    again = senna(*options, "--resume", *files).err.strip()
    assert again.endswith("; 3 files left as before.")
    assert senna(*options, "--quiet", *files) == (0, b"", "")
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written == {"a.tsv", "b.tsv", "c.tsv", ".senna.json"}
    assert "--output-dir" in senna("tag", "--resume", *files).error
    assert "--output-dir" in senna(*options, "-o", "x", *files).error


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize("jobs", [1, 2])
def test_files_with_errors_may_be_skipped(senna, tmp_path, jobs):
    files = [tmp_path / f"{name}.txt" for name in "abcd"]
    for file in files[::3]:
        file.write_bytes(TEXT)
    files[2].write_bytes(TEXT + b" " * 10_000 + b"\xff")  # beyond what is looked at before
    out = tmp_path / "out"
    options = ("tag", "--task", "pos", "--output-dir", out, "--jobs", jobs, *files)
    assert senna(*options).error.startswith(f"{files[1]}: no such file")
    done = senna(*options, "--skip-errors")
    assert (done.code, done.out) == (1, b"")
    assert done.err.splitlines()[0].startswith(f"senna: {files[1]}: no such file")
    assert done.err.splitlines()[1].startswith(f"senna: {files[2]}:2: not valid UTF-8")
    assert "tagged 2 of 4 files" in done.err and "; 2 files left as before" in done.err
    assert {path.name for path in out.iterdir()} == {"a.tsv", "d.tsv", ".senna.json"}
    assert "--skip-errors" in senna("tag", "--skip-errors", files[0]).error


@pytest.mark.usefixtures("shipped")
def test_a_file_that_is_named_twice_is_tagged_once(senna, tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(TEXT)
    done = senna("tag", "--task", "pos", "--output-dir", tmp_path / "out", file, file)
    assert done.code == 0 and "tagged 1 of 1 file," in done.err and "left" not in done.err


@pytest.mark.usefixtures("shipped")
def test_a_table_that_looks_like_columns_is_called_csv(senna, as_file):
    file = as_file("t.txt", "id\ttext\n7\tAnna ran.\n")
    error = senna("tag", "--task", "pos", file).error
    assert "Say --input columns, or csv for a table with a row of names" in error


@pytest.mark.usefixtures("shipped")
def test_markup_that_no_option_calls_text_is_refused(senna, tmp_path, as_file):
    file = as_file("a.txt", '{"text": "Anna ran."}\n')
    for given in ((file,), (file, "--output-dir", tmp_path)):
        error = senna("tag", "--task", "pos", *given).error
        assert error.startswith(f"{file}: this looks like JSON, not like text.")
    error = senna("tag", "--task", "pos", data=file.read_bytes()).error
    assert error.startswith("<stdin>: ") and "Say --input jsonl" in error
    assert senna("tag", "--task", "pos", "--input", "text", file).code == 0


SENTENCES = "Anna ran. She slept.\nWhy?\n\nBob won.\n"
COLUMNS = "Anna O\n\n-DOCSTART- O\n\nBob O\n\n"


def opened(senna: Senna, data: str, *options: str) -> list[str]:
    """The first words of the documents."""
    done = senna("tag", "-q", "--task", "ner", "--format", "conllu", *options, data=data.encode())
    assert (done.code, done.err) == (0, ""), done
    blocks = done.out.decode().split("\n\n")
    rows = [block.splitlines() for block in blocks if block.startswith("# newdoc")]
    return [next(r for r in row if r.startswith("1\t")).split("\t")[1] for row in rows]


@pytest.mark.usefixtures("shipped")
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
    assert opened(senna, SENTENCES, *(["--document", kind] if kind else [])) == words


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_each_paragraph_of_a_long_text_is_a_document(senna, jobs):
    text = "Anna ran far away. She slept.\n\n" * 300
    words = opened(senna, text, "--document", "blank", "--jobs", jobs)
    assert words == ["Anna"] * 300


@pytest.mark.usefixtures("shipped")
def test_marks_of_columns_open_documents_unless_a_file_is_one(senna):
    options = ("--input", "columns", "--document")
    assert opened(senna, COLUMNS, *options, "docstart") == ["Anna", "Bob"]
    assert opened(senna, COLUMNS, *options, "file") == ["Anna"]


@pytest.mark.usefixtures("shipped")
def test_lines_and_blank_lines_are_of_raw_text(senna):
    error = senna("tag", "--input", "columns", "--document", "line", data=b"a\n").error
    assert error.startswith("--document: 'line' is for raw text, and the input is columns.")
