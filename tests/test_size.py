"""How large the package is: its spine, which a newcomer reads, and all of it."""

from pathlib import Path

from tests.processes import ROOT

LEAVES = ("corpora", "drawing", "extras", "formats", "lab", "pretraining", "scoring", "serve")
SPINE = 23_000  # lines of Python
ALL = 46_550


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_lines_of_the_package():
    sizes = {
        path.relative_to(ROOT / "senna"): lines_of(path) for path in ROOT.glob("senna/**/*.py")
    }
    leaves = {*LEAVES, "spacy.py", "spark.py", "tables.py"}
    assert sum(size for path, size in sizes.items() if path.parts[0] not in leaves) <= SPINE
    assert sum(sizes.values()) <= ALL
