"""Criteria, and sums over all paths and trees."""
