"""The program run in this process, and small models for it."""

import io
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ClassVar, NamedTuple

import pytest

from senna.cli.main import main
from senna.model import folder as model_folder

TASKS = ("pos", "chunk", "ner")


class Done(NamedTuple):
    """How a run of the program ended."""

    code: int
    out: bytes
    err: str

    @property
    def error(self) -> str:
        """The one line on stderr of a run that the user can fix."""
        assert self.code == 2, self
        [line] = self.err.splitlines()
        assert line.startswith("senna: ")
        return line.removeprefix("senna: ")


Senna = Callable[..., Done]
Terminal = Callable[[str], None]


@pytest.fixture(scope="session")
def models(tmp_path_factory) -> Path:
    """A folder of small models: pos, chunk, ner."""
    from tests.tiny import made_once, train_small

    def make(folder: Path, new_run: Callable[[], Path]) -> None:
        for task in TASKS:
            train_small(task, new_run(), f"data.{task}.size=120").rename(folder / task)

    return made_once(tmp_path_factory, "models", make)


@pytest.fixture
def shipped(models, monkeypatch) -> Path:
    """The small models in the place of those in the package."""
    monkeypatch.setattr(model_folder, "MODELS", models)
    return models


class Stream(io.TextIOWrapper):
    """A standard stream, perhaps that of a terminal."""

    terminals: ClassVar[set[str]] = set()
    own = ""

    def isatty(self) -> bool:
        return self.own in self.terminals


@pytest.fixture
def terminal(monkeypatch) -> Terminal:
    """Makes a standard stream one of a terminal: terminal("stdin")."""
    monkeypatch.setattr(Stream, "terminals", set())
    return Stream.terminals.add


def program(patch: pytest.MonkeyPatch, *arguments: object, data: bytes = b"") -> Done:
    """Run the program in this process."""
    streams = [io.BytesIO(data), io.BytesIO(), io.BytesIO()]
    wrapped = [Stream(s, encoding="utf-8", newline="\n") for s in streams]
    wrapped[2].reconfigure(errors="backslashreplace")  # as Python's own
    for name, stream in zip(("stdin", "stdout", "stderr"), wrapped, strict=True):
        stream.own = name
        patch.setattr(sys, name, stream)
    patch.setattr(sys, "argv", ["senna", *map(str, arguments)])
    code: int | str | None = 0
    try:
        main()
    except SystemExit as end:
        code = end.code
    for stream in wrapped[1:]:
        stream.flush()
    _, out, err = (stream.getvalue() for stream in streams)
    return Done(int(code or 0), out, err.decode(errors="surrogateescape"))


@pytest.fixture
def senna(monkeypatch) -> Senna:
    """Runs the program: senna("tag", "--task", "pos", data=b"...")."""
    return partial(program, monkeypatch)
