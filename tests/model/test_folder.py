"""Model folders: written and read back, and every way in which one can be broken."""

import gc
import io
import os
import pickle
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from senna.errors import SennaError
from senna.model import folder as model_folder
from senna.model.folder import (
    FIRST,
    MAPPED,
    ModelFolder,
    StoredRows,
    model_path,
    read_model,
    shipped,
)
from senna.model.schema import FORMAT_VERSION
from senna.model.writing import add_about, check, write_model
from senna.pipeline.pipeline import Pipeline
from senna.settings import to_toml
from tests import strategies, toys

ARRAYS = {
    "words": np.arange(12, dtype=np.float32).reshape(6, 2),
    "words.scale": np.ones(6, np.float32),
    "bytes": np.array([[-128, 127]], np.int8),
    "empty": np.zeros((0, 3), np.float16),
}
TEXTS = {"words.txt": ["the", "", "日本", "a b"], "none.txt": []}
WINDOW = {"widths": [3], "hidden": [8], "shared": 1}
META = {
    "tasks": ["ner"],
    "features": {"forms": [], "longest": 20, "tags": []},
    "network": {"kind": "window", "constrained": True, "paths": True, "window": WINDOW},
}


def written(place: Path) -> Path:
    """A folder with arrays and texts, which is no network."""
    write_model(place / "model", META, ARRAYS, TEXTS)
    return place / "model"


@pytest.fixture
def folder(tmp_path) -> Path:
    return written(tmp_path)


@pytest.fixture(scope="module")
def network(tmp_path_factory) -> Path:
    """The folder of a whole network; not to be changed."""
    return toys.model(tmp_path_factory.mktemp("network") / "model")


def rewrite(folder: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    """Change model.toml."""
    path = folder / "model.toml"
    meta = tomllib.loads(path.read_text(encoding="utf-8"))
    change(meta)
    path.write_text(to_toml(meta), encoding="utf-8")


def test_round_trip(folder):
    found = read_model(folder)
    assert found.tasks == ["ner"]
    assert found.meta["format"] == FORMAT_VERSION
    for name, array in ARRAYS.items():
        back = found.array(name, *array.shape, types=(array.dtype.str,))
        assert back.dtype == array.dtype
        assert np.array_equal(back, array)
        assert found.has(f"{name}.npy")
    for name, lines in TEXTS.items():
        assert found.lines(name) == lines
    assert found.vocabulary("words.txt").entries == ("PADDING", "RARE", *TEXTS["words.txt"])
    assert check(folder) == len(ARRAYS) + len(TEXTS)
    assert sorted(p.name for p in folder.iterdir()) == sorted(
        ["model.toml", "about.toml", *TEXTS, *(f"{name}.npy" for name in ARRAYS)]
    )


@given(strategies.entries)
def test_entries_of_any_unicode(tmp_path_factory, entries):
    path = tmp_path_factory.getbasetemp() / "entries"
    write_model(path, {"tasks": []}, {}, {"x.txt": entries})
    assert read_model(path).lines("x.txt") == entries


def test_an_entry_with_a_line_feed_is_not_written(tmp_path):
    with pytest.raises(ValueError, match="line feed"):
        write_model(tmp_path / "model", {}, {}, {"x.txt": ["a\nb"]})


def test_large_arrays_are_mapped_not_read(tmp_path):
    large = (np.arange(MAPPED) % 100).astype(np.int8).reshape(-1, 2)
    write_model(tmp_path / "model", {"tasks": []}, {"large": large, "small": large[:-1]}, {})
    folder = read_model(tmp_path / "model")
    found, small = (folder.array(name, None, 2, types=("|i1",)) for name in ("large", "small"))
    base: Any = found
    while base is not None and not isinstance(base, np.memmap):
        base = base.base
    assert isinstance(base, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        found[0, 0] = 1
    assert small.base is None or not isinstance(small.base, np.memmap)
    assert np.array_equal(found[:-1], small)


def test_rows_of_a_large_array(tmp_path):
    rng = np.random.default_rng(1)
    large = rng.integers(-128, 128, (FIRST + 1000, 40), np.int8)
    write_model(tmp_path / "model", {"tasks": []}, {"large": large}, {})
    found = read_model(tmp_path / "model").rows("large", ("|i1",))
    assert found.shape == large.shape and len(found) == len(large)
    for n in (0, 1, 500):
        rows = rng.integers(0, len(large), n).astype(np.int32)
        assert np.array_equal(found[rows], large[rows])
    assert np.array_equal(pickle.loads(pickle.dumps(found)), large)


def test_small_arrays_are_finite(tmp_path):
    for number in (np.nan, np.inf, -np.inf):
        words = np.array([[1, number]], np.float32)
        write_model(tmp_path / "model", {"tasks": []}, {"words": words}, {})
        for look in (lambda: read_model(tmp_path / "model").array("words", 1, 2), None):
            with pytest.raises(SennaError, match=r"words\.npy: numbers that are not finite"):
                look() if look else check(tmp_path / "model")


def test_the_same_content_is_the_same_bytes(folder, tmp_path):
    write_model(tmp_path / "again", META, ARRAYS, TEXTS)
    for path in folder.iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes(), path.name


def test_a_name_of_the_package_is_the_package_s_and_any_other_a_path(folder, tmp_path, monkeypatch):
    models = tmp_path / "models"
    write_model(models / "chunk-ner", {"tasks": ["chunk", "ner"]}, {}, {})
    write_model(models / "base", {"tasks": []}, {}, {})
    monkeypatch.setattr(model_folder, "MODELS", models)
    monkeypatch.chdir(tmp_path)
    for name in ("base", "ner", "chunk-ner"):  # folders here that have the same names
        Path(name).mkdir()
    assert model_path("base") == models / "base"
    assert model_path("ner") == model_path("chunk") == model_path("chunk-ner")
    assert model_path("ner") == models / "chunk-ner"
    for name in ("./ner", "./base", "../ner", f"{tmp_path}/ner", "models/base", "pos", "300", ""):
        assert model_path(name) == Path(name)


def test_a_user_s_folder_of_models_is_searched_first(tmp_path, monkeypatch):
    models, own = tmp_path / "models", tmp_path / "own"
    for path, tasks in (
        (models / "chunk-ner", ["chunk", "ner"]),
        (models / "base", []),
        (own / "ner", ["ner"]),
        (own / "ner-mine", ["pos"]),  # no names of tasks alone: it has its name only
    ):
        write_model(path, {"tasks": tasks}, {}, {})
    monkeypatch.setattr(model_folder, "MODELS", models)
    monkeypatch.setenv("SENNA_MODELS", str(own))
    assert shipped() == {"chunk": models / "chunk-ner", "ner": own / "ner"}
    assert model_path("ner") == own / "ner"
    assert model_path("chunk") == models / "chunk-ner"
    assert model_path("ner-mine") == own / "ner-mine"
    assert model_path("base") == models / "base"
    assert model_path("./ner") == Path("ner")
    assert shipped(models) == {"chunk": models / "chunk-ner", "ner": models / "chunk-ner"}
    monkeypatch.setenv("SENNA_MODELS", str(tmp_path / "none"))
    with pytest.raises(SennaError, match=r"^\$SENNA_MODELS: .*none: no such folder"):
        shipped()
    monkeypatch.setenv("SENNA_MODELS", "")
    assert model_path("ner") == models / "chunk-ner"


def test_about_and_card(folder):
    about = {
        "scores": {"ner": {"measure": "F1", "ner/gum dev": 77.126}},
        "data": {"ner/gum": {"splits": ["train"], "licence": "CC BY"}, "own": {"splits": ["dev"]}},
        "notes": ["A toy."],
        "made": {
            **{"command": "senna train", "epochs": 3, "best_epoch": 2, "senna": "0"},
            "inputs": {"ner/gum": "0" * 64},
        },
    }
    add_about(folder, about)
    assert read_model(folder).about["scores"]["ner"]["ner/gum dev"] == 77.126
    card = (folder / "README.md").read_text(encoding="utf-8")
    parts = ("# ner", "A toy.", "ner/gum dev | 77.13 |", "CC BY", "    senna train", "gum | 000")
    assert all(part in card for part in parts)
    assert "own** (dev): a file of its maker's own" in card
    assert check(folder) == len(ARRAYS) + len(TEXTS)
    assert not list(folder.glob("*.tmp"))


# --------------------------------------------------------------------------- faults


def test_no_folder(tmp_path):
    for path in (tmp_path / "none", tmp_path, tmp_path / "file" / "x"):
        (tmp_path / "file").write_text("", encoding="utf-8")
        with pytest.raises(SennaError, match=r"not a model folder.*`senna train` makes one"):
            read_model(path)


OUTSIDE = ("../x.npy", "/etc/passwd", "a/b", "..\\x", "..", ".", "", "x\0y")
FILE = {"bytes": 0, "sha256": "0" * 64, "shape": [0], "dtype": "<f4"}
NEWER = rf"format {FORMAT_VERSION + 1}, this senna reads {FORMAT_VERSION}.*Install a newer"
UPGRADE, AGAIN = "of an earlier release. Run: senna models upgrade ", "Train the model again"
CHANGES: list[tuple[Callable[[dict[str, Any]], Any], str | None]] = [
    (lambda meta: meta.update(format=FORMAT_VERSION + 1), NEWER),
    (lambda meta: meta.update(format=1), f"format 1 {UPGRADE}"),
    (lambda meta: meta.update(format=2), f"format 2 {UPGRADE}"),
    (lambda meta: meta.update(format=0), AGAIN),
    (lambda meta: meta.update(format="1"), AGAIN),
    (lambda meta: meta.update(format=True), AGAIN),
    (lambda meta: meta.pop("format"), AGAIN),
    *(
        (lambda meta, name=name: meta["files"].update({name: FILE}), r"model\.toml: names a file")
        for name in OUTSIDE
    ),
    (lambda meta: meta.pop("network"), "tables features and network are missing"),
    (lambda meta: meta.pop("features"), "tables features and network are missing"),
    (lambda meta: meta.pop("files"), None),
    (lambda meta: meta.update(files=[]), None),
    (lambda meta: meta.update(tasks="ner"), None),
    (lambda meta: meta.update(use=["base"]), None),
    (lambda meta: meta["files"].update({"words.npy": 3}), None),
    *(
        (lambda meta, key=key: meta["files"]["words.npy"].pop(key), None)
        for key in ("bytes", "sha256", "shape", "dtype")
    ),
    (lambda meta: meta["files"]["words.npy"].update(bytes="x"), None),
]


@pytest.mark.parametrize(("change", "message"), CHANGES)
def test_a_model_toml_that_says_what_cannot_be(folder, change, message):
    (folder.parent / "x.npy").write_bytes(b"")  # outside, which is not touched
    rewrite(folder, change)
    with pytest.raises(SennaError, match=message):
        read_model(folder)


@pytest.mark.parametrize("name", ["words.npy", "words.txt"])
def test_a_file_that_is_cut_off_or_missing(folder, name):
    path = folder / name
    size = path.stat().st_size
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(SennaError, match=rf"{size - 1} bytes, model\.toml says {size}"):
        read_model(folder)
    path.unlink()
    with pytest.raises(SennaError, match=rf"{name}: missing.*Copy or train"):
        read_model(folder)


@pytest.mark.parametrize(
    ("key", "value"),
    [("shape", [3, 4]), ("shape", [12]), ("dtype", "<f8"), ("dtype", ">f4"), ("dtype", "<i4")],
)
def test_wrong_shape_or_type(folder, key, value):
    rewrite(folder, lambda meta: meta["files"]["words.npy"].update({key: value}))
    with pytest.raises(
        SennaError, match=r"words\.npy.*(in model\.toml|dtype = .* is not a type of arrays)"
    ):
        list(read_model(folder).arrays())


@pytest.mark.parametrize("shape", [(6,), (6, 3), (5, 2), (None, 2, 1), ()])
def test_an_array_of_another_shape_or_type_than_its_place(folder, shape):
    found = read_model(folder)
    assert found.array("words", None, 2).shape == (6, 2)
    with pytest.raises(SennaError, match=r"words\.npy: <f4 \[6, 2\] does not fit its place"):
        found.array("words", *shape)
    with pytest.raises(SennaError, match=r"words\.npy: <f4 \[6, 2\] does not fit its place"):
        found.array("words", 6, 2, types=("<f2", "|i1"))


class Trap:
    """A pickle that leaves a file behind when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (os.mkdir, (str(self.path),))


def _with_content(folder: Path, content: bytes) -> ModelFolder:
    """The folder with other contents of words.npy, of which model.toml knows the size."""
    (folder / "words.npy").write_bytes(content)
    rewrite(folder, lambda meta: meta["files"]["words.npy"].update(bytes=len(content)))
    return read_model(folder)


def test_what_is_no_array_is_refused_and_a_pickle_is_not_executed(folder, tmp_path):
    trap = tmp_path / "sprung"
    held, archive = io.BytesIO(), io.BytesIO()
    np.save(held, np.array([Trap(trap)], object), allow_pickle=True)
    np.savez(archive, words=ARRAYS["words"])
    cut = b"PK\x03\x04 and then nothing"
    for content in (held.getvalue(), pickle.dumps(Trap(trap)), archive.getvalue(), cut):
        with pytest.raises(SennaError, match=r"words\.npy: not a whole array"):
            _with_content(folder, content).array("words", 6, 2)
    assert not trap.exists()
    pickle.loads(pickle.dumps(Trap(trap)))
    assert trap.exists(), "the trap itself works"


@given(st.data())
def test_damaged_headers(network, tmp_path_factory, data):
    """Whatever stands in the first bytes: an array of the right shape, or a SennaError."""
    path = tmp_path_factory.getbasetemp() / "headers"
    write_model(path, {"tasks": []}, {"words": ARRAYS["words"]}, {})
    content = bytearray((path / "words.npy").read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, 127))] = data.draw(st.integers(0, 255))
    damaged = _with_content(path, bytes(content))
    try:
        found = damaged.array("words", 6, 2)
    except SennaError:
        return
    assert found.shape == (6, 2)


def test_no_such_array(folder):
    with pytest.raises(SennaError, match="it has no array 'hidden'"):
        read_model(folder).array("hidden", None)


def test_text_that_is_no_utf8(folder):
    path = folder / "words.txt"
    path.write_bytes(b"\xff" * path.stat().st_size)
    with pytest.raises(SennaError, match=r"words\.txt: not readable"):
        read_model(folder).lines("words.txt")


# --------------------------------------------------------------------------- whole networks


def test_a_network_without_any_one_of_its_files(network, tmp_path):
    files = read_model(network).meta["files"]
    assert len(files) > 12
    for name in files.keys() - {"words.trained.npy"}:  # which only `eval` asks for
        copy = Path(shutil.copytree(network, tmp_path / name))
        rewrite(copy, lambda meta, name=name: meta["files"].pop(name))
        with pytest.raises(SennaError):
            Pipeline.load(None, copy).annotate([["a", "b"]])


@pytest.mark.parametrize("name", ["words.txt", "ner.tags.txt", "ner.output.weight.npy"])
def test_a_file_that_kept_its_size_but_not_its_contents_is_refused(network, tmp_path, name):
    copy = Path(shutil.copytree(network, tmp_path / "copy"))
    content = bytearray((copy / name).read_bytes())
    if name.endswith(".npy"):
        content[-1] ^= 0x80  # the sign of a weight
    else:
        first, second, *rest = content.split(b"\n")
        content = bytearray(b"\n".join([second, first, *rest]))
    (copy / name).write_bytes(content)
    with pytest.raises(SennaError, match=f"{name}: .*its contents have changed"):
        Pipeline.load(None, copy)


def test_a_base_table_is_no_tagger(folder):
    rewrite(folder, lambda meta: meta.update(tasks=[]))
    with pytest.raises(SennaError, match="no models"):
        Pipeline.load(None, folder)


@pytest.mark.skipif(not hasattr(os, "pread"), reason="rows are read by place")
def test_a_table_that_is_cut_after_it_was_loaded_is_refused(tmp_path):
    path = tmp_path / "large.npy"
    np.save(path, np.zeros((FIRST + 10, 2), np.int8))
    rows = StoredRows(path, np.load(path, mmap_mode="r"))
    assert rows[np.array([FIRST + 9])].tolist() == [[0, 0]]
    os.truncate(path, path.stat().st_size - 6)
    with pytest.raises(SennaError, match="large.npy: .*its contents have changed"):
        rows[np.array([1, FIRST + 9])]


@pytest.mark.filterwarnings("error")
def test_a_table_that_cannot_be_opened_leaves_no_second_error(tmp_path, monkeypatch):
    path = tmp_path / "large.npy"
    np.save(path, np.zeros((3, 2), np.int8))
    array = np.load(path)

    def refuse(*_: Any) -> int:
        raise OSError("too many files")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(OSError, match="too many files"):
        StoredRows(path, array)
    gc.collect()
