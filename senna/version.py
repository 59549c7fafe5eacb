"""The version of the package, alone in a file so that everything may import it."""

__version__ = "0.5.0.dev0"
