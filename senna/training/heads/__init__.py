"""Heads and losses that learn, in PyTorch, one module for each kind."""
