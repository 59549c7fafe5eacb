"""One thread everywhere, and hypothesis without its clock: no test depends on the machine."""

import gc
import importlib.util
import os
import signal
import sys
from collections.abc import Callable, Generator
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"  # before NumPy and PyTorch read it
os.environ.pop("SENNA_MODELS", None)
os.environ.pop("NO_COLOR", None)
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each process compiles the package anew

import pytest
from hypothesis import HealthCheck, settings

from senna.inference.kernel.library import level

Writer = Callable[[str, str], Path]
pytest_plugins = ["tests.program"]
if level() == "off":  # each command would say that the kernel is missing
    os.environ["SENNA_KERNEL"] = "off"


class _WithoutTorch:
    """Where PyTorch is not installed, what imports it is skipped: the rest must work without.

    Other packages look for it too, and do without.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        importer = sys._getframe(1)
        while "importlib" in importer.f_code.co_filename and importer.f_back:
            importer = importer.f_back
        if name == "torch" and importer.f_globals["__name__"].startswith(("senna.", "tests.")):
            pytest.skip("needs PyTorch", allow_module_level=True)


if not importlib.util.find_spec("torch"):
    sys.meta_path.append(_WithoutTorch)
# The same examples for everybody; other ones, and more of them, for who asks for them.
random = bool(os.environ.get("SENNA_RANDOM_TESTS"))
settings.register_profile(
    "senna",
    deadline=None,
    derandomize=not random,
    max_examples=200 if random else 40,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("senna")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is imported and collected stays: Python need not look for garbage in it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(optionalhook=True)  # of a plugin that not all environments have
def pytest_xdist_auto_num_workers() -> int:
    """One more than processors: many tests wait for servers, browsers and commands."""
    return (os.cpu_count() or 1) + 1


@pytest.fixture
def as_file(tmp_path) -> Writer:
    """Writes a file in the folder of the test: as_file("a.txt", "Ann ran.") is its path."""

    def write(name: str, text: str) -> Path:
        (tmp_path / name).write_text(text, encoding="utf-8", newline="\n")
        return Path(tmp_path / name)

    return write


@pytest.fixture(scope="session", autouse=True)
def _ctrl_c() -> None:
    """Where the tests run in the background, SIGINT is ignored: begin as a terminal does."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
