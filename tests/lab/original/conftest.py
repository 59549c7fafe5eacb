"""The program run in this process, as in the tests of `senna.classic`."""

from tests.classic.conftest import classic, data, recorded

__all__ = ["classic", "data", "recorded"]
