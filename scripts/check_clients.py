"""Try senna under the programs that people use it with: NLTK, spaCy, Spark, the UD validator.

usage: python scripts/check_clients.py [--lowest]

Installs the package with its extra `clients` into a fresh environment and runs `TESTS` there, with
the newest versions or the lowest that pyproject.toml allows. If a package or Java is missing, a
line says so, and its tests are skipped.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = (
    "tests/clients",
    "tests/scripts/test_compare_scorers.py",
    "tests/test_spacy.py",
    "tests/test_spark.py",
)


def clients(project: Path) -> list[str]:
    """The packages of the extra `clients`, each with its lowest version."""
    settings = tomllib.loads(project.read_text(encoding="utf-8"))
    return list(settings["project"]["optional-dependencies"]["clients"])


def main() -> int:
    names = clients(ROOT / "pyproject.toml")
    if "--lowest" in sys.argv[1:]:
        names = [name.replace(">=", "==") for name in names]
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        install = [python, "-m", "pip", "install", "-qq", "-c", ROOT / "constraints.txt"]
        needed = [*install, ROOT, "pytest", "hypothesis"]
        if subprocess.run([*needed, *names]).returncode:  # then those that can be had
            subprocess.run(needed, check=True)
            for client in names:
                if subprocess.run([*install, client]).returncode:
                    print(f"skipped: {client} cannot be had", flush=True)
        options = ("-o", "addopts=-q", "-rs", "-p", "no:cacheprovider")
        return subprocess.run([python, "-m", "pytest", *options, *TESTS], cwd=ROOT).returncode


if __name__ == "__main__":
    sys.exit(main())
