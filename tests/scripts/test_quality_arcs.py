"""scripts/quality_arcs.py, and the sentences of tests/quality/arcs that it measures on."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from senna import SennaError
from senna.model.folder import shipped
from senna.text.conllu import Arc

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import quality_arcs

    return quality_arcs


def test_three_hundred_sentences_have_a_root_and_arcs_without_cycles(script: ModuleType) -> None:
    sentences = script.read(script.CLAUSES)
    assert len(sentences) == len({tuple(sentence.words) for sentence in sentences}) == 300
    for words, arcs in sentences:
        assert [arc.relation for arc in arcs.values() if arc.head == 0] == ["root"], words
        for i, (head, _) in arcs.items():
            steps = 0
            while head and head - 1 in arcs and steps <= len(words):
                head, steps = arcs[head - 1].head, steps + 1
            assert head == 0, (words, i)


def test_no_sentence_is_in_the_demonstration_treebank(script: ModuleType) -> None:
    texts = {" ".join(sentence.words) for sentence in script.read(script.CLAUSES)}
    for path in (ROOT / "data" / "demo" / "ud").glob("*.conllu"):
        lines = path.read_text(encoding="utf-8").split("\n")
        assert not texts & {line.removeprefix("# text = ") for line in lines}


def test_a_line_by_hand(script: ModuleType) -> None:
    line = "I saw what I saw . | saw nsubj=I ccomp=saw#2 ; saw#2 nsubj=I#2 obj=what"
    words, arcs = script.expected(line, "here:1")
    assert words == "I saw what I saw .".split()
    assert arcs == {
        1: Arc(0, "root"), 0: Arc(2, "nsubj"), 4: Arc(2, "ccomp"),
        3: Arc(5, "nsubj"), 2: Arc(5, "obj"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("He left", "no word"),
        ("He left | ran", "no word ran"),
        ("He left | left nsubj", "nsubj is no relation=word"),
        ("He left | left nsubj=He#2", "no word He#2"),
        ("He left | left nsubj=He ; left obj=He", "two heads of He"),
    ],
)
def test_lines_of_another_format_are_refused(line: str, what: str, script: ModuleType) -> None:
    with pytest.raises(SennaError, match=re.escape(what)):
        script.expected(line, "here:1")


def test_shares_by_hand(script: ModuleType) -> None:
    sentence = script.expected("He was seen . | seen nsubj:pass=He aux:pass=was", "here:1")
    found = [[Arc(3, "nsubj"), Arc(1, "aux:pass"), Arc(0, "root"), Arc(3, "punct")]]
    assert list(script.table([sentence], found))[1:] == [
        "| root | 1 | 1 | 100.0 |",
        "| subject | 1 | 1 | 100.0 |",
        "| object | 0 | 0 | 0.0 |",
        "| clause | 0 | 0 | 0.0 |",
        "| all | 3 | 2 | 66.7 |",
        "| sentences | 1 | 0 | 0.0 |",
    ]
    assert list(script.wrong([sentence], found)) == [
        "  was: aux:pass of seen, found as aux:pass of He: He was seen ."
    ]


def test_the_command_scores_the_sentences() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "measure_quality.py"), "--arcs"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if "dep" not in shipped():
        assert done.returncode == 2 and "no model for task dep" in done.stderr
        pytest.skip("the package has no model for dependency trees")
    rows = {line.split("|")[1].strip(): line for line in done.stdout.splitlines()[2:]}
    assert list(rows) == ["root", "subject", "object", "clause", "all", "sentences"]
