"""scripts/measure_quality.py, and the texts of tests/quality that it measures on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from senna.model.folder import shipped
from senna.text.schemes import convert

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "measure_quality.py"
TEXTS = sorted((ROOT / "tests" / "quality").glob("*.txt"))
TYPES = ("PER", "LOC", "ORG", "MISC")
SMALL = """\
# kind: notes

# document: one
# text: Ann likes Bern. It
# text:
# text: rains

Ann\tNNP\tB-PER
likes\tVBZ\tO
Bern\tNNP\tB-LOC
.\t.\tO

It\tPRP\tO

rains\tVBZ\tO
"""


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    import measure_quality

    return measure_quality


def run(*options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def known_parts_of_speech() -> set[str]:
    path = shipped()["pos"] / "pos.tags.txt"
    return set(path.read_text(encoding="utf-8").split("\n"))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_texts_are_well_formed(path: Path, script: ModuleType) -> None:
    documents = script.read(path)
    assert len(documents) == len({document.name for document in documents}) == 3
    assert {document.kind for document in documents} == {path.stem}
    parts = known_parts_of_speech()
    for document in documents:
        assert 60 <= len(document.text.split()) <= 150, document.name
        words = [word for sentence in document.sentences for word in sentence.words]
        assert "".join(words) == "".join(document.text.split()), document.name
        for sentence in document.sentences:
            assert set(sentence.pos) <= parts
            assert convert(sentence.ner, "iob2", "iob2") == sentence.ner
            assert {tag[2:] for tag in sentence.ner if tag != "O"} <= {*TYPES}


def test_words_are_placed_in_the_text(tmp_path: Path, script: ModuleType) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(SMALL, encoding="utf-8")
    (document,) = script.read(path)
    assert document.text == "Ann likes Bern. It\n\nrains"
    assert [sentence.cut for sentence in document.sentences] == [(0, 15), (16, 18), (20, 25)]
    assert document.sentences[0].cuts == [(0, 3), (4, 9), (10, 14), (14, 15)]


def test_shares_and_errors_by_hand(tmp_path: Path, script: ModuleType) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(SMALL, encoding="utf-8")
    (document,) = script.read(path)
    pos = [["NNP", "VBZ", "NNP", "."], ["PRP"], ["NNS"]]
    ner = [["B-ORG", "I-ORG", "B-LOC", "O"], ["B-MISC"], ["O"]]
    cuts = {cut for sentence in document.sentences[1:] for cut in sentence.cuts}
    result = script.Result(document, pos, ner, {(16, 18)}, {*cuts, (10, 14), (14, 15)})
    # 5 of 6 words; 1 of 3 found names and of 2 gold ones; 1 of 3 sentences; 4 of 6 tokens
    assert script.row("notes", [result]) == (
        "| notes | 6 | 83.3 | 2 | 33.3 | 50.0 | 40.0 | 33.3 | 66.7 |"
    )
    assert list(script.errors(result)) == [
        "sentence not cut: Ann likes Bern.",
        "token not cut: Ann",
        "token not cut: likes",
        "PER found as ORG Ann likes: [Ann] likes Bern .",
        "no name found as MISC: [It]",
        "sentence not cut: rains",
        "VBZ tagged NNS: [rains]",
    ]


def test_the_shipped_models_are_measured(script: ModuleType) -> None:
    done = run("--errors", *TEXTS[:2])
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split("\n")
    assert lines[:2] == script.HEADING.split("\n")
    kinds = [line.split(" | ")[0] for line in lines[2:5]]
    assert kinds == [f"| {path.stem}" for path in TEXTS[:2]] + ["| all"]
    assert f"{TEXTS[0].stem}, {script.read(TEXTS[0])[0].name}" in lines


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("Bern\tNNP\tB-LOC", "Bern\tNNP", "notes.txt:10: "),
        ("Bern\tNNP", "Basel\tNNP", 'notes.txt:8: the text does not go on with "Basel"'),
        ("likes\tVBZ\tO\n", "", 'notes.txt:8: the text does not go on with "Bern"'),
        ("# kind: notes\n", "", "notes.txt:7: "),
    ],
)
def test_a_file_of_another_format_is_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(SMALL.replace(old, new), encoding="utf-8")
    done = run(path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_model_of_other_tasks_is_refused() -> None:
    done = run("--model", "psg", TEXTS[0])
    assert done.returncode == 2
    assert done.stderr.startswith("measure_quality: --model psg: it tags neither pos nor ner")
