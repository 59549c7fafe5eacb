"""Scoring: gold tags against predicted ones, with the figures and reports of the shared tasks."""

from __future__ import annotations

from senna.registry import REPORTS, SCORERS, places

SCORERS.add(**places("senna.scoring", "conlleval", "srleval", "evalb", "udeval"))
SCORERS.add(**places("senna.scoring", "accuracy", "confusion", "reports"))
_KINDS = "tags phrases marks lemmas roles trees dependencies labels".split()
REPORTS.add(**dict.fromkeys(_KINDS, "senna.scoring.reports"))
