"""Criteria beyond the two of the paper."""
