"""Texts as pages, pictures and terminals may show them."""

from __future__ import annotations

import re

_BLANK = re.compile(r"\s+")
# What no page and no terminal should be handed: C0, C1, DEL, halves of surrogate pairs.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def on_one_line(text: str) -> str:
    """A text with one space for each run of blanks and line ends."""
    return _BLANK.sub(" ", text)


def harmless(text: str) -> str:
    """A text with U+FFFD for control characters and what is no character."""
    return _CONTROL.sub("\ufffd", text)
