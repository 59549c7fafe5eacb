"""Writes what the package's models say of the sample text and of tests/quality, for the tests.

    python scripts/make_golden.py

tests/golden/shipped has one file per text, as `senna tag --task all` prints it. A test compares
them byte by byte, so that no change moves a tag unnoticed. Run this after models were exchanged, or
after a change that is meant to move tags, and read the difference before it is committed.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden" / "shipped"
TEXTS = [ROOT / "data" / "sample.txt", *sorted((ROOT / "tests" / "quality").glob("*.txt"))]


def text_of(path: Path) -> str:
    """A file's text; of tests/quality the `# text:` lines, a blank line between documents."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if not lines[0].startswith("# kind:"):
        return "\n".join([*lines, ""])
    heads = (line.partition(":") for line in lines)
    kept = (rest.strip() if head == "# text" else "" for head, _, rest in heads if head[:1] == "#")
    return "\n".join([*kept, ""])


def tagged(path: Path) -> str:
    """What all models say of a text, in columns."""
    command = [sys.executable, "-m", "senna", "tag", "--task", "all"]
    done = subprocess.run(
        command, input=text_of(path).encode(), stdout=subprocess.PIPE, cwd=ROOT, check=True
    )
    return done.stdout.decode()


def main() -> int:
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for path in TEXTS:
        (GOLDEN / path.name).write_text(tagged(path), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
