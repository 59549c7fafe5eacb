"""Several runs: their records, several seeds of one, curves."""
