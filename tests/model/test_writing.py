"""Model folders appear whole, and stay as they were where a disk is full."""

import errno
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from senna.errors import SennaError
from senna.model.folder import read_model
from senna.model.writing import add_about, check, write_model
from tests.faults import no_space
from tests.model.test_folder import ARRAYS, TEXTS, written


@pytest.fixture
def folder(tmp_path) -> Path:
    return written(tmp_path)


@pytest.mark.parametrize(
    "error",
    [OSError(errno.ENOSPC, "No space left on device"), OSError("9 requested and 0 written")],
)
def test_a_full_disk_leaves_the_old_model(folder, monkeypatch, error):
    def full(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(SennaError, match=f"cannot write: .*{error.strerror or error}"):
        write_model(folder, {"tasks": ["pos"]}, ARRAYS, TEXTS)
    monkeypatch.undo()
    assert read_model(folder).tasks == ["ner"]
    assert check(folder)
    assert [p.name for p in folder.parent.iterdir()] == ["model"]


def test_scores_that_cannot_be_written(folder, monkeypatch):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    monkeypatch.setattr(os, "replace", no_space)
    with pytest.raises(SennaError, match="No space left"):
        add_about(folder, {"scores": {}})
    assert check(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert not list(folder.parent.glob("*.tmp"))


@pytest.mark.parametrize("linked", [True, False])
def test_scores_and_card_appear_at_once(folder, monkeypatch, linked):
    def refused(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    if not linked:
        monkeypatch.setattr(os, "link", refused)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".toml"}
    add_about(folder, {"notes": ["One."]})
    kept = folder.parent / "kept.toml"
    os.link(folder / "about.toml", kept) if linked else shutil.copy(folder / "about.toml", kept)
    add_about(folder, {"notes": ["Two."]})
    assert read_model(folder).about["notes"] == ["Two."]
    assert "One." in kept.read_text(encoding="utf-8"), "what shares the old file is not changed"
    assert before.items() <= {path.name: path.read_bytes() for path in folder.iterdir()}.items()
    assert check(folder)
