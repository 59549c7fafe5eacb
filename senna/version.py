"""The version of the package, alone in a file so that everything may import it."""

__version__ = "1.0.0"
