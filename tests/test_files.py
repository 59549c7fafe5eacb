"""Files: compressed and damaged input."""

import bz2
import gzip
import io
import lzma
import sys
from pathlib import Path
from typing import Any

import pytest

from senna.atomic import make_folder
from senna.errors import SennaError
from senna.files import open_text

COMPRESS = {".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress}


@pytest.mark.parametrize("suffix", ["", ".txt", ".gz", ".xz", ".bz2", ".XZ"])
def test_compressed_files_read_like_plain_ones(suffix, tmp_path):
    text = "é\tO\r\n" * 50_000 + "end"
    path = tmp_path / ("file" + suffix)
    path.write_bytes(COMPRESS.get(suffix.lower(), bytes)(text.encode()))
    with open_text(path) as stream:
        assert stream.read() == text
    with open_text(str(path)) as stream:
        assert sum(1 for _ in stream) == 50_001


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize("damage", ["cut", "empty", "other"])
def test_damaged_compressed_files_are_refused(suffix, damage, tmp_path):
    whole = COMPRESS[suffix]("".join(f"token{i * i}\tO\n" for i in range(10_000)).encode())
    path = tmp_path / ("file" + suffix)
    path.write_bytes({"cut": whole[: len(whole) // 2], "empty": b"", "other": b"a O\n"}[damage])
    with pytest.raises(SennaError, match="fetch or compress it again") as caught:
        open_text(path).read()
    assert str(caught.value).startswith(str(path))


ZIP = b"PK\x03\x04\x14\x00\x00\x00\x08\x00 of a file"
ZSTANDARD = b"\x28\xb5\x2f\xfd\x04\x00 of a file"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.rtf", b"{\\rtf1\\ansi Ann left.}", "is a .rtf file, .* Save it as plain text."),
        ("a.txt", b"%PDF-1.7\nAnn left.", "is a .pdf file, .* Save it as plain text."),
        ("a.xlsx", ZIP, "is a .xlsx file, .* Save the sheet as CSV."),
        ("a.docx", ZIP, "is a .docx file, .* Save it as plain text."),
        ("a.txt", b"\x89PNG\r\n\x1a\n", "is a .png file, .* Name a file of text."),
        ("a.bin", b"a\xe9\0b", "not valid UTF-8 .*It has null bytes: is it text[?]"),
    ],
)
def test_files_that_are_not_text_are_named(name, data, message, tmp_path):
    path = tmp_path / name
    path.write_bytes(data)
    with open_text(path) as stream, pytest.raises(SennaError, match=message):
        stream.read()


@pytest.mark.parametrize("name", ["a.txt.zst", "a.txt.zip", "a.txt", "-"])
@pytest.mark.parametrize("errors", ["strict", "replace"])
def test_other_compressed_data_is_named(name, errors, tmp_path, monkeypatch):
    for data, kind in ((ZIP, ".zip"), (ZSTANDARD, ".zst")):
        path = tmp_path / name if name != "-" else "-"
        if isinstance(path, Path):
            path.write_bytes(data)
        else:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        with open_text(path, errors) as stream, pytest.raises(SennaError) as error:
            stream.read()
        assert f"is a {kind} file, which senna does not read. Decompress" in str(error.value)
        assert "UTF-8" not in str(error.value)


def test_files_that_cannot_be_opened(tmp_path):
    for path, what in [
        (tmp_path / "none.txt", "no such file"),
        (tmp_path / "none.xz", "no such file"),
        (tmp_path, "is a folder"),
        (Path(), "is a folder"),
        ("", "empty file name"),
        ("a\0b", "cannot be opened"),
    ]:
        with pytest.raises(SennaError, match=what):
            open_text(path)


@pytest.mark.parametrize("before", [0, 1, 5_000, 100_000])
@pytest.mark.parametrize(
    "bad", [b"caf\xe9 O\n", b"\xff\n", b"\xed\xa0\x80\n", b"O \xe2\x82"], ids=repr
)
def test_invalid_utf8_is_told_with_its_line(before, bad, tmp_path):
    path = tmp_path / "latin"
    path.write_bytes("é O\n".encode() * before + bad)
    with open_text(path) as stream, pytest.raises(SennaError) as caught:
        list(stream)
    assert str(caught.value).startswith(f"{path}:{before + 1}: not valid UTF-8")
    with open_text(path, errors="replace") as stream:
        lines = list(stream)
    assert len(lines) == before + 1
    assert "\ufffd" in lines[-1]


def test_a_dash_is_standard_input(monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(b"a O\nb\xff O\n"), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", stdin)
    with open_text("-") as stream, pytest.raises(SennaError, match="<stdin>:2: not valid UTF-8"):
        stream.read()
    assert not stdin.closed


def test_closed_standard_input_is_refused(monkeypatch):
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(SennaError, match="standard input is closed"):
        open_text("-")


class Dripping(io.RawIOBase):
    """Bytes that come one, or a few, at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self.data, self.size = io.BytesIO(data), size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self.data.read(min(self.size, len(buffer)))
        buffer[: len(block)] = block
        return len(block)


def piped(data: bytes, size: int, monkeypatch: pytest.MonkeyPatch) -> str:
    stdin = io.TextIOWrapper(io.BufferedReader(Dripping(data, size)))
    monkeypatch.setattr(sys, "stdin", stdin)
    return open_text("-").read()


@pytest.mark.parametrize("size", [1, 5, 1 << 16])
@pytest.mark.parametrize("suffix", COMPRESS)
def test_compressed_standard_input(suffix, size, monkeypatch):
    text = "é\tO\r\n" * 500
    assert piped(COMPRESS[suffix](text.encode()), size, monkeypatch) == text
    assert piped(COMPRESS[suffix](b""), size, monkeypatch) == ""
    with pytest.raises(SennaError, match="<stdin>:.* fetch or compress it again"):
        piped(COMPRESS[suffix](text.encode())[:-4], size, monkeypatch)


@pytest.mark.parametrize("size", [1, 1 << 16])
@pytest.mark.parametrize("text", ["", "B", "BZ", "BZh", "BZh9 is text", "BZh91AY&S", "Bob"])
def test_text_that_begins_like_something_compressed(text, size, monkeypatch):
    assert piped(text.encode(), size, monkeypatch) == text


def test_a_file_in_the_place_of_a_folder_is_said_to_be_one(tmp_path):
    (tmp_path / "out").touch()
    with pytest.raises(SennaError, match="this is a file, where a folder is expected"):
        make_folder(tmp_path / "out")
