"""The original's own data folder, read, and its networks computed in NumPy."""
