"""Python in a process of its own, with the package of this checkout."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def python(
    *arguments: str | Path, data: bytes = b"", **more: Any
) -> subprocess.CompletedProcess[bytes]:
    """How Python with some arguments ended; `data` was its standard input."""
    own = {"capture_output": True, "env": ENVIRONMENT, **more}
    return subprocess.run([sys.executable, *arguments], input=data, **own)
