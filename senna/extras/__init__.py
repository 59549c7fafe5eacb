"""Search, values, Parquet, standoff formats, doubts about training data, old model folders and the
classic program."""

from __future__ import annotations

from senna.registry import COMMANDS, FORMATS, MODEL_COMMANDS, MONITORS, RULES, SEARCH

FORMATS.add(**dict.fromkeys(("brat", "doccano", "label_studio"), "senna.extras.standoff"))
COMMANDS.add(match="senna.extras.search.cli", classic="senna.extras.classic.cli")
RULES.add(value="senna.extras.values")
SEARCH.add(patterns="senna.extras.search.patterns")
MODEL_COMMANDS.add(upgrade="senna.extras.upgrade")
MONITORS.add(doubts="senna.extras.doubts")
