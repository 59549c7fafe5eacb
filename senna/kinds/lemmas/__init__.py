"""Lemmas: the answer and the head."""
