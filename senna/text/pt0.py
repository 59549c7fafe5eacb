"""PT0: the segments at the bottom of the parse tree (section 6.5), 25 types in IOBES."""

from __future__ import annotations

from collections.abc import Sequence

LEFT_OUT = ("EDITED", "META")  # treebanks of speech have them, the original's types do not


def regular(tags: Sequence[str]) -> list[str]:
    """Tags with O for the segments that are none of the 25 types."""
    return ["O" if tag[2:] in LEFT_OUT else tag for tag in tags]
