"""Words where a blank would mean something else."""

from __future__ import annotations

import re

_BLANK = re.compile(r"\s+")


def unbroken(word: str) -> str:
    """A word without blanks, and never empty: each run of blanks is an underscore."""
    return _BLANK.sub("_", word) or "_"
