"""Tagging with NumPy alone."""
