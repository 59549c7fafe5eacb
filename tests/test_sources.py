"""What holds for all sources: layers, no torch where text is tagged, plain words, line ends."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from pkgutil import iter_modules

import pytest
from importlinter.cli import lint_imports

from tests.processes import ROOT, python


def test_contracts_of_import_linter(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    status = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    output = capsys.readouterr().out
    assert status == 0, output
    assert ", 0 broken" in output


def test_no_torch_outside_training():
    commands = ", ".join(f"senna.cli.{name}" for name in ("app", "tag", "eval", "train", "models"))
    others = "senna.document.document, senna.formats.vectors, senna.text.gazetteer, senna.corpora"
    names = "[getattr(senna, name) for name in senna.__all__]"
    found = _modules_after(f"import senna; {names}; import {commands}, {others}")
    assert "senna.cli.train" in found
    assert "torch" not in found


def test_no_module_hides_a_public_name():
    """An import of `senna.search` would put the module in the place of a function `search`."""
    import senna

    assert not {module.name for module in iter_modules(senna.__path__)} & {*senna.__all__}


def test_importing_senna_alone_is_cheap():
    found = _modules_after("import senna")
    assert not found & {"numpy", "typer", "tqdm", "torch", "rich"}


def _modules_after(code: str) -> set[str]:
    done = python("-c", f"import sys; {code}; print(*sys.modules)", check=True)
    return set(done.stdout.decode().split())


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


def git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], check=True, capture_output=True, timeout=60)
    return done.stdout.decode()


def test_no_line_end_is_another(tmp_path):
    try:
        top = git("-C", str(ROOT), "rev-parse", "--show-toplevel").strip()
        clone = ("clone", "-c", "core.autocrlf=true", "-c", "core.eol=crlf", "-nqs", top)
        git(*clone, str(tmp_path / "clone"))
        files = ("HEAD", "--", ".", ":!*.npy")  # these are most bytes, and binary
        git("-C", str(tmp_path / "clone"), "checkout", "-q", *files)
    except (OSError, subprocess.SubprocessError):
        pytest.skip("the tests do not stand in a clone, or there is no git")
    if Path(top) != ROOT:
        pytest.skip("the clone is of something around this package")
    for line in git("-C", str(tmp_path / "clone"), "ls-files", "--eol").splitlines():
        stored, checked_out, *_ = line.split()
        missing = checked_out == "w/"
        assert missing or stored.partition("/")[2] == checked_out.partition("/")[2], line
