"""Stand-ins with the names of the original's executables, for programs that start these."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from senna.errors import SennaError
from senna.files import replacing

NAMES = ("senna", "senna-linux64", "senna-linux32", "senna-osx")
WINDOWS_NAMES = ("senna.bat", "senna-win32.bat")
_MARK = "Stands in for SENNA 3.0: see `senna classic`."

# Wrappers start the stand-in with hardly any environment, so Python and senna are named by their
# places. -P: what lies in the folder at hand is no module.
_PROGRAM = (
    "import sys;{home!r} in sys.path or sys.path.insert(0,{home!r});"
    "from senna.extras.classic.program import main;main()"
)


def install(folder: Path, windows: bool = sys.platform == "win32") -> list[Path]:
    """Write the stand-ins into a folder, which is made if need be; returns their paths.

    Raises SennaError where a file of such a name is another program, and then writes none.
    """
    paths = [folder / name for name in (WINDOWS_NAMES if windows else NAMES)]
    for path in paths:
        if not _is_free(path):
            remedy = "Name another folder, or move it away."
            raise SennaError("another program, which stays", where=str(path), remedy=remedy)
    text = _script(windows)
    try:
        # Wrappers may ask that nobody else can write there.
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    except OSError as error:
        raise SennaError(f"cannot be made: {error.strerror}", where=str(folder)) from None
    for path in paths:
        with replacing(path) as place:
            place.write_text(text, encoding="utf-8", newline="\r\n" if windows else "\n")
            place.chmod(0o755)
    return paths


def _is_free(path: Path) -> bool:
    """Whether nothing stands there but perhaps an older stand-in."""
    if not os.path.lexists(path):
        return True
    return path.is_file() and _MARK.encode() in path.read_bytes()[:200]


def _script(windows: bool) -> str:
    program = _PROGRAM.format(home=str(Path(__file__).resolve().parents[3]))
    if windows:
        code = program.replace("%", "%%").replace('"', '\\"')
        return f'@rem {_MARK}\n@"{sys.executable}" -P -c "{code}" %*\n'
    python, code = shlex.quote(sys.executable), shlex.quote(program)
    return f'#!/bin/sh\n# {_MARK}\nexec {python} -P -c {code} "$@"\n'
