"""A clone as Git for Windows makes it: line ends stay what they are, and models tag."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.processes import ENVIRONMENT, ROOT, python


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], check=True, capture_output=True, timeout=60).stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What is committed here, checked out with core.autocrlf, as Git for Windows has it."""
    folder = tmp_path_factory.mktemp("windows") / "clone"
    try:
        top = git("-C", str(ROOT), "rev-parse", "--show-toplevel").decode().strip()
        git("clone", "-c", "core.autocrlf=true", "-c", "core.eol=crlf", "-qs", top, str(folder))
    except (OSError, subprocess.SubprocessError):
        pytest.skip("the tests do not stand in a clone, or there is no git")
    if Path(top) != ROOT:
        pytest.skip("the clone is of something around this package")
    return folder


def test_no_line_end_is_another(clone: Path) -> None:
    for line in git("-C", str(clone), "ls-files", "--eol").decode().splitlines():
        stored, checked_out, *_ = line.split()
        assert stored.partition("/")[2] == checked_out.partition("/")[2], line


def test_it_tags(clone: Path) -> None:
    env = {**ENVIRONMENT, "PYTHONPATH": str(clone), "SENNA_KERNEL": "off"}
    options = ("--quiet", "--task", "pos,chunk")
    done = python("-m", "senna", "tag", *options, data=b"Anna flew .\n", cwd=clone, env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    words = [line.split("\t")[0] for line in done.stdout.decode().splitlines()]
    assert words == ["Anna", "flew", ".", ""]
