"""Faults, to stand in the place of what works."""

import errno
import io
from typing import Any, NoReturn


def no_space(*_: object, **__: object) -> NoReturn:
    """Fail as on a full disk."""
    raise OSError(errno.ENOSPC, "No space left on device")


class FullDisk(io.FileIO):
    """A file that takes ten bytes of the first write and then no more."""

    def write(self, data: Any) -> int:
        super().write(data.encode()[:10] if isinstance(data, str) else bytes(data)[:10])
        no_space()
