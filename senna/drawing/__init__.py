"""Drawings of tagged sentences: names in the text, rows of spans, arcs, trees.

`html`, `svg` and `terminal` draw the same `Parts` of a sentence (see `parts`), in the same colours.
"""

from __future__ import annotations

from senna.registry import DRAWINGS, places

DRAWINGS.add(**places("senna.drawing", "html", "svg", "terminal", "dataframe", "show"))
