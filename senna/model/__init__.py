"""The model folder: read, written and checked."""
