"""Read files that senna writes with other programs: the table of docs/elsewhere.md.

usage: python scripts/compare_readers.py [TOOL ...]

scripts/tables/readers.toml has the tools. Each is installed in an environment of its own, at the
version that stands there, and reads its file twice: by the lines of the page and without what they
avoid.
"""

import json
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from common import fresh_python, parser_of, table_row

import senna
from senna.settings import read_table

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/elsewhere.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
HEADING = "| tool | reads | with the lines below | without | why |\n|---|---|---|---|---|"
TEXT = 'Tom Lee met NA and None ; " null " is a word .\nIt did n\'t rain in Paris .\n'
FOUND = {"words": TEXT.split(), "names": ["Tom Lee PER", "Paris LOC"]}
FILES = (  # the file, format and tasks of what is written
    ("tagged.tsv", "columns", "pos,ner"),
    ("tagged.conll", "conll", "pos,ner"),
    ("tagged.conllu", "conllu", "pos,ner"),
    ("folder/letter.ann", "brat", "ner"),
    ("tagged.jsonl", "doccano", "ner"),
    ("tagged.json", "label-studio", "ner"),
)
# Runs lines and prints what they have found, or the name of their error.
DRIVER = """
import contextlib, json, sys, warnings
warnings.simplefilter("ignore")
found = {}
try:
    with contextlib.redirect_stdout(sys.stderr):
        for lines in json.loads(sys.argv[1]):
            exec(compile(lines, "lines", "exec"), found)
    print(json.dumps({name: found[name] for name in ("words", "names", "seen") if name in found}))
except Exception as error:
    print(json.dumps({"seen": "`" + type(error).__name__ + "`"}))
"""


class Reader(NamedTuple):
    """A tool, the packages to install, the file that it reads, lines without options, and why.

    `lines` stand for those of the page where a tool is a program and not a library.
    """

    tool: str
    packages: list[str]
    file: str
    plain: str = ""
    why: str = ""
    lines: str = ""

    def on_page(self) -> list[str]:
        """The lines of the page that use this tool on this file, in order."""
        library = re.split("[ .]", self.tool)[0]
        named = re.compile(rf"(?m)^(?:import|from) {library}\b")
        return [block for block in BLOCKS if named.search(block)] or [self.lines]


def readers() -> list[Reader]:
    """The rows of scripts/tables/readers.toml."""
    return [Reader(**row) for row in read_table(ROOT / "scripts/tables/readers.toml")["reader"]]


def write_files(folder: Path) -> None:
    """Write a text and what senna finds in it, in all formats that the page names."""
    (folder / "folder").mkdir()
    for copy in ("letter.txt", "folder/letter.txt"):
        (folder / copy).write_text(TEXT, encoding="utf-8")
    for file, format_, tasks in FILES:
        parts = senna.convert(folder / "letter.txt", format_, tasks=tasks, input="tokens")
        (folder / file).write_bytes(b"".join(parts))


def shown(found: dict[str, Any]) -> str:
    """A cell: how many words and names are right, and how many others there are."""
    if "seen" in found:
        return str(found["seen"])
    parts = []
    for kind, items in found.items():
        wanted = Counter(FOUND[kind])
        given = Counter(" ".join(item) if isinstance(item, list) else item for item in items)
        parts.append(f"{(given & wanted).total()} of {wanted.total()} {kind}")
        if others := (given - wanted).total():
            parts.append(f"{others} other{'s' * (others > 1)}")
    return ", ".join(parts)


def run(python: Path, folder: Path, lines: list[str]) -> str:
    """The cell of what lines find in the files of a folder."""
    command = [python, "-c", DRIVER, json.dumps(lines)]
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, check=True)
    return shown(json.loads(done.stdout))


def cells(reader: Reader, python: Path) -> list[str]:
    """The cells of a row, by a Python that has the tool."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder)
        version = reader.packages[0].partition("==")[2]
        return [
            f"{reader.tool} {version}",
            f"`{Path(reader.file).name}`",
            run(python, folder, reader.on_page()),
            run(python, folder, [reader.plain]) if reader.plain else "",
            reader.why,
        ]


def row(reader: Reader) -> str:
    """A row of the table, from an environment that is made for it."""
    with tempfile.TemporaryDirectory() as folder:
        python = fresh_python(Path(folder))
        subprocess.run([python, "-m", "pip", "install", "-qq", *reader.packages], check=True)
        return table_row(*cells(reader, python))


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("tools", nargs="*", metavar="TOOL")
    tools = parser.parse_args().tools
    print(HEADING)
    for reader in readers():
        if reader.tool in tools or not tools:
            print(row(reader), flush=True)


if __name__ == "__main__":
    main()
