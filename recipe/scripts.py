"""The folder `scripts` as a package, for `python recipe/...`: Python searches this folder first."""

from pathlib import Path

__path__ = [str(Path(__file__).resolve().parents[1] / "scripts")]
