"""Writes what the package's models say of the sample text and of tests/quality, for the tests.

    python scripts/make_golden.py

tests/golden/shipped has one file per text, as `senna tag --task all` prints it. A test compares
them byte by byte, so that no change moves a tag unnoticed. Run this after models were exchanged, or
after a change that is meant to move tags, and read the difference before it is committed.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from common import parser_of

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


def tagged() -> dict[str, str]:
    """The answers of all models for each text, in columns, by the name of its file."""
    with TemporaryDirectory() as folder:
        files = [Path(folder, path.name) for path in TEXTS]
        for file, path in zip(files, TEXTS, strict=True):
            file.write_text(text_of(path), encoding="utf-8", newline="\n")
        command = [sys.executable, "-m", "senna", "tag", "--task", "all", "--output-dir", folder]
        subprocess.run([*command, *map(str, files)], cwd=ROOT, check=True)
        return {file.name: file.with_suffix(".tsv").read_text(encoding="utf-8") for file in files}


def main() -> int:
    parser_of(__doc__).parse_args()
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for name, text in tagged().items():
        (GOLDEN / name).write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
