"""A clone as Git for Windows makes it, with core.autocrlf: line ends stay what they are."""

import subprocess
from pathlib import Path

import pytest

from tests.processes import ROOT


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], check=True, capture_output=True, timeout=60)
    return done.stdout.decode()


def test_no_line_end_is_another(tmp_path):
    try:
        top = git("-C", str(ROOT), "rev-parse", "--show-toplevel").strip()
        clone = ("clone", "-c", "core.autocrlf=true", "-c", "core.eol=crlf", "-nqs", top)
        git(*clone, str(tmp_path / "clone"))
        files = ("HEAD", "--", ".", ":!*.npy")  # these are most bytes, and binary
        git("-C", str(tmp_path / "clone"), "checkout", "-q", *files)
    except (OSError, subprocess.SubprocessError):
        pytest.skip("the tests do not stand in a clone, or there is no git")
    if Path(top) != ROOT:
        pytest.skip("the clone is of something around this package")
    for line in git("-C", str(tmp_path / "clone"), "ls-files", "--eol").splitlines():
        stored, checked_out, *_ = line.split()
        missing = checked_out == "w/"
        assert missing or stored.partition("/")[2] == checked_out.partition("/")[2], line
