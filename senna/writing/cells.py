"""Words where a blank, a line's end or a control character would mean something else."""

from __future__ import annotations

import re

_BLANK = re.compile(r"\s+")
# What no page and no terminal should be handed: C0, C1, DEL, halves of surrogate pairs.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def unbroken(word: str) -> str:
    """A word without blanks, and never empty: each run of blanks is an underscore."""
    return _BLANK.sub("_", word) or "_"


def on_one_line(text: str) -> str:
    """A text with one space for each run of blanks and line ends."""
    return _BLANK.sub(" ", text)


def harmless(text: str) -> str:
    """A text with U+FFFD for control characters and what is no character."""
    return _CONTROL.sub("\ufffd", text)
