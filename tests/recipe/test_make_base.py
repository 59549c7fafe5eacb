"""recipe/make_base.py: vectors and text become a base table."""

import json
import re

import pytest
from make_base import case_value

from senna.model.folder import read_model
from senna.model.writing import check
from senna.text.vocabulary import RARE
from tests.script import run


def test_a_base_of_vectors_and_text(tmp_path):
    text, vectors, record = (tmp_path / name for name in ("text.txt", "v.txt", "base.json"))
    text.write_text("We saw Paris again. They saw Paris too. It is NATO and NATO again.\n" * 3)
    vectors.write_text("paris 1.0 -1.0\nsaw 0.5 0.5\nnato -1.0 0.0\n")
    record.write_text(json.dumps({"sources": {"{data}/text/a": "0" * 64}}))
    out = tmp_path / "base"
    options = ("--text", text, "--out", out, "--notes", "Toys.", "--record", record)
    done = run("recipe/make_base.py", vectors, *options)
    assert done.returncode == 0, done.stderr
    assert check(out) == 4
    folder = read_model(out)
    assert folder.lines("words.txt") == ["paris", "saw", "nato"]
    case = folder.array("words.case", None, types=("|u1",))
    assert len(set(case[2:].tolist())) >= 2
    origin = {"command": "python recipe/make_models.py base", "inputs": {"text/a": "0" * 64}}
    assert folder.about == {"notes": ["Toys."], "made": origin}
    assert "| text/a | 000" in (out / "README.md").read_text(encoding="utf-8")


# How often a word is in lower case, capitalised and in upper case, and what is stored of it.
CASES = f"""
0 0 0 {RARE} | 1 1 0 {RARE} | 3 0 0 2 | 99 1 0 2 | 98 1 1 3 | 9 1 0 4 | 70 30 0 5 | 1 1 1 6
1 9 0 7 | 0 5 0 8 | 0 2 2 8 | 0 1 2 9 | 2 0 3 9
"""


@pytest.mark.parametrize("case", re.split(r" \| |\n", CASES.strip()))
def test_case_value(case):
    lower, capital, upper, expected = map(int, case.split())
    assert case_value(lower, capital, upper) == expected < 10
