"""Roles: the answer and the head."""
