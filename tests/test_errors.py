"""Errors, and their way between processes."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pytest

import senna
from senna.classic.options import FatalError, StrayArgumentError
from senna.errors import SennaError
from senna.pretraining.leg import DivergedError
from senna.reading.options import OptionError
from senna.scoring.tagged import ColumnsError
from senna.text.props import BracketError
from senna.text.schemes import TagError

EVERY = [
    SennaError("bad\n", where="file:3", mend="Mend it."),
    TagError('tag "X" is none', 3, "Mend it."),
    BracketError("never closed", 2),
    ColumnsError("a b c", 3, 2, "file:7"),
    FatalError("no"),
    StrayArgumentError("file"),
    DivergedError("not finite"),
    OptionError("not known", "scheme", mend="Choose iobes."),
]


@pytest.mark.parametrize("error", EVERY, ids=lambda error: type(error).__name__)
def test_an_error_of_a_worker_arrives_as_it_was(error: SennaError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), again.__dict__) == (str(error), error.__dict__)


def test_every_class_of_errors_is_tried() -> None:
    known = {type(error).__name__ for error in EVERY}
    for path in Path(senna.__file__).parent.rglob("*.py"):
        classes = re.findall(r"^class (\w+)\((\w+)\)", path.read_text(encoding="utf-8"), re.M)
        assert all(name in known for name, base in classes if base in known), path
