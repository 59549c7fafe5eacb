"""senna tag: every option, bad input, interruption; the same bytes however it is run."""

import bz2
import gzip
import io
import lzma
import os
import resource as limits
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from senna.cli.app import COMMANDS
from senna.cli.main import main
from senna.files import open_text, resource
from tests.processes import ENVIRONMENT, ROOT, python

TEXT = "Anna Vedard flew to Marburgh.  Dr. Weber's well-known team didn't win, he said.\n\nWhy?\n"
TOKENS = "Anna Vedard flew to Marburgh .\nThe team did n't win , he said .\n"
# Runs the program on the models of a folder as if they shipped, with nothing else to import.
PROGRAM = """
import sys
from pathlib import Path
from senna.model import folder as model_folder
model_folder.MODELS = Path({models!r})
from senna.__main__ import main
main()
"""


def sentences(out: bytes) -> list[list[list[str]]]:
    """Tagged columns, read back: sentence, token, column."""
    text = out.decode()
    assert text == "" or text.endswith("\n\n")
    return [[row.split("\t") for row in s.split("\n")] for s in text.split("\n\n")[:-1]]


def column(out: bytes, number: int) -> list[str]:
    """One column of all tokens."""
    return [row[number] for sentence in sentences(out) for row in sentence]


def demo(task: str, split: str = "test") -> Path:
    """A file of the demonstration corpus."""
    return resource(f"data/demo/{task}/{split}.txt")


def demo_tokens(times: int = 1) -> bytes:
    """The training sentences of the demonstration corpus, one a line."""
    text = demo("pos", "train").read_text(encoding="utf-8")
    blocks = [block for block in text.split("\n\n") if block.strip()]
    lines = [" ".join(row.split("\t")[0] for row in b.strip().split("\n")) for b in blocks]
    return ("\n".join(lines) + "\n").encode() * times


# --------------------------------------------------------------------------- options


@pytest.mark.usefixtures("shipped")
def test_all_tasks_that_ship_are_tagged_by_default(senna):
    done = senna("tag", data=TEXT.encode())
    assert (done.code, done.err) == (0, "")
    found = sentences(done.out)
    assert [row[0] for row in found[0]] == "Anna Vedard flew to Marburgh .".split()
    assert len(found) == 3
    assert {len(row) for sentence in found for row in sentence} == {4}
    asked = senna("tag", "--task", "ner, pos", data=TEXT.encode()).out
    assert [row[1:] for row in sentences(asked)[0]] == [[row[1], row[3]] for row in found[0]]


@pytest.mark.usefixtures("shipped")
def test_the_inputs_agree_on_the_same_sentences(senna):
    tokens = senna("tag", "--input", "tokens", data=TOKENS.encode())
    assert column(tokens.out, 0) == TOKENS.split()
    lines = senna("tag", "--input", "lines", data=TOKENS.encode())
    text = senna("tag", "--line-breaks", "sentence", data=TOKENS.encode())
    rows = TOKENS.replace("\n", "\n\n").replace(" ", "\n")
    columns = senna("tag", "--input", "columns", data=rows.encode())
    assert tokens.out == lines.out == text.out == columns.out


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("out.csv", "its name says another format than columns"),
        ("out.html.gz", "its name says another format than columns"),
        ("out.XLSX", "its name says another format than columns"),
        ("out.zst", ".zst cannot be written. Choose .gz, .xz or .bz2"),
        ("none/out.txt", "cannot write"),
        (".", "cannot write"),
    ],
)
def test_outputs_that_cannot_be(senna, models, tmp_path, name, message):
    done = senna("tag", "--model", models / "pos", "-o", tmp_path / name, data=b"Hi")
    assert f"{tmp_path / name}: {message}" in done.error
    assert os.listdir(tmp_path) == []


def test_the_output_does_not_replace_its_input(senna, models, tmp_path, as_file):
    path = as_file("in.txt", "Anna ran .\n")
    (tmp_path / "link").symlink_to("in.txt")
    for name in ("in.txt", "link"):
        done = senna("tag", "--model", models / "pos", path, "-o", tmp_path / name)
        assert "the output would replace the input" in done.error
    assert path.read_text(encoding="utf-8") == "Anna ran .\n"


@pytest.mark.parametrize("suffix", [".gz", ".XZ", ".bz2"])
def test_output_is_compressed_as_its_name_says(senna, models, tmp_path, suffix):
    options = ("tag", "--model", models / "pos")
    plain = senna(*options, data=TEXT.encode() * 100).out
    path = tmp_path / f"out.txt{suffix}"
    assert senna(*options, "-o", path, data=TEXT.encode() * 100).code == 0
    unpack = {".gz": gzip.decompress, ".xz": lzma.decompress, ".bz2": bz2.decompress}
    first = path.read_bytes()
    assert unpack[suffix.lower()](first) == plain
    with open_text(path) as lines:
        assert lines.read().encode() == plain
    assert senna(*options, "-o", path, data=TEXT.encode() * 100).code == 0
    assert path.read_bytes() == first  # no time of day in it
    assert os.listdir(tmp_path) == [path.name]


def test_a_pipe_named_as_output_stays_a_pipe(senna, models, tmp_path):
    """As root, `-o /dev/null` once replaced the device by a file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_bytes()))
    reader.start()
    assert senna("tag", "--model", models / "pos", "-o", pipe, data=b"Hi").code == 0
    reader.join()
    assert column(found[0], 0) == ["Hi"]
    assert pipe.is_fifo()
    assert os.listdir(tmp_path) == ["pipe"]


# --------------------------------------------------------------------------- input of all kinds


@pytest.mark.parametrize("kind", ["text", "lines", "tokens", "columns"])
def test_blank_lines_and_carriage_returns(senna, models, kind):
    options = ("tag", "--model", models / "ner", "--input", kind)
    for style, data in (("columns", b""), ("jsonl", b"\n"), ("columns", b"\n \n\t\n\r\n\n")):
        assert senna(*options, "--format", style, data=data) == (0, b"", "")
    assert senna(*options, data=b"We ran\r\n\r\nBo sat\r\n").out == (
        senna(*options, data=b"We ran\n\nBo sat\n").out
    )


@pytest.mark.parametrize("kind", ["text", "columns"])
def test_invalid_utf8_is_told_with_its_line_or_replaced(senna, models, kind):
    options = ("tag", "--model", models / "pos", "--input", kind)
    data = b"good\nb\xffd\nlast"
    error = senna(*options, data=data).error
    assert "<stdin>:2: " in error
    assert "--errors replace" in error
    done = senna(*options, "--errors", "replace", data=data)
    assert (done.code, done.err) == (0, "")
    assert "\ufffd" in done.out.decode()
    assert column(done.out, 0)[-1] == "last"
    wide = senna(*options, data="good".encode("utf-16"))
    assert wide.error.endswith("It seems to be UTF-16. Convert the file to UTF-8.")


# --------------------------------------------------------------------------- files and devices


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="no /dev/full here")
@pytest.mark.parametrize("command", [("tag", "--model"), ("models", "show")])
def test_a_full_disk_on_standard_output(models, monkeypatch, command):
    errors = io.StringIO()
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Hi .")))
        monkeypatch.setattr(sys, "stdout", full)
        monkeypatch.setattr(sys, "stderr", errors)
        monkeypatch.setattr(sys, "argv", ["senna", *command, str(models / "pos")])
        with pytest.raises(SystemExit) as end:
            main()
    assert end.value.code == 2
    [line] = errors.getvalue().splitlines()
    assert "No space left on device" in line


# Many container images set the variable; writes may then take a part of what they are given.
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_disk_that_is_full_after_a_part_of_the_output(models, tmp_path, unbuffered):
    limit = (4096, 4096)
    with (tmp_path / "out").open("wb") as out:
        done = subprocess.run(
            [sys.executable, *command(models)],
            input=b"We ran. " * 400,
            stdout=out,
            stderr=subprocess.PIPE,
            preexec_fn=lambda: limits.setrlimit(limits.RLIMIT_FSIZE, limit),
            # Python itself would leave compiled modules in part.
            env={**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered, "PYTHONDONTWRITEBYTECODE": "1"},
        )
    assert (done.returncode, done.stderr) == (2, b"senna: <stdout>: File too large\n")


READERS = {
    "tag": ("tag", "--quiet", "--task", "pos", "--model"),
    "match": ("match", "ran", "--quiet", "--format", "jsonl", "--model"),
    "classic": ("classic", "-usrtokens", "-pos"),
    "eval": ("eval", "--task", "pos", "--json"),
}


@pytest.mark.parametrize(("name", "unbuffered"), [("tag", "1"), *((name, "") for name in READERS)])
def test_pipes_that_do_not_block_lose_nothing(models, name, unbuffered):
    arguments = [*READERS[name], *([models / "pos"] if "--model" in READERS[name] else [])]
    data = b"We PRP PRP\nran VBD NN\n\n" if name == "eval" else b"We ran.\n\n"
    data *= 4000
    run = [sys.executable, "-m", "senna", *map(str, arguments)]
    env = {**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered}
    whole = subprocess.run(run, input=data, capture_output=True, env=env)
    assert whole.returncode == 0, whole
    (read_in, write_in), (read_out, write_out) = os.pipe(), os.pipe()
    os.set_blocking(read_in, False)
    os.set_blocking(write_out, False)
    with subprocess.Popen(run, stdin=read_in, stdout=write_out, env=env) as process:
        os.close(read_in)
        os.close(write_out)
        with os.fdopen(write_in, "wb") as send, os.fdopen(read_out, "rb") as receive:
            time.sleep(1)  # the program is reading, and nothing is there
            sender = threading.Thread(target=lambda: (send.write(data), send.close()))
            sender.start()
            time.sleep(1)  # it writes more than a pipe holds
            assert receive.read() == whole.stdout
            sender.join()
    assert process.returncode == 0


def test_standard_output_that_is_closed(models):
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, *command(models)],
        input=b"Hi",
        capture_output=True,
    )
    assert done.returncode == 2
    assert done.stderr == b"senna: standard output is closed. Name a file with --output.\n"


def test_any_path_is_taken_and_told(senna, models, tmp_path):
    """Names of files are bytes, and need not be UTF-8."""
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    shutil.copytree(models / "pos", folder / "model")
    (folder / "in").write_bytes(b"Hi")
    own = ("tag", "--model", folder / "model")
    assert senna(*own, folder / "in", "-o", folder / "out").code == 0
    assert (folder / "out").read_bytes() == senna(*own, folder / "in").out
    assert "caf\\udce9/none: no such file" in senna(*own, folder / "none").error
    assert os.fsencode(folder) in senna("models", "check", folder / "model").out


def test_a_file_that_cannot_grow_leaves_nothing_behind(models, tmp_path):
    def small_files() -> None:
        limits.setrlimit(limits.RLIMIT_FSIZE, (50_000, 50_000))

    out = tmp_path / "out.txt"
    options = command(models, "--task", "pos", "--input", "tokens", "-o", str(out))
    env = {**ENVIRONMENT, "PYTHONDONTWRITEBYTECODE": "1"}  # which would be cut short too
    done = python(*options, data=demo_tokens(4), preexec_fn=small_files, env=env)
    assert done.returncode == 2
    assert done.stderr.decode() == f"senna: {out}: cannot write: File too large\n"
    assert os.listdir(tmp_path) == []


# --------------------------------------------------------------------------- processes


def command(models: Path, *options: str) -> list[str]:
    """Python's arguments that start the program on the small models."""
    return ["-c", PROGRAM.format(models=str(models)), "tag", *options]


@pytest.mark.usefixtures("shipped")
def test_same_bytes_for_any_number_of_jobs_threads_and_sentences_together(senna, models):
    data = demo_tokens(3)
    whole = senna("tag", "--input", "tokens", data=data).out
    assert len(column(whole, 0)) == len(data.split())
    for jobs, threads in (("1", "2"), ("2", "1")):
        env = {**ENVIRONMENT, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
        done = python(*command(models, "--input", "tokens", "--jobs", jobs), data=data, env=env)
        assert done.stderr == b""
        assert done.stdout == whole
    part = b"\n".join(data.split(b"\n")[7:17])
    alone = [senna("tag", "--input", "tokens", data=line).out for line in part.split(b"\n")]
    assert b"".join(alone) == senna("tag", "--input", "tokens", data=part).out
    assert b"".join(alone) in whole


def started(models: Path, *options: str, cwd: Path = ROOT) -> subprocess.Popen[bytes]:
    """The program on the small models, in a process group of its own, its input left open."""
    return subprocess.Popen(
        [sys.executable, *command(models, "--task", "pos", *options)],
        # Tests that run in the background may ignore these signals, and children inherit that.
        preexec_fn=lambda: [
            signal.signal(by, signal.SIG_DFL) for by in (signal.SIGINT, signal.SIGHUP)
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd,
        env=ENVIRONMENT,
        start_new_session=True,
    )


def ask(process: subprocess.Popen[bytes], question: str) -> str:
    """What comes in answer, up to a blank line."""
    process.stdin.write(question.encode())
    process.stdin.flush()
    return "".join(line.decode() for line in iter(process.stdout.readline, b"\n"))


@pytest.mark.parametrize(
    ("jobs", "kind", "question"), [("1", "text", "We ran.\n\n"), ("2", "tokens", "We ran .\n")]
)
def test_what_came_alone_is_answered_at_once(models, jobs, kind, question):
    process = started(models, "--input", kind, "--jobs", jobs)
    for _ in range(3):
        assert [row.split("\t")[0] for row in ask(process, question).splitlines()] == (
            ["We", "ran", "."]
        )
    assert process.communicate() == (b"", b"")
    assert process.returncode == 0


def workers_of(process: subprocess.Popen[bytes]) -> list[int]:
    """The processes that it has started."""
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True)
    return [int(line) for line in found.stdout.split()]


@pytest.mark.parametrize(("jobs", "kind"), [("2", "tokens"), ("1", "html")])
def test_a_closed_pipe_is_no_error_to_talk_about(models, jobs, kind):
    process = started(models, "--input", kind, "--jobs", jobs)
    writer = threading.Thread(target=feed, args=(process.stdin, demo_tokens(40)))
    writer.start()
    assert process.stdout.readline()
    process.stdout.close()  # as `head -1` does
    assert process.stderr.read() == b""
    assert process.wait(60) == 141
    writer.join()


def feed(pipe: io.BufferedWriter, data: bytes) -> None:
    """Write as much as the other side takes."""
    try:
        pipe.write(data)
        pipe.close()
    except BrokenPipeError:
        pass


@pytest.mark.parametrize(
    ("jobs", "by"), [("1", signal.SIGTERM), ("2", signal.SIGINT), ("2", signal.SIGHUP)]
)
def test_a_signal_leaves_no_traceback_no_worker_and_no_half_file(models, tmp_path, jobs, by):
    process = started(models, "--input", "tokens", "--jobs", jobs, "-o", "out.txt", cwd=tmp_path)
    process.stdin.write(demo_tokens(1))
    process.stdin.flush()  # and left open: more may come
    deadline = time.monotonic() + 60
    while not any(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    workers = workers_of(process)
    assert len(workers) == (0 if jobs == "1" else 2)
    os.killpg(process.pid, by)  # a terminal sends it to all processes
    assert process.wait(60) == 128 + by
    assert process.stderr.read() == b""  # which workers have open: it ends when they have gone
    assert os.listdir(tmp_path) == []
    process.stdin.close()


def test_tagging_imports_nothing_slow_and_needs_no_network(models):
    code = """
import socket, sys
def refuse(*arguments, **options):
    raise AssertionError("network")
socket.socket = socket.create_connection = refuse
import atexit
atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr))
"""
    arguments = command(models, "--input", "text")
    arguments[1] = code + arguments[1]
    done = python(*arguments, data=TEXT.encode())
    loaded = set(done.stderr.decode().split())
    assert done.returncode == 0, done.stderr
    assert "senna.pipeline.pipeline" in loaded
    assert not loaded & {"torch", "rich", "tqdm", "typer", "click"}
    assert not loaded & {"senna.training", "senna.corpora.download"}
    formats = {name for name in loaded if name.startswith("senna.formats.")}
    assert formats == {"senna.formats.columns", "senna.formats.text"}
    modules = {name.rpartition(".")[2] for name in loaded if name.startswith("senna.cli.")}
    assert modules & set(COMMANDS) == {"tag"}


# --------------------------------------------------------------------------- scores, own phrases


def test_phrases_of_a_file_are_names(senna, models, as_file):
    own = ("--gazetteer", f"PER={as_file('people.txt', 'ran far')}", "--force")
    done = senna("tag", "--model", models / "ner", *own, data=b"We ran far.\n")
    assert column(done.out, 1)[1:3] == ["B-PER", "E-PER"]


def test_what_is_no_list_of_phrases(senna, models):
    done = senna("tag", "--model", models / "ner", "--gazetteer", "people.txt", data=b"Anna ran.\n")
    assert done.error == "--gazetteer: 'people.txt' is not TYPE=FILE. For example PER=people.txt."
