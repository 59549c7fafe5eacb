"""The commands run in this process, as in the tests of `senna.cli`."""

from tests.cli.conftest import *  # noqa: F403
