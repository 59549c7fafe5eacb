"""Annotations as plain data: tag schemes, trees, dependencies, predicates, columns."""
