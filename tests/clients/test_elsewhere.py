"""The lines of docs/elsewhere.md read all words that senna has written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import senna

PAGE = Path(__file__).parents[2] / "docs" / "elsewhere.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
TEXT = 'Tom Lee met NA and None ; " null " is a word .\nIt did n\'t rain .\n'
FORMATS = {"tsv": "columns", "conll": "conll", "conllu": "conllu"}


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: re.split(r"[ .\n]", block)[1])
def test_every_word_is_read(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in re.findall(
        r"(?m)^(?:import|from) (nltk|pandas|polars|duckdb|pyarrow|conllu)", block
    ):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    Path("letter.txt").write_text(TEXT, encoding="utf-8")
    for ending, format_ in FORMATS.items():
        parts = senna.convert("letter.txt", format_, tasks="pos,ner", input="tokens")
        Path(f"tagged.{ending}").write_bytes(b"".join(parts))
    found: dict[str, list[str]] = {}
    exec(compile(block, str(PAGE), "exec"), found)
    assert found["words"] == TEXT.split()


def test_the_page_has_its_readers() -> None:
    assert len(BLOCKS) == 6
