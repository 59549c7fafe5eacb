"""Pictures, a file per sentence: see `senna.drawing.svg`."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from senna.drawing.parts import parts_of
from senna.drawing.svg import drawing
from senna.errors import SennaError
from senna.files import make_folder, replacing
from senna.formats.base import Format

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

END = "</svg>\n"  # of each picture


class NumberedFiles(io.RawIOBase):
    """An output that goes into the files of a folder, 0001.svg, 0002.svg and so on.

    A file appears whole or not at all. Raises SennaError if there is no folder, or if it cannot be
    written to; it is made where it is missing.
    """

    def __init__(self, folder: Path | None) -> None:
        if folder is None:
            mend = "Give --output-dir DIR: svg is one file per sentence."
            raise SennaError("a folder is needed", where="--format svg", mend=mend)
        self._folder, self._rest, self._number = folder, b"", 0
        make_folder(folder)

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        *pictures, self._rest = (self._rest + bytes(data)).split(END.encode())
        for picture in pictures:
            self._number += 1
            with replacing(self._folder / f"{self._number:04}.svg") as temporary:
                temporary.write_bytes(picture + END.encode())
        return memoryview(data).nbytes


FORMAT = Format(lambda line, answers, style: drawing(parts_of(line.words, answers)))
