"""Scripts are imported as they import each other, from the folder that they are in, or run."""

from __future__ import annotations

import subprocess
import sys

from tests.processes import ROOT

SCRIPTS = ROOT / "scripts"
sys.path += [str(SCRIPTS), str(SCRIPTS / "experiments")]


def run(script: str, *options: object) -> subprocess.CompletedProcess[str]:
    """How a script ended, and what it printed."""
    command = [sys.executable, str(SCRIPTS / script), *map(str, options)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", cwd=ROOT)
