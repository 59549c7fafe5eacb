"""Build the packages of a release and install each where it must work, without a clone.

usage: python scripts/check_packages.py [FOLDER]

`python -m build` makes an sdist, a wheel with the kernel and one without; `twine check` reads them.
Each is installed in fresh environments of the lowest and the newest Python at hand, the sdist with
a C compiler and without one. There, outside the checkout, all must tag the sample alike. The
packages stay in FOLDER if it is given. Needs build and twine.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from common import parser_of

ROOT = Path(__file__).resolve().parents[1]
ANY = "import sys; print(sys.version_info >= (3, 11))"


def said(*command: object, **options: object) -> str:
    """What a command prints; it must end well."""
    texts = [*map(str, command)]
    return subprocess.run(texts, check=True, text=True, stdout=subprocess.PIPE, **options).stdout  # type: ignore[call-overload]


def pythons() -> list[str]:
    """The lowest and the newest Python: on the path, or where pyenv keeps them."""
    found = {}
    for minor in range(11, 20):
        folders = [*os.get_exec_path(), *Path.home().glob(f".pyenv/versions/3.{minor}.*/bin")]
        for path in (Path(folder, f"python3.{minor}") for folder in folders):
            if (
                path.exists()
                and not subprocess.run([path, "-c", ANY], capture_output=True).returncode
            ):
                found.setdefault(minor, str(path))
    return [found[minor] for minor in sorted({min(found), max(found)})]


def build(folder: Path) -> dict[str, Path]:
    """The packages, by what they need."""
    make = (sys.executable, "-m", "build", "--outdir")
    said(*make, folder, ROOT, env=os.environ | {"SENNA_BUILD": "compiled"})
    said(*make, folder, "--wheel", ROOT, env=os.environ | {"SENNA_BUILD": "plain"})
    print(said(sys.executable, "-m", "twine", "check", "--strict", *folder.glob("senna-*")))
    [sdist], wheels = folder.glob("*.tar.gz"), sorted(folder.glob("*.whl"))
    [compiled] = [wheel for wheel in wheels if not wheel.name.endswith("-any.whl")]
    [plain] = [wheel for wheel in wheels if wheel != compiled]
    return {"wheel": compiled, "plain wheel": plain, "sdist": sdist, "sdist, no compiler": sdist}


def tagged(package: Path, python: str, home: Path, compiler: bool) -> tuple[str, str]:
    """What an installed package says of its version, and the tags of the sample."""
    said(python, "-m", "venv", home)
    bin_ = home / "bin"
    path = os.environ["PATH"] if compiler else str(bin_)
    environment = os.environ | {"PATH": path, "SENNA_KERNEL": ""}
    for name in ("PYTHONPATH", "CC", "SENNA_BUILD"):
        environment.pop(name, None)
    said(bin_ / "python", "-m", "pip", "install", "-q", package, env=environment)
    version = said(bin_ / "senna", "--version", cwd=home, env=environment)
    sample = ROOT / "data" / "sample.txt"
    return version.strip(), said(bin_ / "senna", "tag", sample, cwd=home, env=environment)


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="where the packages stay")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        kept = (chosen.folder or Path(scratch, "dist")).resolve()
        outputs = set()
        for name, package in build(kept).items():
            print(f"{name}: {package.name}, {package.stat().st_size / 1e6:.1f} MB", flush=True)
            for python in pythons():
                home = Path(scratch, f"{name}-{Path(python).name}")
                version, tags = tagged(package, python, home, "no compiler" not in name)
                outputs.add(tags)
                print(f"  {Path(python).name}: {version}", flush=True)
                if ("kernel: off" in version) == (name in ("wheel", "sdist")):
                    print("  this is not the kernel that it should have")
                    return 1
    if len(outputs) > 1:
        print("they do not write the same tags")
    return len(outputs) > 1


if __name__ == "__main__":
    sys.exit(main())
