"""senna tag: formats to write, labels in all of them, input of several kinds, waiting."""

import gzip
import json
import pickle
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import senna as package
from senna.pipeline import pipeline
from senna.registry import FORMATS
from tests.clients.texts import label_model
from tests.drawing.test_svg import texts

TEXT = "Anna Vedard flew to Marburgh.  Dr. Weber's team didn't win, he said.\n\nWhy?\n"
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
        monkeypatch.setattr(pipeline, "in_order", as_bytes)
    return str(request.param)


def test_a_format_is_the_same_for_any_number_of_jobs(senna, models, tmp_path, common):
    (tmp_path / "a.txt").write_text(TEXT * 50, encoding="utf-8")
    (tmp_path / "b.txt").write_text(TEXT, encoding="utf-8")
    files = (tmp_path / "a.txt", tmp_path / "b.txt")[: 1 if common == "brat" else 2]
    options = ("tag", "--model", models / "ner", "--format", common, "--input", "lines", *files)
    one = senna(*options)
    assert (one.code, one.err) == (0, "")
    assert common == "parquet" or one.out.count(b"Marburgh") >= 49 + len(
        files
    )  # which is compressed
    assert senna(*options, "--jobs", 2).out == one.out


@pytest.mark.usefixtures("shipped")
def test_a_page_is_whole_however_much_is_in_it(senna):
    for data in ("", TEXT, TEXT * 80):
        page = senna("tag", "--format", "html", "--input", "lines", data=data.encode()).out.decode()
        assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
        assert page.count("<!DOCTYPE") == page.count("</html>") == 1
        assert page.count("<article>") == data.count(".\n") + data.count("?\n")


@pytest.mark.usefixtures("shipped")
def test_files_are_told_apart(senna, tmp_path):
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
@pytest.mark.parametrize(
    ("format_", "task", "jobs"),
    [("tsv", "label", 1), ("trees", "psg", 1), ("props", "srl", 1), ("props", "srl", 2)],
)
def test_all_tasks_without_the_one_that_a_format_needs(senna, models, format_, task, jobs):
    for options in ((),) * (task == "label") + (("--model", models / "ner"),):
        call = ("tag", "--task", "all", "--format", format_, "--jobs", jobs)
        assert f"--format {format_}: needs task {task}" in senna(*call, *options, data=b"Hi").error


def test_offsets_where_a_format_has_them(senna, models):
    options = ("tag", "--model", models / "pos", "--offsets", "--format")
    assert b"start_char=3|end_char=6" in senna(*options, "conllu", data=b"We ran").out
    for name in ("conll", "html", "ansi"):
        assert f"{name} has no offsets" in senna(*options, name).error
    assert "columns have no offsets" in senna(*options, "columns", "--input", "columns").error


def test_a_picture_is_a_file_per_sentence(senna, tmp_path):
    options = ("--task", "pos", "--format", "svg", "--output-dir", tmp_path / "new" / "dir")
    assert senna("tag", *options, data=b"Ann ran. Bob sat.\n") == (0, b"", "")
    files = sorted((tmp_path / "new" / "dir").iterdir())
    assert [path.name for path in files] == ["0001.svg", "0002.svg"]
    assert [texts(path.read_text(encoding="utf-8"))[:3] for path in files] == [
        ["Ann", "ran", "."], ["Bob", "sat", "."]
    ]  # fmt: skip


def test_a_picture_needs_a_folder(senna):
    done = senna("tag", "--format", "svg", data=b"Ann ran.\n")
    assert done.out == b""
    assert done.error.startswith("--format svg: a folder is needed. Give --output-dir DIR")


@pytest.mark.parametrize(
    ("heads", "format_"),
    [("2 1", "conllu"), ("0 3", "jsonl"), ("0 _", "columns"), ("0 0", "conllu")],
)
def test_trees_that_no_task_reads_stay_as_they_are(senna, models, tmp_path, heads, format_):
    file, options = tmp_path / "x.conllu", ("--input", "conllu", "--format", format_)
    rows = [f"{i}\tw\t_\t_\t_\t_\t{head}\tx\t_\t_\n" for i, head in enumerate(heads.split(), 1)]
    file.write_text("".join(rows) + "\n", encoding="utf-8")
    done = senna("tag", "--model", models / "pos", *options, file)
    assert done.code == 0
    if format_ == "conllu":
        lines = done.out.decode().splitlines()
        assert [line.split("\t")[6] for line in lines if line] == heads.split()
        trees = senna("tag", "--task", "dep", *options, file)
        assert trees.code == 0 and trees.out.count(b"\troot\t") == 1


def test_faults_of_pages_are_told(senna, models):
    options = ("tag", "--model", models / "pos", "--input")
    assert "not valid UTF-8 (byte 0xe9)" in senna(*options, "html", data=b"<p>caf\xe9").error
    assert senna(*options, "html", "--errors", "replace", data=b"<p>caf\xe9").code == 0
    for empty in (b"", b"<script>x"):
        assert senna(*options, "html", data=empty) == (0, b"", "")


def test_somebody_at_a_terminal_is_told_what_it_waits_for(senna, models, terminal, tmp_path):
    (tmp_path / "a.txt").write_text("Hi", encoding="utf-8")
    options = ("tag", "--model", models / "pos")
    terminal("stdin")
    done = senna(*options, data=b"Hi")
    assert done.code == 0 and done.out
    [line] = done.err.splitlines()
    assert line.startswith("senna: reading text from the terminal; press Ctrl-")
    assert senna(*options, tmp_path / "a.txt").err == ""
    assert senna(*options, "-q", data=b"Hi").err == senna(*options, "--quiet", data=b"Hi").err == ""


@pytest.mark.parametrize("command", [("eval", "--task", "ner"), ("classic", "-pos")])
def test_other_commands_at_a_terminal_wait_aloud(senna, models, terminal, command):
    assert "reading" not in senna(*command).err
    terminal("stdin")
    assert senna(*command).err.startswith("senna: reading ")


@pytest.mark.parametrize(
    ("form", "kind"),
    [("piped", "text"), ("compressed", "tokens"), ("piped", "csv")]
    + [("file", kind) for kind in ("text", "html", "tokens", "columns", "conllu", "csv")],
)
def test_slow_work_shows_how_far_it_is(senna, models, terminal, tmp_path, monkeypatch, form, kind):
    row = "{}\t{}" + "\t_" * 8 + "\n"
    conllu = "".join(row.format(i, w) for i, w in enumerate(("Anna", "ran", "."), start=1)) + "\n"
    data = {
        "columns": b"Anna\nran\n.\n\n" * 100,
        "csv": b"text\n" + b"Anna ran .\n" * 100,
        "conllu": conllu.encode() * 100,
    }.get(kind, b"Anna ran .\n" * 100)
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
        assert last.startswith("300 words [")
    assert run("-q").err == ""


def test_text_in_the_place_of_a_file(senna, models):
    done = senna("tag", "--model", models / "pos", "Anna ran.")
    assert done.error == ("Anna ran.: no such file. For a text: echo 'Anna ran.' | senna tag")
    quoted = senna("tag", "--model", models / "pos", "It isn't so.").error
    assert """echo 'It isn'"'"'t so.' | senna tag""" in quoted
    assert "Check the path" in senna("tag", "--model", models / "pos", "none.txt").error


LABELLED = "Anna ran. Why did they?\n\nThe walks.\n"
LINES = [line for line in LABELLED.splitlines() if line]
TABLE = 'id,text\n1,"Anna ran. Why did they?"\n2,The walks.\n'
PAGE = "<p>Anna <b>ran</b>.</p><p>Why did they?</p>"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch")
    return label_model(tmp_path_factory.mktemp("labels"))


@pytest.fixture(scope="module")
def whole(model: Path) -> list[str]:
    """The labels of the lines, each with all its words as one sentence."""
    from senna.text.tokenizer import tokenize

    nlp = package.load(model=model)
    return [str(nlp([token.text for token in tokenize(line)]).label) for line in LINES]


def test_a_line_is_a_document(senna, model, whole, tmp_path):
    options = ("tag", "--model", model)
    expected = "".join(f"{label}\t{line}\n" for label, line in zip(whole, LINES, strict=True))
    for more in ((), ("--jobs", "2"), ("--input", "lines"), ("--format", "tsv")):
        done = senna(*options, *more, data=LABELLED.encode())
        assert (done.code, done.out.decode()) == (0, expected)
    file, made = tmp_path / "a.txt", [tmp_path / "out" / "a.tsv", tmp_path / "b.tsv"]
    file.write_text(LABELLED, encoding="utf-8")
    senna(*options, file, "--output-dir", made[0].parent)
    senna(*options, file, "-o", made[1])
    assert [path.read_text(encoding="utf-8") for path in made] == [expected] * 2
    scored = senna(*options, "--scores", data=LABELLED.encode()).out.decode()
    cells = [line.split("\t") for line in scored.splitlines()]
    assert [(label, text) for label, _, text in cells] == list(zip(whole, LINES, strict=True))
    assert all(0 < float(score) <= 1 for _, score, _ in cells)
    for more in (("--format", "columns"), ("--offsets",)):
        assert senna(*options, *more, data=LABELLED.encode()).out.startswith(b"Anna\t")
    records = senna(*options, "--format", "jsonl", "--scores", data=LABELLED.encode()).out
    first, second = map(json.loads, records.decode().splitlines())
    assert (first["label"], second["label"]) == tuple(whole)
    assert (len(first["tokens"]), second["start"]) == (7, LABELLED.index("The"))
    assert 0 < first["scores"]["label"] <= 1


def test_rows_and_pages_are_documents(senna, model, whole):
    options = ("tag", "--model", model, "--format", "jsonl", "--input")
    rows = senna(*options, "csv", data=TABLE.encode()).out.decode().splitlines()
    assert [json.loads(row)["label"] for row in rows] == whole
    [page] = map(json.loads, senna(*options, "html", data=PAGE.encode()).out.splitlines())
    assert page["text"] == "Anna ran.\n\nWhy did they?" and page["label"] == whole[0]
    assert [PAGE[t["start"] : t["end"]] for t in page["tokens"]][:3] == ["Anna", "ran", "."]
    assert senna(*options, "html", data=b"<p> </p>").out == b""


@pytest.mark.parametrize("format_", ["columns", "conll", "conllu", "html", "ansi"])
def test_every_format_shows_the_label(senna, model, format_):
    label = str(package.load(model=model)(LINES[1]).label)
    done = senna("tag", "--model", model, "--format", format_, data=LINES[1].encode())
    assert done.code == 0 and label in done.out.decode()
