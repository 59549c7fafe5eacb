"""Stand-ins for the original's executables; words with their bytes, lists of verbs."""

import io
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.extras.classic import program as lines
from senna.extras.classic.program import (
    FatalError,
    Verbs,
    Word,
    arriving,
    byte_places,
    bytes_of,
    install,
    spaced,
    text_of,
)

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="scripts of a shell")


@POSIX
def test_they_have_the_originals_names_and_can_be_run(tmp_path):
    old = os.umask(0o002)
    try:
        paths = install(tmp_path / "new" / "folder", windows=False)
    finally:
        os.umask(old)
    names = {"senna", "senna-linux32", "senna-linux64", "senna-osx"}
    assert {path.name for path in paths} == names
    assert {path.name for path in (tmp_path / "new" / "folder").iterdir()} == names
    for path in (*paths, tmp_path / "new" / "folder"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o755  # nobody else may write
        assert path.is_dir() or path.stat().st_nlink == 1


@POSIX
def test_they_run_without_an_environment(tmp_path):
    """As wrappers start them: another folder at hand, no PATH; what lies there is no module."""
    folder = tmp_path / "it's a folder"
    install(folder, windows=False)
    for name in ("numpy.py", "senna.py", "io.py"):
        (folder / name).write_text("raise SystemExit('wrong module')")
    done = subprocess.run(
        [folder / "senna-linux64", "-path", f"{folder}/", "-usrtokens", "-pos"],
        input=b"She sells tea .",
        capture_output=True,
        cwd=folder,
        env={"PATH": "/nonexistent"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert [line.split() for line in done.stdout.decode().split("\n")] == [
        ["She", "PRP"],
        ["sells", "VBZ"],
        ["tea", "NN"],
        [".", "."],
        [],
        [],
    ]


def test_older_stand_ins_are_replaced_and_other_programs_stay(tmp_path):
    install(tmp_path, windows=False)
    install(tmp_path, windows=False)
    (tmp_path / "senna").unlink()
    (tmp_path / "senna-linux32").write_bytes(b"\x7fELF\xff")
    with pytest.raises(SennaError, match="senna-linux32: another program, which stays"):
        install(tmp_path, windows=False)
    assert (tmp_path / "senna-linux32").read_bytes() == b"\x7fELF\xff"
    assert not (tmp_path / "senna").exists()
    (tmp_path / "senna-linux32").unlink()
    (tmp_path / "senna-linux32").mkdir()
    with pytest.raises(SennaError, match="another program"):
        install(tmp_path, windows=False)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(SennaError, match="cannot be made"):
        install(tmp_path / "file" / "folder")


def test_on_windows(tmp_path):
    paths = install(tmp_path, windows=True)
    assert [path.name for path in paths] == ["senna.bat", "senna-win32.bat"]
    text = paths[0].read_bytes().decode()
    assert text.startswith("@rem ") and text.endswith(" %*\r\n")
    assert f'@"{sys.executable}" -P -c "import sys;' in text


@given(st.binary(max_size=60), st.integers(1, 9))
def test_lines_do_not_depend_on_how_they_are_read(text, size):
    block, lines.BLOCK = lines.BLOCK, size
    try:
        found = [line for own in arriving(io.BytesIO(text)) for line in own]
    finally:
        lines.BLOCK = block
    expected = text.split(b"\n")
    assert found == (expected if expected[-1] else expected[:-1])


def test_words_stand_between_white_space_of_any_kind():
    found = spaced(b"\ta\xc3\xa9  b\x0b\x0c\r\x00c\xff")
    assert found == [Word("aé", 1, 4), Word("b", 6, 7), Word("c\udcff", 11, 13)]
    assert spaced("a\u00a0b\u2003c".encode()) == [Word("a\u00a0b\u2003c", 0, 8)]
    assert spaced(b" \t\r") == []


@given(st.binary())
def test_bytes_come_out_as_they_went_in(line):
    text = text_of(line)
    assert bytes_of(text) == line
    places = byte_places(text)
    for i, character in enumerate(text):
        assert line[places[i] : places[i + 1]] == bytes_of(character)
    assert places[len(text)] == len(line)


def verbs(folder: Path, text: bytes, *, lax: bool = False) -> Verbs:
    path = folder / "verbs"
    path.write_bytes(text)
    return Verbs(str(path), lax)


def test_verbs_of_sentences(tmp_path):
    listed = verbs(tmp_path, b"-\nran\n- no verb\n-\tnone\n\n -\n-x\n\n")
    assert listed.of(4) == [1]
    assert listed.of(2) == [0, 1]


def test_an_empty_line_for_a_word(tmp_path):
    assert verbs(tmp_path, b"-\n\n-\n\n", lax=True).of(3) == [1]
    with pytest.raises(FatalError, match="^sentence size does not match in user verbs file$"):
        verbs(tmp_path, b"-\n\n-\n\n").of(3)
