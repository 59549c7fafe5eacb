"""Try the lowest versions that pyproject.toml allows, those of the extras serve and train too.

usage: python scripts/check_lowest.py

Installs the package with them into a fresh environment; there it must tag the sample as it does
with the versions at hand, and the tests of text, scoring, tagging and the server must pass. Where
the CPU build of the lowest PyTorch can be had, the tests of training must pass too; PyPI's build
for Linux, with CUDA, has several gigabytes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from common import fresh_python

from senna.registry import PYTORCH
from senna.settings import read_table

ROOT = Path(__file__).resolve().parents[1]
NUMBERS = ("tests/inference", "tests/kinds", "tests/decoding", "tests/pipeline")
TOOLS = ("pytest", "pytest-xdist", "hypothesis", "httpx")
OF_SERVER = ("tests/serve/test_api.py", "tests/serve/test_tagging.py")
TESTS = ("tests/text", "tests/annotation", "tests/scoring", *OF_SERVER, *NUMBERS)
OF_TRAINING = ("tests/training/test_loop.py", "tests/training/test_run.py")
CPU = PYTORCH.split()[-2:]  # where the CPU builds are


def lowest(extra: str = "") -> list[str]:
    """The requirements to build and run the package, or of an extra, at their lowest versions."""
    settings = read_table(ROOT / "pyproject.toml")
    project = settings["project"]
    required = [*settings["build-system"]["requires"], *project["dependencies"]]
    required = project["optional-dependencies"][extra] if extra else required
    return [requirement.replace(">=", "==") for requirement in required]


def run(*command: object, cwd: Path = ROOT) -> bytes:
    """The output of a command; it must end well."""
    return subprocess.run([*map(str, command)], cwd=cwd, check=True, stdout=subprocess.PIPE).stdout


def main() -> int:
    pins, torch = [*lowest(), *lowest("serve")], lowest("train")
    print(*pins, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        python = fresh_python(home / "venv")
        install = (python, "-m", "pip", "install", "-qq")
        run(*install, *pins)
        run(*install, "--no-build-isolation", ROOT, *TOOLS, *pins)
        run(python, "-m", "senna", "train", "--help", cwd=home)
        tag = ("-m", "senna", "tag", ROOT / "data" / "sample.txt")
        if run(python, *tag, cwd=home) != run(sys.executable, *tag):
            print("the sample is tagged otherwise than with the versions at hand")
            return 1
        tests, quick = [*TESTS], ("--retries", "0", "--timeout", "10", *CPU)
        if subprocess.run([*install, *quick, *torch], stderr=subprocess.DEVNULL).returncode:
            print(*torch, "cannot be installed here: training is not tried")
        else:
            tests += OF_TRAINING
        workers = "addopts=-q -n auto --maxprocesses 4 --dist worksteal"
        options = ("-o", workers, "-m", "not slow and not exhaustive", "-p", "no:cacheprovider")
        return subprocess.run([python, "-m", "pytest", *options, *tests], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
