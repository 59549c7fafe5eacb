"""Scoring: gold tags against predicted ones, with the figures and reports of the shared tasks."""

from __future__ import annotations

from senna.registry import SCORERS, places

SCORERS.add(**places("senna.scoring", "conlleval", "srleval", "evalb", "udeval", "relaxed"))
SCORERS.add(**places("senna.scoring", "confusion", "reports"))
