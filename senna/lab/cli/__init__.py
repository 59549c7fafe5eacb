"""Commands that only experiments use."""
