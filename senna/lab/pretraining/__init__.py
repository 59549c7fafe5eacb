"""Encoders, language models, and clusters of words."""
