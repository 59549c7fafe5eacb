"""Refuse docstrings of the package that begin with "What" or speak of data that are told or said.

usage: python scripts/check_prose.py

A docstring says what a thing is or does. Texts in quotation marks and backticks are left out.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from common import parser_of

ROOT = Path(__file__).resolve().parents[1]
VERBS = re.compile(r"\b(?:tells?|told|telling|said|beside)\b")
QUOTED = re.compile(r'"[^"]*"|`[^`]*`')
NODES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def faults(source: str) -> Iterator[tuple[int, str]]:
    """The line and the word of each docstring that is refused."""
    for node in ast.walk(ast.parse(source)):
        text = ast.get_docstring(node) if isinstance(node, NODES) else None
        if text:
            words = ["What"] * text.startswith("What") + VERBS.findall(QUOTED.sub("", text))
            yield from ((getattr(node, "lineno", 1), word) for word in words)


def main() -> int:
    parser_of(__doc__).parse_args()
    found = [
        f"{path.relative_to(ROOT)}:{line}: a docstring has {word!r}"
        for path in sorted((ROOT / "senna").rglob("*.py"))
        for line, word in faults(path.read_text(encoding="utf-8"))
    ]
    print("\n".join([*found, f"{len(found)} docstrings to rewrite"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
