"""Pictures, a file per sentence (`senna.drawing.svg`), and drawings for people at a terminal.

Those of `senna.drawing.terminal` have colours unless $NO_COLOR is set; lines are as wide as the
terminal, or as $COLUMNS says.
"""

from __future__ import annotations

import io
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from senna.atomic import make_folder, replacing
from senna.drawing.parts import parts_of
from senna.errors import SennaError
from senna.kinds.answer import Answers, Line
from senna.pipeline.format import Format
from senna.pipeline.options import Options

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
            remedy = "Give --output-dir DIR: svg is one file per sentence."
            raise SennaError("a folder is needed", where="--format svg", remedy=remedy)
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


def _picture(line: Line, answers: Answers, options: Options) -> str:
    from senna.drawing.svg import drawing

    return drawing(parts_of(line.words, answers))


def _for_terminal(line: Line, answers: Answers, options: Options) -> str:
    """Rows under the words, then a blank line."""
    from senna.drawing.terminal import drawn

    plain = bool(os.environ.get("NO_COLOR"))

    def paint(text: str, code: int) -> str:
        return text if plain or not text else f"\x1b[{code}m{text}\x1b[0m"

    rows = drawn(parts_of(line.words, answers), shutil.get_terminal_size().columns, paint)
    return "".join(f"{row}\n" for row in rows) + "\n"


FORMATS = {
    "svg": Format(
        _picture,
        about="one picture per sentence, in --output-dir",
        is_text=False,
        into=NumberedFiles,
    ),
    "ansi": Format(_for_terminal, about="colours for a terminal"),
}
