"""The tests mirror the package: `tests/a/test_b.py` has those of `senna/a/b.py`."""

from pathlib import Path

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent / "senna"
# Modules without a file of their own among the tests. This number may only become smaller.
EXCEPTIONS = 80


def lacking() -> list[str]:
    """The modules that have functions or classes, and no tests at their place."""
    modules = (path for path in ROOT.rglob("*.py") if "models" not in path.parts)
    return sorted(
        str(path.relative_to(ROOT))
        for path in modules
        if path.name != "__init__.py"
        and "def " in path.read_text(encoding="utf-8")
        and not (TESTS / path.relative_to(ROOT)).with_name(f"test_{path.name}").is_file()
    )


def test_modules_have_tests_at_their_place():
    assert len(lacking()) <= EXCEPTIONS, "\n".join(lacking())
