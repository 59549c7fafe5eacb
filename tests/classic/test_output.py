"""Odd tags of the original's columns in its schemes; its whole output is in the recorded runs."""

from __future__ import annotations

import pytest

from senna.classic.output import in_scheme


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("iobes", "O B-A I-A E-A S-A E- E-A-B"),
        ("iob", "O B-A I-A I-A B-A E- I-A-B"),
        ("bracket", "* (A* * *) (A*) *) *)"),
    ],
)
def test_tags_are_rewritten_one_by_one(scheme: str, expected: str) -> None:
    assert list(in_scheme("O B-A I-A E-A S-A E- E-A-B".split(), scheme)) == expected.split()
