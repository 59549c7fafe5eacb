"""Output that is a file per sentence."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from senna.errors import SennaError
from senna.files import make_folder, replacing
from senna.formats.base import format_of

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def numbered_files(folder: Path | None, format: str) -> NumberedFiles:
    """The files of a format that has one per sentence; SennaError if it has not, or no folder."""
    end = format_of(format or "columns").file_end
    if not end:
        raise SennaError(f"{format or 'columns'} is written to one file", where="--output-dir")
    if folder is None:
        mend = f"Give --output-dir DIR: {format} is one file per sentence."
        raise SennaError("a folder is needed", where=f"--format {format}", mend=mend)
    return NumberedFiles(folder, format, end)


class NumberedFiles(io.RawIOBase):
    """An output that goes into the files of a folder, 0001.svg, 0002.svg ... for format svg.

    A file ends after `end`, and appears whole or not at all. Raises SennaError if the folder, which
    is made where it is missing, cannot be written to.
    """

    def __init__(self, folder: Path, format: str, end: str) -> None:
        self._folder, self._format, self._end = folder, format, end.encode()
        self._rest, self._number = b"", 0
        make_folder(folder)

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        *files, self._rest = (self._rest + bytes(data)).split(self._end)
        for text in files:
            self._number += 1
            path = self._folder / f"{self._number:04}.{self._format}"
            with replacing(path) as temporary:
                temporary.write_bytes(text + self._end)
        return memoryview(data).nbytes
