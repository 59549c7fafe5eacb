"""scripts/quality_spans.py, and the sentences of tests/quality/spans that it measures on."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from senna import SennaError
from senna.text.schemes import Phrase

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import quality_spans

    return quality_spans


def test_three_hundred_simple_sentences_have_one_verb_each(script: ModuleType) -> None:
    sentences = script.read(script.SPANS / "roles.txt", (*script.CORE, "V"))
    assert len(sentences) == len({tuple(sentence.words) for sentence in sentences}) == 300
    for sentence in sentences:
        [verb] = [span for span in sentence.spans if span.label == "V"]
        assert verb.end == verb.start + 1
        assert len(sentence.spans) > 1, sentence


def test_brackets_mark_spans_of_tokens(script: ModuleType) -> None:
    cells = "[A0 The dog] [V barks] at [A1 me] .".split()
    words, spans = sentence = script.marked(cells, ("A0", "A1", "V"), "here:1")
    assert words == ["The", "dog", "barks", "at", "me", "."]
    assert spans == [Phrase(0, 2, "A0"), Phrase(2, 3, "V"), Phrase(4, 5, "A1")]
    assert script.bracketed(sentence).split() == cells


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("[A0 The dog barks", "[A0 is not closed"),
        ("The dog] barks", "dog] closes no span"),
        ("[A0 The [V dog]", "[V cannot open a span here"),
        ("[A9 The dog]", "[A9 cannot open a span here"),
        ("[A0 ] dog", "] closes no span"),
    ],
)
def test_brackets_out_of_order_are_refused(line: str, what: str, script: ModuleType) -> None:
    with pytest.raises(SennaError, match=re.escape(f"here:1: {what}")):
        script.marked(line.split(), ("A0", "V"), "here:1")


def test_the_command_scores_both_files() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "measure_quality.py"), "--spans"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    rows = [line.split("|")[1].strip() for line in done.stdout.splitlines()[2:]]
    assert rows == ["roles", "names"]
