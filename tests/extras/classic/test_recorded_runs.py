"""What the original printed on a synthetic data folder, to the byte; what it did badly, mended."""

import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.extras.classic.conftest import FIXTURE, Done

with tarfile.open(FIXTURE) as _archive:
    RUNS = [name[5:-5] for name in _archive.getnames() if name.endswith(".args") and name[4] == "/"]
CUT = "16"  # has a line of more than 1022 bytes, which the original cut
HELP = ("19", "20")  # the help text is our own: its first line was kept
ASKED_HELP = "18"  # -h, which the original did not know


Replay = Callable[[Path, str], Done]


@pytest.fixture
def replay(classic, monkeypatch) -> Replay:
    """Starts the program as it was when a run was recorded."""

    def run(folder: Path, name: str) -> Done:
        place = folder / f"{name}.cwd"
        monkeypatch.chdir(folder.parent / (place.read_text().strip() if place.exists() else "."))
        arguments = (folder / f"{name}.args").read_text().splitlines()
        return classic(*arguments, data=(folder / f"{name}.in").read_bytes())

    return run


def kept(folder: Path, name: str) -> Done:
    """What the original did."""
    err = folder / f"{name}.err"
    return Done(
        int((folder / f"{name}.rc").read_text()),
        (folder / f"{name}.out").read_bytes(),
        err.read_bytes() if err.exists() else b"",
    )


def test_there_are_all_recorded_runs():
    assert len(RUNS) == 38


@pytest.mark.parametrize("name", [name for name in RUNS if name not in (CUT, ASKED_HELP)])
def test_the_output_is_the_originals(replay, recorded, name):
    done = replay(recorded / "runs", name)
    if name in HELP:
        done = done._replace(out=done.out[: done.out.index(b"\n") + 1])
    assert done == kept(recorded / "runs", name)


def test_a_long_word_is_not_cut(replay, recorded):
    done = replay(recorded / "runs", CUT)
    lines, theirs = done.out.split(b"\n"), kept(recorded / "runs", CUT).out.split(b"\n")
    assert (done.code, done.err) == (0, b"")
    assert lines[:14] == theirs[:14]
    assert [line.split(b"\t")[:2] for line in lines[15:19]] == [
        [b"Z" * 300, b"768 1068"],
        [b"            the", b"1069 1072"],
        [b"            end", b"1073 1076"],
        [b"              .", b"1077 1078"],
    ]


def test_help_is_an_option(replay, recorded):
    done = replay(recorded / "runs", ASKED_HELP)
    assert (done.code, done.err) == (0, b"")
    assert b"-usrtokens" in done.out and b"invalid" not in done.out


@pytest.fixture
def defects(recorded, tmp_path) -> Path:
    """The runs that show defects, beside the data as they were when they were recorded."""
    (tmp_path / "runs").symlink_to(recorded / "runs-defects")
    (tmp_path / "model").symlink_to(recorded / "model")
    return tmp_path / "runs"


def columns(done: Done) -> list[list[list[str]]]:
    """The cells of the lines of the sentences, without padding."""
    assert done.code == 0
    sentences = done.out.decode("utf-8", "surrogateescape").split("\n\n")[:-1]
    return [[list(map(str.strip, line.split("\t"))) for line in s.split("\n")] for s in sentences]


def test_a_long_line_is_one_sentence(replay, defects):
    done = replay(defects, "01")
    line = (defects / "01.in").read_bytes()
    first = columns(done)[0]
    assert [own[0] for own in first] == line.split(b"\n")[0].decode().split()
    for token, place, _ in first:
        start, end = map(int, place.split())
        assert line[start:end].decode() == token


@pytest.mark.parametrize("name", ["03", "08", "09"])
def test_verbs_of_a_list_with_other_ends(replay, defects, name):
    """With -posvbs too; with CR LF; without the last blank line."""
    [sentence] = columns(replay(defects, name))
    assert [own[:2] for own in sentence] == [["the", "-"], ["dog", "-"], ["ran", "ran"], [".", "-"]]


@pytest.mark.parametrize("name", ["04", "06"])
def test_blank_lines_first_and_a_path_without_a_slash(classic, replay, defects, name):
    done = replay(defects, name)
    assert done.err == b""
    assert done == classic("-path", "model/", "-pos", data=b"the dog ran .\n")


def test_a_nul_parts_words(replay, defects):
    first, second = columns(replay(defects, "05"))
    assert [own[0] for own in first] == ["the", "dog", "ran", "away", "."]
    assert [own[0] for own in second] == ["the", "end", "."]


def test_nothing_beyond_ascii_is_lost(replay, defects):
    done = replay(defects, "07")
    words = "The “ old ” café in Zürich — naïve François € 5 中文 cafés ."
    assert [own[0] for own in columns(done)[0]] == words.split()
    assert done.err == b""


@pytest.mark.parametrize("name", ["02", "12"])
def test_other_runs_are_as_they_were(replay, defects, name):
    """A line as long as the original's buffer; characters of ASCII that no rule takes."""
    assert replay(defects, name) == kept(defects, name)


@pytest.mark.parametrize("name", ["10", "11"])
def test_a_number_at_the_very_end_is_a_number(classic, replay, defects, name):
    done = replay(defects, name)
    arguments = (defects / f"{name}.args").read_text().splitlines()
    ended = classic(*arguments, data=(defects / f"{name}.in").read_bytes() + b"\n")
    assert done == ended
