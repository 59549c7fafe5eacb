"""scripts/quality_frames.py, and the sentences of tests/quality/frames that it measures on."""

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
WORDS = "He said he left early .".split()
FRAMES = {
    1: [Phrase(0, 1, "A0"), Phrase(2, 5, "A1")],
    3: [Phrase(2, 3, "A0"), Phrase(4, 5, "AM-TMP")],
}


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    import quality_frames

    return quality_frames


def test_two_hundred_sentences_of_twelve_kinds(script: ModuleType) -> None:
    kinds = [script.read(path) for path in script.FRAMES.glob("*.txt")]
    assert len(kinds) == 12
    assert all(16 <= len(sentences) <= 17 for sentences in kinds)
    sentences = [sentence for kind in kinds for sentence in kind]
    assert len(sentences) == len({tuple(sentence.words) for sentence in sentences}) == 200
    assert all(4 <= len(sentence.words) <= 16 for sentence in sentences)


def test_numbered_roles_and_verbs_are_there_once_in_a_frame(script: ModuleType) -> None:
    for path in script.FRAMES.glob("*.txt"):
        for words, frames in script.read(path):
            for arguments in frames.values():
                labels = [argument.label for argument in arguments]
                numbered = [label for label in labels if re.fullmatch("A[0-9]", label)]
                assert len(numbered) == len(set(numbered)), words
                for label in labels:
                    whole = re.sub("^[RC]-", "", label)
                    assert whole in {"V", "A0", "A1", "A2", "A3", "A4"} or whole[:3] == "AM-", words
                    assert label == whole or whole in {"V", *labels}, words


def test_a_file_is_read(script: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "kind.txt"
    path.write_text(
        "He said he left early .\nsaid: A0 He | A1 he left early\nleft: AM-TMP early | A0 he\n\n"
        "Never again !\n\nDo as he does , not as he did .\nDo: A0 he#2\ndid:\n",
        encoding="utf-8",
    )
    assert script.read(path) == [
        (WORDS, FRAMES),
        (["Never", "again", "!"], {}),
        ("Do as he does , not as he did .".split(), {0: [Phrase(7, 8, "A0")], 8: []}),
    ]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("said A0 He", "no colon after the predicate"),
        ("ran: A0 He", "the sentence has no ran"),
        ("said: A0 she", "the sentence has no she"),
        ("said: A0 He#2", "the sentence has no He#2"),
        ("said: A0 He#0", "the sentence has no He#0"),
        ("said: A0 He | A1", "a role without its phrase"),
        ("said: A0 He said", "A0 and V overlap"),
        ("said: A0 He | A1 he left | AM-TMP left early", "A1 and AM-TMP overlap"),
        ("said: A0 He\nsaid: A0 he", "two frames of said"),
    ],
)
def test_lines_of_another_format_are_refused(
    line: str, what: str, script: ModuleType, tmp_path: Path
) -> None:
    path = tmp_path / "kind.txt"
    path.write_text(f"{' '.join(WORDS)}\n{line}\n", encoding="utf-8")
    with pytest.raises(SennaError, match=re.escape(f"kind.txt:{2 + line.count(chr(10))}: {what}")):
        script.read(path)


def test_figures_by_hand(script: ModuleType) -> None:
    right = script.Framed(WORDS, FRAMES)
    assert script.row("one", [right], [FRAMES]) == "| one | 1 | 1 | 100.0 | 100.0 | 100.0 | 100.0 |"
    # One argument right, one of another extent, one predicate missed, and one where none is.
    answer = {1: [Phrase(0, 1, "A0"), Phrase(2, 4, "A1")], 4: [Phrase(2, 3, "A0")]}
    assert script.row("two", [right, right], [FRAMES, answer]) == (
        "| two | 2 | 1 | 50.0 | 71.4 | 62.5 | 66.7 |"
    )
    assert list(script.wrong([right, right], [FRAMES, answer])) == [
        "[A0 He] [V said] [A1 he left early] .  tagged  [A0 He] [V said] [A1 he left] early .",
        "He said [A0 he] [V left] [AM-TMP early] .  tagged  left is no predicate",
        "early is no predicate  tagged  He said [A0 he] left [V early] .",
    ]


def test_the_command_scores_all_kinds(script: ModuleType) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "measure_quality.py"), "--frames"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    rows = [line.split("|")[1].strip() for line in done.stdout.splitlines()[2:]]
    assert rows == [*sorted(path.stem for path in script.FRAMES.glob("*.txt")), "all"]
