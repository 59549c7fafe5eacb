"""Layers that several networks have."""
