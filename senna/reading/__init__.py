"""Input: bytes to sentences."""
