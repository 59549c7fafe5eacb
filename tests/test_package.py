"""The wheel: what it holds, and that it works alone, in an empty folder, without torch."""

import importlib.metadata
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import senna
from tests.processes import ROOT

MOST = 58e6  # bytes of the wheel
# Starts Python on nothing but the folders given: no site-packages, no current folder.
START = "import sys; sys.path[:0] = {folders!r}; {code}"
OFF = {"SENNA_KERNEL": "off"}  # so that its absence is not reported
PROGRAM = "sys.argv[0] = 'senna'; from senna.cli.main import main; main()"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / "pyproject.toml").exists(), reason="the tests do not stand in a checkout"
    ),
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built from the checkout; scripts/check_install.py has one with the kernel."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    env = os.environ | {"SENNA_BUILD": "plain"}
    subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True)
    [path] = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The wheel's files."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def needed(tmp_path_factory) -> Path:
    """A folder with NumPy, typer, tqdm and what they need, and nothing else."""
    folder = tmp_path_factory.mktemp("needed")
    for distribution in needs(importlib.metadata.distribution("numpy"), {}).values():
        link(distribution, folder)
    for name in ("typer", "tqdm"):
        for distribution in needs(importlib.metadata.distribution(name), {}).values():
            link(distribution, folder)
    return folder


def needs(
    distribution: importlib.metadata.Distribution, found: dict[str, importlib.metadata.Distribution]
) -> dict[str, importlib.metadata.Distribution]:
    """A distribution and all that it needs here, by name."""
    found[distribution.name] = distribution
    for requirement in distribution.requires or ():
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        if "extra ==" in requirement or name in found:
            continue
        try:
            needs(importlib.metadata.distribution(name), found)
        except importlib.metadata.PackageNotFoundError:
            continue  # for other systems
    return found


def link(distribution: importlib.metadata.Distribution, folder: Path) -> None:
    """Make a distribution's packages visible in a folder."""
    tops = {path.parts[0] for path in distribution.files or ()}
    for top in tops - {"..", "__pycache__"}:
        if not (folder / top).exists():
            (folder / top).symlink_to(str(distribution.locate_file(top)))


def run(
    folders: list[Path], code: str, *arguments: str, cwd: Path, data: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run code in a bare Python."""
    start = START.format(folders=[str(folder) for folder in folders], code=code)
    return subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", "-c", start, *arguments],
        input=data,
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        env={"PATH": os.environ["PATH"], "HOME": str(cwd), "OMP_NUM_THREADS": "1", **OFF},
    )


def test_resources_are_the_files_of_the_checkout(wheel):
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if name.startswith("senna/resources/")}
        for folder in ("configs", "data"):
            files = [path for path in (ROOT / folder).rglob("*") if path.is_file()]
            assert files
            for path in files:
                name = f"senna/resources/{path.relative_to(ROOT).as_posix()}"
                assert archive.read(name) == path.read_bytes()
                held.discard(name)
    assert held == set()


def test_code_models_and_licences(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        [points] = [name for name in names if name.endswith("entry_points.txt")]
        assert "senna = senna.__main__:main" in archive.read(points).decode()
    code = {path.relative_to(ROOT).as_posix() for path in (ROOT / "senna").rglob("*.py")}
    assert code <= names
    models = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "senna" / "models").rglob("*")
        if path.is_file()
    }
    assert models <= names
    assert "senna/models/LICENSE" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    tops = {name.split("/")[0] for name in names}
    assert tops == {"senna", f"senna-{senna.__version__}.dist-info"}
    assert not any("__pycache__" in name for name in names)
    assert wheel.stat().st_size < MOST


def test_nothing_but_what_it_asks_for_is_visible(installed, needed, tmp_path):
    code = "import importlib.util as u; print(*[u.find_spec(n) is not None for n in sys.argv[1:]])"
    done = run([installed, needed], code, "senna", "numpy", "torch", "pytest", cwd=tmp_path)
    assert done.stdout == "True True False False\n", done.stderr


def test_models_corpora_and_scores(installed, needed, tmp_path):
    listed = run([installed, needed], PROGRAM, "models", cwd=tmp_path)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "\npos\t" in listed.stdout
    checked = run([installed, needed], PROGRAM, "models", "check", cwd=tmp_path)
    assert (checked.returncode, checked.stderr) == (0, "")
    corpora = run([installed, needed], PROGRAM, "data", "list", cwd=tmp_path)
    assert "pos/ewt\t" in corpora.stdout
    gold = installed / "senna" / "resources" / "data" / "demo" / "pos" / "test.txt"
    options = ("eval", "--task", "pos", "--model", "pos", str(gold))
    scored = run([installed, needed], PROGRAM, *options, cwd=tmp_path)
    assert "accuracy:" in scored.stdout, scored.stderr


def test_the_shipped_models_tag_the_sample(installed, needed, tmp_path):
    sample = installed / "senna" / "resources" / "data" / "sample.txt"
    done = run([installed, needed], PROGRAM, "tag", "--quiet", str(sample), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split("\t") for line in done.stdout.splitlines() if line]
    for block in done.stdout.split("\n\n"):
        own = [line.split("\t") for line in block.splitlines()]
        n = sum(row[4] != "-" for row in own)
        assert {len(row) for row in own} <= {5 + n}, "a column of roles for each predicate"
    assert {row[3][2:] for row in rows} >= {"", "LOC", "PER"}
    assert {row[4] for row in rows} >= {"-", "blamed"}
    assert {tag[2:] for row in rows for tag in row[5:]} >= {"", "V", "A0", "A1", "AM-TMP"}
    assert os.listdir(tmp_path) == []
