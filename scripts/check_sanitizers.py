"""Run the tests of the compiled kernel with its memory and its arithmetic watched.

usage: python scripts/check_sanitizers.py [TEST...]

The kernel is compiled with AddressSanitizer and UndefinedBehaviorSanitizer, each level that this
processor has, and the tests of what it computes (or those named) run with it. Exits with
the tests' exit code; a fault ends them.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from common import parser_of  # noqa: E402

import hatch_build  # noqa: E402

OPTIONS = "-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"
TESTS = ("tests/inference/kernel/test_calls.py", "tests/inference/kernel/test_forms.py")
# Left out: what is compiled by the test, and so is not watched.
PROGRAM = """
import sys
from pathlib import Path
from senna.inference.kernel import library
library.FOLDER = Path(sys.argv[1])
import pytest
options = ["-p", "no:cacheprovider", "-k", "not joined"]
sys.exit(pytest.main([*options, *sys.argv[2:]]))
"""


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("tests", nargs="*", metavar="TEST")
    tests = parser.parse_args().tests or TESTS
    with tempfile.TemporaryDirectory() as folder:
        for level in hatch_build.levels():
            path = Path(folder, f"kernel-{level}.so")
            said = hatch_build.compile_level(level, path, OPTIONS)
            if said and not hatch_build.unknown(said):
                print(f"{level}: {said}")
                return 1
        finding = ("gcc", "-print-file-name=libasan.so")
        library = subprocess.run(finding, check=True, capture_output=True, text=True).stdout
        environment = {
            **os.environ,
            "LD_PRELOAD": library.strip(),  # before Python's own memory
            "ASAN_OPTIONS": "detect_leaks=0",  # those are Python's
            "PYTHONPATH": str(ROOT),
        }
        command = (sys.executable, "-c", PROGRAM, folder, *tests)
        return subprocess.run(command, cwd=ROOT, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
