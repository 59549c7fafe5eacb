"""Modules and pages do not use the worst shortcuts: "a line" for "per line"."""

import re
from collections.abc import Iterator

from tests.processes import ROOT

UNITS = (
    "affix epoch file head length letter level line model predicate row sentence step task token"
)
UNITS += " column type word"
# Words of two letters before "a line" may be verbs or prepositions: only these nouns are checked.
NOUNS = "byte character column entry field file key line list number path root row score scale tree"
SHORTCUTS = {
    "per": rf"\b(?:one|two|an?) (?:\w+ )?(?:{NOUNS.replace(' ', '|')})s? an? "
    rf"(?:{UNITS.replace(' ', '|')})\b",
    "several per": r"\b(?:numbers|words|columns|rows|fields|bytes) an? "
    rf"(?:{UNITS.replace(' ', '|')})\b",
    "for example": r"\b(?:e\.g|i\.e)\.",
    "as": r", as (?:[\w.]+=[\w\[]|\"[\w<]+[=<]|[A-Z]+=)",
    "separated": r"\bparted (?:by|at)\b",
    "is not a": r"\b(?:is|are) no (?:valid|legal|known)\b",
}
FINE = re.compile(r"\bends? a|\bof a\b")


def texts() -> Iterator[tuple[str, str]]:
    """Modules and pages, each on one line and with its name; strings that go on are whole."""
    modules = [
        path for part in ("senna", "scripts", "recipe") for path in (ROOT / part).rglob("*.py")
    ]
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")]
    for path in (*modules, *pages, *(ROOT / "docs").glob("*.toml")):
        text = re.sub(r'"\s+f?"', "", path.read_text(encoding="utf-8"))
        yield str(path.relative_to(ROOT)), " ".join(text.split())


def test_no_text_has_a_shortcut():
    patterns = {name: re.compile(pattern) for name, pattern in SHORTCUTS.items()}
    found = [
        f"{name}: {path}: {text[max(0, match.start() - 30) : match.end() + 20]}"
        for path, text in texts()
        for name, pattern in patterns.items()
        for match in pattern.finditer(text)
        if not FINE.search(match[0])
    ]
    assert found == []
