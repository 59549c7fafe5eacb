"""Errors, and their way between processes."""

import pickle
import re
from pathlib import Path

import pytest

import senna
from senna.annotation.schemes import TagError
from senna.errors import SennaError
from senna.extras.classic.program import FatalError, StrayArgumentError
from senna.formats.props import BracketError
from senna.kinds.answer import DocumentError
from senna.scoring.conlleval import ColumnsError

EVERY = [
    SennaError("bad\n", where="file:3", remedy="Mend it."),
    TagError('tag "X" is none', 3, "Mend it."),
    BracketError("never closed", 2),
    ColumnsError("a b c", 3, 2, "file:7"),
    FatalError("no"),
    StrayArgumentError("file"),
    DocumentError("no tree", 2),
]


@pytest.mark.parametrize("error", EVERY, ids=lambda error: type(error).__name__)
def test_an_error_of_a_worker_arrives_as_it_was(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), again.__dict__) == (str(error), error.__dict__)


def test_every_class_of_errors_is_tried():
    known = {type(error).__name__ for error in EVERY}
    for path in Path(senna.__file__).parent.rglob("*.py"):
        classes = re.findall(r"^class (\w+)\((\w+)\)", path.read_text(encoding="utf-8"), re.M)
        assert all(name in known for name, base in classes if base in known), path


@pytest.mark.parametrize(
    ("command", "python"),
    [
        ("Choose another --name.", "Choose another out."),
        ("--line-breaks: not a number", "line_breaks: not a number"),
        ("try --set train.epochs=4 (--nbest 3)", 'try settings=["train.epochs=4"] (n_best 3)'),
        ("continue with senna train --resume runs/a", "continue with senna train --resume runs/a"),
        ("see `senna tag --help`; or --task", "see `senna tag --help`; or task"),
        ("a--b, --- and -- stay", "a--b, --- and -- stay"),
    ],
)
def test_in_python_messages_speak_of_arguments(command, python):
    error = SennaError(command)
    assert str(error).startswith(python) and error.line.startswith(command)
    again = pickle.loads(pickle.dumps(error))
    assert again.line == error.line
