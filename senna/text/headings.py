"""The beginnings of files, by which their formats are recognised."""

from __future__ import annotations

import re
from collections.abc import Sequence

HEADING = 50  # lines that may be comments before the first word
CONLL2012 = "#begin document"


def is_conll2012(lines: Sequence[str]) -> bool:
    """Whether a file that begins with these lines is in CoNLL-2012."""
    return bool(lines) and lines[0].removeprefix("\ufeff").startswith(CONLL2012)


def is_conllu(lines: Sequence[str]) -> bool:
    """Whether a file that begins with these lines is in CoNLL-U (Plus), comments before words."""
    if lines and lines[0].removeprefix("\ufeff").startswith("# global.columns ="):
        return True
    for line in lines:
        row = line.removeprefix("\ufeff").rstrip("\r\n").split("\t")
        if not row[0].startswith("#") and row != [""]:
            return len(row) == 10 and re.fullmatch(r"0\.1|1|1-[0-9]+", row[0]) is not None
    return False
