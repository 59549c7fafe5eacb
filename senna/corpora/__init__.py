"""Public corpora: a catalogue of them, their download, and one converter per source format."""

from __future__ import annotations

from senna.registry import COMMANDS, CORPORA, places

CORPORA.add(**places("senna.corpora", "catalogue", "store"))
COMMANDS.add(data="senna.corpora.cli")
