"""Install the package with its compiled kernel and without: both must write the same bytes.

usage: python scripts/check_install.py [TEXT...]

Each is installed into an empty folder and tags the texts (those of tests/quality) with all tasks:
without the kernel, with each level of it that this processor has, and by two processes. Prints one
line per installation, with the sizes of its wheel and of what that installs, and one line per
level; exits with 1 when a byte differs.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from common import parser_of

ROOT = Path(__file__).resolve().parents[1]
LEVELS = "from senna.inference.kernel.library import built; print(*built())"


def install(folder: Path, build: str) -> Path:
    """Install the checkout, `plain` or `compiled`; its packages are those of this Python."""
    pip, environment = (sys.executable, "-m", "pip"), {**os.environ, "SENNA_BUILD": build}
    wheels = folder.with_name(f"{folder.name}-wheel")
    making = ("wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(wheels))
    subprocess.run((*pip, *making, str(ROOT)), check=True, env=environment)
    [wheel] = wheels.iterdir()
    putting = ("install", "--quiet", "--no-deps", "--target", str(folder), str(wheel))
    subprocess.run((*pip, *putting), check=True, env=environment)
    installed = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    sizes = f"wheel {wheel.stat().st_size / 1e6:.1f} MB, installed {installed / 1e6:.1f} MB"
    print(f"{build}: {sizes}", flush=True)
    return folder


def run(folder: Path, level: str, *arguments: str, text: bytes = b"") -> bytes:
    """The output of Python with an installed package and a level of its kernel."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "SENNA_KERNEL": level}
    command = (sys.executable, "-P", *arguments)
    return subprocess.run(
        command, check=True, input=text, stdout=subprocess.PIPE, env=environment, cwd=folder
    ).stdout


def tagged(folder: Path, text: bytes, level: str, jobs: str) -> bytes:
    """A text with all tasks."""
    options = ("-m", "senna", "tag", "--input", "text", "--task", "all", "--jobs", jobs)
    return run(folder, level, *options, text=text)


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("texts", nargs="*", metavar="TEXT")
    names = parser.parse_args().texts or sorted((ROOT / "tests" / "quality").glob("*.txt"))
    text = b"\n".join(Path(name).read_bytes() for name in names)
    outputs = set()
    with tempfile.TemporaryDirectory() as scratch:
        for build in ("plain", "compiled"):
            folder = install(Path(scratch, build), build)
            levels = run(folder, "", "-c", LEVELS).decode().split()
            if bool(levels) != (build == "compiled"):
                print(f"{build}: it has the levels {levels}")
                return 1
            ways = [(level, "1") for level in ["off", *levels]]
            ways.append((ways[-1][0], "2"))
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                results = pool.map(partial(tagged, folder, text), *zip(*ways, strict=True))
                for (level, jobs), output in zip(ways, results, strict=True):
                    outputs.add(output)
                    digest = hashlib.sha256(output).hexdigest()[:16]
                    print(f"{build}, kernel {level}, --jobs {jobs}: {digest}", flush=True)
    if len(outputs) > 1:
        print("they do not write the same bytes")
    return len(outputs) > 1


if __name__ == "__main__":
    sys.exit(main())
