"""Tables of model folders: files that are none."""

import os
import tracemalloc

import pytest

from senna.errors import SennaError
from senna.model.folder import read_model
from senna.model.schema import BYTES, LINE, Listed, read_table
from senna.model.writing import write_model
from senna.settings import to_toml
from tests import toys


def test_a_description_that_is_much_too_large_is_not_read_whole(tmp_path):
    with (tmp_path / "model.toml").open("wb") as file:
        file.truncate(1 << 26)
    tracemalloc.start()
    try:
        with pytest.raises(SennaError, match="too large"):
            read_table(tmp_path / "model.toml")
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "line", [b"a." * 300, b"a" * 9_000, b'a = "', b"a = 'b", b'a = """b', b'\\"' * 100_000]
)
def test_a_line_that_keeps_its_reader_busy_is_not_read(line, tmp_path):
    """The last one takes minutes if it is looked at again from each of its quotes."""
    path = tmp_path / "model.toml"
    path.write_bytes(b"b = 1 # it's\n" + line + b"\n")
    with pytest.raises(SennaError, match="too large"):
        read_table(path)


def test_an_array_whose_size_is_a_long_number_is_checked(tmp_path):
    """Its digits, read as several numbers, once kept the reader busy for hours."""
    path = tmp_path / "model.toml"
    entry = '[files]\n\n[files."x.npy"]\ndtype = "<f4"\nshape = [{}]\nbytes = 4\nsha256 = "{}"\n'
    path.write_text("b = 1\n\n" + entry.format("9" * 60, "0" * 64), encoding="utf-8")
    assert not isinstance(read_table(path)["files"]["x.npy"], Listed)
    path.write_text("b = 1\n\n" + entry.format("9" * 60 + "x", "0" * 64), encoding="utf-8")
    with pytest.raises(SennaError, match="damaged"):
        read_table(path)


def test_what_is_read_is_written_again_as_it_was(tmp_path):
    path = toys.model(tmp_path / "model", "pos") / "model.toml"
    again = tmp_path / "model.toml"
    again.write_text(to_toml(read_table(path)), encoding="utf-8")
    assert again.read_text("utf-8") == path.read_text("utf-8")
    assert all(isinstance(entry, Listed) for entry in read_table(again)["files"].values())


# --------------------------------------------------------------------------- no table at all

NONE = {
    "large": b"# " + b"x\n# " * (BYTES // 4),
    "one long line": b"x = " + b"0" * LINE,
    "nested lists": b"x = " + b"[" * (LINE - 10),
    "many nested lists": b"x = [\n" * 10_000,
    "closed lists": b"x = " + b"[" * 4_000 + b"]" * 4_000,
    "nested tables": b"x = " + b"{a = " * 1_500,
    "dotted keys": b"a" + b".a" * 4_000 + b" = 1",
    "dotted tables": b"[a" + b".a" * 4_000 + b"]\nx = 1",
    "many dotted keys": b"".join(b"k%d%s = 1\n" % (i, b".a" * 400) for i in range(300)),
    "keys of a deep table": b"[a%s]\n" % (b".a" * 4_000) + b"k.k = 1\n" * 20_000,
    "keys after strings": b'x = {a = """\n" """, b%s = 1, c = " "}' % (b".b" * 4_000),
    "a large number": b"format = " + b"9" * 1_000_000,
    "a number as long as a line": b"format = " + b"9" * (LINE - 20),
    "a number of many digits": b"x = " + b"9" * 5_000,
    "a date that is none": b"x = 2020-99-99",
    "bytes": bytes(range(256)),
    "nothing": b"",
    "not UTF-8": b"x = '\xff'",
    "half": b"format = ",
    "twice": b"format = 1\nformat = 1",
    "a carriage return": b"x = 1\r",
}


@pytest.mark.parametrize("content", NONE.values(), ids=NONE)
def test_a_model_toml_that_is_none(tmp_path, content):
    (tmp_path / "model.toml").write_bytes(content)
    with pytest.raises(SennaError) as error:
        read_model(tmp_path)
    said = str(error.value)
    assert said.startswith(str(tmp_path))
    assert len(said) < 400
    assert "\n" not in said


@pytest.mark.parametrize("name", ["model.toml", "about.toml", "words.txt", "caps.npy"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["a FIFO", "a folder"])
def test_no_file(tmp_path, name, make):
    """A pipe would be waited for, for ever."""
    path = toys.model(tmp_path / "model")
    (path / name).unlink(missing_ok=True)
    make(path / name)
    said = "not a regular file" if name.endswith("toml") else r".* bytes, model\.toml says"
    with pytest.raises(SennaError, match=f"{name}: {said}"):
        _ = read_model(path).about


@pytest.mark.parametrize(
    "text", ["...", 'a"b', "don't", "'''", '"""', "# x", "a\\", '\\"', "\n" * 99, "'", '"', "''"]
)
def test_what_a_maker_says_may_hold_anything(tmp_path, text):
    notes = [text * 50, text, f"{text} = {text}"]
    write_model(tmp_path / "model", {"tasks": [], "notes": notes, "made": {text: text}}, {}, {})
    assert read_model(tmp_path / "model").about == {"notes": notes, "made": {text: text}}
