"""Try the lowest versions that pyproject.toml allows, without PyTorch.

usage: python scripts/check_lowest.py

Installs the package with them into a fresh environment; there it must tag the sample as it does
with the versions at hand, and the tests of text, scoring and tagging must pass that need no more.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from common import fresh_python

from senna.settings import read_table

ROOT = Path(__file__).resolve().parents[1]
NUMBERS = ("tests/inference", "tests/kinds", "tests/decoding", "tests/pipeline")
TESTS = ("tests/text", "tests/annotation", "tests/scoring", *NUMBERS)


def lowest() -> list[str]:
    """The requirements to build and run the package, each at the lowest version that it names."""
    settings = read_table(ROOT / "pyproject.toml")
    required = [*settings["build-system"]["requires"], *settings["project"]["dependencies"]]
    return [requirement.replace(">=", "==") for requirement in required]


def run(*command: object, cwd: Path = ROOT) -> bytes:
    """The output of a command; it must end well."""
    return subprocess.run([*map(str, command)], cwd=cwd, check=True, stdout=subprocess.PIPE).stdout


def main() -> int:
    pins = lowest()
    print(*pins, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        python = fresh_python(home / "venv")
        install = (python, "-m", "pip", "install", "-qq")
        run(*install, *pins)
        run(*install, "--no-build-isolation", ROOT, "pytest", "pytest-xdist", "hypothesis", *pins)
        run(python, "-m", "senna", "train", "--help", cwd=home)
        tag = ("-m", "senna", "tag", ROOT / "data" / "sample.txt")
        if run(python, *tag, cwd=home) != run(sys.executable, *tag):
            print("the sample is tagged otherwise than with the versions at hand")
            return 1
        workers = "addopts=-q -n auto --maxprocesses 4 --dist worksteal"
        options = ("-o", workers, "-m", "not slow and not exhaustive", "-p", "no:cacheprovider")
        return subprocess.run([python, "-m", "pytest", *options, *TESTS], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
