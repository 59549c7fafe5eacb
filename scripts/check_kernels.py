"""Run the tests of tagging under each kernel of OpenBLAS that this machine can run.

usage: python scripts/check_kernels.py [TEST...]

NumPy's matrix product is OpenBLAS', whose kernels are of processors: OPENBLAS_CORETYPE chooses one
that is not this machine's own. The package's compiled kernel is off. Tests are those of `TESTS`,
without the slow ones and the comparisons with PyTorch, which are no exact ones; or those named.
Prints one line per kernel; exits with 1 when tests fail under one of them.
"""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from common import parser_of

ROOT = Path(__file__).resolve().parents[1]
MARGINALS = ("tests/decoding/test_requests.py", "tests/decoding/test_marginals.py")
PIPELINE = "tests/pipeline/test_pipeline.py"
SHIPPED = "tests/scripts/test_make_golden.py"
PARTS = ("networks", "test_exact.py", "test_lookup.py", "test_workspace.py")
NETWORKS = (*(f"tests/inference/{part}" for part in PARTS), "tests/kinds")
TESTS = (*NETWORKS, *MARGINALS, PIPELINE, SHIPPED)
ITS_OWN = "test_the_same_bits_from_every_kernel_and_any_number_of_threads"  # runs under them all
KERNELS = ("Haswell", "Zen", "SkylakeX", "Sandybridge", "Nehalem", "Prescott")
OFF = {"SENNA_KERNEL": "off"}  # the package's own kernel, which would do their work
PRODUCT = "import numpy as np; a = np.ones((300, 300), np.float32); assert (a @ a == 300).all()"


def run(kernel: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python under a kernel; OpenBLAS then says on stderr which one it has taken."""
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "OPENBLAS_CORETYPE": kernel, "OPENBLAS_VERBOSE": "2"} | OFF,
    )


def taken(kernel: str) -> str:
    """The kernel that OpenBLAS takes where one is asked for; "" where the machine cannot run it."""
    done = run(kernel, "-c", PRODUCT)
    match = re.search(r"^Core: (\w+)$", done.stderr, re.MULTILINE)
    known = match and "not found" not in done.stderr
    return match[1] if known and done.returncode == 0 else ""


def check(kernel: str, tests: list[str]) -> tuple[bool, str]:
    """Whether the tests pass under a kernel, and a line about it; if not, all output of pytest."""
    options = ["-m", "not slow and not exhaustive", "-k", f"not {ITS_OWN}"]
    options += ["--ignore-glob=*twins.py", "-p", "no:cacheprovider", "-n", "0"]
    done = run(kernel, "-m", "pytest", *options, *tests)
    lines = done.stdout.splitlines() or ["pytest said nothing"]
    if done.returncode == 0:
        return True, lines[-1]
    said = [*lines, *done.stderr.splitlines()]
    return False, "\n".join([*said, f"the tests fail under {kernel}: exit code {done.returncode}"])


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("tests", nargs="*", metavar="TEST")
    tests = parser.parse_args().tests or [*TESTS]
    cores = {kernel: taken(kernel) for kernel in KERNELS}
    first = {core: kernel for kernel, core in reversed(cores.items()) if core}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {kernel: pool.submit(check, kernel, tests) for kernel in first.values()}
        passed = []
        for kernel, core in cores.items():
            if kernel in runs:
                well, line = runs[kernel].result()
                passed.append(well)
                print(f"{kernel}: {line}", flush=True)
            elif core:
                print(f"{kernel}: here the same as {first[core]}")
            else:
                print(f"{kernel}: left out, this machine cannot run it")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
