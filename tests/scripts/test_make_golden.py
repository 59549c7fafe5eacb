"""What the package's models say of some texts, byte by byte: tests/golden/shipped."""

import difflib

import pytest

from scripts import make_golden
from senna.model.folder import shipped


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


def test_the_stored_answers_hold_something_of_each_task():
    texts = [
        (make_golden.GOLDEN / path.name).read_text(encoding="utf-8") for path in make_golden.TEXTS
    ]
    assert len(texts) == 11
    rows = [line.split("\t") for text in texts for line in text.splitlines() if line]
    assert len(rows) > 3_500
    assert {"pos", "chunk", "ner", "srl", "psg", "lemma", "dep"} <= set(shipped())
    tags = {tag[2:] for row in rows for tag in row[2:-1] if tag[1:2] == "-"}
    assert {"NP", "VP", "PER", "LOC", "ORG", "MISC", "A0", "A1", "AM-TMP", "C-V"} <= tags
    assert sum("(NP" in row[-3] for row in rows) > 500
    assert sum(row[-1] == "nsubj" for row in rows) > 100


def test_the_text_of_a_file(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("# kind: notes\n\n# document: one\n# text: Ann likes: Bern.\n\nAnn\tNNP\tO\n")
    assert make_golden.text_of(path) == "\n\nAnn likes: Bern.\n"
    path.write_text("Ann likes\nBern.\n")
    assert make_golden.text_of(path) == "Ann likes\nBern.\n"
