"""README.md, docs/api.md and docs/tour.ipynb: their examples run, and print what they show."""

import contextlib
import io
import json
import re
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from tests.processes import ROOT

NOT_CODE = (
    "senna.load(tasks=None",
    "senna.evaluate(task, gold",
    "senna.train(task=()",
)  # signatures
# What shows that a package is needed.
NEEDS = {"senna.train(": "torch", "to_dataframe": "pandas", "import spacy": "spacy"}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch) -> None:
    """A folder to write in, which has the checkout's data."""
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)


def printed(code: str, names: dict[str, Any]) -> str:
    """What a piece of code prints; what it defines stays in `names`."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(code, names)
    return out.getvalue()


def expected(code: str) -> str:
    """What an example says that it prints: comments below, or on the line of, a `print`."""
    found, after = [], False
    for line in code.splitlines():
        after = "print(" in line or (after and line.startswith("# "))
        if after and line.startswith("# "):
            found.append(line[2:])
        elif match := re.search(r"print\(.*\)  # (.*)", line):
            found.append(match[1])
    return "".join(f"{line}\n" for line in found)


def can_run(code: str) -> bool:
    """Whether all is there that an example needs."""
    if "add_pipe" in code and "senna" not in metadata.entry_points(group="spacy_factories").names:
        return False  # the package is not installed, but at hand
    needed = {package for sign, package in NEEDS.items() if sign in code}
    return needed <= {own.name.lower() for own in metadata.distributions() if own.name}


@pytest.mark.parametrize(
    ("page", "least"), [("README.md", 1), pytest.param("docs/api.md", 10, marks=pytest.mark.slow)]
)
def test_examples_print_what_they_say(page, least):
    text = (ROOT / page).read_text(encoding="utf-8")
    names: dict[str, Any] = {"__name__": "example"}
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    blocks = [code for code in blocks if not code.startswith(NOT_CODE)]
    assert len(blocks) >= least
    for code in filter(can_run, blocks):
        found = printed(code, names)
        if "senna.evaluate" not in code:  # which has a test of its own
            assert found == expected(code), code


def cells() -> list[str]:
    """The code of the notebook's cells."""
    notebook = json.loads((ROOT / "docs" / "tour.ipynb").read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    return ["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"]


def test_the_cells_of_the_notebook_run():
    names: dict[str, Any] = {"__name__": "__main__"}
    assert len(cells()) == 10
    outputs = [printed(code, names) for code in cells()]
    assert outputs[0] == "" and "<mark" in names["doc"]._repr_html_()
    assert "Curie    NNP  E-NP  E-PER  6-11" in outputs[1].splitlines()
    assert all(outputs[1:9])
    assert outputs[7].endswith(" True\n")
    assert Path("curie.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
