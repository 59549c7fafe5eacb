"""Files that are written whole or not at all, and locks."""

import ast
import os
import subprocess
import sys
import threading
import types
from pathlib import Path

import pytest

from senna.atomic import is_locked, locked, replacing
from senna.errors import SennaError


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_takes_the_place_of_another(tmp_path):
    path = tmp_path / "file"
    for text in ("one", "two"):
        with replacing(path) as place:
            place.write_text(text)
            assert not path.exists() or path.read_text() == "one"
        assert path.read_text() == text and names(tmp_path) == ["file"]


PARTS = """
import os, signal, sys
from pathlib import Path
from senna import atomic
if sys.argv[2] == "old":  # killed between the two steps of replacing a folder
    def replace(a, b, real=os.replace):
        real(a, b)
        if os.path.basename(b) == "old":
            os.kill(os.getpid(), signal.SIGKILL)
    os.replace = replace
with atomic.replacing(Path(sys.argv[1])) as place:
    place.mkdir()
    (place / "new").touch()
    if sys.argv[2] == "new":
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="processes cannot be asked for")
@pytest.mark.parametrize("when", ["new", "old"])
def test_what_a_killed_process_left_is_removed(tmp_path, when):
    path = tmp_path / "folder"
    path.mkdir()
    (path / "before").touch()
    subprocess.run([sys.executable, "-c", PARTS, path, when], check=False)
    assert ("folder" in names(tmp_path)) == (when == "new")
    assert len(names(tmp_path)) == 1 + (when == "new")
    others = ["folder.elsewhere-1.tmp", "folder.tmp", "other"]
    for name in others:
        (tmp_path / name).touch()
    with pytest.raises(ZeroDivisionError), replacing(path):
        assert 1 // 0
    assert names(tmp_path) == sorted(["folder", *others])
    assert names(path) == ["before"], "what was there is there again"
    with replacing(path) as place:
        place.mkdir()
    assert names(tmp_path) == sorted(["folder", *others]) and names(path) == []


def test_what_is_being_written_is_not_swept(tmp_path):
    """By its lock alone: in another container a writer may have any number."""
    path = tmp_path / "file"
    with replacing(path) as place:
        place.write_text("one")
        with replacing(path) as other:
            other.write_text("two")
        assert path.read_text() == "two" and place.read_text() == "one"
    assert path.read_text() == "one" and names(tmp_path) == ["file"]


def test_a_link_stays_one(tmp_path):
    (tmp_path / "link").symlink_to("file")
    with replacing(tmp_path / "link") as place:
        place.write_text("new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "file").read_text() == "new"


def test_a_folder_stays_until_the_new_one_stands(tmp_path, monkeypatch):
    path, real = tmp_path / "folder", os.replace
    path.mkdir()
    (path / "old").touch()

    def fails(source: Path, target: Path) -> None:
        if Path(target) == path and not (Path(source) / "old").exists():
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(os, "replace", fails)
    with pytest.raises(SennaError, match="cannot write: No space"), replacing(path) as place:
        place.mkdir()
    assert names(tmp_path) == ["folder"] and names(path) == ["old"]


def test_where_nothing_can_be_written(tmp_path):
    path = tmp_path / "missing" / "file"
    fault = pytest.raises(SennaError, match="missing/file: cannot write: .*Make room")
    with fault, replacing(path, "Make room.") as place:
        place.write_text("")


def test_a_lock_goes_with_the_process_that_held_it(tmp_path):
    path = tmp_path / "held"
    code = "import sys; from senna.atomic import locked; from pathlib import Path\n"
    code += "with locked(Path(sys.argv[1])): print(flush=True); sys.stdin.read()"
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        holder.stdout.readline()
        fault = pytest.raises(SennaError, match="held: another process is writing it. Wait.")
        with fault, locked(path, "Wait."):
            pass
        holder.kill()
        holder.wait(60)
        with locked(path), pytest.raises(SennaError, match="another process"), locked(path):
            pass
        with locked(path):
            pass


def test_to_ask_whether_a_file_is_locked_neither_creates_it_nor_locks_out_others(tmp_path):
    path = tmp_path / "held"
    assert not is_locked(path) and names(tmp_path) == []
    with locked(path):
        assert is_locked(path)
    assert not is_locked(path)
    faults: list[SennaError] = []
    over = threading.Event()

    def ask() -> None:
        while not over.is_set():
            is_locked(path)

    listing = [threading.Thread(target=ask) for _ in range(2)]
    for thread in listing:
        thread.start()
    for _ in range(200):
        try:
            with locked(path):
                pass
        except SennaError as error:
            faults.append(error)
    over.set()
    for thread in listing:
        thread.join()
    assert not faults


def test_threads_that_write_one_path_do_not_take_each_others_file(tmp_path):
    faults: list[BaseException] = []

    def write(number: int) -> None:
        for _ in range(20):
            try:
                with replacing(tmp_path / "file") as place:
                    place.write_text(str(number))
            except SennaError as error:
                faults.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults and names(tmp_path) == ["file"]


def test_a_file_system_without_locks_or_without_room(tmp_path, monkeypatch):
    def unknown(file: int, shared: bool) -> None:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr("senna.atomic._lock", unknown)
    with locked(tmp_path / "file"), locked(tmp_path / "file"):
        pass
    fault = pytest.raises(SennaError, match="missing/file: cannot write")
    with fault, locked(tmp_path / "missing" / "file"):
        pass


def test_a_lock_of_windows(tmp_path, monkeypatch):
    """There a byte is locked, far behind what others read of the file."""
    held: set[int] = set()

    def locking(file: int, mode: int, n_bytes: int) -> None:
        assert (mode, n_bytes) == (2, 1)
        place = os.lseek(file, 0, os.SEEK_CUR)
        if place in held:
            raise PermissionError(13, "Permission denied")
        held.add(place)

    windows = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
    monkeypatch.setitem(sys.modules, "msvcrt", windows)
    monkeypatch.setattr(sys, "platform", "win32")
    path = tmp_path / "held"
    fault = pytest.raises(SennaError, match="another process is writing it")
    with locked(path), fault, locked(path):
        pass
    assert held == {1 << 30}
    assert path.stat().st_size == 0


def test_a_file_that_windows_holds_is_told_in_a_line(tmp_path, monkeypatch):
    """What is open or mapped there cannot be replaced: it stays, and nothing is left beside it."""
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "words.npy").write_text("old")
    replace = os.replace

    def refusing(source: Path, target: Path) -> None:
        if (Path(source) / "words.npy").exists() and Path(source).name == "model":
            raise PermissionError(13, "The process cannot access the file")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refusing)
    fault = pytest.raises(SennaError, match="model: cannot write: The process cannot access")
    with fault, replacing(tmp_path / "model") as place:
        place.mkdir()
        (place / "words.npy").write_text("new")
    assert os.listdir(tmp_path) == ["model"]
    assert (tmp_path / "model" / "words.npy").read_text() == "old"


def test_every_text_is_written_with_its_encoding_and_line_ends():
    """Windows would choose others."""
    faults = []
    for path in sorted((Path(__file__).parents[1] / "senna").rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        writes = "open(" in source or "write_text(" in source
        for node in ast.walk(ast.parse(source)) if writes else ():
            if isinstance(node, ast.Call) and _writes_text(node):
                stated = {keyword.arg for keyword in node.keywords}
                if len(node.args) < 4 and not stated >= {"encoding", "newline"}:
                    faults.append(f"{path.name}:{node.lineno}")
    assert faults == []


def _writes_text(call: ast.Call) -> bool:
    """Whether it is x.write_text(...), or an open(...) whose mode writes text."""
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    modes = [own.value for own in call.args if isinstance(own, ast.Constant)]
    return name == "write_text" or (
        name == "open" and any(mode in ("w", "a", "x", "wt", "at", "w+", "a+") for mode in modes)
    )
