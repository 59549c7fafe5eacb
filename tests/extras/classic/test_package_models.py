"""Our models with the original's columns."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from senna.extras.classic import program
from senna.extras.classic.program import run
from senna.formats.brackets import read_trees
from senna.kinds.answer import Annotation
from senna.model import folder as model_folder
from senna.pipeline.pipeline import Pipeline
from tests.processes import ENVIRONMENT, python

TOKENS = "Anna Vedard flew to Marburgh , he said ."


@pytest.fixture
def only_ner(tmp_path, monkeypatch) -> None:
    """A package with one model."""
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "ner").symlink_to(model_folder.MODELS / "ner")
    monkeypatch.setattr(model_folder, "MODELS", tmp_path / "models")


def column(out: bytes, number: int) -> list[str]:
    return [line.split("\t")[number].strip() for line in out.decode().split("\n") if line]


def test_all_tasks_that_there_are(classic, only_ner):
    done = classic("-usrtokens", data=f"{TOKENS}\n".encode())
    assert (done.code, done.err) == (0, b"")
    rows = [line.split(b"\t") for line in done.out.split(b"\n")[:-2]]
    assert done.out.endswith(b"\n\n")
    assert [list(map(len, row)) for row in rows] == [[15, 10]] * len(TOKENS.split())


def test_a_task_without_a_model(classic, only_ner):
    done = classic("-ner", "-psg", data=b"a\n")
    assert (done.code, done.out) == (255, b"")
    assert done.err.startswith(b"FATAL ERROR: ") and b"'psg'" in done.err


def test_tags_are_those_of_our_models(classic):
    from senna import load

    words = TOKENS.split()
    done = classic("-usrtokens", "-ner", "-chk", "-pos", data=TOKENS.encode())
    tags = load(["pos", "chunk", "ner"]).tag([words])
    assert column(done.out, 0) == words
    for number, task in enumerate(("pos", "chunk", "ner"), start=1):
        assert column(done.out, number) == tags[task][0]


def test_lines_without_words_leave_an_empty_line(classic):
    """So that callers do not lose count, as NLTK did."""
    done = classic("-pos", "-usrtokens", data=b"\nA b\n \t\r\n\nc\n")
    words = [line.split("\t")[0].strip() for line in done.out.decode().split("\n")]
    assert words == ["", "A", "b", "", "", "", "c", "", ""]


def test_our_tokens_are_the_bytes_of_the_line(classic):
    line = "She didn’t sell “well-known” tea (in Zürich/Bern, U.S.)…  It cost $5.\0 C++"
    done = classic("-offsettags", "-pos", data=line.encode())
    found = column(done.out, 0)
    raw = line.encode()
    end = 0
    for token, place in zip(found, column(done.out, 1), strict=True):
        start, stop = map(int, place.split())
        assert raw[start:stop].decode() == token and start >= end
        end = stop
    assert found[:12] == "She did n’t sell “ well-known ” tea ( in Zürich/Bern ,".split()


def test_a_point_is_not_counted_twice(classic):
    """`U.S.` at the end has its point and the sentence's: one column of offsets."""
    done = classic("-offsettags", "-pos", data=b"In the U.S.\n")
    assert column(done.out, 1) == ["0 2", "3 6", "7 11"]


def test_bytes_that_are_no_utf8_pass(classic):
    for options in (["-usrtokens"], []):
        done = classic(*options, "-pos", "-ner", data=b"caf\xe9 \xff\xfe .\n")
        assert done.code == 0
        assert done.out.startswith(b"           caf\xe9\t")


def test_trees(classic, monkeypatch):
    """As a column of brackets below S1, as wide as it is."""
    [tree] = read_trees("(TOP (S (NP (PRP She)) (VP (VBZ sings) (NP (NN tea)))))", "text")

    class Trees:
        def annotate(self, sentences: list[list[str]], **named: object) -> Annotation:
            return {"psg": [tree]}

    monkeypatch.setattr(program, "shipped", lambda: {"psg": Path("psg")})
    monkeypatch.setattr(Pipeline, "load", lambda *given, **named: Trees())
    done = classic("-usrtokens", "-notokentags", data=b"She sings tea\n")
    assert done == (0, b"\t(S1(S(NP*)\n\t(VP*\n\t(NP*))))\n\n", b"")


def test_messages(classic):
    done = classic("-verbose", "-pos", data=b"a\n")
    first, last = done.err.decode().splitlines()
    assert first.startswith("[loading model: ") and last == "[ready]"


def test_a_folder_without_the_originals_data_has_our_models(classic, tmp_path):
    assert classic("-path", f"{tmp_path}/", "-pos", data=b"a\n") == classic("-pos", data=b"a\n")
    missing = classic("-path", f"{tmp_path}/none/", "-pos", data=b"a\n")
    name = f"{tmp_path}/none/hash/words.lst"
    assert missing == (255, b"", f"FATAL ERROR: unable to open file <{name}>\n".encode())


class TestRoles:
    """Verbs found, by part of speech, or listed."""

    def test_the_verb_and_a_column_for_each(self, classic):
        done = classic("-usrtokens", "-srl", "-brackettags", data=b"She sells tea .\n")
        assert [column(done.out, n) for n in (0, 1, 2)] == [
            ["She", "sells", "tea", "."],
            ["-", "sells", "-", "-"],
            ["(A0*)", "(V*)", "(A1*)", "*"],
        ]

    def test_verbs_by_part_of_speech(self, classic):
        data = b"She was asked to go .\n"
        done = classic("-usrtokens", "-srl", "-posvbs", data=data)
        assert column(done.out, 1) == ["-", "was", "asked", "-", "go", "-"]
        both = classic("-usrtokens", "-srl", "-posvbs", "-pos", data=data)
        assert column(both.out, 1) == ["PRP", "VBD", "VBN", "TO", "VB", "."]
        assert column(both.out, 2) == column(done.out, 1)

    def test_verbs_of_a_list(self, classic, as_file):
        """It wins over -posvbs; lines without words have none."""
        verbs = as_file("verbs", "-\nx\n\nx\n-\n-\n")
        options = ["-usrtokens", "-srl", "-usrvbs", verbs, "-posvbs"]
        done = classic(*options, data=b"He ran\n\nrun or go\n")
        assert column(done.out, 1) == ["-", "ran", "run", "-", "-"]
        short = classic(*options, data=b"He ran\nrun or go\nmore\n")
        assert short.code == 255 and short.out == done.out.replace(b"\n\n\n", b"\n\n")
        assert short.err == b"FATAL ERROR: invalid user verbs file\n\n"


PROGRAM = ("-c", "from senna.extras.classic.program import main; main()", "-pos")


def started(*options: str) -> subprocess.Popen[bytes]:
    """The program in a process of its own, its standard streams left open."""
    names = ("stdin", "stdout", "stderr")
    command = [sys.executable, *PROGRAM, *options]
    pipes: Any = dict.fromkeys(names, subprocess.PIPE)
    return subprocess.Popen(command, env=ENVIRONMENT, bufsize=0, **pipes)


def test_each_sentence_is_answered_at_once():
    with started("-usrtokens") as process:
        assert process.stdin and process.stdout
        for word in (b"one", b"two"):
            process.stdin.write(word + b"\n")
            answer = b""
            while not answer.endswith(b"\n\n"):
                answer += process.stdout.read(100) or pytest.fail("it ended")
            assert answer.split()[0] == word
        process.stdin.close()
        assert process.stdout.read() == b""
    assert process.returncode == 0


def test_a_reader_that_goes_is_no_fault():
    with started() as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdout.close()
        process.stdin.write(b"She sells tea .\n" * 10)
        process.stdin.close()
        assert (process.stderr.read(), process.wait()) == (b"", 141)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is full")
@pytest.mark.parametrize("data", [b"She sells tea .\n", b"She sells tea .\n" * 500])
def test_a_full_disk_is_told(data):
    with open("/dev/full", "wb") as full:
        streams = {"capture_output": False, "stdout": full, "stderr": subprocess.PIPE}
        done = python(*PROGRAM, data=data, **streams)
    assert done.returncode == 255
    assert done.stderr == b"FATAL ERROR: No space left on device\n"


@pytest.mark.parametrize("name", ["stdin", "stdout"])
def test_streams_that_are_closed(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, name, None)
    assert run(["-pos"]) == 255
    word = {"stdin": "input", "stdout": "output"}[name]
    assert capsys.readouterr().err == f"FATAL ERROR: standard {word} is closed\n"


def test_only_what_is_asked_for_is_loaded():
    code = (
        "import sys; from senna.extras.classic.program import run; sys.argv = ['senna'];"
        "run(['-pos', '-usrtokens']);"
        "print({'typer', 'json', 'senna.text.tokenizer'} & set(sys.modules))"
    )
    assert python("-c", code, check=True).stdout.strip() == b"set()"
