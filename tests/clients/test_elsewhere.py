"""The lines of docs/elsewhere.md read all words that senna writes; its table is right."""

import importlib.metadata
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts import compare_readers as script

LIBRARIES = "nltk|pandas|polars|duckdb|pyarrow|conllu|pyconll|udapi|ufal|spacy|pybrat|iobes"
NAMES = [tuple(name.rsplit(" ", 1)) for name in script.FOUND["names"]]


def library_of(block: str) -> str:
    found = re.search(rf"(?m)^(?:import|from) ({LIBRARIES})", block)
    assert found, block
    return found[1]


@pytest.mark.parametrize("block", script.BLOCKS, ids=library_of)
def test_every_word_is_read(block, tmp_path, monkeypatch):
    pytest.importorskip(library_of(block))
    monkeypatch.chdir(tmp_path)
    script.write_files(tmp_path)
    found: dict[str, Any] = {}
    before = [other for other in script.BLOCKS if "to_disk" in other and "from_disk" in block]
    for lines in [*before, block]:
        exec(compile(lines, str(script.PAGE), "exec"), found)
    assert {"words", "names"} & found.keys() or Path("tagged.spacy").exists()
    assert found.get("words", script.FOUND["words"]) == script.FOUND["words"]
    assert found.get("names", NAMES) == NAMES


def test_the_page_has_lines_for_each_reader():
    assert {library_of(block) for block in script.BLOCKS} == set(LIBRARIES.split("|"))


def test_the_table_has_the_readers_of_the_script():
    table = script.PAGE.read_text(encoding="utf-8").partition(script.HEADING)[2]
    rows = [line[2:-2].split(" | ") for line in table.partition("\n\n")[0].split("\n")[1:]]
    assert [(cells[0], cells[-1]) for cells in rows] == [
        (f"{reader.tool} {reader.packages[0].partition('==')[2]}", reader.why)
        for reader in script.readers()
    ]


@pytest.mark.parametrize("reader", script.readers(), ids=lambda reader: reader.tool)
def test_the_page_has_the_row_that_the_script_prints(reader):
    package, _, version = reader.packages[0].partition("==")
    try:
        installed = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"no {package}")
    if installed != version or len(reader.packages) > 1:
        pytest.skip(f"{package} {installed} instead of {' '.join(reader.packages)}")
    row = f"| {' | '.join(script.cells(reader, Path(sys.executable)))} |"
    assert row in script.PAGE.read_text(encoding="utf-8")
