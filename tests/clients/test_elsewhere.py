"""The lines of docs/elsewhere.md read all words that senna has written."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

import senna

PAGE = Path(__file__).parents[2] / "docs" / "elsewhere.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
TEXT = 'Tom Lee met NA and None ; " null " is a word .\nIt did n\'t rain in Paris .\n'
NAMES = [("Tom Lee", "PER"), ("Paris", "LOC")]
FILES = {"tsv": "columns", "conll": "conll", "iob2": "conll", "conllu": "conllu"}
LIBRARIES = "nltk|pandas|polars|duckdb|pyarrow|conllu|pyconll|udapi|ufal|spacy|pybrat|iobes"


def library_of(block: str) -> str:
    found = re.search(rf"(?m)^(?:import|from) ({LIBRARIES})", block)
    assert found, block
    return found[1]


@pytest.mark.parametrize("block", BLOCKS, ids=library_of)
def test_every_word_is_read(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(library_of(block))
    monkeypatch.chdir(tmp_path)
    Path("letter.txt").write_text(TEXT, encoding="utf-8")
    for ending, format_ in FILES.items():
        scheme = "iob2" if ending == "iob2" else "iobes"
        parts = senna.convert("letter.txt", format_, tasks="pos,ner", input="tokens", scheme=scheme)
        Path(f"tagged.{ending}").write_bytes(b"".join(parts))
    Path("folder").mkdir()
    shutil.copy("letter.txt", "folder")
    parts = senna.convert("letter.txt", "brat", tasks="ner", input="tokens")
    Path("folder/letter.ann").write_bytes(b"".join(parts))
    found: dict[str, Any] = {}
    before = [other for other in BLOCKS if "to_disk" in other and "from_disk" in block]
    for lines in [*before, block]:
        exec(compile(lines, str(PAGE), "exec"), found)
    assert {"words", "names"} & found.keys() or Path("tagged.spacy").exists()
    assert found.get("words", TEXT.split()) == TEXT.split()
    assert found.get("names", NAMES) == NAMES


def test_the_page_has_its_readers() -> None:
    assert {library_of(block) for block in BLOCKS} == set(LIBRARIES.split("|"))
