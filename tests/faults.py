"""Faults, to stand in the place of what works."""

import errno
import io
from pathlib import Path
from typing import Any, NoReturn

import pytest


def no_space(*_: object, **__: object) -> NoReturn:
    """Fail as on a full disk."""
    raise OSError(errno.ENOSPC, "No space left on device")


class FullDisk(io.FileIO):
    """A file that takes ten bytes of the first write and then no more."""

    def write(self, data: Any) -> int:
        super().write(data.encode()[:10] if isinstance(data, str) else bytes(data)[:10])
        if data:  # nothing fits everywhere
            no_space()
        return 0


def fill_disk(patch: pytest.MonkeyPatch, name: str) -> None:
    """No space for files whose names begin so: little of a new one, nothing more of an old one."""
    really = Path.open

    def opened(path: Path, mode: str = "r", *more: Any, **named: Any) -> Any:
        if path.name.startswith(name) and mode[0] == "a":
            no_space()
        if path.name.startswith(name) and mode[0] == "w":
            return FullDisk(str(path), "w")
        return really(path, mode, *more, **named)

    patch.setattr(Path, "open", opened)
