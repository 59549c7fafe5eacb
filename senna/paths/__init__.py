"""Decoding: the best tags, paths and trees by their scores, and their probabilities."""
