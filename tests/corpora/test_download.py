"""Downloads, whole and broken: a file is there and right, or not there at all."""

from __future__ import annotations

import dataclasses
import errno
import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from senna.corpora import download as module
from senna.corpora.catalogue import SourceFile
from senna.corpora.download import digest_of, download, partial_in
from senna.errors import SennaError

CONTENT = b"Ada\tB-person\nwaits\tO\n" * 5000


def ignore(_: int) -> None:
    pass


def refused(source: SourceFile, folder: Path, message: str) -> None:
    """The download fails with that message and with advice, and leaves nothing behind."""
    with pytest.raises(SennaError, match=message) as caught:
        download(source, folder, ignore)
    assert caught.value.mend
    assert "\n" not in str(caught.value)
    assert not folder.is_dir() or not list(folder.iterdir())


def test_git_blob_digest_is_that_of_git(tmp_path: Path) -> None:
    # `printf 'hello\n' | git hash-object --stdin`
    (tmp_path / "hello").write_bytes(b"hello\n")
    expected = "ce013625030ba8dba906f756967f9e9ca394464a"
    assert digest_of(tmp_path / "hello", "git_blob") == expected


def test_unknown_kind_of_digest() -> None:
    with pytest.raises(ValueError, match="md5"):
        digest_of(Path(), "md5")


def test_a_file_arrives_whole_and_is_counted(server, tmp_path) -> None:
    source = server.put("whole", CONTENT)
    counted: list[int] = []
    path = download(source, tmp_path / "new" / "folder", counted.append)
    assert path.read_bytes() == CONTENT
    assert sum(counted) == len(CONTENT)
    assert [path] == list(path.parent.iterdir())


def test_a_file_pinned_by_its_git_id(server, tmp_path) -> None:
    blob = hashlib.sha1(b"blob %d\0" % len(CONTENT) + CONTENT).hexdigest()
    source = dataclasses.replace(server.put("whole", CONTENT), digest="git_blob:" + blob)
    assert download(source, tmp_path, ignore).read_bytes() == CONTENT


def test_a_file_that_is_there_is_not_asked_for_again(server, tmp_path) -> None:
    source = server.put("whole", CONTENT)
    path = download(source, tmp_path, ignore)
    counted: list[int] = []
    assert download(source, tmp_path, counted.append) == path
    assert server.asked == ["/whole"]
    assert sum(counted) == len(CONTENT)


def test_a_damaged_copy_is_replaced(server, tmp_path) -> None:
    source = server.put("whole", CONTENT)
    download(source, tmp_path, ignore).write_bytes(b"damaged")
    assert download(source, tmp_path, ignore).read_bytes() == CONTENT


def test_a_download_that_breaks_off(server, tmp_path) -> None:
    refused(server.put("short", CONTENT), tmp_path, r"short: the download broke off after \d+ byt")


def test_a_server_that_hangs_up(server, tmp_path) -> None:
    refused(server.put("silent", CONTENT), tmp_path, "silent: cannot be reached: ")


def test_a_wrong_hash(server, tmp_path) -> None:
    source = server.put("changed", CONTENT)
    server.files["/changed"] = CONTENT.replace(b"Ada", b"Ida")
    refused(source, tmp_path, "is not the one expected .sha256:")


def test_an_http_error(server, tmp_path) -> None:
    source = server.put("gone", CONTENT)
    del server.files["/gone"]
    refused(source, tmp_path, "gone: the server answers 404")


def test_far_more_than_expected(server, tmp_path) -> None:
    source = dataclasses.replace(server.put("whole", CONTENT * 10), size=1000)
    refused(source, tmp_path, "the download is larger than the 1000 bytes expected")


def test_no_network(tmp_path) -> None:
    # Port 9 (discard) is not listened to.
    source = SourceFile("file", "http://127.0.0.1:9/file", "sha256:00", 1)
    refused(source, tmp_path, "127.0.0.1:9/file: cannot be reached: .*refused. Check the network")


def test_a_name_that_does_not_resolve(tmp_path) -> None:
    source = SourceFile("file", "http://no-such-host.invalid/file", "sha256:00", 1)
    refused(source, tmp_path, "cannot be reached")


def test_a_folder_that_cannot_be_made(server, tmp_path) -> None:
    (tmp_path / "file").write_bytes(b"")
    where = re.escape(str(tmp_path / "file"))
    refused(server.put("whole", CONTENT), tmp_path / "file" / "below", f"{where}.*cannot be read")


def test_a_full_disk(server, tmp_path, monkeypatch) -> None:
    def full(*_: object) -> Iterator[bytes]:
        raise OSError(errno.ENOSPC, "No space left on device")
        yield b""

    monkeypatch.setattr(module, "transfer", full)
    refused(server.put("whole", CONTENT), tmp_path, "No space left on device. Make room")


def test_what_killed_runs_left_is_removed(server, tmp_path) -> None:
    pytest.importorskip("fcntl")
    program = (
        "import pathlib, sys, time; from senna.corpora.download import partial_in\n"
        "with partial_in(pathlib.Path(sys.argv[1])) as made:\n"
        "    (made / 'file').write_text('half'); print(flush=True); time.sleep(60)"
    )
    killed = subprocess.Popen([sys.executable, "-c", program, tmp_path], stdout=subprocess.PIPE)
    assert killed.stdout
    with killed, killed.stdout as out:
        out.readline()
        with partial_in(tmp_path):
            assert len(list(tmp_path.iterdir())) == 2  # that run is still at work
        [left] = tmp_path.iterdir()
        killed.kill()
    assert (left / "file").read_text() == "half"
    (tmp_path / ".partial-file").write_bytes(b"of a run that wrote files")
    (tmp_path / "own").write_bytes(b"")
    path = download(server.put("whole", CONTENT), tmp_path, ignore)
    assert sorted(tmp_path.iterdir()) == sorted([path, tmp_path / "own"])


def test_runs_at_the_same_time_leave_each_other_alone(tmp_path) -> None:
    with partial_in(tmp_path) as first, partial_in(tmp_path) as second:
        assert first.is_dir()
        assert second.is_dir()
    assert not list(tmp_path.iterdir())


def test_ctrl_c_leaves_nothing(server, tmp_path) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download(server.put("whole", CONTENT), tmp_path, interrupt)
    assert not list(tmp_path.iterdir())
