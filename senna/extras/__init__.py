"""Search, values, Parquet, standoff formats and the classic program."""

from __future__ import annotations

from senna.registry import COMMANDS, FORMATS, RULES, SEARCH

FORMATS.add(**dict.fromkeys(("brat", "doccano", "label_studio"), "senna.extras.standoff"))
COMMANDS.add(match="senna.extras.search.cli", classic="senna.extras.classic.cli")
RULES.add(value="senna.extras.values")
SEARCH.add(patterns="senna.extras.search.patterns")
