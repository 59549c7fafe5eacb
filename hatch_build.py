"""Compile the kernel (senna/inference/kernel/kernel.c) if there is a compiler.

SENNA_BUILD=plain leaves it out, SENNA_BUILD=compiled fails where it cannot be compiled. CC names
the compiler.
"""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sysconfig
import tempfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

KERNEL = Path("senna", "inference", "kernel")
SOURCE = Path(__file__).parent / KERNEL / "kernel.c"
# No option that lets a compiler change what floating-point operations give.
FLAGS = (
    "-std=gnu11 -O3 -fPIC -shared -fvisibility=hidden -fopenmp-simd"
    " -ffp-contract=off -fno-math-errno -fno-trapping-math"
)
AVX512 = "-mavx512f -mavx512bw -mavx512vl -mavx512dq -mprefer-vector-width=512"
VNNI = f"{AVX512} -mavx512vnni"
AMX = f"{VNNI} -mamx-tile -mamx-bf16"  # known to GCC since 11 and to Clang since 12
LEVELS = {
    "x86_64": {"plain": "", "avx2": "-mavx2", "avx512": AVX512, "vnni": VNNI, "amx": AMX},
    "aarch64": {"plain": "-DPLAIN", "neon": ""},
}
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}  # other names


def levels() -> dict[str, str]:
    """The levels of the machine that the kernel is built for, and their compiler's options."""
    name = sysconfig.get_platform().rpartition("-")[2]
    machine = (platform.machine() if name == "universal2" else name).lower()
    return LEVELS.get(MACHINES.get(machine, machine), {})


def compile_level(level: str, path: Path, options: str = "") -> str:
    """Compile one level of the kernel to a file; says what failed, "" if nothing did.

    `options` come last, and so win.
    """
    compilers = [os.environ.get("CC"), sysconfig.get_config_var("CC"), "cc", "gcc", "clang"]
    said, digest = "no compiler for C", zlib.crc32(SOURCE.read_bytes())
    for compiler in filter(None, compilers):
        command = [*shlex.split(compiler), *FLAGS.split(), *levels()[level].split()]
        command += [f"-DSOURCE={digest}u", *options.split(), "-o", str(path), str(SOURCE), "-lm"]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)
            return ""
        except OSError:
            continue
        except subprocess.CalledProcessError as error:
            said = (error.stderr.strip().splitlines() or [str(error)])[-1]
    return said


def unknown(said: str) -> bool:
    """Whether what a compiler said is that it is too old for a level."""
    return "-mamx" in said


def compile_kernel(folder: Path) -> tuple[list[Path], str]:
    """Compile all levels that the compiler knows into a folder: the libraries, and what failed."""
    libraries, failed = [], "" if levels() else f"none for {sysconfig.get_platform()}"
    paths = [folder / f"kernel-{level}.so" for level in levels()]
    news = [path.with_suffix(".new") for path in paths]  # whoever runs an old one keeps it
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        every = list(pool.map(compile_level, levels(), news))
    for level, path, new, said in zip(levels(), paths, news, every, strict=True):
        if said:
            failed = failed or ("" if unknown(said) else f"{level}: {said}")
            new.unlink(missing_ok=True)
            path.unlink(missing_ok=True)
        else:
            new.replace(path)
            libraries.append(path)
    return libraries, failed


class Kernel(BuildHookInterface[Any]):
    """What hatchling calls: the wheel, or the checkout that is installed, gets the libraries."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; the wheel is then of this platform, and of every Python."""
        build, checkout = os.environ.get("SENNA_BUILD", ""), Path(self.root, KERNEL)
        if build not in ("", "plain", "compiled"):
            raise ValueError(f"SENNA_BUILD={build}: choose plain or compiled")
        editable = version == "editable"
        if build == "plain":
            for path in checkout.glob("kernel-*.so") if editable else ():
                path.unlink()
            return
        self.scratch = tempfile.TemporaryDirectory()
        libraries, failed = compile_kernel(checkout if editable else Path(self.scratch.name))
        if failed and build == "compiled":
            raise RuntimeError(f"the kernel cannot be compiled: {failed}")
        if failed:
            left = "some levels of the kernel" if libraries else "the kernel: tagging is slower"
            self.app.display_warning(f"senna is built without {left} ({failed})")
        if not libraries:
            return
        tag = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"], build_data["tag"] = False, f"py3-none-{tag}"
        if not editable:
            for path in libraries:
                build_data["force_include"][str(path)] = f"{KERNEL.as_posix()}/{path.name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """The wheel has been written."""
        if hasattr(self, "scratch"):
            self.scratch.cleanup()
