"""Which level of the kernel is chosen, and how it is asked for."""

import ctypes
import shutil
from collections.abc import Iterator

import pytest

import hatch_build
from senna.errors import SennaError
from senna.inference.kernel import library
from tests.processes import ENVIRONMENT, python

BUILT = library.built()


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    library.library.cache_clear()
    yield
    library.library.cache_clear()
    library.digest.cache_clear()


def test_off(monkeypatch):
    monkeypatch.setenv("SENNA_KERNEL", "off")
    assert library.level() == "off"
    assert library.library() is None


@pytest.mark.skipif(not BUILT, reason="the kernel was not built")
def test_the_best_level_is_chosen(monkeypatch):
    monkeypatch.delenv("SENNA_KERNEL", raising=False)
    assert library.level() == (BUILT[-1] if len(BUILT) > 1 else "off")
    for name in BUILT:
        library.library.cache_clear()
        monkeypatch.setenv("SENNA_KERNEL", name)
        assert library.level() == name
        assert library.library() is not None


@pytest.mark.skipif("amx" not in BUILT, reason="no processor with AMX")
def test_a_system_that_refuses_wide_tiles_has_vnni():
    """Linux does where a stack for signals is too small to save them."""
    program = """
import ctypes

class Stack(ctypes.Structure):
    _fields_ = ("start", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t)

memory = ctypes.create_string_buffer(8192)
stack = Stack(ctypes.addressof(memory), 0, len(memory))
assert ctypes.CDLL(None).sigaltstack(ctypes.byref(stack), None) == 0
from senna.inference.kernel import library
print(library.level())
"""
    done = python("-c", program, env=ENVIRONMENT | {"SENNA_KERNEL": ""})
    assert done.stdout.decode().strip() == "vnni", done.stderr


@pytest.mark.skipif(not hatch_build.levels(), reason="no kernel for this machine")
def test_a_compiler_that_is_too_old_leaves_a_level_out(monkeypatch, tmp_path, as_file):
    compiler = as_file(
        "cc",
        "#!/bin/sh\n"
        "for i; do case $i in -mamx*) echo \"cc: error: unknown option '$i'\" >&2; exit 1;; esac\n"
        "case $last in -o) : > $i;; esac; last=$i; done\n",
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    libraries, failed = hatch_build.compile_kernel(tmp_path)
    names = [path.stem.removeprefix("kernel-") for path in libraries]
    assert names == [level for level in hatch_build.levels() if level != "amx"]
    assert failed == ""


@pytest.mark.skipif(not BUILT, reason="the kernel was not built")
def test_short_calls_keep_the_lock(monkeypatch):
    monkeypatch.setenv("SENNA_KERNEL", BUILT[-1])
    short, long = library.library_for(1), library.library_for(1_000)
    assert isinstance(short, ctypes.PyDLL)
    assert not isinstance(long, ctypes.PyDLL)
    assert short._name == long._name
    monkeypatch.setenv("SENNA_KERNEL", "off")
    library.library.cache_clear()
    assert library.library_for(1) is library.library_for(1_000) is None


def test_plain_c_is_slower_than_numpy(monkeypatch):
    monkeypatch.setenv("SENNA_KERNEL", "")
    monkeypatch.setattr(library, "built", lambda: ["plain"])
    assert library.level() == "off"


def test_a_checkout_without_libraries(monkeypatch, tmp_path):
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    monkeypatch.setenv("SENNA_KERNEL", "")
    assert library.level() == "off"
    monkeypatch.setenv("SENNA_KERNEL", "avx2")
    with pytest.raises(SennaError, match="SENNA_KERNEL = 'avx2': not built"):
        library.library()


@pytest.mark.skipif(not BUILT, reason="the kernel was not built")
def test_a_library_of_another_source_is_not_loaded(monkeypatch, tmp_path):
    """An installation that can be edited keeps its libraries when kernel.c changes."""
    assert library.built() == BUILT
    changed = tmp_path / "kernel.c"
    changed.write_bytes(library.SOURCE.read_bytes() + b"\n")
    monkeypatch.setattr(library, "SOURCE", changed)
    library.digest.cache_clear()
    assert library.built() == []


@pytest.mark.skipif(not BUILT, reason="the kernel was not built")
def test_a_library_that_is_not_the_kernel_is_not_loaded(monkeypatch, tmp_path):
    import _ctypes

    shutil.copy(_ctypes.__file__, tmp_path / "kernel-plain.so")
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    assert library.built() == []


@pytest.mark.parametrize(("name", "why"), [("sse9", "no such level"), ("", "")])
def test_a_wrong_name_is_told_in_one_line(name, why):
    env = ENVIRONMENT | {"SENNA_KERNEL": name}
    done = python("-m", "senna", "tag", "--task", "pos", data=b"Anna sings.\n", env=env)
    assert done.stderr.count(b"\n") == (1 if why else 0)
    assert why in done.stderr.decode()
    assert done.returncode == (2 if why else 0)
