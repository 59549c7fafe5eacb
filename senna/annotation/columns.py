"""Columns of a token per line: their marks of documents, and what looks like them."""

from __future__ import annotations

import re
from collections.abc import Sequence

DOCUMENT_MARK, CONLL2012 = "-DOCSTART-", "#begin document"
LOOKED_AT = 20  # first lines that may show that a file is raw text


JSON = re.compile(r"\ufeff?\s*[{\[]\s*([\"{\[]|$)")


_TREE = re.compile(r"\s*\([^\s()]*\s*\([^\s()]+\s*[^\s]")
_TAG = re.compile(r"O|[BIESLU]-[^\s]+")


MARKS = (DOCUMENT_MARK, CONLL2012)  # lines that belong to the sentence after them


def markup_of(text: str) -> str:
    """The kind of a file that is not running text: columns, JSON, trees; "" for text.

    The input format that reads it stands first, if there is one, for example "conllu".
    """
    lines = [line for line in text.split("\n", LOOKED_AT)[:LOOKED_AT] if line.strip()]
    if not lines:
        return ""
    if JSON.match(lines[0]):
        return "jsonl JSON" if lines[0].lstrip("\ufeff ").startswith("{") else " JSON"
    if _TREE.match(lines[0]):
        return " bracketed trees"
    if lines[0].lower().startswith(("<!doctype html", "<html")):
        return "html HTML"
    if lines[0].startswith(MARKS):
        form = "columns" if lines[0].startswith(DOCUMENT_MARK) else "conll2012"
        return f"{form} columns"
    comment = lines[0].startswith("# ")
    rows = [line.rstrip("\r").split("\t") for line in lines if not (comment and line[0] == "#")]
    widths = {len(row) for row in rows}
    several = len(widths) == 1 and widths != {1} and (len(rows) > 1 or len(rows[0]) > 2)
    if several and not any(" " in row[0] for row in rows):
        return "conllu CoNLL-U" if widths == {10} and comment else "columns columns"
    cells = [cells_of(line.rstrip("\r")) for line in lines]
    tagged = all(len(row) > 1 and _TAG.fullmatch(row[-1]) for row in cells)
    return "columns columns" if tagged and len({len(row) for row in cells}) == 1 else ""


def whole_sentences(lines: Sequence[str], known: int = 0) -> int:
    """How many of the first lines of a longer text surely hold whole sentences, with their marks.

    The first `known` lines were already searched for the end of a sentence.
    """
    for i in range(len(lines) - 1, max(known, 1) - 1, -1):
        before, line = (text.removesuffix("\n").removesuffix("\r") for text in lines[i - 1 : i + 1])
        marked = any(mark in before for mark in MARKS)
        if not line.strip(" \t") and before.strip(" \t") and not marked:
            return i + 1
    return 0


def cells_of(line: str) -> list[str]:
    if "\t" in line:
        return line.split("\t")
    # not str.split(): it takes no-break spaces and control characters for separators too
    columns = line.split(" ")
    return [column for column in columns if column] if "" in columns else columns


def unbroken(word: str) -> str:
    """A word without blanks, and never empty: each run of blanks is an underscore."""
    return re.sub(r"\s+", "_", word) or "_"
