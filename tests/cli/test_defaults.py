"""A user's own defaults for the options of senna tag."""

from __future__ import annotations

from pathlib import Path

import pytest

from senna.cli.defaults import defaults_file
from tests.program import Senna


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of defaults; without any as yet."""
    path = tmp_path / "config.toml"
    monkeypatch.setenv("SENNA_CONFIG", str(path))
    path.write_text("", encoding="utf-8")
    return path


@pytest.mark.usefixtures("shipped")
def test_defaults_stand_in_for_options_that_are_not_given(senna: Senna, config: Path) -> None:
    plain = senna("tag", "--task", "pos,ner", "--scheme", "iob2", "--offsets", data=b"We ran.").out
    config.write_text(
        '[tag]\ntask = ["pos", "ner"]\nscheme = "iob2"\noffsets = true\njobs = 1\n'
        'line-breaks = "space"\n',
        encoding="utf-8",
    )
    assert senna("tag", data=b"We ran.").out == plain
    assert senna("tag", data=b"We\n\nran.\n").out != senna("tag", data=b"We\nran.\n").out
    given = senna("tag", "--task", "pos", "--format", "jsonl", data=b"We ran.").out
    assert b'"ner"' not in given and b'"pos"' in given


@pytest.mark.usefixtures("shipped")
def test_options_that_may_be_repeated(senna: Senna, config: Path) -> None:
    config.write_text('[tag]\nmodel = "pos"\n', encoding="utf-8")
    assert senna("tag", data=b"We ran.").out == senna("tag", "--model", "pos", data=b"We ran.").out
    config.write_text('[tag]\ngazetteer = ["PER=no.txt", "LOC=places.txt"]\n', encoding="utf-8")
    assert senna("tag", data=b"We ran.").error == "no.txt: no such file. Check the path."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tag]\nfromat = 'jsonl'\n", "tag.fromat: unknown option. Known: task, model, input"),
        ("[tag]\nhelp = true\n", "tag.help: unknown option"),
        ("[tag]\nformat = 'xml'\n", "tag.format: 'xml' is not one of 'columns', 'conll'"),
        ("[tag]\njobs = 0\n", "tag.jobs: "),
        ("[tag]\njobs = 'two'\n", "tag.jobs: "),
        ("[tag]\njobs = true\n", "tag.jobs: True, expected a text or a number"),
        ("[tag]\noffsets = 'yes'\n", "tag.offsets: 'yes', expected true or false"),
        ("[tag]\ntask = {a = 1}\n", "tag.task: {'a': 1}, expected a text or a number"),
        ("[train]\ntask = 'pos'\n", "'train' is not a command with defaults"),
        ("task = 'pos'\n", "'task' is not a command with defaults. Write the options of a command"),
        ("[tag\n", "not readable as TOML"),
    ],
)
@pytest.mark.usefixtures("shipped")
def test_faults_are_told_in_a_line_with_the_file(
    senna: Senna, config: Path, text: str, message: str
) -> None:
    config.write_text(text, encoding="utf-8")
    done = senna("tag", data=b"We ran.")
    assert done.error.startswith(f"{config}: ")
    assert message in done.error
    assert done.out == b""


@pytest.mark.usefixtures("shipped")
def test_a_file_that_is_named_must_be_there(senna: Senna, config: Path) -> None:
    config.unlink()
    assert f"{config}: no such configuration" in senna("tag", data=b"We ran.").error
    assert senna("models", "list").code == 0  # which has no defaults
    assert senna("tag", "--help").code == 0


def test_where_the_file_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SENNA_CONFIG", "")
    assert defaults_file() == ""
    monkeypatch.delenv("SENNA_CONFIG")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    assert defaults_file() == ""
    path = tmp_path / ".config" / "senna" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text("", encoding="utf-8")
    assert Path(defaults_file()) == path
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "other"))
    assert defaults_file() == ""
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("APPDATA", str(tmp_path / ".config"))
    assert Path(defaults_file()) == path
