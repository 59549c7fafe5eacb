"""senna tag: formats to write, CoNLL-U and tables to read, compressed text piped in, waiting."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import pickle
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from senna.formats import FORMATS
from senna.pipeline import stream
from senna.text import sentences
from senna.text.conllu import read_conllu
from tests.cli.conftest import Senna, Terminal

TEXT = "Anna Vedard flew to Marburgh.  Dr. Weber's team didn't win, he said.\n\nWhy?\n"
CONLLU = (
    "# sent_id = 1\n1\tAnna\t_\t_\t_\t_\t_\t_\t_\t_\n2-3\tdidn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "2\tdid\t_\t_\t_\t_\t_\t_\t_\t_\n3\tn't\t_\t_\t_\t_\t_\t_\t_\t_\n"
    "4\tfly\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n5\t.\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
)
PAGE = (
    "<!DOCTYPE html><title>AT&amp;T rose</title><script>if (a < b) {}</script>\n"
    "<p>Anna <b>Ved</b>ard\n  flew.<!-- no --></p><p>Why?\n"
)
COMMON = [
    name for name in FORMATS if name not in ("props", "trees", "tsv", "svg")
]  # which need no more models, and are one file


def as_bytes(load: Callable[[], Any], items: Iterator[Any], jobs: int) -> Iterator[Any]:
    """As `pool.in_order`: all that goes to processes and comes back is bytes, but here."""

    def sent(what: Any) -> Any:
        return pickle.loads(pickle.dumps(what)) if jobs > 1 else what

    work = sent(load)()
    yield from ((item, sent(work(sent(item)))) for item in items)


@pytest.fixture(params=COMMON)
def common(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """A format, whose tests need no processes; for one of them they start."""
    if request.param == "parquet":
        pytest.importorskip("pyarrow")
    if request.param != "jsonl":
        monkeypatch.setattr(stream, "in_order", as_bytes)
    return str(request.param)


# --------------------------------------------------------------------------- output


def test_a_format_is_the_same_for_any_number_of_jobs(
    senna: Senna, models: Path, tmp_path: Path, common: str
) -> None:
    (tmp_path / "a.txt").write_text(TEXT * 50, encoding="utf-8")
    (tmp_path / "b.txt").write_text(TEXT, encoding="utf-8")
    files = (tmp_path / "a.txt", tmp_path / "b.txt")
    options = ("tag", "--model", models / "ner", "--format", common, "--input", "lines", *files)
    one = senna(*options)
    assert (one.code, one.err) == (0, "")
    assert common == "parquet" or one.out.count(b"Marburgh") >= 51  # which is compressed
    assert senna(*options, "--jobs", 2).out == one.out


@pytest.mark.usefixtures("shipped")
def test_a_page_is_whole_however_much_is_in_it(senna: Senna) -> None:
    for data in ("", TEXT, TEXT * 300):
        page = senna("tag", "--format", "html", "--input", "lines", data=data.encode()).out.decode()
        assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
        assert page.count("<!DOCTYPE") == page.count("</html>") == 1
        assert page.count("<article>") == data.count(".\n") + data.count("?\n")


@pytest.mark.usefixtures("shipped")
def test_documents_of_conll2012_begin_and_end(senna: Senna, tmp_path: Path) -> None:
    both = (tmp_path / "a.txt", tmp_path / "b.txt")
    for path in both:
        path.write_text(TEXT * 200, encoding="utf-8")
    options = ("--format", "conll2012", "--task", "pos,ner")
    text = senna("tag", *options, *both).out.decode()
    marks = [line for line in text.splitlines() if line.startswith("#")]
    begins = [f"#begin document ({path}); part 000" for path in both]
    assert marks == [begins[0], "#end document", begins[1], "#end document"]
    assert text.endswith("\n\n#end document\n")
    assert senna("tag", *options, data=b"").out == b""
    # As input it is the same again; as gold it is what the model finds.
    (tmp_path / "c.conll").write_text(text, encoding="utf-8")
    again = senna("tag", *options, "--input", "conll2012", tmp_path / "c.conll").out.decode()
    name = str(tmp_path / "c.conll")
    assert again == text.replace(str(both[0]), name).replace(str(both[1]), name)
    for task in ("pos", "ner"):
        scored = senna("eval", "--task", task, "--model", task, "--json", tmp_path / "c.conll")
        assert json.loads(scored.out)["f1" if task == "ner" else "accuracy"] == 100.0


def test_nothing_is_written_where_there_is_no_model(senna: Senna, tmp_path: Path) -> None:
    done = senna("tag", "--format", "html", "--model", tmp_path / "none", data=b"Hi")
    assert "not a model folder" in done.error
    assert done.out == b""


@pytest.mark.usefixtures("shipped")
def test_files_are_told_apart(senna: Senna, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(f"{TEXT}", encoding="utf-8")
    both = (tmp_path / "a.txt", tmp_path / "b.txt")
    out = senna("tag", "--format", "jsonl", "--task", "pos", *both).out.decode()
    found = [json.loads(line) for line in out.splitlines()]
    assert [own["file"] for own in found] == [str(path) for path in both for _ in range(3)]
    assert [own["start"] for own in found[:3]] == [own["start"] for own in found[3:]]
    out = senna("tag", "--format", "conllu", *both).out.decode()
    assert out.count("# newdoc") == 2 and f"# newdoc id = {both[1]}\n" in out
    assert senna("tag", "--format", "conll", *both).out.count(b"-DOCSTART-") == 2


@pytest.mark.usefixtures("shipped")
def test_a_format_asks_for_its_tasks(senna: Senna, models: Path) -> None:
    assert "[" in senna("tag", "--format", "inline", data=b"Anna Vedard slept .").out.decode()
    ner = senna("tag", "--format", "conll", "--model", models / "ner", data=b"Anna slept .")
    assert ner.out.startswith(b"-DOCSTART- -X- O O\n\nAnna _ _ ")
    assert "needs task psg" in senna("tag", "--format", "trees", "--task", "ner").error
    assert "no model for task 'psg'" in senna("tag", "--format", "trees", data=b"Hi").error
    both = senna("tag", "--format", "inline", "--task", "chunk,ner", data=b"Hi").error
    assert "shows the phrases of one task" in both


@pytest.mark.usefixtures("shipped")
@pytest.mark.parametrize(
    ("format_", "task", "jobs"),
    [("tsv", "label", 1), ("trees", "psg", 1), ("props", "srl", 1), ("props", "srl", 2)],
)
def test_all_tasks_without_the_one_that_a_format_needs(
    senna: Senna, models: Path, format_: str, task: str, jobs: int
) -> None:
    for options in ((),) * (task == "label") + (("--model", models / "ner"),):
        call = ("tag", "--task", "all", "--format", format_, "--jobs", jobs)
        assert f"--format {format_}: needs task {task}" in senna(*call, *options, data=b"Hi").error


def test_offsets_where_a_format_has_them(senna: Senna, models: Path) -> None:
    options = ("tag", "--model", models / "pos", "--offsets", "--format")
    assert b"start_char=3|end_char=6" in senna(*options, "conllu", data=b"We ran").out
    for name in ("conll", "html", "ansi", "inline"):
        assert f"{name} has no offsets" in senna(*options, name).error


# --------------------------------------------------------------------------- CoNLL-U


def test_words_of_conllu_are_tagged_and_all_else_is_kept(senna: Senna, models: Path) -> None:
    options = ("tag", "--model", models / "pos", "--input", "conllu")
    data = CONLLU.encode() * 300
    plain = senna(*options, data=data).out.decode()
    rows = [row.split("\t") for row in plain.split("\n\n")[0].split("\n")]
    assert [row[0] for row in rows] == ["Anna", "did", "n't", "fly", "."]
    done = senna(*options, "--format", "conllu", data=data)
    read = list(read_conllu(io.StringIO(done.out.decode()), name=""))
    assert len(read) == 300
    for sentence in read:
        assert [row[4] for row in sentence.words] == [row[1] for row in rows]
        assert sentence.comments == ["# sent_id = 1"]
        assert len(sentence.rows) == 6
    first = json.loads(senna(*options, "--format", "jsonl", data=data).out.split(b"\n")[0])
    assert first["text"] == "Anna didn't fly."
    assert all(first["text"][t["start"] : t["end"]] == t["text"] for t in first["tokens"])


def test_faults_of_conllu_are_told_with_their_line(senna: Senna, models: Path) -> None:
    options = ("tag", "--model", models / "pos", "--input", "conllu")
    assert "<stdin>:9: 1 field" in senna(*options, data=CONLLU.encode() + b"x\n").error
    assert "conllu have no offsets" in senna(*options, "--offsets").error
    empty = CONLLU.replace("\tfly\t", "\t\t").encode()
    assert "<stdin>:6: the field FORM is empty" in senna(*options, data=empty).error


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ("2 1", "x.conllu:1: no roots"),
        ("0 0", "x.conllu:2: 2 roots"),
        ("0 3", "x.conllu:2: head '3'"),
        ("0 _", "x.conllu:2: head '_'"),
        ("0 3 2", "x.conllu:2: a cycle of heads"),
    ],
)
def test_what_is_no_tree_is_refused_unless_it_is_found_anew(
    senna: Senna, models: Path, tmp_path: Path, heads: str, message: str
) -> None:
    file, options = tmp_path / "x.conllu", ("--format", "conllu")
    rows = [f"{i}\tw\t_\t_\t_\t_\t{head}\tx\t_\t_\n" for i, head in enumerate(heads.split(), 1)]
    file.write_text("".join(rows) + "\n", encoding="utf-8")
    assert message in senna("tag", "--model", models / "pos", *options, file).error
    trees = senna("tag", "--task", "dep", *options, file)
    assert trees.code == 0 and trees.out.count(b"\troot\t") == 1


# --------------------------------------------------------------------------- tables


def table(path: Path, texts: list[str]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["id", "body"], *enumerate(texts)])
    return path


def test_each_row_of_a_table_is_a_text(senna: Senna, models: Path, tmp_path: Path) -> None:
    texts = ["We ran. We sat.", "", "It\n\nfell"] * 200
    path = table(tmp_path / "t.csv", texts)
    options = ("tag", "--model", models / "pos", "--input", "csv", "--column", "body")
    out = senna(*options, "--format", "jsonl", path).out.decode()
    found = [json.loads(line) for line in out.splitlines()]
    assert [own["row"] for own in found[:5]] == [1, 1, 3, 3, 4]
    assert len(found) == 800
    for own in found:
        text = texts[own["row"] - 1]
        assert text[own["start"] :].startswith(own["text"])
        assert own["file"] == str(path)
    piped = senna(*options, data=path.read_bytes())
    assert piped.out == senna(*options, path, "--jobs", 2).out
    pages = senna(*options, "--format", "conllu", path).out.decode()
    assert f"# newdoc id = {path}:3\n" in pages


def test_faults_of_tables_are_told(senna: Senna, models: Path, tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", ["x"])
    options = ("tag", "--model", models / "pos", "--input")
    assert "no column 'text'. Choose with --column: id, body" in senna(*options, "csv", path).error
    listed = senna(*options, "csv", "--predicates", path, path).error
    assert "sentences that are separated already" in listed
    assert "cannot be read from a pipe" in senna(*options, "parquet").error


def test_parquet_needs_a_package(
    senna: Senna, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(b"")
    for name in ("pyarrow.parquet", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    error = senna("tag", "--model", models / "pos", "--input", "parquet", path).error
    assert error == f"{path}: Parquet needs pyarrow, or pandas. pip install pyarrow, or give CSV."


def test_a_column_of_parquet(senna: Senna, models: Path, tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    path = tmp_path / "t.parquet"
    texts = ["We ran.", None, "It fell."]
    pytest.importorskip("pyarrow.parquet").write_table(arrow.table({"text": texts}), path)
    options = ("tag", "--model", models / "pos", "--input", "parquet", "--format", "jsonl")
    done = senna(*options, path)
    assert [json.loads(line)["row"] for line in done.out.splitlines()] == [1, 3]
    assert senna(*options, "--jobs", 2, path).out == done.out


# --------------------------------------------------------------------------- HTML


def test_a_page_is_tagged_as_its_text(senna: Senna, models: Path, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "b.html.gz").write_bytes(gzip.compress(b"We <b>r</b>an"))
    options = ("tag", "--model", models / "pos")
    text = "AT&T rose\n\nAnna Vedard flew.\n\nWhy?"
    plain = senna(*options, data=text.encode()).out
    pages = (*options, "--input", "html")
    assert senna(*pages, data=PAGE.encode()).out == plain
    both = senna(*pages, "--format", "jsonl", tmp_path / "a.html", tmp_path / "b.html.gz")
    found = [json.loads(line) for line in both.out.splitlines()]
    assert [own["text"] for own in found] == [*text.split("\n\n"), "We ran"]
    assert [own["start"] for own in found] == [PAGE.index(s) for s in ("AT", "An", "Wh")] + [0]
    places = [own["tokens"][0] for own in found]
    assert [PAGE[own["start"] : own["end"]] for own in places[:3]] == ["AT&amp;T", "Anna", "Why"]
    assert found[3]["tokens"][1] == {"text": "ran", "start": 6, "end": 13}
    offsets = senna(*pages, "--offsets", tmp_path / "a.html").out.decode()
    assert offsets.startswith("AT&T\t22\t30\t")
    assert b"start_char=22|end_char=30" in senna(
        *pages, "--offsets", "--format", "conllu", tmp_path / "a.html"
    ).out  # fmt: skip


def test_pages_in_any_format_for_any_number_of_jobs(
    senna: Senna, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, common: str
) -> None:
    monkeypatch.setattr(sentences, "segments", partial(sentences.segments, size=256))
    path = tmp_path / "a.html"
    path.write_text(PAGE * 100, encoding="utf-8")
    options = ("tag", "--model", models / "ner", "--format", common, "--input", "html", path)
    one = senna(*options)
    assert (one.code, one.err) == (0, "")
    assert common == "parquet" or one.out.count(b"Vedard") >= 100  # which is compressed
    assert senna(*options, "--jobs", 2).out == one.out


def test_faults_of_pages_are_told(senna: Senna, models: Path, tmp_path: Path) -> None:
    options = ("tag", "--model", models / "pos", "--input")
    wrong = senna(*options, "htm", data=b"x")
    assert wrong.code == 2 and "'htm' is not one of 'text', 'html'" in wrong.err
    assert "not valid UTF-8 (byte 0xe9)" in senna(*options, "html", data=b"<p>caf\xe9").error
    assert senna(*options, "html", "--errors", "replace", data=b"<p>caf\xe9").code == 0
    (tmp_path / "list").write_text("1\n", encoding="utf-8")
    listed = senna(*options, "html", "--predicates", tmp_path / "list", data=b"Hi").error
    assert "sentences that are separated already" in listed
    for empty in (b"", b"<p>", b"<!-- x", b"<script>x"):
        assert senna(*options, "html", data=empty) == (0, b"", "")


# --------------------------------------------------------------------------- standard input


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, bz2.compress])
def test_compressed_text_is_known_by_its_first_bytes(
    senna: Senna, models: Path, compress: Callable[[bytes], bytes]
) -> None:
    options = ("tag", "--model", models / "pos")
    data = TEXT.encode() * 500
    assert senna(*options, data=compress(data)).out == senna(*options, data=data).out
    assert senna(*options, data=compress(b"")).out == b""
    assert "fetch or compress it again" in senna(*options, data=compress(data)[:-20]).error


def test_somebody_at_a_terminal_is_told_what_it_waits_for(
    senna: Senna, models: Path, terminal: Terminal, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("Hi", encoding="utf-8")
    options = ("tag", "--model", models / "pos")
    terminal("stdin")
    done = senna(*options, data=b"Hi")
    assert done.code == 0 and done.out
    [line] = done.err.splitlines()
    assert line.startswith("senna: reading text from the terminal; press Ctrl-")
    assert senna(*options, tmp_path / "a.txt").err == ""


@pytest.mark.parametrize("command", [("eval", "--task", "ner"), ("classic", "-pos")])
def test_other_commands_at_a_terminal_wait_aloud(
    senna: Senna, models: Path, terminal: Terminal, command: tuple[str, ...]
) -> None:
    assert "reading" not in senna(*command).err
    terminal("stdin")
    assert senna(*command).err.startswith("senna: reading ")


def test_quiet(senna: Senna, models: Path, terminal: Terminal) -> None:
    terminal("stdin")
    for option in ("-q", "--quiet"):
        assert senna("tag", "--model", models / "pos", option, data=b"Hi").err == ""


@pytest.mark.parametrize("form", ["piped", "file", "compressed"])
@pytest.mark.parametrize("kind", ["text", "html", "tokens", "columns", "conllu", "csv"])
def test_slow_work_shows_how_far_it_is(
    senna: Senna, models: Path, terminal: Terminal, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch, form: str, kind: str,
) -> None:  # fmt: skip
    row = "{}\t{}" + "\t_" * 8 + "\n"
    conllu = "".join(row.format(i, w) for i, w in enumerate(("Anna", "ran", "."), start=1)) + "\n"
    data = {
        "columns": b"Anna\nran\n.\n\n" * 300,
        "csv": b"text\n" + b"Anna ran .\n" * 300,
        "conllu": conllu.encode() * 300,
    }.get(kind, b"Anna ran .\n" * 300)
    path = tmp_path / ("in.gz" if form == "compressed" else "in")
    path.write_bytes(gzip.compress(data) if form == "compressed" else data)
    command = ("tag", "--input", kind, "--model", models / "pos")
    file = "-" if form == "piped" else path
    run = partial(senna, *command, file, data=data)
    plain = run()
    assert plain.err == ""
    terminal("stderr")
    assert run().err == "", "not before two seconds"
    monkeypatch.setattr("senna.cli.terminal.SLOW", 0.0)
    shown = run()
    assert shown.out == plain.out
    last = shown.err.split("\r")[-1]
    if form == "file":
        assert "100%" in last
    else:
        assert last.startswith("900 words [")
    assert run("-q").err == ""


def test_text_in_the_place_of_a_file(senna: Senna, models: Path) -> None:
    done = senna("tag", "--model", models / "pos", "Anna ran.")
    assert done.error == ("Anna ran.: no such file. For a text: echo 'Anna ran.' | senna tag")
    quoted = senna("tag", "--model", models / "pos", "It isn't so.").error
    assert """echo 'It isn'"'"'t so.' | senna tag""" in quoted
    assert "Check the path" in senna("tag", "--model", models / "pos", "none.txt").error
