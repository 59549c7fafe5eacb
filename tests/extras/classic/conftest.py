"""The program run in this process, and the recorded runs of the original."""

import io
import shutil
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from senna.extras.classic.program import run

FIXTURE = Path(__file__).parents[2] / "golden" / "classic" / "fixture.tar.xz"


class Done(NamedTuple):
    """How a run of the program ended."""

    code: int
    out: bytes
    err: bytes


Classic = Callable[..., Done]


@pytest.fixture
def classic(monkeypatch) -> Classic:
    """Runs the program: classic("-pos", data=b"...")."""

    def run_it(*arguments: object, data: bytes = b"") -> Done:
        streams = [io.BytesIO(data), io.BytesIO(), io.BytesIO()]
        for name, stream in zip(("stdin", "stdout", "stderr"), streams, strict=True):
            wrapped = io.TextIOWrapper(stream, encoding="utf-8", newline="\n", write_through=True)
            monkeypatch.setattr(sys, name, wrapped)
        code = run(list(map(str, arguments)))
        return Done(code, streams[1].getvalue(), streams[2].getvalue())

    return run_it


@pytest.fixture(scope="session")
def recorded(tmp_path_factory) -> Path:
    """The folder of the recorded runs."""
    folder = tmp_path_factory.mktemp("recorded")
    with tarfile.open(FIXTURE) as archive:
        archive.extraction_filter = getattr(tarfile, "data_filter", None)  # from Python 3.11.4 on
        archive.extractall(folder)
    return folder


@pytest.fixture
def data(recorded, tmp_path) -> Path:
    """A copy of the synthetic data folder, to be damaged."""
    return Path(shutil.copytree(recorded / "model", tmp_path / "model"))
