"""Scripts, run in the process of the tests."""

import contextlib
import io
import runpy
import subprocess
import sys

import pytest

from tests.processes import ROOT


def run(script: str, *options: object) -> subprocess.CompletedProcess[str]:
    """How a script of the checkout ended in this process, and what it printed."""
    path, out, err = ROOT / script, io.StringIO(), io.StringIO()
    command = [str(path), *map(str, options)]
    status: int | str = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.syspath_prepend(path.parent)
        patch.setattr(sys, "argv", command)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                runpy.run_path(str(path), run_name="__main__")
            except SystemExit as end:
                status = end.code or 0
    if isinstance(status, str):  # as Python ends
        err.write(f"{status}\n")
        status = 1
    return subprocess.CompletedProcess(command, status, out.getvalue(), err.getvalue())
