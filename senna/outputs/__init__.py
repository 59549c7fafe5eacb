"""Heads and losses that learn, in PyTorch, one folder for each kind."""
