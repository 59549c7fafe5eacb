"""scripts/check_lowest.py: which versions are tried."""

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "check_lowest.py"

specification = importlib.util.spec_from_file_location("check_lowest", SCRIPT)
assert specification is not None
assert specification.loader is not None
check_lowest = importlib.util.module_from_spec(specification)
specification.loader.exec_module(check_lowest)


def test_every_requirement_is_pinned_at_its_bound() -> None:
    pins = check_lowest.lowest(ROOT / "pyproject.toml")
    assert all(re.fullmatch(r"[\w-]+==\d+(\.\d+)+", pin) for pin in pins)
    assert {pin.partition("==")[0] for pin in pins} == {"hatchling", "numpy", "typer", "tqdm"}
