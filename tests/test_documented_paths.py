"""Every module and file that the pages name is there."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.processes import ROOT

PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/*.md")])
FOLDERS = {path.name for path in (ROOT / "senna").iterdir() if path.is_dir()}
FOLDERS |= {"senna", "recipe", "scripts", "configs", "data", "tests", "docs"}
FOLDERS -= {"models", "vectors", "text"}  # what users call their own folders, too
# A folder or a module of the project, with names in capitals and stars for any one.
NAMED = re.compile(r"[a-z_]+/[\w./*-]*|[a-z_]+\.py")


def named(page: Path) -> Iterator[str]:
    """The paths between backticks that are of this project."""
    text = re.sub(r"(?ms)^```.*?^```$", "", page.read_text(encoding="utf-8"))
    for code in re.findall(r"`([^`\n]+)`", text):
        for word in code.split():
            if NAMED.fullmatch(word) and (word.partition("/")[0] in FOLDERS or word[-3:] == ".py"):
                yield word


def exists(name: str) -> bool:
    """Whether a path from the project or the package is there, or a module of that name."""
    pattern = re.sub(r"[A-Z]+", "*", name).rstrip("/")
    places = (
        ("", "senna/") if "/" in name else ("", "senna/", "senna/**/", "scripts/**/", "recipe/**/")
    )
    return any(any(ROOT.glob(place + pattern)) for place in places)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_paths_that_are_named_exist(page):
    assert [name for name in named(page) if not exists(name)] == []
