"""Run tests with other versions of packages: the lowest that pyproject.toml allows, or of clients.

usage: python scripts/check_versions.py lowest | clients [--lowest]

Each installs the package into a fresh environment. With `lowest`, what it needs and the extras
serve and train have their lowest versions; it must tag the sample as it does with the versions at
hand, and the tests of text, scoring, tagging and the server must pass. Where the CPU build of the
lowest PyTorch can be had, the tests of training must pass too; PyPI's build for Linux, with CUDA,
has several gigabytes. `clients` are the programs that people use senna with (NLTK, spaCy, Spark,
the UD validator: the extra of this name), the newest ones or the lowest. If a package or Java is
missing, a line says so, and its tests are skipped.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from common import fresh_python, parser_of

from senna.registry import PYTORCH
from senna.settings import read_table

ROOT = Path(__file__).resolve().parents[1]
NUMBERS = ("tests/inference", "tests/kinds", "tests/decoding", "tests/pipeline")
TOOLS = ("pytest", "pytest-xdist", "hypothesis", "httpx")
OF_SERVER = ("tests/serve/test_api.py", "tests/serve/test_tagging.py")
TESTS = ("tests/text", "tests/annotation", "tests/scoring", *OF_SERVER, *NUMBERS)
OF_TRAINING = ("tests/training/test_loop.py", "tests/training/test_run.py")
OF_SCORERS = "tests/scripts/test_compare_scorers.py"
OF_CLIENTS = ("tests/clients", OF_SCORERS, "tests/test_spacy.py", "tests/test_spark.py")
CPU = PYTORCH.split()[-2:]  # where the CPU builds are


def required(extra: str = "", lowest: bool = True) -> list[str]:
    """The requirements to build and run the package, or of an extra, perhaps the lowest."""
    settings = read_table(ROOT / "pyproject.toml")
    project = settings["project"]
    names = [*settings["build-system"]["requires"], *project["dependencies"]]
    names = project["optional-dependencies"][extra] if extra else names
    return [name.replace(">=", "==") if lowest else name for name in names]


def run(*command: object, cwd: Path = ROOT) -> bytes:
    """The output of a command; it must end well."""
    return subprocess.run([*map(str, command)], cwd=cwd, check=True, stdout=subprocess.PIPE).stdout


def tested(python: Path, *options: str) -> int:
    """The exit code of pytest under a Python."""
    options = (*options, "-p", "no:cacheprovider")
    return subprocess.run([python, "-m", "pytest", *options], cwd=ROOT).returncode


def check_lowest(python: Path, home: Path) -> int:
    """Run the tests of the package with the lowest versions."""
    pins, torch = [*required(), *required("serve")], required("train")
    print(*pins, flush=True)
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
    return tested(python, "-o", workers, "-m", "not slow and not exhaustive", *tests)


def check_clients(python: Path, lowest: bool) -> int:
    """Run the tests of the programs that people use senna with."""
    names = required("clients", lowest)
    install = [python, "-m", "pip", "install", "-qq", "-c", ROOT / "constraints.txt"]
    needed = [*install, ROOT, "pytest", "hypothesis"]
    if subprocess.run([*needed, *names]).returncode:  # then those that can be had
        run(*needed)
        for client in names:
            if subprocess.run([*install, client]).returncode:
                print(f"skipped: {client} cannot be had", flush=True)
    return tested(python, "-o", "addopts=-q", "-rs", *OF_CLIENTS)


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("what", choices=("lowest", "clients"))
    parser.add_argument("--lowest", action="store_true", help="the lowest versions of clients")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        python = fresh_python(home / "venv")
        if chosen.what == "lowest":
            return check_lowest(python, home)
        return check_clients(python, chosen.lowest)


if __name__ == "__main__":
    sys.exit(main())
