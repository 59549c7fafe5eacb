"""The program run in this process, as in the tests of `senna.extras.classic`."""

from tests.extras.classic.conftest import classic, data, recorded

__all__ = ["classic", "data", "recorded"]
