"""Layers in PyTorch."""
