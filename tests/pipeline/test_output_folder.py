"""`senna.convert_each`: many files, each to its own."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

import senna
from senna.atomic import replacing
from senna.errors import SennaError
from senna.pipeline.output_folder import OPTIONS
from tests.pipeline.test_files import written


@pytest.fixture
def files(tmp_path) -> list[Path]:
    return written(tmp_path)


@pytest.mark.parametrize("jobs", [1, 2])
def test_each_file_has_its_own(files, tmp_path, jobs):
    folder = tmp_path / "new" / "out"
    done = list(senna.convert_each(files, folder, "conllu", tasks="ner", jobs=jobs))
    assert done == [folder / f"{name}.conllu" for name in "abc"]
    for file, path in zip(files, done, strict=True):
        assert path.read_bytes() == b"".join(senna.convert(file, "conllu", tasks="ner"))
    done[1].unlink()
    done[2].write_text("mine", encoding="utf-8")
    assert list(senna.convert_each(files, folder, "conllu", tasks="ner", resume=True)) == [done[1]]
    assert done[2].read_text(encoding="utf-8") == "mine"


def test_a_file_that_has_changed_is_tagged_again(files, tmp_path):
    options: dict[str, Any] = {"tasks": "pos", "resume": True}
    done = list(senna.convert_each(files, tmp_path / "out", **options))
    files[1].write_text("Bob slept.\n", encoding="utf-8")
    for path in done:  # however coarse the clock of the file system
        os.utime(path, (1e9, 1e9))
    for file in (files[0], files[2]):
        os.utime(file, (1e9, 1e9))
    files[2].unlink()
    assert list(senna.convert_each(files, tmp_path / "out", **options)) == [done[1]]
    assert done[1].read_text(encoding="utf-8").startswith("Bob\t")


def test_what_a_killed_process_left_is_removed_in_the_end(files, tmp_path):
    """Of files too that another process has written meanwhile."""
    folder = tmp_path / "out"
    options: dict[str, Any] = {"tasks": "pos", "resume": True}
    list(senna.convert_each(files, folder, **options))
    with replacing(folder / "b.tsv") as place:
        held = place.parent
        shutil.copytree(held, tmp_path / "kept")
        place.touch()
    shutil.copytree(tmp_path / "kept", held)
    before = {*folder.iterdir()}
    assert held in before
    assert list(senna.convert_each(files, folder, **options)) == []
    assert {*folder.iterdir()} == before - {held}


def test_files_that_other_options_gave_are_not_left_in_silence(files, tmp_path):
    folder = tmp_path / "out"
    list(senna.convert_each(files[:1], folder, tasks="pos"))
    assert list(senna.convert_each(files[:1], folder, tasks="pos", resume=True)) == []
    for options in ({"tasks": "chunk"}, {"tasks": "pos", "scores": True}):
        with pytest.raises(SennaError, match="were tagged with (tasks: pos|scores: the default)"):
            senna.convert_each(files, folder, resume=True, **options)
    assert len(list(senna.convert_each(files, folder, tasks="chunk"))) == 3


def test_a_fault_leaves_no_half_file(files, tmp_path):
    files[1].write_bytes(b"Anna ran.\n" * 10_000 + b"caf\xe9")
    for jobs in (1, 2):
        with pytest.raises(SennaError, match="UTF-8"):
            list(senna.convert_each(files, tmp_path / "out", tasks="ner", jobs=jobs))
        left = {path.name for path in (tmp_path / "out").iterdir()} - {OPTIONS}
        assert "a.tsv" in left and left <= {"a.tsv", "c.tsv"}


@pytest.mark.parametrize(
    ("given", "folder", "message"),
    [
        (["a.txt", "b/a.txt"], "out", "would both be written there"),
        (["-"], "out", "standard input has no name"),
        (["a.tsv"], "", "this is the input itself"),
        (["gone.txt"], "out", "no such file"),
        (["b/a.txt"], "", "no such file"),  # but what would be written is there
        (["a.tsv"], "a.tsv/out", "a.tsv/out: cannot write: "),
    ],
)
def test_files_that_do_not_fit(tmp_path, given, folder, message):
    (tmp_path / "a.tsv").write_text("Hi.\n", encoding="utf-8")
    named = [name if name == "-" else str(tmp_path / name) for name in given]
    with pytest.raises(SennaError, match=message):
        list(senna.convert_each(named, tmp_path / folder, tasks="ner"))
