"""What the package's models say of some texts, byte by byte: tests/golden/shipped."""

import difflib

import pytest

from scripts import make_golden


@pytest.fixture(scope="module")
def tagged() -> dict[str, str]:
    return make_golden.tagged()


@pytest.mark.parametrize("path", make_golden.TEXTS, ids=lambda path: path.stem)
def test_the_shipped_models_say_what_they_said(tagged, path):
    stored, now = (make_golden.GOLDEN / path.name).read_text(encoding="utf-8"), tagged[path.name]
    if now != stored:
        pair = stored.splitlines(), now.splitlines()
        lines = list(difflib.unified_diff(*pair, "stored", "now", lineterm="", n=0))
        n = sum(line[:1] == "+" for line in lines) - 1
        remedy = "If it is meant: python scripts/make_golden.py"
        pytest.fail(f"{n} of {len(pair[1])} lines differ. {remedy}\n" + "\n".join(lines[:40]))
