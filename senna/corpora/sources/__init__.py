"""Converters, one for each source of corpora."""
