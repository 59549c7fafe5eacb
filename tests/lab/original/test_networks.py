"""The original's data folder, every damage of which is told in a line; its maximum."""

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from senna.lab.original.networks import Folder, farthest
from tests.extras.classic.conftest import Classic

NOTHING = "read error: read 0 elements instead of 1 (of size 4)"
LINE = b"John saw Mary in London , who ran .\n"


def edit(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(path.read_bytes()))


def fault(classic: Classic, data: Path, *options: str) -> str:
    done = classic("-path", f"{data}/", *options, data=LINE)
    assert (done.code, done.out) == (255, b"")
    text = done.err.decode()
    assert text.startswith("FATAL ERROR: ") and text.endswith("\n")
    return text[13:-1]


Change = Callable[[bytes], bytes]


def without(key: bytes) -> Change:
    """Another key in its place, so that the list stays sorted."""
    return lambda text: text.replace(key, key + b"-")


def with_large_padding(whole: bytes) -> bytes:
    return whole[:-16] + struct.pack("<i", 1 << 20) + whole[-12:]


UNSORTED = "cannot search a key into an unsorted hash"
DAMAGES: list[tuple[str, Change, str, str]] = [
    ("hash/words.lst", without(b"UNKNOWN"), "-ner", "could not find key UNKNOWN"),
    ("hash/suffix.lst", without(b"NOSUFFIX"), "-pos", "could not find key NOSUFFIX"),
    ("hash/caps.lst", without(b"initcap"), "-pos", "could not find key initcap"),
    ("hash/gazetteer.lst", without(b"YES"), "-ner", "could not find key YES"),
    *(
        (f"hash/{name}.lst", lambda text: b"zzz\n" + text, "-ner", UNSORTED)
        for name in ("words", "caps", "ner.loc")
    ),
    ("hash/chk.lst", lambda text: b"O\n", "-chk", "hash index out of bounds"),
    ("data/ner.org.dat", lambda marks: marks + b"\1", "-ner", "inconsistent hash and admissible k"),
    ("data/pos.dat", with_large_padding, "-pos", "lookup: padding index out of range"),
]


@pytest.mark.parametrize(("name", "change", "option", "message"), DAMAGES)
def test_a_list_or_weights_of_another_content(classic, data, name, change, option, message):
    edit(data / name, change)
    assert fault(classic, data, option).startswith(message)


def test_files_that_are_missing(classic, data):
    (data / "data" / "srl.dat").unlink()
    assert fault(classic, data, "-srl") == f"unable to open file <{data}/data/srl.dat>"
    assert classic("-path", data, "-pos", data=LINE).code == 0  # which needs it not
    (data / "hash" / "words.lst").unlink()
    assert fault(classic, data, "-pos") == f"unable to open file <{data}/hash/words.lst>"


def test_a_device_is_no_list(classic, data):
    (data / "hash" / "words.lst").unlink()
    (data / "hash" / "words.lst").symlink_to("/dev/zero")
    assert fault(classic, data, "-pos") == f"unable to open file <{data}/hash/words.lst>"


@pytest.mark.parametrize("task", ["pos", "chk", "ner", "srl", "psg"])
def test_weights_that_are_cut_or_damaged(classic, data, task):
    path = data / "data" / f"{task}.dat"
    whole = path.read_bytes()
    path.write_bytes(whole[:-4] + struct.pack("<f", 778))
    corrupted = f"{task}: data corrupted (or not IEEE floating computer)"
    assert fault(classic, data, f"-{task}") == corrupted
    path.write_bytes(whole[:-4])
    assert fault(classic, data, f"-{task}") == NOTHING
    path.write_bytes(whole[:5000])
    assert fault(classic, data, f"-{task}").startswith("read error: read ")
    path.write_bytes(b"")
    assert fault(classic, data, f"-{task}") == NOTHING
    for size in (0, -1, 2**31 - 1):
        path.write_bytes(struct.pack("<iii", 5, size, size) + whole[12:])
        assert fault(classic, data, f"-{task}")


@pytest.mark.parametrize("seed", range(20))
def test_weights_of_any_numbers(classic, data, seed):
    """However damaged: an output, or one line."""
    random = np.random.default_rng(seed)
    for task in ("pos", "ner", "srl", "psg", "vbs"):
        numbers = np.fromfile(data / "data" / f"{task}.dat", "<i4")
        places = random.integers(0, len(numbers), 30)
        numbers[places] = random.integers(-(2**31), 2**31, 30)
        numbers.tofile(data / "data" / f"{task}.dat")
    for options in ("-pos", "-ner", "-srl", "-psg"):
        done = classic("-path", data, options, data=LINE)
        if done.code:
            assert done.err.startswith(b"FATAL ERROR: ") and done.err.count(b"\n") == 1
        else:
            assert done.out.count(b"\n") == 10


def test_words_beyond_the_table(classic, data):
    edit(data / "hash" / "words.lst", lambda text: text + b"\xff\xfe\n")
    done = classic("-path", data, "-usrtokens", "-ner", data=b"\xff\xfe\n")
    assert (done.code, done.err) == (255, b"FATAL ERROR: lookup: index out of range\n")


def test_lists_with_other_line_ends(classic, data):
    """CR LF, and no end of the last line: the original lost or spoilt keys."""
    expected = classic("-path", data, data=LINE)
    for path in (data / "hash").glob("*.lst"):
        edit(path, lambda text: text.replace(b"\n", b"\r\n").removesuffix(b"\r\n"))
    # The right strings of trees end in empty ones, each of which needs its line.
    edit(data / "hash" / "psg-right.lst", lambda text: text + b"\r\n")
    assert classic("-path", data, data=LINE) == expected


def test_lists_are_read_when_they_are_asked_for(data):
    told: list[str] = []
    folder = Folder(f"{data}/", told.append)
    folder.keys("words", "UNKNOWN")
    folder.entries("words")
    assert told == [f"loading hash: {data}/hash/words.lst"]


def test_the_class_of_no_verb_has_a_name(classic, data):
    """Not a number that is fixed in the program, where the list names it."""
    path = data / "hash" / "vbs.lst"
    labels = path.read_bytes().split(b"\n")
    plain = classic("-path", data, "-srl", "-notokentags", data=LINE)
    labels[labels.index(b"NOVB")] = b"OTHER"
    path.write_bytes(b"\n".join(labels))
    assert classic("-path", data, "-srl", "-notokentags", data=LINE) == plain
    labels[0] = b"NOVB"
    path.write_bytes(b"\n".join(labels))
    assert classic("-path", data, "-srl", "-notokentags", data=LINE) != plain


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20])
@pytest.mark.parametrize("n_distances", [1, 2, 4, 5, 9])
def test_the_maximum_with_what_each_distance_adds(n, n_distances):
    random = np.random.default_rng(n)
    x = random.normal(size=(n, 3)).astype(np.float32)
    added = random.normal(size=(n_distances, 3)).astype(np.float32)
    middle = (n_distances - 1) // 2
    slow = [
        np.max([x[t] + added[np.clip(t - k + middle, 0, n_distances - 1)] for t in range(n)], 0)
        for k in range(n)
    ]
    assert np.array_equal(farthest(x, added), np.array(slow))
