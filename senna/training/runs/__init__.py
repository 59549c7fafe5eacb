"""Runs beside each other: their records, several seeds of one, curves."""
